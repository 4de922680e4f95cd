import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../engine/http/exchange.ts'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import { readReport } from '../../program/input/read-report.ts'
import { withBaseline } from '../../program/report/baseline.ts'
import { contract } from '../../program/run/contract.ts'
import { carriedOver } from '../../reporting/carried-over.ts'
import { withRepeats } from '../../reporting/repeat/repeats.ts'
import {
  asVersion1,
  brokenReport,
  clause,
  exchange,
  htmlOf,
  inlined,
  reportWith,
  statusBreach,
  variedReport,
  withOldMembers,
} from '../reporting/sample-reports.ts'
import { fileWith } from '../test-end.ts'

describe('a report that is read', () => {
  test('is the one that was written, given as a file or by its folder', () => {
    const report = variedReport()
    const path = fileWith(report)
    for (const place of [path, dirname(path)]) expect(readReport(place)).toEqual(report)
  })

  test('may have version 1, which had no causes', () => {
    const report = inlined(asVersion1(variedReport()))
    expect(report.clauses.some((each) => 'cause' in each)).toBe(false)
    const read = readReport(fileWith(report))
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
    const report = readReport(fileWith(old))
    expect(report.verdict).toBe('nonconformant')
    expect(report.clauses.map(({ id, verdict }) => `${id} ${verdict}`).join()).toBe('a fail,b pass')
    const now: Report = { ...reportWith([clause('a'), clause('b')]), target: report.target }
    const { baseline } = withBaseline(now, { file: 'old.json', report }, false)
    expect(baseline?.fixed).toEqual(['a'])
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
    const path = fileWith(given)
    expect(() => readReport(path)).toThrow(`${path} ${sentence}`)
    expect(() => readReport(path)).toThrow(Impossible)
    expect(() => readReport(path)).not.toThrow(/\n/)
  })

  test('that is missing ends with one sentence', () => {
    expect(() => readReport('/none.json')).toThrow(
      `/none.json has no report that can be read: it does not exist; give a report.json that a run has written.`,
    )
  })
})

const broken = (given: Partial<Exchange>) =>
  brokenReport(statusBreach('2xx', 500, 1), exchange(0, { status: 500, ...given }))

const digest = 'ab'.repeat(32)
const tooLong = broken({ method: 'PUT', requestBody: `(70000 bytes, SHA-256 ${digest})` })
const notHeld = {
  ...tooLong,
  exchanges: [],
  clauses: tooLong.clauses.map((each) => ({ ...each, evidence: [] })),
}

test.each<[string, Report, string]>([
  ['whose request was too long to keep', tooLong, 'too long'],
  ['whose request is not held', notHeld, 'the report does not hold the request'],
])('a breach %s says why it has no script', (_, report, why) => {
  const told = withRepeats(report, contract)
  expect(htmlOf(told.report)).toContain(why)
  expect(told.scripts).toEqual({})
})

test('an answer that was too large to keep is shown with its size, and asked for by a script', () => {
  const large = { body: undefined, bodyBytes: 52_428_800, bodySha256: digest }
  const { report, scripts } = withRepeats(broken(large), contract)
  expect(htmlOf(report)).toContain('52,428,800 bytes, not kept')
  expect(scripts['repeat/task.read.success.sh']?.()).toContain("grep -qv '^2'")
})
