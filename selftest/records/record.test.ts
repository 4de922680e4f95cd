import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import { contractTests } from '../../program/contract-tests.ts'
import type { Call } from '../../program/input/read-flags.ts'
import { lendService, start } from '../helpers/loans/lent-service.ts'
import { runProgram } from '../proofs/prove.ts'
import { ofLong, openTestFolder } from '../test-end.ts'
import { differencesOf, inOwnThread, recordsIn, replay, reportIn, writtenOf } from './recording.ts'

const kept = join(import.meta.dirname, 'kept')

/** How many records of each type another's reader finds. */
async function countsIn(bytes: Buffer): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const source = Readable.toWeb(Readable.from([bytes])) as ReadableStream<Uint8Array>
  for await (const record of new WARCParser(source)) {
    const type = record.warcType ?? ''
    await record.readFully(false)
    counts[type] = (counts[type] ?? 0) + 1
  }
  return counts
}

/** A run whose service ends it by a signal when it has changed so many tasks. */
async function runUntil(signal: NodeJS.Signals, updates: number) {
  const dir = openTestFolder()
  let count = 0
  const lent = await lendService({
    between: async (request, next) => {
      const answer = await next(request)
      if (request.method === 'PUT' && answer.ok) count += 1
      if (count === updates && !run.child.killed) run.child.kill(signal)
      return answer
    },
  })
  const clauses = ['--clauses', 'task.*,assign.*', '--record', dir]
  const run = start('directly', 'check', lent.env, clauses)
  const { code, output } = await run.ended
  return { dir, lent, code, output }
}

describe('the record of a run', () => {
  ofLong('that was killed is readable by others, and decides what it holds', async () => {
    const { dir } = await runUntil('SIGKILL', 6)
    const counts = await countsIn(readFileSync(join(dir, 'clauses-1.warc')))
    expect(counts).toMatchObject({ warcinfo: 1, revisit: expect.any(Number) })
    expect(counts.request).toBeGreaterThan(50)
    const answered = (counts.response ?? 0) + (counts.revisit ?? 0)
    expect(answered / (counts.request ?? 0)).toBeGreaterThan(0.8)
    const { report, exitCode } = await replay(dir)
    expect(report?.verdict).toBe('inconclusive')
    expect(exitCode).toBe(3)
    expect(report?.reasons.join()).toContain('the record ends before its run did')
    const verdicts = report?.clauses.map(({ verdict }) => verdict) ?? []
    expect(verdicts).toContain('pass')
    // The service is lawful: a whole run breaks no clause.
    expect(verdicts).not.toContain('fail')
    expect(verdicts).not.toContain('warn')
  })

  test('that was interrupted ends as it did, with its tasks put back', async () => {
    const { dir, lent, code, output } = await runUntil('SIGINT', 5)
    expect(code, output).toBe(130)
    const { restored, verdict } = lent.report()
    expect([restored > 0, verdict]).toEqual([true, 'inconclusive'])
    const again = await replay(dir)
    expect(again.exitCode, again.output).toBe(130)
    expect(again.output).toMatch(/replayed from the record of .*, nothing was sent/)
    expect(differencesOf(lent.report(), writtenOf(again.report as never)).places).toEqual([])
    expect(again.report?.replayed?.departed).toBeUndefined()
    for (const name of ['main', 'clauses-1']) {
      const bytes = brotliDecompressSync(readFileSync(join(dir, `${name}.warc.br`)))
      expect((await countsIn(bytes)).request).toBeGreaterThan(5)
    }
  })

  ofLong('of two runs with mails is replayed as two', async () => {
    const dir = openTestFolder()
    const env = { SEED: '1', SETTLE_MS: '60', MAIL_WAIT_S: '0', AUDIT_WAIT_S: '0' }
    const argv = ['--clauses', 'task.read.success,notify.*', '--times', '2', '--record', dir]
    const { report, output } = await runProgram(env, argv, inOwnThread)
    expect(report?.times, output).toBe(2)
    const again = await replay(dir)
    const [then, now] = [report, again.report].map((each) => writtenOf(each as never))
    expect(differencesOf(then as never, now as never).places).toEqual([])
  })

  ofLong(
    'is kept by contractTests, and with RECORD=failed only if the run is not conformant',
    async () => {
      const { env, ...lent } = await lendService()
      const dirs = [openTestFolder(), openTestFolder()] as const
      const bodies: ((context: never) => Promise<void>)[] = []
      const register = (...[, , body]: [string, object, (typeof bodies)[number]]) =>
        bodies.push(body)
      const {
        BASE_URL: baseUrl = '',
        API_KEY: apiKey = '',
        ...settings
      } = env as Record<string, string>
      const choice = {
        ...{ clauses: ['task.read.success'], reportsDir: join(lent.place, 'reports') },
        flags: ['--record', dirs[0]],
      }
      await contractTests(register as never, { baseUrl, apiKey, settings }, choice)
      const task = { name: 'task.read.success', mode: 'run' }
      const { signal } = new AbortController()
      await bodies[0]?.({ task: { file: { tasks: [task] } }, signal } as never)
      expect((await replay(dirs[0])).exitCode).toBe(0)
      const failed = { ...env, RECORD: 'failed', RECORD_DIR: dirs[1] }
      const { exitCode } = await runProgram(failed, ['--clauses', 'task.read.success'], inOwnThread)
      expect([exitCode, readdirSync(dirs[1])]).toEqual([0, []])
    },
  )
})

test('what cannot be recorded or replayed is refused with a sentence', async () => {
  const [dir, other] = [openTestFolder(), openTestFolder()]
  writeFileSync(join(other, 'notes.txt'), '')
  const refusal = (env: Call['env'], ...argv: string[]) =>
    runProgram(env, argv, inOwnThread).then(
      ({ exitCode }) => `ended with ${exitCode}`,
      (error) => String(error.message),
    )
  expect(await refusal({ RECORD_DIR: other })).toContain(
    'contains notes.txt, which is not part of a',
  )
  expect(await refusal({}, '--replay', dir)).toMatch(
    /record\.json cannot be read .*give the folder/,
  )
  const report = reportIn(join(kept, recordsIn(kept)[1] ?? ''))
  writeFileSync(join(other, 'report.json'), JSON.stringify(report))
  const failed = await refusal({}, '--record', dir, '--failed', join(other, 'report.json'))
  expect(failed).toContain('--failed cannot be recorded')
  const choosing = ['--clauses x', '--profile smoke', '--level must', '--section Task', '--plan']
  const others = ['--read-only', '--times 2', '--watch', '--seed 2', '--env-file x']
  for (const flag of [...choosing, ...others, `--record ${dir}`, `--failed ${dir}`]) {
    const sentence = await refusal({}, '--replay', other, ...flag.split(' '))
    expect(sentence).toContain(`excludes ${flag.split(' ')[0]}, `)
    expect(sentence).toMatch(
      /^--replay excludes --[a-z-]+, because a replay repeats a run unchanged; /,
    )
  }
  expect(existsSync(join(other, 'notes.txt'))).toBe(true)
})
