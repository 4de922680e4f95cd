import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import { readReport } from '../../program/input/read-report.ts'
import { asVersion1, inlined, variedReport } from '../reporting/sample-reports.ts'

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
      `${path} has no report that can be read: it is not there; give a report.json that a run has written.`,
    )
  })
})
