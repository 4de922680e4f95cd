import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test } from 'vitest'
import { serve } from '../../program/serve.ts'
import { builtProgram } from '../built.ts'
import { clause, reportWith } from '../reporting/sample-reports.ts'
import { atTestEnd } from '../test-end.ts'

const place = mkdtempSync(join(tmpdir(), 'contract-'))
afterAll(() => rmSync(place, { recursive: true }))

let files = 0
const fileOf = (value: unknown) => {
  files += 1
  const file = join(place, `${files}.json`)
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

const seen = (id: string, observed: unknown) =>
  clause(id, { level: 'observe', verdict: 'observed', observed })
const skipped = (id: string, reason: string) =>
  clause(id, { level: 'observe', verdict: 'skip', reason })

/** What `serve` prints until it says that nothing more comes. */
async function served(...flags: string[]): Promise<string[]> {
  const args = [builtProgram(), 'serve', '--port', '0', ...flags]
  const child = spawn(process.execPath, args, { cwd: place, stdio: ['ignore', 'pipe', 'inherit'] })
  atTestEnd(() => child.kill())
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('# Ctrl-C')) break
  }
  return lines
}

describe('serve --like', () => {
  test('answers as the report shows, and says what it learned', async () => {
    const report = reportWith([
      seen('task.read.success-status', [203]),
      seen('assign.data-version-rule', ['stays', 'by one']),
      skipped('audit.delay', 'set AUDIT_WAIT_S'),
      clause('auth.missing-key.export', { verdict: 'fail', reason: 'answered 200, not 401' }),
      clause('version.star', { level: 'should', verdict: 'warn', reason: 'answered 200' }),
    ])
    // A seed chooses people and tasks, and the report how the service answers.
    const lines = await served('--like', fileOf(report), '--seed', '3')
    const settings = Object.fromEntries(
      lines.filter((line) => !line.startsWith('#')).map((line) => line.split(/=(.*)/s)),
    )
    const [id] = settings.TASK_IDS.split(',')
    const { API_KEY: apikey, BASE_URL } = settings
    const answer = await fetch(`${BASE_URL}/tasks/${id}`, { headers: { apikey } })
    expect(answer.status).toBe(203)
    expect((await fetch(`${BASE_URL}/audit-sentinel/events/export`)).status).toBe(401)
    const said = lines.filter((line) => line.startsWith('#')).join('\n')
    expect(said).toMatch(
      /# like http\S+, as it was on 2026-01-01: 1 of \d+ observations are imitated/,
    )
    expect(said).toContain('#   audit.delay (skip: set AUDIT_WAIT_S)')
    expect(said).toContain(
      '#   assign.data-version-rule (saw "stays" and "by one"; the first is used)',
    )
    expect(said).toContain(
      '# broken by that service; this one answers as the contract says, unless an imitated observation breaks it too:\n#   auth.missing-key.export, version.star',
    )
  })

  test('says of a report that somebody edited which values are none', async () => {
    const report = reportWith([
      seen('task.read.success-status', [203]),
      seen('assign.success-status', { update: 'sometimes' }),
      seen('export.delimiter', 'whatever'),
    ])
    const lines = await served('--like', fileOf(report))
    expect(lines.join('\n')).toMatch(/# like http\S+, as it was on \S+: 1 of \d+ observations/)
    const at = lines.indexOf('# not imitated, or in part:')
    expect(lines.slice(at + 1, at + 3)).toEqual([
      '#   assign.success-status (holds {"update":"sometimes"}, which this service cannot imitate)',
      '#   export.delimiter (holds "whatever", which this service cannot imitate)',
    ])
  })

  test('learns of several reports what each of them saw, and names contradictions', async () => {
    const whole = reportWith([seen('task.read.success-status', [203]), seen('version.weak', 409)])
    const other = reportWith([
      seen('task.read.success-status', [200]),
      seen('version.weak', 409),
      seen('version.quoted', 'accepted'),
    ])
    const lines = await served('--like', fileOf(whole), '--like', fileOf(other))
    const said = lines.join('\n')
    expect(said).toMatch(/# like http.*: 2 of \d+ observations are imitated/)
    expect(said).toContain(
      'task.read.success-status (the reports saw different things; the first is used)',
    )
    expect(said).not.toContain('version.quoted')
  })

  const call = (...argv: string[]) =>
    serve({ argv, env: {}, cwd: place, out: { write: () => true } })

  test.each([
    ['{"a": 1}', 'is not a report of this suite; give a report.json.'],
    ['{"reportVersion": 2, "clau', 'is not JSON: it may be cut short; give a report.json'],
    [{ ...reportWith([]), reportVersion: 9 }, 'is a report of version 9'],
    [reportWith([clause('a')]), 'nothing was observed there; give the report of a run that'],
    [{ lessonVersion: 1, observed: {} }, 'is not a report of this suite; give a report.json.'],
  ])('%j is no report to learn from', async (content, sentence) => {
    await expect(call('--like', fileOf(content))).rejects.toThrow(sentence)
  })

  test('names a report that is missing', async () => {
    await expect(call('--like', join(place, 'none.json'))).rejects.toThrow('has no report')
  })
})
