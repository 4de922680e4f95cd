import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../engine/http/exchange.ts'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import { readReport } from '../../program/input/read-report.ts'
import { withDrift } from '../../program/report/drift.ts'
import { contract } from '../../program/run/contract.ts'
import { makersOf } from '../../reporting/all.ts'
import { carriedOver } from '../../reporting/carried-over.ts'
import { consoleOf } from '../../reporting/console.ts'
import { withRepeats } from '../../reporting/repeat/repeats.ts'
import {
  asVersion1,
  breach,
  clause,
  exchange,
  inlined,
  reportWith,
  variedReport,
  withOldMembers,
} from '../reporting/sample-reports.ts'
import { openWorkerFolder } from '../test-end.ts'

const place = openWorkerFolder()

const file = (report: unknown) => {
  const path = join(place, 'report.json')
  writeFileSync(path, typeof report === 'string' ? report : JSON.stringify(report))
  return path
}

describe('a report that is read', () => {
  test('is the one that was written, given as a file or by its folder', () => {
    const report = variedReport()
    const path = file(report)
    expect(readReport(path)).toEqual(report)
    expect(readReport(place)).toEqual(report)
  })

  test('may have version 1, which had no causes', () => {
    const report = inlined(asVersion1(variedReport()))
    expect(report.clauses.some((each) => 'cause' in each)).toBe(false)
    const read = readReport(file(report))
    expect(read).toMatchObject({ reportVersion: 1, verdict: report.verdict })
    expect(read.exchanges).toHaveLength(variedReport().exchanges.length)
    const numbers = new Set(read.exchanges.map(({ number }) => number))
    for (const { exchange } of read.clauses.flatMap(({ evidence }) => evidence))
      expect(numbers.has(exchange)).toBe(true)
  })

  const failing = reportWith([clause('a', { verdict: 'fail', reason: 'r' }), clause('b')])
  test.each<[string, unknown]>([
    ['of version 1', inlined(asVersion1(failing))],
    ['of version 1, with members of old', inlined(asVersion1(withOldMembers(failing)))],
    ['of version 2, with members of old', withOldMembers(failing)],
  ])('keeps its verdicts, and is a baseline and what --failed goes on with: %s', (_, old) => {
    const report = readReport(file(old))
    expect(report.verdict).toBe('nonconformant')
    expect(report.clauses.map(({ id, verdict }) => `${id} ${verdict}`).join()).toBe('a fail,b pass')
    const now: Report = { ...reportWith([clause('a'), clause('b')]), target: report.target }
    const { notices } = withDrift(now, { file: 'old.json', report }, false)
    expect(notices.at(-1)).toContain('drift: a: ')
    const { suiteVersion, target } = report
    const again = reportWith([clause('a')], { suiteVersion, target })
    const whole = carriedOver(again, { file: 'old.json', report })
    expect(whole.clauses.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['a pass', 'b pass'])
    // Members that no run writes any more are dropped.
    for (const member of ['merged', 'slim']) expect(whole).not.toHaveProperty(member)
  })

  const whole = JSON.stringify(variedReport())
  const { verdict: _, ...without } = variedReport()
  // biome-ignore format: one mistake a line
  test.each<[string, unknown, string]>([
    ['truncated', whole.slice(0, -100), 'is not JSON: it may be cut short; give a report.json'],
    ['empty', '', 'is empty; give a report.json that a run has written.'],
    ['something else', '{"name":"x"}', 'is not a report of this suite; give a report.json.'],
    ['a list', '[]', 'is not a report of this suite; give a report.json.'],
    ['of a future version', '{"reportVersion":3}', 'is a report of version 3: this suite reads versions 1 and 2; read it with the suite that wrote it.'],
    ['of no version', '{"reportVersion":"2"}', 'is a report of version "2": this suite reads'],
    ['of version 2 with a skip that has no cause', whole.replace('"cause":"setting",', ''), "is not a complete report: /clauses/3 must have required property 'cause'."],
    ['not whole', without, "is not a complete report: / must have required property 've"],
    ['not as the schema says', whole.replace('"verdict":"fail"', '"verdict":"bad"'), 'is not a complete report: /clauses/0/verdict must be equal to one of the allowed values.'],
  ])('%s: one sentence', (_, given, sentence) => {
    const path = file(given)
    expect(() => readReport(path)).toThrow(`${path} ${sentence}`)
    expect(() => readReport(path)).toThrow(Impossible)
    expect(() => readReport(path)).not.toThrow(/\n/)
  })

  test('that is missing ends with one sentence', () => {
    const path = join(place, 'none.json')
    expect(() => readReport(path)).toThrow(
      `${path} has no report that can be read: it does not exist; give a report.json that a run has written.`,
    )
  })
})

/** A report with one breach, whose judged exchange is this one. */
function broken(given: Partial<Exchange>): Report {
  const reason = 'GET /tasks/1 responded 500, not 2xx'
  const breaches = [{ ...breach(reason, 1), expected: '2xx', got: '500' }]
  const evidence = [exchange(0, { status: 500, ...given })]
  return reportWith([clause('task.read.success', { verdict: 'fail', reason, breaches, evidence })])
}

/** Every file that is made of a report, and the output of the terminal. */
function madeOf(report: Report) {
  const told = withRepeats(report, contract)
  const files = Object.entries(makersOf(contract)).map(([name, make]) => [name, make(told.report)])
  const scripts = Object.entries(told.scripts).map(([name, make]) => [name, make()])
  const made = Object.fromEntries([...files, ...scripts]) as Record<string, string>
  return { ...made, console: consoleOf(told.report, { verbose: false }) } as Record<string, string>
}

const large = { body: undefined, bodyBytes: 52_428_800, bodySha256: 'ab'.repeat(32) }

describe('a judged answer', () => {
  test('whose body was too large to keep is shown with its size', () => {
    const made = madeOf(broken(large))
    expect(made['index.html']).toContain('52,428,800 bytes, not kept')
    expect(made['repeat/task.read.success.sh']).toContain("grep -qv '^2'")
  })

  test('to a body that was too long to keep, or that is not held, has the reason why there is no script', () => {
    const requestBody = `(70000 bytes, SHA-256 ${'ab'.repeat(32)})`
    const long = broken({ method: 'PUT', requestBody })
    expect(madeOf(long)['index.html']).toContain('too long')
    const clauses = long.clauses.map((each) => ({ ...each, evidence: [] }))
    const made = madeOf({ ...long, exchanges: [], clauses })
    expect(made['index.html']).toContain('the report does not hold the request')
    expect(made.console).toContain('FAIL task.read.success')
  })
})
