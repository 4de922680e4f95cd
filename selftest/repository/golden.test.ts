import { expect, test } from 'vitest'
import { suite } from '../../program/clauses.ts'
import { read as readGolden } from '../golden/text.ts'
import { targetsOf } from '../prove/golden.ts'
import { read } from './tree.ts'

test('golden.txt has rows of clauses and proofs that exist', () => {
  const golden = readGolden(read('selftest/golden.txt'))
  const names = targetsOf(false).map(({ name }) => name)
  const ids = ['(end)', ...suite.map(({ id }) => id)]
  const gone = [...golden].flatMap(([id, { exceptions }]) => [
    ...(ids.includes(id) ? [] : [id]),
    ...[...exceptions.keys()].filter((name) => !names.includes(name)),
  ])
  expect(
    [...new Set(gone)],
    "drop them: npm run prove -- golden write --only 'fault NAME', with the name of a proof; of one that is called otherwise now, its new name",
  ).toEqual([])
})
