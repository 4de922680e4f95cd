import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import { root } from '../kept.ts'
import { isLong, testSeed } from '../long.ts'
import { disagreeingIn, unborneIn } from './borne-out.ts'
import { dead, free } from './dead.ts'
import { faults } from './faults/one-member.ts'

// A fault for each must, and the run whose laws are watched; `npm run long` draws one of all besides.
// `npm run prove` runs all.
const { PROOFS_SHARE = isLong ? '0.0005' : '0.0002' } = process.env

const start = join(root, 'selftest/prove/start.mjs')

/** How a start of the proofs ends. */
async function proved(...argv: string[]): Promise<unknown> {
  const all = [start, ...argv, '--seed', `${testSeed}`, '--jobs', '1']
  return once(spawn(process.execPath, all, { cwd: root, stdio: 'inherit' }), 'exit')
}

test('a share of the proofs is green, and every must finds a fault', async () => {
  expect(await proved('--share', PROOFS_SHARE)).toEqual([0, null])
}, 1_200_000)

/** The usual forms; `npm run long` tries all. */
const usualForms = ['assignment is left out *', '*in lower case', '* is 7 in every task']

test('with one wrong member in each task, most is decided and every task is put back', async () => {
  const names = faults
    .map(({ name }) => name)
    .filter((name) => isLong || matchesAny(name, usualForms))
  expect(await proved('faults', ...names.flatMap((name) => ['--only', name]))).toEqual([0, null])
}, 1_200_000)

test('every exemption of dead things matches one', () => {
  const isOfNone = (glob: string) => !dead.some(({ name }) => matchesAny(name, [glob]))
  expect(Object.keys(free).filter(isOfNone)).toEqual([])
})

const asked = { method: 'PUT', path: '/tasks/1/update-assignment' }
const accepted = { ...asked, status: 200 }
const isAsBefore = { kind: 'member', member: 'assignment', got: null, isAsBefore: true }
const wasChanged = { kind: 'effect', effect: 'changed', of: accepted, after: null }

test.each([
  [
    { kind: 'status', of: { ...asked, status: 409 } },
    'PUT /tasks/1/update-assignment responded 409',
  ],
  [{ kind: 'member', member: 'assignment', got: 'a' }, 'assignment "a"'],
  [isAsBefore, 'what was there before'],
  [{ kind: 'undone', of: accepted, got: 'v1' }, 'v1'],
  [{ kind: 'winners' }, 'another update with its If-Match'],
])('a finding that its exchanges do not bear out is found: %j', (finding, what) => {
  const exchange = { ...accepted, number: 1, requestHeaders: {}, body: '{"assignment":null}' }
  const breach = { finding, sentence: 'what is wrong', judged: [1], control: [] }
  const clause = { id: 'assign.persisted', breaches: [breach] }
  expect(unborneIn({ report: { exchanges: [exchange], clauses: [clause] } as never })).toEqual([
    `assign.persisted does not show ${what}: what is wrong`,
  ])
})

test('two findings of a card that disagree are found', () => {
  const still = { sentence: 'it still shows it', finding: isAsBefore }
  const changed = { sentence: 'it changed', finding: wasChanged }
  const found = (breaches: object[]) => disagreeingIn({ clauses: [{ breaches }] } as never)
  const of = (judged: number[], breach: object) => ({ ...breach, judged })
  expect(found([of([1], still), of([1, 2], changed)])).toEqual([
    '"it still shows it" and "it changed" disagree',
  ])
  expect(found([of([1], still), of([2], changed)])).toEqual([])
})
