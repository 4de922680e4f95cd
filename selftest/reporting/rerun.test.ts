import { describe, expect, test } from 'vitest'
import { merged } from '../../reporting/merged.ts'
import { slim } from '../../reporting/parts/slim.ts'
import { rerunReport } from '../../reporting/rerun.ts'
import { breach, clause, exchange, reportWith } from './sample-reports.ts'

const file = 'earlier.json'
const fail = (id: string) =>
  clause(id, { verdict: 'fail', reason: 'r', breaches: [breach('r', 1)], evidence: [exchange(0)] })

const rerun = (
  before: Parameters<typeof reportWith>[0],
  now: Parameters<typeof reportWith>[0],
  accept = false,
) => rerunReport(reportWith(now), { file, report: reportWith(before), accept })

describe('a run that goes on with an earlier one', () => {
  test('replaces what it ran and keeps the rest', () => {
    const lost = clause('b', { verdict: 'inconclusive', reason: 'r' })
    const report = rerun([clause('a'), lost, fail('c')], [clause('b'), fail('c')])
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
    expect(report.notices[0]).toMatch(
      /^--rerun earlier.json: 2 clauses were checked again; the other 1 are as the run of \S+ found/,
    )
  })

  test.each([
    ['passes', clause('a'), 'a failed in earlier.json and passes now'],
    [
      'is skipped',
      clause('a', { verdict: 'skip', reason: 'r', cause: 'data' }),
      'a failed in earlier.json and was not decided now',
    ],
  ])('names a failure that %s, and is inconclusive but where that is accepted', (_, now, said) => {
    const before = [fail('a'), clause('b')]
    const report = rerun(before, [now])
    expect(report.verdict).toBe('inconclusive')
    expect(report.reasons.join()).toContain(said)
    const accepted = rerun(before, [now], true)
    expect(accepted.verdict).toBe('conformant')
    expect(accepted.notices.join()).toContain(`${said}, which --accept-rerun accepts`)
  })

  test('takes no failure for mended that it did not check', () => {
    expect(rerun([fail('a'), fail('b')], [clause('b')], true).verdict).toBe('nonconformant')
  })

  test('is conformant where what had trouble passes', () => {
    const lost = clause('a', { verdict: 'inconclusive', reason: 'r' })
    expect(rerun([lost], [clause('a')]).verdict).toBe('conformant')
  })

  test('keeps exchanges of both apart, and none that nobody needs', () => {
    const report = rerun([fail('a'), fail('b')], [fail('b')])
    const judged = report.clauses.flatMap(({ breaches = [] }) => breaches.flatMap((b) => b.judged))
    expect(new Set(judged).size).toBe(2)
    expect(report.exchanges.map(({ number }) => number)).toEqual(judged)
  })

  test('takes nothing over from a report of another service', () => {
    const other = reportWith([fail('a'), clause('b')], {
      target: { baseUrl: 'https://other.example', embedded: false },
    })
    const report = rerunReport(reportWith([clause('a')]), { file, report: other, accept: false })
    expect(report.clauses).toHaveLength(1)
    expect(report.notices[0]).toContain('it is of https://other.example, so nothing is taken over')
  })

  test('knows which exchange a breach of a slim report means: none of another report', () => {
    const report = merged([slim(reportWith([fail('a')])), reportWith([fail('b')])], [])
    const numbers = report.exchanges.map(({ number }) => number)
    const [a, b] = report.clauses
    expect(numbers).not.toContain(a?.breaches?.[0]?.judged[0])
    expect(numbers).toContain(b?.breaches?.[0]?.judged[0])
  })
})
