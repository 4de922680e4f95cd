import { describe, expect, test } from 'vitest'
import { junitOf } from '../../reporting/junit.ts'
import { clause, hostileReport, reportWith, variedReport } from './sample-reports.ts'
import { casesOf, named, parsed } from './xml.ts'

const propertiesOf = (suite?: Parameters<typeof named>[0]) => {
  const [properties] = suite ? named(suite, 'properties') : []
  return Object.fromEntries(properties?.inside.map(({ at }) => [at.name, at.value]) ?? [])
}

describe('junit.xml', () => {
  test('has a suite for each operation, and each clause once, in that of its own', () => {
    const report = variedReport()
    const { suites, cases } = casesOf(report)
    const operations = ['Retrieve a task', 'Optimistic concurrency', 'Export audit events']
    expect(suites.map(({ at }) => at.name)).toEqual(operations)
    expect(cases.map(({ at }) => `${at.classname} ${at.name}`).sort()).toEqual(
      report.clauses.map(({ id, operation }) => `${operation} ${id}`).sort(),
    )
  })

  test('a failure with statement, fact, exchanges and a command; a skip with its reason', () => {
    const { caseOf } = casesOf(variedReport())
    const [failure] = named(caseOf('task.read.fail'), 'failure')
    expect(failure?.at).toEqual({ message: 'why it is fail', type: 'must' })
    expect(failure?.text).toContain(
      'task.read.fail (must, Errors): what task.read.fail states\nwhy it is fail\nRequest: GET ',
    )
    expect(failure?.text).toMatch(
      / → 404 in 3 ms, attempt 2\nExpected: 404\nGot: 200\n.*--clauses task.read.fail --seed 77\n\ncurl .*\$API_KEY/s,
    )
    const [skipped] = caseOf('task.read.skip').inside
    const text = 'setting: why it is skip'
    expect(skipped).toMatchObject({ name: 'skipped', at: { message: text }, text })
    expect(caseOf('task.read.pass').inside).toEqual([])
    expect(caseOf('task.read.warn').inside).toMatchObject([{ name: 'system-out' }])
  })

  test('trouble is an error for a must alone; a waived failure is skipped and says why', () => {
    const { caseOf } = casesOf(variedReport())
    expect(caseOf('task.read.inconclusive').inside[0]?.name).toBe('error')
    const should = clause('a', { level: 'should', verdict: 'inconclusive', reason: 'r' })
    expect(casesOf(reportWith([should])).caseOf('a').inside[0]?.name).toBe('skipped')
    const [waived] = caseOf('version.waived').inside
    expect(waived?.name).toBe('skipped')
    expect(waived?.text).toBe(
      'waived until 2027-01-31 (T-1): known since May; responded 200, not 409',
    )
  })

  test('what no clause shows is a property: reasons, notices, tasks not put back, and what was not checked', () => {
    const residue = [{ task: 't1', reason: 'responded 403' }]
    const skipped = clause('b', { verdict: 'skip', cause: 'data', reason: 'no event is known' })
    const reasons = ['the waiver of b is stale']
    const open =
      '1 must needs data: the service needs the data that each reason names\n  no event is known (b)'
    for (const clauses of [[clause('a'), skipped], []]) {
      const [suite] = casesOf(reportWith(clauses, { residue, reasons })).suites
      expect(propertiesOf(suite)).toMatchObject({
        reason: 'the waiver of b is stale',
        'not as found': 'task t1: responded 403',
        ...(clauses.length > 0 && { 'not checked': open }),
      })
    }
  })

  test('what XML forbids is removed, everything else stays as it was', () => {
    const text =
      'a\u0000\u001b[31mb\ud800\ufffe ]]> <![CDATA[ & é👩‍🚀 "\' \t\r\n[[ATTACHMENT|/etc/passwd]]'
    const report = reportWith([clause('a', { verdict: 'fail', reason: text })])
    const [failure] = named(casesOf(report).caseOf('a'), 'failure')
    expect(failure?.text).toContain(
      'a[31mb ]]> <![CDATA[ & é👩‍🚀 "\' \t\r\n[[ATTACHMENT |/etc/passwd]]',
    )
    expect(() => parsed(junitOf(hostileReport()))).not.toThrow()
  })
})
