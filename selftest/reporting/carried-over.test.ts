import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { carriedOver } from '../../reporting/carried-over.ts'
import { breach, clause, exchange, reportWith } from './sample-reports.ts'

const file = 'earlier.json'
const fail = (id: string) =>
  clause(id, { verdict: 'fail', reason: 'r', breaches: [breach('r', 1)], evidence: [exchange(0)] })

type Clauses = Parameters<typeof reportWith>[0]

const again = (before: Clauses, now: Clauses, [one, other]: (string | undefined)[] = []) =>
  carriedOver(at(one, now), { file, report: at(other ?? one, before) })

/** A report of a service with this revision. */
const at = (revision: string | undefined, clauses: Clauses, given: Partial<Report> = {}) => {
  const report = reportWith(clauses, given)
  return { ...report, target: { ...report.target, ...(revision ? { revision } : {}) } }
}

describe('a run that goes on with an earlier one', () => {
  test('replaces what it checked and keeps the rest', () => {
    const lost = clause('b', { verdict: 'inconclusive', reason: 'r' })
    const report = again([clause('a'), lost, fail('c')], [clause('b'), fail('c')])
    expect(report.clauses.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['a', 'pass'],
      ['b', 'pass'],
      ['c', 'fail'],
    ])
    expect(report).toMatchObject({
      verdict: 'nonconformant',
      counts: { must: { pass: 2, fail: 1 } },
      rerun: { clauses: ['b', 'c'] },
    })
    expect(report.notices[0]).toBe(
      '--failed earlier.json: 2 clauses were checked again; the other 1 are carried over from the run of 2026-01-01T00:00:00.000Z',
    )
  })

  test('counts what passes now, and calls it a flip only at the same known revision', () => {
    const before = [fail('a'), clause('b')]
    const said = 'a passes now; failed in the report of 2026-01-01T00:00:00.000Z'
    const flip = again(before, [clause('a')], ['7.2'])
    expect(flip.verdict).toBe('inconclusive')
    expect(flip.reasons).toEqual([`${said}, at the same revision 7.2`])
    for (const revisions of [[], ['7.3', '7.2'], [undefined, '7.2']]) {
      const report = again(before, [clause('a')], revisions)
      expect(report).toMatchObject({ verdict: 'conformant', reasons: [] })
      expect(report.notices).toContain(said)
    }
  })

  test('is inconclusive where what failed there is not decided now', () => {
    const skipped = clause('a', { verdict: 'skip', reason: 'r', cause: 'data' })
    const report = again([fail('a'), clause('b')], [skipped], ['7.3', '7.2'])
    expect(report.verdict).toBe('inconclusive')
    expect(report.reasons).toEqual([
      'a is not decided now; failed in the report of 2026-01-01T00:00:00.000Z',
    ])
  })

  test('counts no unchecked failure as repaired, and no trouble as a flip', () => {
    for (const revisions of [[], ['7.2']])
      expect(again([fail('a'), fail('b')], [clause('b')], revisions).verdict).toBe('nonconformant')
    const lost = clause('a', { verdict: 'inconclusive', reason: 'r' })
    expect(again([lost], [clause('a')], ['7.2']).verdict).toBe('conformant')
  })

  test('keeps the exchanges of both apart, and drops those that no clause needs', () => {
    const report = again([fail('a'), fail('b')], [fail('b')])
    const judged = report.clauses.flatMap(({ breaches = [] }) => breaches.flatMap((b) => b.judged))
    expect(new Set(judged).size).toBe(2)
    expect(report.exchanges.map(({ number }) => number)).toEqual(judged)
  })

  test('keeps a breach without a held exchange apart from the exchanges of the other report', () => {
    const earlier = { ...reportWith([fail('a'), fail('b')]), exchanges: [] }
    const report = carriedOver(reportWith([fail('b')]), { file, report: earlier })
    const numbers = report.exchanges.map(({ number }) => number)
    const [a, b] = report.clauses
    expect(numbers).not.toContain(a?.breaches?.[0]?.judged[0])
    expect(numbers).toContain(b?.breaches?.[0]?.judged[0])
  })

  // biome-ignore format: one report a line
  test.each<[string, Partial<Report>, string]>([
    ['another service', { target: { baseUrl: 'https://other.example', embedded: false } }, 'it is of https://other.example'],
    ['the embedded service', { target: { baseUrl: 'http://127.0.0.1:1/v5', embedded: true } }, 'it is of the embedded reference service'],
    ['another suite', { suiteVersion: '0.9' }, 'it is of suite version 0.9'],
  ])('carries nothing over from a report of %s', (_, other, why) => {
    const earlier = { file, report: reportWith([fail('a'), fail('b')], other) }
    const now = reportWith([clause('a')], { verdict: 'conformant' })
    const notice = `--failed earlier.json: ${why}, so nothing is carried over from it`
    expect(carriedOver(now, earlier)).toEqual({ ...now, notices: [notice] })
  })

  test('counts nothing as checked if it ended before its clauses', () => {
    const now = reportWith([], { verdict: 'inconclusive' })
    expect(carriedOver(now, { file, report: reportWith([clause('a')]) })).toBe(now)
  })
})
