import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { falls, shareOf } from '../../engine/clause/shard.ts'
import type { Report } from '../../engine/run/report.ts'
import { divided } from '../../helpers/loans/divided.ts'
import { Impossible } from '../../program/input/mistakes.ts'
import { readReport } from '../../program/input/read-report.ts'
import { environmentFor, settingsFor } from '../../program/stand-in/settings-for.ts'
import { listen } from '../../reference/listen.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { merged } from '../../reporting/merged.ts'
import { runProgram } from '../proofs/prove.ts'
import { clause, reportWith } from '../reporting/sample-reports.ts'
import { untilTestEnd } from '../test-end.ts'

const place = mkdtempSync(join(tmpdir(), 'contract-'))
afterAll(() => rmSync(place, { recursive: true }))

const verdictsOf = ({ clauses }: Report) =>
  Object.fromEntries(
    clauses.map(({ id, verdict, reason }) => [id, verdict === 'skip' ? reason : verdict]),
  )

const puts = ({ clauses }: Report) => [
  ...new Set(
    clauses
      .flatMap(({ evidence }) => evidence)
      .filter(({ method }) => method === 'PUT')
      .map(({ path }) => path),
  ),
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
    const lost = 'name the given that these clauses need among the borrowers of helpers/shard.ts'
    expect(verdictsOf(report as Report), lost).toEqual(verdictsOf(whole.report as Report))
    expect(report?.verdict).toBe(whole.report?.verdict)
    expect(exitCode, output).toBe(whole.exitCode)
    expect(readReport(env.REPORTS_DIR)).toEqual(report)
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

  test('whatever needs a task falls to the first where there are too few', () => {
    const share = (index: number) => shareOf(taskIds, { index, of: 6 })
    expect(ids.every((id) => falls(id, true, share(1)))).toBe(true)
    expect(ids.some((id) => falls(id, true, share(2)))).toBe(false)
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

describe('merging', () => {
  const pass = clause('a')
  const fail = clause('a', { verdict: 'fail', reason: 'r' })
  const lost = clause('a', { verdict: 'inconclusive', reason: 'r' })
  const skip = clause('a', { verdict: 'skip', reason: 'r' })
  const waived = { ...fail, waiver: { reason: 'r', until: '2126-01-01' } }
  const of = (...clauses: (typeof pass)[]) => reportWith(clauses, { verdict: 'conformant' })

  test.each([
    ['pass, fail', [pass, fail], fail, 'nonconformant'],
    ['fail, pass', [fail, pass], fail, 'nonconformant'],
    ['pass, inconclusive', [pass, lost], lost, 'inconclusive'],
    ['fail, inconclusive', [lost, fail], fail, 'nonconformant'],
    ['skip, pass', [skip, pass], pass, 'conformant'],
    ['waived, inconclusive', [waived, lost], lost, 'inconclusive'],
    ['waived, pass', [pass, waived], waived, 'conformant'],
    ['waived, fail', [waived, fail], fail, 'nonconformant'],
  ] as const)('of a clause run twice takes the graver: %s', (_, [one, other], graver, verdict) => {
    const report = merged([of(one), of(other)], [])
    expect(report.clauses).toEqual([graver])
    expect(report.verdict).toBe(verdict)
  })

  test('adds up what can be, and keeps what the runs had to say', () => {
    const one = reportWith([clause('b')], { durationMs: 2000, notices: ['n'], seed: 1 })
    const other = reportWith([clause('a'), clause('c', { operation: 'O' })], {
      startedAt: '2026-01-01T00:00:01.000Z',
      durationMs: 9000,
      notices: ['n', 'm'],
      seed: 2,
      interrupted: true,
    })
    expect(merged([one, other], [])).toMatchObject({
      startedAt: '2026-01-01T00:00:00.000Z',
      durationMs: 10_000,
      requests: 1400,
      merged: 2,
      interrupted: true,
      notices: ['the runs had different seeds: 1, 2', 'n', 'm'],
      counts: { must: { pass: 3 } },
      clauses: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    })
  })

  test('a reason beyond the clauses stands for the verdict of its run', () => {
    const stale = { ...of(pass), reasons: ['stale'], verdict: 'nonconformant' as const }
    expect(merged([of(pass), stale], [])).toMatchObject({
      verdict: 'nonconformant',
      reasons: ['stale'],
    })
    // A shard to which nothing fell that could be decided is no trouble.
    const idle = { ...of(skip), reasons: ['nothing was checked: no must was decided'] }
    expect(merged([of(clause('b')), { ...idle, verdict: 'inconclusive' }], [])).toMatchObject({
      verdict: 'conformant',
      reasons: [],
    })
  })

  const shard = (index: number, given: Partial<Report> = {}) => {
    const dir = join(place, `shard-${Math.random()}`)
    mkdirSync(dir)
    const report = { ...of(clause(`c${index}`)), shard: { index, of: 3 }, ...given }
    writeFileSync(join(dir, 'report.json'), JSON.stringify(report))
    return dir
  }
  const mergeOf = (...dirs: string[]) =>
    runProgram({ REPORTS_DIR: join(place, 'out') }, ['--merge', ...dirs])

  test('names the shards that are missing, and is inconclusive', async () => {
    const { exitCode, report } = await mergeOf(shard(1), shard(3))
    expect(exitCode).toBe(3)
    expect(report?.reasons).toEqual(['shard 2/3 is missing: its clauses were not checked'])
    const dir = join(place, 'empty')
    mkdirSync(dir)
    const other = await mergeOf(shard(1), shard(2), shard(3), dir)
    expect(other.report?.reasons).toEqual([`${dir} has no report.json: that run was not made`])
    expect((await mergeOf(shard(1), shard(2), shard(3))).exitCode).toBe(0)
  })

  test('says why a shard ended before its clauses, and is inconclusive', async () => {
    const reasons = ['BASE_URL cannot be reached']
    const unmade = shard(2, { clauses: [], verdict: 'inconclusive', reasons })
    const { exitCode, report } = await mergeOf(shard(1), unmade, shard(3))
    expect(exitCode).toBe(3)
    expect(report?.reasons).toEqual(reasons)
  })

  test('a failure stays one where a shard is missing', async () => {
    expect((await mergeOf(shard(1, { clauses: [fail] }))).exitCode).toBe(1)
  })

  test('keeps the key out of what it writes', async () => {
    const dir = shard(1, { notices: ['the key is k9Zq-W3vT7x2'] })
    const env = { REPORTS_DIR: join(place, 'out'), API_KEY: 'k9Zq-W3vT7x2' }
    const { report, output } = await runProgram(env, ['--merge', dir])
    expect(report?.notices).toEqual(['the key is (configured)'])
    expect(output).not.toContain('LEAK')
  })

  test.each<[string, () => string[], string]>([
    ['versions', () => [shard(1), shard(2, { suiteVersion: '9' })], 'is of suite version 1.2.3, '],
    [
      'targets',
      () => [shard(1), shard(2, { target: { baseUrl: 'https://b.example.com', embedded: false } })],
      'is of target https://eu.example.com/v5, ',
    ],
    [
      'numbers of shards',
      () => [shard(1), shard(2, { shard: { index: 2, of: 5 } })],
      'is of number of shards 3, ',
    ],
    [
      'folders that are not there',
      () => [shard(1), 'nowhere'],
      '--merge nowhere: there is no such',
    ],
    ['no report at all', () => [place], 'holds no report.json.'],
  ])('of different %s: one sentence', async (_, dirs, sentence) => {
    const given = dirs()
    await expect(mergeOf(...given)).rejects.toThrow(sentence)
    await expect(mergeOf(...given)).rejects.toThrow(Impossible)
  })

  test('runs against embedded services are of one target, at whatever address', async () => {
    const embedded = (port: number) => ({
      target: { baseUrl: `http://127.0.0.1:${port}/v5`, embedded: true },
    })
    const dirs = [shard(1, embedded(1)), shard(2, embedded(2)), shard(3, embedded(3))]
    expect((await mergeOf(...dirs)).exitCode).toBe(0)
  })
})
