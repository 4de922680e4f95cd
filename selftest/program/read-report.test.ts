import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Impossible } from '../../program/input/mistakes.ts'
import { readReport } from '../../program/input/read-report.ts'
import { makers } from '../../program/run/contract.ts'
import { runAgainst } from '../proofs/prove.ts'
import {
  asVersion1,
  clause,
  inlined,
  reportWith,
  variedReport,
} from '../reporting/sample-reports.ts'

const place = mkdtempSync(join(tmpdir(), 'contract-'))
afterAll(() => rmSync(place, { recursive: true }))

const file = (text: string) => {
  const path = join(place, 'report.json')
  writeFileSync(path, text)
  return path
}

describe('a report that is read', () => {
  test('is the one that was written, given as a file or by its folder', () => {
    const report = variedReport()
    const path = file(JSON.stringify(report))
    expect(readReport(path)).toEqual(report)
    expect(readReport(place)).toEqual(report)
  })

  test('may be of version 1, which had no causes', () => {
    const report = inlined(asVersion1(variedReport()))
    expect(report.clauses.some((each) => 'cause' in each)).toBe(false)
    const read = readReport(file(JSON.stringify(report)))
    expect(read).toMatchObject({ reportVersion: 1, verdict: report.verdict })
    expect(read.exchanges).toHaveLength(variedReport().exchanges.length)
    const numbers = new Set(read.exchanges.map(({ number }) => number))
    for (const { exchange } of read.clauses.flatMap(({ evidence }) => evidence))
      expect(numbers.has(exchange)).toBe(true)
  })

  const whole = JSON.stringify(variedReport())
  const { verdict: _, ...without } = variedReport()
  test.each([
    ['truncated', whole.slice(0, -100), 'is not JSON: it may be cut short; give a report.json'],
    ['empty', '', 'is empty; give a report.json that a run has written.'],
    ['something else', '{"name":"x"}', 'is not a report of this suite; give a report.json.'],
    ['a list', '[]', 'is not a report of this suite; give a report.json.'],
    [
      'of a future version',
      '{"reportVersion":3}',
      'is a report of version 3: this suite reads versions 1 and 2; read it with the suite that wrote it.',
    ],
    ['of no version', '{"reportVersion":"2"}', 'is a report of version "2": this suite reads'],
    [
      'of version 2 with a skip that has no cause',
      whole.replace('"cause":"setting",', ''),
      "is not a complete report: /clauses/3 must have required property 'cause'.",
    ],
    [
      'not whole',
      JSON.stringify(without),
      "is not a complete report: / must have required property 've",
    ],
    [
      'not as the schema says',
      whole.replace('"verdict":"fail"', '"verdict":"bad"'),
      'is not a complete report: /clauses/0/verdict must be equal to one of the allowed values.',
    ],
  ])('%s: one sentence', (_, text, sentence) => {
    const path = file(text)
    expect(() => readReport(path)).toThrow(`${path} ${sentence}`)
    expect(() => readReport(path)).toThrow(Impossible)
    expect(() => readReport(path)).not.toThrow(/\n/)
  })

  test('that is not there: one sentence', () => {
    const path = join(place, 'none.json')
    expect(() => readReport(path)).toThrow(
      `${path} has no report that can be read: it is not there.`,
    )
  })
})

describe('--rerun', () => {
  const without = (field: string) => ({
    stated: { fieldIsShown: (at: { field: string }) => at.field !== field },
  })

  test('checks only what was not green there', async () => {
    const ids = '--clauses=task.read.fields,task.read.identity,task.read.types'
    const { report } = await runAgainst(without('status'), [ids])
    const path = file(JSON.stringify(report))
    const again = await runAgainst({}, ['--rerun', path])
    expect(again.report?.rerun).toMatchObject({ clauses: ['task.read.fields'] })
    expect(again.report?.clauses.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass'])
    expect(again.report?.notices).toContain(`only what was not green in --rerun ${path} was chosen`)
    expect(again.report?.reasons).toEqual([
      `task.read.fields failed in ${path} and passes now; --accept-rerun accepts the later verdict`,
    ])
    expect(again.exitCode).toBe(3)
    const accepted = await runAgainst({}, ['--rerun', path, '--accept-rerun'])
    expect(accepted.exitCode).toBe(0)
    const still = await runAgainst(without('status'), ['--rerun', path])
    expect(still.exitCode).toBe(1)
  })

  test('goes on with a slim report, which --slim leaves small, and says what it lacks', async () => {
    const reports = join(place, 'slim')
    const given = { ...without('status'), env: { REPORTS_DIR: reports } }
    const { report } = await runAgainst(given, ['--slim', '--clauses', 'task.*'], { makers })
    const path = join(reports, 'report.json')
    expect(statSync(path).size).toBeLessThan(30_000)
    const read = readReport(path)
    expect(read.clauses.map(({ verdict }) => verdict)).toEqual(
      report?.clauses.map(({ verdict }) => verdict),
    )
    expect(read).toMatchObject({ slim: true, exchanges: [], verdict: 'nonconformant' })
    const again = await runAgainst(without('status'), ['--rerun', path])
    expect(again.exitCode).toBe(1)
    expect(again.report?.clauses).toHaveLength(read.clauses.length)
    expect(again.report?.notices).toContain(`${path} is slim; it holds no requests and no answers`)
  })

  test('reads a report of version 1', async () => {
    const report = reportWith([clause('task.read.fields', { verdict: 'skip', reason: 'r' })])
    const path = file(JSON.stringify(asVersion1(report)))
    const again = await runAgainst({}, ['--rerun', path])
    expect(again.report?.clauses.map(({ id }) => id)).toEqual(['task.read.fields'])
    expect(again.exitCode).toBe(0)
  })

  test('of a report that is all green ends with a sentence, not with a green run', async () => {
    const path = file(JSON.stringify(reportWith([clause('task.read.fields')])))
    await expect(runAgainst({}, ['--rerun', path])).rejects.toThrow(
      `--rerun ${path}: every clause there is green; nothing is left.`,
    )
  })

  test('of what is green there, chosen by --clauses, ends with a sentence too', async () => {
    const red = clause('auth.wrong-region', { verdict: 'skip', reason: 'r' })
    const path = file(JSON.stringify(reportWith([clause('task.read.fields'), red])))
    await expect(runAgainst({}, ['--rerun', path, '--clauses', 'task.*'])).rejects.toThrow(
      `--rerun ${path}: every clause of --clauses there is green; nothing is left.`,
    )
  })

  test('of a run that ended before its clauses checks all that is asked for', async () => {
    const path = file(JSON.stringify(reportWith([], { verdict: 'inconclusive' })))
    const argv = ['--rerun', path, '--clauses', 'task.read.identity']
    expect((await runAgainst({}, argv)).report?.clauses).toHaveLength(1)
  })

  test('of the report in REPORTS_DIR itself, which is read before it is replaced', async () => {
    const reports = join(place, 'reports')
    mkdirSync(reports)
    const failed = clause('task.read.fields', { verdict: 'fail', reason: 'r' })
    writeFileSync(join(reports, 'report.json'), JSON.stringify(reportWith([failed])))
    const { report } = await runAgainst({ env: { REPORTS_DIR: reports } }, ['--rerun', reports])
    expect(report?.clauses.map(({ id }) => id)).toEqual(['task.read.fields'])
    expect(readReport(reports).verdict).toBe('conformant')
  })
})
