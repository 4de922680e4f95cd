import { describe, expect, test } from 'vitest'
import { brokenIn } from '../../proofs/prove.ts'
import { sampleOf } from '../../sample.ts'
import { type Late, lateFaults, lawful, unkept } from './late.ts'
import { runOnTasks } from './late-run.ts'

// Windows are learned from updates that are accepted: these clauses make enough of them.
const learning = 'assign.comment.*,version.model,version.history'
const env = { SETTLE_MS: '400' }
const share = process.env.PROVE === undefined ? 0.15 : 1
const some = <T>(list: readonly T[]) =>
  sampleOf(list, Math.ceil(list.length * share), Number(process.env.PROVE_SEED ?? '1'))
const timeout = 240_000

describe('a refused update that is carried out later', () => {
  const kinds = ['version.required', 'version.required.unassign', 'assign.required.assigned_by_id']
  const faults = lateFaults([200, 'next change', 'replica']).filter(({ breaks }) =>
    breaks.every((id) => kinds.includes(id)),
  )
  const cases = [...faults, ...unkept()].flatMap((fault) =>
    [1, 12].map((tasks) => ({ ...fault, tasks })),
  )
  test.for(some(cases))('$name, with $tasks tasks', { timeout }, async ({ tasks, ...fault }) => {
    const clauses = `${learning},${kinds.join()}`
    const checked = await runOnTasks(fault, { tasks, clauses, env })
    expect(brokenIn(checked), checked.output).toEqual(expect.arrayContaining(fault.breaks))
  })
})

// Answers are late, so that the run lasts longer than what is carried out takes: half a minute and more.
describe.runIf(process.env.PROVE !== undefined)(
  'a run that lasts longer than the effect takes',
  () => {
    const kinds = ['version.required', 'version.required.unassign']
    const faults = lateFaults([5000]).filter(({ breaks }) =>
      breaks.every((id) => kinds.includes(id)),
    )
    const cases = faults.flatMap((fault) => [1, 12].map((tasks) => ({ ...fault, tasks })))
    test.for(cases)('$name, with $tasks tasks', { timeout }, async ({ tasks, ...fault }) => {
      // Those that go on when windows are known: it lasts as long after the refusal as well.
      const clauses = `assign.*,${learning},${kinds.join()}`
      const checked = await runOnTasks(fault, { tasks, clauses, delayMs: 150 })
      expect(brokenIn(checked), checked.output).toEqual(expect.arrayContaining(fault.breaks))
    })

    // Most such refusals are those of other clauses.
    test('an unassign with a wrong If-Match that comes after the time to settle', {
      timeout,
    }, async () => {
      const [fault] = lateFaults([3000]).filter(({ name }) => name.startsWith('an unassign with a'))
      const checked = await runOnTasks(fault as Late, {
        tasks: 12,
        clauses: 'assign.*,version.*',
        env,
        delayMs: 60,
      })
      expect(brokenIn(checked), checked.output).toContain('version.refused-changes-nothing')
    })
  },
)

describe('a service that only looks as if it did', () => {
  const cases = lawful(300).flatMap((one) => [1, 12].map((tasks) => ({ ...one, tasks })))
  test.for(some(cases))('$name, with $tasks tasks', { timeout }, async ({ tasks, ...one }) => {
    const clauses = `${learning},assign.new-version.shown,assign.required.*,version.*,auth.refused-changes-nothing`
    const checked = await runOnTasks(one, { tasks, clauses, env })
    expect(brokenIn(checked), checked.output).toEqual(one.breaks)
    expect(checked.exitCode, checked.output).toBe(0)
  })
})
