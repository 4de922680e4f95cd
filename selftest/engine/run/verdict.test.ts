import { expect, test } from 'vitest'
import { NotDecidable, outcomeOf, Trouble } from '../../../engine/outcome.ts'
import { exitCodeOf } from '../../../engine/run/exit-code.ts'
import {
  type Level,
  type Outcome,
  runVerdictOf,
  type Verdict,
  verdictOf,
  type Weighed,
} from '../../../engine/verdict.ts'

const outcomes: Record<Outcome['kind'], Outcome> = {
  held: { kind: 'held' },
  broken: { kind: 'broken', reason: 'r', breaches: [] },
  undecided: { kind: 'undecided', reason: 'r', cause: 'setting' },
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

// biome-ignore format: one case a line
test.each<[string, [Level, Verdict][], string]>([
  ['observations alone', [['observe', 'observed']], 'inconclusive'],
  ['a should that passes while every must is skipped', [['should', 'pass'], ['must', 'skip']], 'inconclusive'],
  ['a should that passes', [['should', 'pass']], 'conformant'],
  ['a warning', [['should', 'warn']], 'conformant'],
  ['a must in trouble', [['must', 'pass'], ['must', 'inconclusive']], 'inconclusive'],
  ['a should in trouble', [['must', 'pass'], ['should', 'inconclusive']], 'conformant'],
  ['a failure beside trouble', [['must', 'fail'], ['must', 'inconclusive']], 'nonconformant'],
])('a run of %s is $2', (_, verdicts, expected) => {
  const weighed = verdicts.map(([level, verdict], at) => ({ id: `a.${at}`, level, verdict }))
  expect(runVerdictOf(weighed)).toBe(expected)
})

const passed = { id: 'task.a', level: 'must', verdict: 'pass' } as const
const skipped = { id: 'export.a', level: 'must', verdict: 'skip' } as const

test.each<[string, Partial<Weighed>, string]>([
  ['needs a setting', { cause: 'setting' }, 'conformant'],
  ['needs data', { cause: 'data' }, 'conformant'],
  ['is left open', { cause: 'freedom' }, 'conformant'],
  ['waits for a clause', { cause: 'clause' }, 'conformant'],
  ['was refused', { cause: 'refused' }, 'inconclusive'],
  ['was refused and is a should', { cause: 'refused', level: 'should' }, 'conformant'],
  ['dangles and is a should', { cause: 'clause', dangling: 'r', level: 'should' }, 'inconclusive'],
])('a run with a pass and a clause that %s is $2', (_, given, expected) => {
  expect(runVerdictOf([passed, { ...skipped, ...given }])).toBe(expected)
})

test('a run with an undecided area is inconclusive, but a failure makes it nonconformant', () => {
  const areas = [{ name: 'export', clauses: ['export.*'] }]
  const open = { ...skipped, cause: 'setting' } as const
  expect(runVerdictOf([passed, open], areas)).toBe('inconclusive')
  expect(runVerdictOf([passed, { ...open, cause: 'freedom' }], areas)).toBe('conformant')
  expect(runVerdictOf([{ ...passed, verdict: 'fail' }, open], areas)).toBe('nonconformant')
})

test.each([
  [{ verdict: 'conformant' }, 0],
  [{ verdict: 'nonconformant' }, 1],
  [{ verdict: 'incomplete' }, 1],
  [{ verdict: 'inconclusive' }, 3],
  [{ verdict: 'nonconformant', signal: 'SIGINT' }, 130],
  [{ verdict: 'nonconformant', signal: 'SIGINT', leaked: true }, 2],
  [{ verdict: 'nonconformant', unwritten: true }, 1],
  [{ verdict: 'incomplete', signal: 'SIGTERM' }, 143],
  [{ verdict: 'incomplete', unwritten: true }, 1],
  [{ verdict: 'inconclusive', unwritten: true }, 2],
  [{ verdict: 'conformant', unwritten: true }, 2],
] as const)('%j ends with %i', (ending, code) => expect(exitCodeOf(ending)).toBe(code))

const thrown = (error: Error) => () => {
  throw error
}
const outcomeFrom = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    return outcomeOf(error)
  }
  throw new Error('nothing was thrown')
}

// biome-ignore format: one case a line
test.each<[string, () => unknown, Outcome['kind']]>([
  ['trouble', thrown(new Trouble('x')), 'trouble'],
  ['an expectation', () => expect(1).toBe(2), 'trouble'],
])('a clause that ends by %s has the outcome $2', (_, act, kind) =>
  expect(outcomeFrom(act).kind).toBe(kind))

test('a premise keeps its cause and its owners, also from another thread', () => {
  const premise = new NotDecidable('clause', 'x', 'a', 'b')
  const expected = { kind: 'undecided', reason: 'x', cause: 'clause', owners: ['a', 'b'] }
  expect(outcomeOf(premise)).toEqual(expected)
  const copy = Object.assign(new Error('x'), { name: 'NotDecidable', why: premise.why })
  expect(outcomeOf(copy)).toEqual(expected)
})

test('a reason is the first lines of a message', () => {
  const long = Array.from({ length: 20 }, (_, n) => `line ${n}`)
  expect(outcomeOf(new Error(long.join('\n')))).toEqual({
    kind: 'trouble',
    reason: `internal error of the suite: Error: ${long.slice(0, 12).join('\n')}`,
  })
})
