import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { falls, lentTo, shareOf } from '../../../engine/clause/shard.ts'
import type { Report } from '../../../engine/run/report.ts'
import { divided } from '../../../helpers/loans/divided.ts'
import { readReport } from '../../../program/input/read-report.ts'
import { environmentFor, settingsFor } from '../../../program/stand-in/settings-for.ts'
import { listen } from '../../../reference/listen.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { notChecked } from '../../../reporting/parts/not-checked.ts'
import { runProgram } from '../../proofs/prove.ts'
import { untilTestEnd } from '../../test-end.ts'

const place = mkdtempSync(join(tmpdir(), 'contract-'))
afterAll(() => rmSync(place, { recursive: true }))

const verdictsOf = ({ clauses }: Report) =>
  Object.fromEntries(
    clauses.map(({ id, verdict, reason }) => [id, verdict === 'skip' ? reason : verdict]),
  )

const puts = ({ exchanges }: Report) => [
  ...new Set(exchanges.filter(({ method }) => method === 'PUT').map(({ path }) => path)),
]

describe('shards that run side by side against one service', { timeout: 300_000 }, () => {
  test.each([
    ['as many tasks as they like', 12, 2],
    ['fewer tasks than shards', 2, 3],
  ])('%s: every clause once, no task twice, the verdicts of one run', async (_, tasks, of) => {
    const pdfLimit = 1_000
    const service = createService({ world: makeWorld(1, { events: 1_200 }), pdfLimit })
    const { baseUrl } = untilTestEnd(await listen(service))
    const lent = settingsFor(service)
    const given = lent.taskIds.slice(0, tasks)
    const dirOf = (name: string) => join(place, String(tasks), name)
    const run = (name: string, taskIds: string[], argv: string[]) =>
      runProgram(
        {
          BASE_URL: baseUrl,
          ...environmentFor(service),
          TASK_IDS: taskIds.join(),
          SEED: '1',
          SETTLE_MS: '100',
          AUDIT_WAIT_S: '5',
          TIMEOUT_MS: '60000',
          REPORTS_DIR: dirOf(name),
          JOURNAL_DIR: dirOf(`journal-${name}`),
        },
        argv,
        { pdfLimit },
      )
    const whole = await run('whole', given, [])
    const numbers = Array.from({ length: of }, (_, at) => String(at + 1))
    // Each may be given the tasks in an order of its own.
    const shards = await Promise.all(
      numbers.map((n) => run(n, n === '2' ? given.toReversed() : given, ['--shard', `${n}/${of}`])),
    )
    const reports = shards.flatMap(({ report }) => report ?? [])

    const ids = reports.flatMap(({ clauses }) => clauses.map(({ id }) => id))
    expect(ids.toSorted()).toEqual(whole.report?.clauses.map(({ id }) => id).toSorted())
    const changed = reports.flatMap((report) =>
      given.filter((id) => puts(report).some((path) => path.includes(id))),
    )
    expect(changed).toEqual([...new Set(changed)])
    if (tasks < of) expect(reports.slice(1).flatMap(puts)).toEqual([])

    const env = { REPORTS_DIR: dirOf('merged') }
    const { exitCode, report, output } = await runProgram(env, ['--merge', ...numbers.map(dirOf)])
    const lost =
      'name the given that these clauses need in helpers/loans/divided.ts, and what their group needs in helpers/groups.ts'
    expect(verdictsOf(report as Report), lost).toEqual(verdictsOf(whole.report as Report))
    expect(report?.verdict).toBe(whole.report?.verdict)
    expect(exitCode, output).toBe(whole.exitCode)
    const written = { ...report, notChecked: notChecked(report?.clauses ?? []) }
    expect(readReport(env.REPORTS_DIR)).toEqual(written)
  })
})

