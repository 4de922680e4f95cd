import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../kept.ts'
import { saidByTests } from '../messages/said-by-tests.ts'
import { pageOf, toldIn } from './page.ts'
import type { Recorded } from './record.ts'
import type { Outcome } from './search.ts'
import type { Site } from './site.ts'
import { isOf, sentencesOfClauses } from './unsaid.ts'

const site = (name: string, line: number): Site => ({
  name,
  file: 'suites/a.ts',
  line,
  kind: 'premise',
})
const sites = ['one', 'two', 'three', 'four', 'five'].map((name, n) =>
  site(`suites/a.ts ${name}`, n + 1),
)
const counts = { tried: 1, of: 3, seconds: 0, commit: 'abc1234+ffffff' }
const outcomes: Outcome[] = [
  {
    site: 'suites/a.ts one',
    state: 'necessary',
    effect: 'missed',
    clause: 'a.b',
    proof: 'fault a | b, in `c`: d',
    ...counts,
  },
  {
    site: 'suites/a.ts two',
    state: 'redundant',
    effect: 'same',
    others: ['suites/a.ts one', 'helpers/b.ts c'],
    ...counts,
  },
  { site: 'suites/a.ts three', state: 'unproven', ...counts, tried: 0, of: 0 },
  { site: 'suites/a.ts four', state: 'tested', test: 'selftest/a.test.ts', ...counts },
]

const lossy = {
  musts: 4,
  lost: [
    ['a.b', 'data'],
    ['a.c', 'data'],
    ['a.d', 'freedom'],
  ],
}
const proof = { name: 'variant silent', by: ['a.*'], bent: {}, isVariant: true }
const page = pageOf({
  sites,
  outcomes: new Map(outcomes.map((each) => [each.site, each])),
  recorded: [[proof, { ...lossy, seconds: 2 } as unknown as Recorded]],
  unsaid: [
    { kind: 'data', text: 'nothing | is there' },
    { kind: 'trouble', text: 'no answer', test: 'selftest/a.test.ts' },
  ],
  proofs: 1,
  seconds: { recording: 2, switching: 3 },
  day: new Date('2026-11-21'),
})

test('what a page says of sites is read again', () => {
  expect(toldIn(page)).toEqual(outcomes)
})

test('a page counts the sites, those that were not tried with them', () => {
  expect(page).toContain('| all | 5 | 1 | 0 | 0 | 1 | 1 | 1 | 0 | 1 |')
  expect(page).toContain('tried at abc1234+ffffff (4). 1 of 1 proofs')
})

test('a page lists the variants of which little is decided', () => {
  expect(page).toContain('| silent | a.* | 4 | 3 | 2 data, 1 freedom |')
})

test('a page lists the sentences that nothing has said', () => {
  expect(page).toContain('| data | nothing \\| is there | **nothing yet** |')
  expect(page).toContain('| trouble | no answer | selftest/a.test.ts |')
})

const sentences = sentencesOfClauses()

describe('what a test says that no proof can say', () => {
  test.for(Object.entries(saidByTests))('%s', ([file, words]) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll('\\', '')
    expect(words.filter((each) => !text.includes(each))).toEqual([])
    const idle = words.filter((each) => !sentences.some((sentence) => isOf(sentence, each)))
    expect(idle).toEqual([])
  })
})
