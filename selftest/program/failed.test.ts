import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { runAgainst } from '../proofs/prove.ts'
import { clause, reportWith } from '../reporting/sample-reports.ts'
import { openTestFolder } from '../test-end.ts'

function reportsOf(report: Report | undefined): { reports: string; path: string } {
  const reports = join(openTestFolder(), 'reports')
  mkdirSync(reports)
  const path = join(reports, 'report.json')
  writeFileSync(path, JSON.stringify(report))
  return { reports, path }
}

describe('--failed', () => {
  test('without a value takes the report in REPORTS_DIR, which is read before it is replaced', async () => {
    const failed = clause('task.read.fields', { verdict: 'fail', reason: 'r' })
    const { reports, path } = reportsOf(reportWith([failed, clause('task.read.types')]))
    const { report } = await runAgainst({ env: { REPORTS_DIR: reports } }, ['--failed'])
    expect(report?.clauses.map(({ id }) => id)).toEqual(['task.read.fields'])
    expect(JSON.parse(readFileSync(path, 'utf8')).verdict).toBe('conformant')
  })

  test('of a report with nothing left ends with a sentence, not with a green run', async () => {
    const green = clause('task.read.fields')
    const { reports, path } = reportsOf(reportWith([green]))
    const nothing = 'every clause in it is green; nothing is left to run again.'
    await expect(runAgainst({ env: { REPORTS_DIR: reports } }, ['--failed'])).rejects.toThrow(
      `--failed ${reports}: ${nothing}`,
    )
    expect(JSON.parse(readFileSync(path, 'utf8')).clauses).toHaveLength(1)
    const failed = (report: Report, ...argv: string[]) =>
      expect(runAgainst({}, ['--failed', reportsOf(report).path, ...argv])).rejects
    const red = clause('auth.wrong-region', { verdict: 'skip', reason: 'r' })
    await failed(reportWith([green, red]), '--clauses', 'task.*').toThrow(
      'report.json: every clause of --clauses task.* in it is green; nothing is left to run again.',
    )
  })

  test('of a run that ended before its clauses checks all that is asked for', async () => {
    const { path } = reportsOf(reportWith([], { verdict: 'inconclusive' }))
    const argv = ['--failed', path, '--clauses', 'task.read.identity']
    expect((await runAgainst({}, argv)).report?.clauses).toHaveLength(1)
  })
})
