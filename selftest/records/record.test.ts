import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Call } from '../../program/input/read-flags.ts'
import { lendService, start } from '../helpers/loans/lent-service.ts'
import { runProgram } from '../proofs/prove.ts'
import { fileWith, ofLong, openTestFolder } from '../test-end.ts'
import { countsIn, inOwnThread, recordsIn, replay, reportIn } from './recording.ts'

const kept = join(import.meta.dirname, 'kept')

ofLong('the record of a killed run is readable by others, and decides what it holds', async () => {
  const dir = openTestFolder()
  let accepted = 0
  const lent = await lendService({
    between: async (request, next) => {
      const answer = await next(request)
      if (request.method === 'PUT' && answer.ok) accepted += 1
      if (accepted === 6) run.child.kill('SIGKILL')
      return answer
    },
  })
  const argv = ['--clauses', 'task.*,assign.*', '--record', dir]
  const run = start('directly', 'check', lent.env, argv)
  await run.ended
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

test('the record of a run that cannot be made or replayed is refused with a sentence', async () => {
  const [dir, other] = [openTestFolder(), openTestFolder()]
  writeFileSync(join(other, 'notes.txt'), '')
  const refusal = (env: Call['env'], line = '') =>
    runProgram(env, line.split(' ').filter(Boolean), inOwnThread).then(
      ({ exitCode }) => `ended with ${exitCode}`,
      (error) => String(error.message),
    )
  const notOfOne = 'contains notes.txt, which is not part of a'
  expect(await refusal({}, `--record ${other}`)).toContain(notOfOne)
  const unread = /record\.json cannot be read .*give the folder/
  expect(await refusal({}, `--replay ${dir}`)).toMatch(unread)
  const report = fileWith(reportIn(join(kept, recordsIn(kept)[1] ?? '')))
  const both = await refusal({}, `--record ${dir} --failed ${report}`)
  expect(both).toContain('--failed cannot be recorded')
  const choosing = ['--clauses x', '--profile smoke', '--level must', '--section Task', '--plan']
  const others = ['--read-only', '--seed 2', '--env-file x']
  for (const flag of [...choosing, ...others, `--record ${dir}`, `--failed ${dir}`])
    expect(await refusal({}, `--replay ${other} ${flag}`)).toContain(
      `--replay excludes ${flag.split(' ')[0]}, because a replay repeats a run unchanged; `,
    )
  expect(readdirSync(other)).toEqual(['notes.txt'])
})
