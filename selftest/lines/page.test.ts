import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../kept.ts'
import { equivalent } from './arguments.ts'
import { readModule } from './modules.ts'
import type { Mutant } from './mutants.ts'
import { gapsIn, pageOf, toldIn } from './page.ts'
import { mayReach, type Recorded } from './record.ts'
import { isKilled, judge, type Outcome, stepsFor } from './search.ts'

const mutantOf = (name: string, line: number): Mutant => ({
  name,
  file: name.split(' ')[0] ?? '',
  line,
  operator: 'negate',
  at: [0, 1],
  put: '',
  isStatement: false,
})
const one = mutantOf('engine/files/a.ts f negate a || b', 3)
const counts = { tried: 1, of: 2, digest: 'abc123', met: 'def456', seconds: 1.5 }
const outcomes: Outcome[] = [
  { name: one.name, state: 'killed', by: 'fault a | b (task.*)', ...counts },
  { name: 'engine/files/a.ts g swap f(`a`, b)', state: 'survived', ...counts },
]
const mutants = [one, mutantOf(outcomes[1]?.name ?? '', 4), mutantOf('helpers/b.ts f return', 1)]
const made = pageOf({
  mutants,
  outcomes: new Map(outcomes.map((each) => [each.name, each])),
  steps: { recorded: 3, of: 4 },
  seed: 1,
  lines: 9,
  day: new Date('2026-11-21'),
})

test('what a page says of mutants is read again', () => {
  expect(toldIn(made)).toEqual(outcomes)
})

test('a page counts what was not tried, and names a survivor as a gap', () => {
  expect(made).toContain('| all | 3 | 1 | 0 | 1 | 0 | 1 | 50 % | 0 |')
  expect(made).toContain('(line 4, survived): **gap**')
})

const recordedOf = (step: string, more: Partial<Recorded> = {}): Recorded => ({
  step,
  digest: '',
  seconds: 1,
  lines: { 'engine/files/a.ts': ['abc', [3]] },
  deciding: [],
  ...more,
})

test('a mutant meets the tests of its folder first, then the proofs decided nearest, then others', () => {
  const far = recordedOf('selftest/helpers/b.test.ts')
  const near = recordedOf('selftest/engine/files/a.test.ts', { seconds: 9 })
  const proof = recordedOf('fault x (task.*)')
  const own = recordedOf('fault y (task.*)', { deciding: ['engine/files/a.ts'], seconds: 9 })
  const elsewhere = recordedOf('fault z (task.*)', { lines: {} })
  const { steps, of } = stepsFor(one, 'abc', [far, proof, elsewhere, own, near], 2)
  expect(steps).toEqual([near, own, proof, far])
  expect(of).toBe(4)
})

test('what is red without any mutant is asked nothing', () => {
  expect(mayReach(recordedOf('fault x (task.*)', { red: 'it is red' }), one, 'abc')).toBe(false)
})

test('where a module has changed since, all who come by it are asked', () => {
  const elsewhere = recordedOf('fault x (task.*)', { lines: { [one.file]: ['abc', [7]] } })
  expect(mayReach(elsewhere, one, 'abc')).toBe(false)
  expect(mayReach(elsewhere, one, 'another')).toBe(true)
  const loading = { ...one, name: `${one.file} module empty [a]` }
  expect(mayReach(elsewhere, loading, 'abc')).toBe(true)
})

test('what is red without having come by the mutant has not killed it', () => {
  const ended = {
    says: 'ends',
    step: 'a',
    red: 'red',
    seconds: 1,
    reached: [],
    deciding: [],
  } as const
  const worked = {
    ended: [{ ...ended, reached: [] as number[], deciding: [] }],
    isOver: false,
    output: '',
  }
  expect(judge(worked).state).toBe('unreached')
  expect(judge({ ...worked, late: 'b' }).state).toBe('late')
})

const file = join(root, 'selftest/line-mutants.md')
const told = existsSync(file) ? toldIn(readFileSync(file, 'utf8')) : []

test('arguments are given for mutants that there are', () => {
  const names = Object.keys(equivalent)
  const files = new Set(names.map((name) => name.split(' ')[0] ?? ''))
  const modules = [...files].flatMap((file) => readModule(file, 1) ?? [])
  const known = new Set(modules.flatMap(({ mutants }) => mutants.map(({ name }) => name)))
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

/** Survivors that nobody has argued for: this number only goes down, and the share only up. */
const mostGaps = 19
const leastKilled = 0.7

test('no more mutants survive than did', () => {
  expect(told.length).toBeGreaterThan(0)
  expect(gapsIn(told).length).toBeLessThanOrEqual(mostGaps)
  expect(told.filter(isKilled).length / told.length).toBeGreaterThan(leastKilled)
})
