import { describe, expect, test } from 'vitest'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import type { Cause } from '../../engine/verdict.ts'
import { makers } from '../../program/run/contract.ts'
import { consoleOf } from '../../reporting/console.ts'
import { notChecked } from '../../reporting/parts/not-checked.ts'
import { summaryOf } from '../../reporting/parts/summary.ts'
import { asVersion1, clause, exchange, reportWith } from './sample-reports.ts'

const skip = (id: string, cause: Cause, reason: string, given: Partial<ClauseReport> = {}) =>
  clause(id, { verdict: 'skip', cause, reason, ...given })

const clauses = [
  clause('fine'),
  clause('failed', { verdict: 'fail', reason: 'r' }),
  skip('mail', 'setting', 'set MAILBOX_URL: where mails can be read'),
  skip('users', 'setting', 'set USER_IDS or TEAM_IDS: assignees'),
  skip('declared', 'setting', 'NOT_PERMITTED declares declared'),
  skip('page', 'data', 'the export holds no event; it has to hold one\nmore'),
  skip('limit', 'freedom', 'rate limits are not shown; 429 was seen'),
  skip('team', 'refused', 'every update to a team of TEAM_IDS was answered 404'),
  skip('team-too', 'refused', 'every update to a team of TEAM_IDS was answered 404'),
  skip('waits', 'clause', 'no update was accepted', { owners: ['failed', 'elsewhere'] }),
  skip('dangles', 'clause', 'no version was read', { owners: ['fine'], dangling: 'fine, passed' }),
  clause('lost', { verdict: 'inconclusive', reason: 'no answer' }),
]

describe('what was not checked', () => {
  test('is grouped by cause, dangling references first, and each group says what to do', () => {
    expect(notChecked(clauses).map(({ heading, remedy }) => `${heading}: ${remedy}`)).toEqual([
      '1 must depend on a fact that no clause judged: the clause that owns the fact has not judged it; report this to the authors of the suite',
      '1 must inconclusive: each reason says what interfered; once it is gone, run npm run contract -- --failed',
      '2 musts were rejected: each reason says which setting to correct, or what to declare',
      '3 musts need a setting: set MAILBOX_URL, TEAM_IDS, USER_IDS; unset or change NOT_PERMITTED',
      '1 must needs data: the service needs the data that each reason names',
      '1 must left open by the contract: each reason says what the service chose; nothing to do',
      '1 must waits for another clause: can be checked once the named clause passes',
    ])
  })

  test('has its reasons, with the declaration to make and the owners with their verdicts', () => {
    const reasons = notChecked(clauses).flatMap((group) => group.reasons)
    expect(reasons.map(({ why, clauses: ids }) => `${ids.join()}: ${why}`)).toEqual([
      'dangles: fine, passed; no version was read',
      'lost: no answer',
      'team,team-too: every update to a team of TEAM_IDS was answered 404; if this key may not do it, set NOT_PERMITTED=team,team-too',
      'mail: set MAILBOX_URL: where mails can be read',
      'users: set USER_IDS or TEAM_IDS: assignees',
      'declared: NOT_PERMITTED declares declared',
      'page: the export holds no event; it has to hold one',
      'limit: rate limits are not shown; 429 was seen',
      'waits: failed (fail): no update was accepted',
    ])
  })

  test('is named with its cause in every report', () => {
    const report = reportWith(clauses)
    const texts: Record<string, string> = { console: consoleOf(report, { verbose: false }) }
    for (const name of ['index.html', 'junit.xml', 'summary.md', 'report.json'])
      texts[name] = makers[name]?.(report) ?? ''
    const plain = (text: string) => text.replaceAll('&#39;', "'")
    for (const { heading, remedy, reasons } of notChecked(clauses))
      for (const words of [heading, remedy, ...reasons.map(({ why }) => why)])
        for (const [name, text] of Object.entries(texts)) expect(plain(text), name).toContain(words)
  })

  test('begins with what the service never gave, between files of the other type', () => {
    const files = (type: string, status: number, from: number) =>
      Array.from({ length: 4 }, (_, n) =>
        exchange(from + 500 * n, {
          path: `/audit-sentinel/events/export?range_start=${n}&file_type=${type}`,
          status,
        }),
      )
    const reportOf = (pdf: number, csv: number) => {
      const reason = 'GET /audit-sentinel/events/export: responded 500'
      const pdfs = files('pdf', pdf, 0)
      return reportWith(
        [
          clause('other', { verdict: 'inconclusive', reason: 'no answer' }),
          clause('csv', { evidence: files('csv', csv, 7) }),
          ...pdfs.map((one, n) =>
            clause(`pdf.${n}`, { verdict: 'inconclusive', reason, evidence: [one] }),
          ),
        ],
        { verdict: 'inconclusive' },
      )
    }
    const sentence = 'every PDF export failed (500, 4 of 4)'
    const { line, notChecked: groups } = summaryOf(reportOf(500, 200))
    expect(line).toContain(`INCONCLUSIVE: ${sentence}; 1 of 6 musts passes`)
    expect(groups[0]?.reasons).toEqual([
      { why: sentence, clauses: ['pdf.0', 'pdf.1', 'pdf.2', 'pdf.3'] },
      { why: 'no answer', clauses: ['other'] },
    ])
    for (const other of [reportOf(500, 500), reportOf(200, 200), reportOf(400, 200)])
      expect(summaryOf(other).line).not.toContain('every PDF')
  })

  test('of a report of version 1 has no causes, and says so', () => {
    const old = asVersion1(reportWith(clauses))
    expect(notChecked(old.clauses).map(({ cause, count }) => [cause, count])).toEqual([
      ['inconclusive', 1],
      ['unknown', 9],
    ])
    const output = consoleOf(old as Report, { verbose: false })
    expect(output).toContain('9 musts skipped: the report is of version 1, which has no causes')
  })
})
