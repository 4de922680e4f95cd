import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { describeLearned, readLessons } from '../../program/input/lesson.ts'
import { serve } from '../../program/serve.ts'
import { learn } from '../../reference/learn/learn.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { builtProgram } from '../built.ts'
import { clause, reportWith } from '../reporting/sample-reports.ts'
import { atTestEnd, openWorkerFolder } from '../test-end.ts'

const place = openWorkerFolder()

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
      clause('auth.missing-key.export', { verdict: 'fail', reason: 'responded 200, not 401' }),
      clause('version.star', { level: 'should', verdict: 'warn', reason: 'responded 200' }),
    ])
    // A seed chooses people and tasks; the report decides the answers.
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
    expect(said).toMatch(/# like http\S+ on 2026-01-01: 1 of \d+ observations are imitated/)
    expect(said).toContain('#   audit.delay (skip: set AUDIT_WAIT_S)')
    expect(said).toContain(
      '#   assign.data-version-rule (saw "stays" and "by one"; the first is used)',
    )
    expect(said).toContain(
      '# broken by that service; this one responds as the contract says, unless an imitated observation breaks it too:\n#   auth.missing-key.export, version.star',
    )
  })

  /** The remarks on the lessons of these reports. */
  const saidOf = (...reports: Report[]) => {
    const lesson = readLessons(reports.map(fileOf), place)
    return lesson ? describeLearned(learn(lesson, makeWorld(1, { events: 10 })), lesson) : ''
  }

  test('learns of several reports what each of them saw, and names contradictions', () => {
    const said = saidOf(
      reportWith([seen('task.read.success-status', [203]), seen('version.weak', 409)]),
      reportWith([
        seen('task.read.success-status', [200]),
        seen('version.weak', 409),
        seen('version.quoted', 'accepted'),
      ]),
    )
    expect(said).toMatch(/# like http.*: 2 of \d+ observations are imitated/)
    expect(said).toContain(
      'task.read.success-status (the reports saw different things; the first is used)',
    )
    expect(said).not.toContain('version.quoted')
  })

  test('a report that observed nothing is not one to learn from', async () => {
    const file = fileOf(reportWith([clause('a')]))
    await expect(
      serve({ argv: ['--like', file], env: {}, cwd: place, out: { write: () => true } }),
    ).rejects.toThrow('nothing was observed there; give the report of a run that')
  })
})
