import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import { runAgainst } from '../proofs/prove.ts'
import { asVersion1, clause, reportWith } from '../reporting/sample-reports.ts'
import { openTestFolder } from '../test-end.ts'

const without = (field: string) => ({
  stated: { fieldIsShown: (at: { field: string }) => at.field !== field },
})

/** Writes a report into a folder of its own. */
function reportsOf(report: Report | undefined): { reports: string; path: string } {
  const reports = join(openTestFolder(), 'reports')
  mkdirSync(reports)
  const path = join(reports, 'report.json')
  writeFileSync(path, JSON.stringify(report))
  return { reports, path }
}

describe('--failed', () => {
  test('checks only what was not green there, and what passes now counts', async () => {
    const ids = '--clauses=task.read.fields,task.read.identity,task.read.types'
    const { report } = await runAgainst(without('status'), [ids])
    const { path } = reportsOf(report)
    const again = await runAgainst({}, ['--failed', path])
    expect(again.report?.rerun).toMatchObject({ clauses: ['task.read.fields'] })
    expect(again.report?.clauses.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass'])
    expect(again.report?.notices).toEqual(
      expect.arrayContaining([
        `task.read.fields passes now; failed in the report of ${report?.startedAt}`,
      ]),
    )
    expect([again.exitCode, again.report?.verdict]).toEqual([0, 'conformant'])
    const still = await runAgainst(without('status'), ['--failed', path])
    expect(still.exitCode).toBe(1)
  })

  test('without a value takes the report in REPORTS_DIR, which is read before it is replaced', async () => {
    const failed = clause('task.read.fields', { verdict: 'fail', reason: 'r' })
    const { reports, path } = reportsOf(reportWith([failed, clause('task.read.types')]))
    for (const argv of [['--failed'], ['--failed', '--verbose']]) {
      writeFileSync(path, JSON.stringify(reportWith([failed, clause('task.read.types')])))
      const { report } = await runAgainst({ env: { REPORTS_DIR: reports } }, argv)
      expect(report?.clauses.map(({ id }) => id)).toEqual(['task.read.fields'])
      expect(JSON.parse(readFileSync(path, 'utf8')).verdict).toBe('conformant')
    }
  })

  test('without a value and without a report there: one sentence', async () => {
    const env = { REPORTS_DIR: join(openTestFolder(), 'reports') }
    const run = () => runAgainst({ env }, ['--failed'])
    await expect(run()).rejects.toThrow(
      `${env.REPORTS_DIR} has no report that can be read: it is not there; give a report.json that a run has written.`,
    )
    await expect(run()).rejects.toThrow(Impossible)
  })

  test('of a report that is all green ends with a sentence, not with a green run', async () => {
    const { reports, path } = reportsOf(reportWith([clause('task.read.fields')]))
    const nothing = 'every clause there is green; nothing is left.'
    await expect(runAgainst({}, ['--failed', path])).rejects.toThrow(`--failed ${path}: ${nothing}`)
    const env = { REPORTS_DIR: reports }
    await expect(runAgainst({ env }, ['--failed'])).rejects.toThrow(
      `--failed ${reports}: ${nothing}`,
    )
    expect(JSON.parse(readFileSync(path, 'utf8')).clauses).toHaveLength(1)
  })

  test('of one part of a run, as older suites wrote it, ends with a sentence', async () => {
    const part = { ...reportWith([clause('task.read.fields')]), shard: { index: 1, of: 4 } }
    const { path } = reportsOf(part)
    await expect(runAgainst({}, ['--failed', path])).rejects.toThrow(
      `--failed ${path}: it is shard 1/4 of a run alone; give the report of a whole run.`,
    )
  })

  test('of what is green there, chosen by --clauses, ends with a sentence too', async () => {
    const red = clause('auth.wrong-region', { verdict: 'skip', reason: 'r' })
    const { path } = reportsOf(reportWith([clause('task.read.fields'), red]))
    await expect(runAgainst({}, ['--failed', path, '--clauses', 'task.*'])).rejects.toThrow(
      `--failed ${path}: every clause of --clauses there is green; nothing is left.`,
    )
  })

  test('of a run that ended before its clauses checks all that is asked for', async () => {
    const { path } = reportsOf(reportWith([], { verdict: 'inconclusive' }))
    const argv = ['--failed', path, '--clauses', 'task.read.identity']
    expect((await runAgainst({}, argv)).report?.clauses).toHaveLength(1)
  })

  test('reads a report of version 1', async () => {
    const report = reportWith([clause('task.read.fields', { verdict: 'skip', reason: 'r' })])
    const { path } = reportsOf(asVersion1(report))
    const again = await runAgainst({}, ['--failed', path])
    expect(again.report?.clauses.map(({ id }) => id)).toEqual(['task.read.fields'])
    expect(again.exitCode).toBe(0)
  })
})
