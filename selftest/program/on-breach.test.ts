import { describe, expect, test } from 'vitest'
import { redactor } from '../../engine/http/redaction.ts'
import { createExplainer } from '../../program/run/on-breach.ts'
import { runAgainst } from '../proofs/prove.ts'
import { breach, clause, exchange, reportWith } from '../reporting/sample-reports.ts'
import { openTestFolder } from '../test-end.ts'

const key = 'S3cr3t-k3y_51Hq9'

const judged = exchange(2, {
  path: '/tasks/123e4567-e89b-12d3-a456-426614174000',
  requestHeaders: { traceparent: '00-95b2db779a4c7a858493e62cdbc88361-0000000000000001-01' },
})

async function explained(command: string, ms = 5000) {
  const breaches = [breach('it lacks name', 3)]
  const broken = clause('task.read.fields', { verdict: 'fail', breaches, evidence: [judged] })
  const stop = new AbortController().signal
  const given = { cwd: openTestFolder(), redact: redactor(key), stop, ms }
  const report = await createExplainer(command, given).finish(reportWith([broken]))
  return { log: report.clauses[0]?.breaches?.[0]?.log, notices: report.notices }
}

describe('--on-breach', () => {
  test('gets clause, time, trace id, ids and the exchange', async () => {
    const { log, notices } = await explained('cat')
    expect(JSON.parse(log ?? '')).toMatchObject({
      clause: 'task.read.fields',
      time: judged.start,
      traceId: '95b2db779a4c7a858493e62cdbc88361',
      ids: ['123e4567-e89b-12d3-a456-426614174000'],
      breach: { sentence: 'it lacks name', expected: '404', got: '200' },
      exchange: { number: 3, method: 'GET' },
    })
    expect(notices).toEqual([])
  })

  // biome-ignore format: one command a line
  test.each<[what: string, command: string, log?: string, notice?: RegExp]>([
    ['does not exist', 'no-such-command', undefined, /for 1 of 1 breaches; task\.read\.fields: it ended with 127/],
    ['fails', 'echo kept; exit 3', 'kept', /it ended with 3$/],
    ['never ends', 'echo kept; sleep 60', 'kept', /it did not end within 10 s and was stopped$/],
    ['prints the key', `echo "key ${key}"`, 'key (configured)'],
    ['prints nothing and reads nothing', ':'],
    ['prints 10 MB, more than the 64 kB that are kept', 'head -c 10000000 /dev/zero | tr "\\0" x', 'x'.repeat(65_536), /it printed more than 64 kB/],
  ])('a command that %s', async (what, command, log, notice) => {
    const found = await explained(command, what === 'never ends' ? 1500 : 5000)
    expect(found.log).toBe(log)
    expect(found.notices).toEqual(notice ? [expect.stringMatching(notice)] : [])
  })

  test('changes no verdict of a run', async () => {
    const bent = { stated: { fieldIsShown: ({ field }: { field: string }) => field !== 'status' } }
    const argv = ['--clauses', 'task.read.fields', '--on-breach', 'no-such-command']
    const { exitCode, report } = await runAgainst(bent, argv, { makers: {} })
    expect(exitCode).toBe(1)
    expect(report?.notices.join()).toMatch(
      /--on-breach: the command failed for (\d+) of \1 breaches/,
    )
  })
})
