import { expect, test } from 'vitest'
import { type Finding, wordsOf } from '../../engine/findings/finding.ts'
import { kinds } from '../../helpers/findings/kinds.ts'
import { winnersFinding } from '../../helpers/findings/winners.ts'

// biome-ignore format: one finding a line
test.each<[Finding, sentence: string, expected: string, got: string]>([
  [winnersFinding({ sent: 6, accepted: 2 }), '2 of 6 simultaneous updates with one If-Match were accepted, not one', 'one accepted, 409 to the others', '2 accepted'],
  [winnersFinding({ sent: 3, accepted: 3, ifMatch: 'v1' }), '3 updates with the same If-Match, v1, were all accepted', '409 to all but one', '2xx to 3'],
  [winnersFinding({ sent: 6, accepted: 0, rounds: 3 }), '6 simultaneous updates with the current version were rejected with 409 in each of 3 rounds, but one of each round was accepted when sent again alone', 'one accepted, 409 to the others', 'none accepted'],
])('winners in words: %j', (finding, sentence, expected, got) => {
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
})
