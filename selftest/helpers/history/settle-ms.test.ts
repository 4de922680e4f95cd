import { describe, expect, test } from 'vitest'
import { check } from '../../../program/check.ts'
import { createInterruption } from '../../../program/run/interruption.ts'
import { settingsFor } from '../../../program/stand-in/settings-for.ts'
import { listen } from '../../../reference/listen.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { brokenIn } from '../../proofs/prove.ts'
import { warm } from '../../proofs/threads/warm-threads.ts'
import { openTestFolder, untilTestEnd } from '../../test-end.ts'
import { lateFaults } from './late.ts'
import { runOnTasks } from './late-run.ts'

const timeout = 240_000
const learning = 'assign.comment.*,version.model,version.history'
const refusals = 'version.required,version.required.unassign,assign.required.*'
const clauses = `${learning},${refusals}`

const isWhole = process.env.PROVE !== undefined
const longMs = isWhole ? 60_000 : 8000
const [soon, soonUnassigned] = lateFaults([200])

describe('SETTLE_MS', () => {
  test('0: nothing is waited for, and nothing is condemned for that', { timeout }, async () => {
    const checked = await runOnTasks({}, { tasks: 12, clauses, env: { SETTLE_MS: '0' } })
    expect(checked.exitCode, checked.output).toBe(0)
  })

  test(`${longMs}: it is the end of the run alone that waits so long`, { timeout }, async () => {
    const env = { SETTLE_MS: String(longMs), RUN_TIMEOUT_S: '200' }
    const checked = await runOnTasks({}, { tasks: 12, clauses, env })
    expect(checked.exitCode, checked.output).toBe(0)
    expect(checked.report?.durationMs).toBeGreaterThan(longMs)
    expect(checked.report?.durationMs).toBeLessThan(2 * longMs + 30_000)
  })
})

describe('a service whose clock is', () => {
  const hour = 3_600_000
  const clocks = [
    ['an hour ahead', hour],
    ['a year behind', -365 * 24 * hour],
    ['an hour behind', -hour],
    ['a year ahead', 365 * 24 * hour],
  ] as const
  test.for(clocks.slice(0, isWhole ? 4 : 2))(
    '%s: late effects are found, and nothing else',
    { timeout },
    async ([, ahead]) => {
      const headers = () => ({ date: new Date(Date.now() + ahead).toUTCString() })
      const open = { clockAhead: () => ahead, headers }
      const env = { SETTLE_MS: '400' }
      for (const fault of [{ breaks: [] as string[] }, soon, soonUnassigned]) {
        const checked = await runOnTasks({ ...fault, open }, { tasks: 12, clauses, env })
        expect(brokenIn(checked), checked.output).toEqual(fault?.breaks)
      }
    },
  )
})

test('a run that is ended while verdicts are due leaves them undecided, and says why', async () => {
  const service = createService({ world: makeWorld(1, { events: 200 }) })
  const { baseUrl } = untilTestEnd(await listen(service))
  const { apiKey, taskIds, actorId = '', userIds, teamIds } = settingsFor(service)
  const interruption = createInterruption()
  const env = {
    BASE_URL: baseUrl,
    API_KEY: apiKey,
    TASK_IDS: taskIds.join(),
    ACTOR_ID: actorId,
    USER_IDS: userIds.join(),
    TEAM_IDS: teamIds.join(),
    SETTLE_MS: '20000',
  }
  // By then each has done what it does, and waits for the end alone.
  setTimeout(() => interruption.end('the run was interrupted (SIGINT)'), 10_000)
  const { report, exitCode } = await check({
    argv: ['--clauses', clauses],
    env,
    cwd: openTestFolder(),
    out: { write: () => {} },
    interruption,
    runner: warm(),
    makers: {},
  })
  const of = (id: string) => report?.clauses.find((each) => each.id === id)
  expect(of('assign.comment.plain')?.verdict).toBe('pass')
  for (const id of ['version.required', 'assign.required.assigned_by_id'])
    expect(of(id)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'the run was interrupted (SIGINT)',
    })
  expect(report?.residue).toEqual([])
  expect(exitCode).toBe(3)
}, 120_000)