describe('what falls to a shard', () => {
  const ids = Array.from({ length: 500 }, (_, at) => `task.read.n${at}`)
  const taskIds = ['a', 'B', 'c', 'd', 'E'].map((letter) => letter.repeat(8))

  test.each([1, 2, 3, 7, 40])('of %i: each clause to one', (of) => {
    const shares = Array.from({ length: of }, (_, at) => shareOf(taskIds, { index: at + 1, of }))
    for (const isBorrower of [true, false])
      for (const id of ids)
        expect(shares.filter((share) => falls(id, isBorrower, share))).toHaveLength(1)
    const parts = shares.map((share) => ids.filter((id) => falls(id, false, share)).length)
    expect(Math.min(...parts)).toBeGreaterThan(500 / of / 4)
  })

  test('groups stay together, the dearest alone', () => {
    const dear = { clauses: ['a.*'], cost: 5 }
    const cheap = ['b.*', 'c.*'].map((clause) => ({ clauses: [clause], cost: 2 }))
    const shardOf = (id: string, of: number) =>
      [1, 2, 3, 4].filter((index) =>
        falls(id, false, shareOf(taskIds, { index, of }, [dear, ...cheap])),
      )
    expect(['a.x', 'a.y', 'b.x', 'c.x'].map((id) => shardOf(id, 2))).toEqual([[1], [1], [2], [2]])
    // More shards than groups: each clause by its own id.
    const ids = Array.from({ length: 40 }, (_, at) => `a.n${at}`)
    expect(new Set(ids.flatMap((id) => shardOf(id, 4))).size).toBe(4)
  })

  test('whatever needs a task falls to the first where there are too few', () => {
    const share = (index: number) => shareOf(taskIds, { index, of: 6 })
    expect(ids.every((id) => falls(id, true, share(1)))).toBe(true)
    expect(ids.some((id) => falls(id, true, share(2)))).toBe(false)
  })

  test('tasks by what the groups of a shard need, and one where they need any', () => {
    const groups = [
      { clauses: ['a.*'], cost: 5, needs: 8 },
      { clauses: ['b.*'], cost: 4 },
      { clauses: ['c.*'], cost: 3, needs: 1 },
    ]
    const lent = (count: number, of: number, among = groups) =>
      lentTo(shareOf(Array(count).fill('task'), { index: 1, of }, among), count)
    expect(lent(12, 3)).toEqual([10, 0, 2])
    expect(lent(3, 3)).toEqual([2, 0, 1])
    expect(lent(12, 2)).toEqual([10, 2])
    expect(lent(2, 3), 'fewer than shards').toEqual([2, 0, 0])
    expect(lent(9, 4), 'more shards than groups').toEqual([3, 2, 2, 2])
    const shardOf = (id: string) =>
      [1, 2, 3].find((index) => falls(id, true, shareOf(taskIds, { index, of: 3 }, groups)))
    expect(['a.x', 'b.x', 'c.x'].map(shardOf), 'clauses that borrow').toEqual([1, 1, 3])
  })

  test('a clause that borrows nothing, though its givens may, stays in its group', () => {
    const groups = [
      { clauses: ['a.*'], cost: 5, needs: 8 },
      { clauses: ['b.*'], cost: 4, borrowless: ['b.*.read'] },
    ]
    const shardOf = (id: string) =>
      [1, 2].filter((index) => falls(id, true, shareOf(taskIds, { index, of: 2 }, groups)))
    expect(['b.key.read', 'b.key.update'].map(shardOf)).toEqual([[2], [1]])
  })

  test.each([2, 5, 6])('tasks, each to one of %i, however they are written', (of) => {
    const tasks = taskIds.map((id) => ({ id, lendable: true, assigned: 'none' as const }))
    const known = {
      tasks,
      assessmentIds: [],
      readable: {},
      absent: { task: [], assessment: [] },
    }
    const lendable = (index: number, given: string[]) =>
      divided(known, given, shareOf(given, { index, of })).tasks.flatMap((task) =>
        task.lendable ? task.id : [],
      )
    const numbers = Array.from({ length: of }, (_, at) => at + 1)
    expect(numbers.flatMap((n) => lendable(n, taskIds)).toSorted()).toEqual(taskIds.toSorted())
    for (const n of numbers)
      expect(lendable(n, taskIds.map((id) => id.toLowerCase()).toReversed())).toEqual(
        lendable(n, taskIds),
      )
  })
})
