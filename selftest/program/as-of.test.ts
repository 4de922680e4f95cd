import { expect, test } from 'vitest'
import { reportOf } from '../../engine/run/report-of.ts'
import type { Judged } from '../../engine/run/run-clauses.ts'
import { contract } from '../../program/run/contract.ts'
import { madeBy } from '../../program/run/version.ts'
import { annotationsOf, githubLine } from '../../reporting/annotations.ts'
import { summaryOf } from '../../reporting/console.ts'
import { junitOf } from '../../reporting/junit.ts'
import { figuresOf, verdictLine } from '../../reporting/parts/count.ts'
import { breach } from '../reporting/sample-reports.ts'

const facts = (id: string, since?: string) => ({
  id,
  level: 'must' as const,
  statement: id,
  section: 'Errors',
  ...(since ? { since } : {}),
})
const broken = { kind: 'broken' as const, reason: 'it breaks', breaches: [breach('it breaks')] }

/** The report of a run with an old clause that holds and a new one that is broken. */
const reportAsOf = (asOf?: string) =>
  reportOf({
    judged: [
      { facts: facts('task.old'), outcome: { kind: 'held' }, evidence: [] },
      { facts: facts('task.new', '0.10'), outcome: broken, evidence: [] },
    ] satisfies Judged[],
    errors: [],
    contract,
    settings: {
      baseUrl: 'https://a.example/v5',
      embedded: false,
      seed: 1,
      strict: false,
      bodies: 'failed',
    },
    order: { require: ['task.*'], waived: [] },
    ...(asOf ? { asOf } : {}),
    reasons: [],
    notices: [],
    restored: 0,
    residue: [],
    startedAt: new Date(0),
    durationMs: 1,
    requests: 1,
    madeBy,
    interrupted: false,
  })

test('what is newer than --as-of runs, is shown, and does not count', () => {
  const report = reportAsOf('0.9')
  expect(verdictLine(report)).toBe('CONFORMANT: 1 of 1 must holds; 1 not counted: newer than 0.9')
  expect(figuresOf(report)).toMatchObject({ passed: 1, failed: 0 })
  expect(report.clauses[1]).toMatchObject({ verdict: 'fail', newerThan: '0.9' })
  expect(summaryOf(report, { verbose: false })).toContain(
    'NOT COUNTED task.new  newer than 0.9; fail: it breaks',
  )
  expect(junitOf(report)).toContain('not counted: newer than 0.9; fail')
  expect(annotationsOf(report, githubLine).join()).not.toContain('error')
})

test.each([undefined, '0.10', '1.0'])('with --as-of %s it counts', (asOf) => {
  expect(reportAsOf(asOf).verdict).toBe('nonconformant')
})
