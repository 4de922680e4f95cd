import { expect, test } from 'vitest'
import { expectThat } from '../../../engine/clause/matchers.ts'
import { Breach, NotDecidable, outcomeOf, Trouble } from '../../../engine/outcome.ts'
import { exitCodeOf } from '../../../engine/run/exit-code.ts'
import {
  type Level,
  type Outcome,
  runVerdictOf,
  type Verdict,
  verdictOf,
} from '../../../engine/verdict.ts'

const outcomes: Record<Outcome['kind'], Outcome> = {
  held: { kind: 'held' },
  broken: { kind: 'broken', reason: 'r' },
  undecided: { kind: 'undecided', reason: 'r' },
  trouble: { kind: 'trouble', reason: 'r' },
}

test.each<[Level, Outcome['kind'], Verdict, Verdict]>([
  ['must', 'held', 'pass', 'pass'],
  ['must', 'broken', 'fail', 'fail'],
  ['must', 'undecided', 'skip', 'skip'],
  ['must', 'trouble', 'inconclusive', 'inconclusive'],
  ['should', 'held', 'pass', 'pass'],
  ['should', 'broken', 'warn', 'fail'],
  ['should', 'undecided', 'skip', 'skip'],
  ['should', 'trouble', 'inconclusive', 'inconclusive'],
  ['observe', 'held', 'observed', 'observed'],
  ['observe', 'broken', 'skip', 'skip'],
  ['observe', 'undecided', 'skip', 'skip'],
  ['observe', 'trouble', 'inconclusive', 'inconclusive'],
])('a %s that is %s: %s, and %s under --strict', (level, kind, verdict, strict) => {
  expect(verdictOf(level, outcomes[kind], false)).toBe(verdict)
  expect(verdictOf(level, outcomes[kind], true)).toBe(strict)
})

test.each<[string, [Level, Verdict][], string]>([
  ['nothing at all', [], 'inconclusive'],
  ['observations alone', [['observe', 'observed']], 'inconclusive'],
  ['skips alone', [['must', 'skip']], 'inconclusive'],
  [
    'a pass and a skip',
    [
      ['must', 'pass'],
      ['must', 'skip'],
    ],
    'conformant',
  ],
  [
    'a should that passes while every must is skipped',
    [
      ['should', 'pass'],
      ['must', 'skip'],
    ],
    'inconclusive',
  ],
  ['a should that passes', [['should', 'pass']], 'conformant'],
  ['a warning', [['should', 'warn']], 'conformant'],
  [
    'a must in trouble',
    [
      ['must', 'pass'],
      ['must', 'inconclusive'],
    ],
    'inconclusive',
  ],
  [
    'a should in trouble',
    [
      ['must', 'pass'],
      ['should', 'inconclusive'],
    ],
    'conformant',
  ],
  [
    'a failure beside trouble',
    [
      ['must', 'fail'],
      ['must', 'inconclusive'],
    ],
    'nonconformant',
  ],
])('a run of %s', (_, verdicts, expected) => {
  expect(runVerdictOf(verdicts.map(([level, verdict]) => ({ level, verdict })))).toBe(expected)
})

test.each([
  [{ verdict: 'conformant' }, 0],
  [{ verdict: 'nonconformant' }, 1],
  [{ verdict: 'inconclusive' }, 3],
  [{ verdict: 'nonconformant', signal: 'SIGINT' }, 130],
  [{ verdict: 'conformant', signal: 'SIGTERM' }, 143],
  [{ verdict: 'nonconformant', signal: 'SIGINT', leaked: true }, 2],
  [{ verdict: 'nonconformant', unwritten: true }, 1],
  [{ verdict: 'inconclusive', unwritten: true }, 2],
  [{ verdict: 'conformant', unwritten: true }, 2],
] as const)('%j ends with %i', (ending, code) => expect(exitCodeOf(ending)).toBe(code))

const thrownBy = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test.each<[string, () => unknown, Outcome['kind']]>([
  ['an assertion', () => expect(1, 'a number').toBe(2), 'broken'],
  [
    'a breach',
    () => {
      throw new Breach('x')
    },
    'broken',
  ],
  [
    'a premise',
    () => {
      throw new NotDecidable('x')
    },
    'undecided',
  ],
  [
    'trouble',
    () => {
      throw new Trouble('x')
    },
    'trouble',
  ],
  [
    'a mistake of ours',
    () => {
      throw new TypeError('x')
    },
    'trouble',
  ],
  ['a sentence that does not hold', () => expectThat(false, 'x'), 'broken'],
  ['an expectation on undefined', () => expect(undefined).toHaveLength(2), 'trouble'],
])('%s', (_, act, kind) => expect(outcomeOf(thrownBy(act)).kind).toBe(kind))
