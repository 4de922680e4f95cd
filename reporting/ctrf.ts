import {
  type ClauseReport,
  describeSuite,
  type Report,
  toldVerdict,
  toldWaiver,
} from '../engine/run/report.ts'
import { curlLine, fewExchanges } from './parts/evidence.ts'
import { notChecked } from './parts/not-checked.ts'
import { describeReachOf } from './parts/verdict-line.ts'

/** The report in the Common Test Report Format. */
export function ctrfOf(report: Report): string {
  const { suiteVersion, target, clauses, startedAt, durationMs, verdict, seed, shard } = report
  const tests = clauses.map((clause) => testOf(clause, report))
  const count = (status: Status) => tests.filter((test) => test.status === status).length
  const start = Date.parse(startedAt)
  const ctrf = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: startedAt,
    generatedBy: `task-assignment-contract ${suiteVersion}`,
    results: {
      tool: { name: 'task-assignment-contract', version: suiteVersion },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        start,
        stop: start + Math.round(durationMs),
        duration: Math.round(durationMs),
      },
      tests,
      environment: {
        appName: target.embedded ? 'the embedded reference service' : target.baseUrl,
        healthy: verdict === 'conformant',
        ...(shard && { shardId: `${shard.index}/${shard.of}` }),
        extra: {
          verdict,
          reach: describeReachOf(report),
          notChecked: notChecked(clauses),
          seed,
          suite: describeSuite(report),
          ...(target.revision === undefined ? {} : { revision: target.revision }),
          reasons: report.reasons,
          notices: report.notices,
          residue: report.residue,
          ...(report.interrupted && { interrupted: true }),
        },
      },
    },
  }
  return `${JSON.stringify(ctrf, null, 1)}\n`
}

type Status = 'passed' | 'failed' | 'skipped' | 'other'

const statuses: Record<ReturnType<typeof toldVerdict>, Status> = {
  pass: 'passed',
  observed: 'passed',
  fail: 'failed',
  skip: 'skipped',
  waived: 'skipped',
  warn: 'other',
  inconclusive: 'other',
}

function testOf(clause: ClauseReport, report: Report) {
  const { id, operation, level, statement, section, reason, observed, waiver, note } = clause
  const { cause, owners } = clause
  const told = toldVerdict(clause)
  const status = statuses[told]
  const curl = curlLine(clause, report)
  const message = waiver ? `${toldWaiver(waiver)}; ${reason}` : reason
  return {
    name: id,
    testId: id,
    status,
    rawStatus: told,
    duration: Math.round(clause.durationMs),
    suite: [operation],
    tags: [level],
    ...(message !== undefined && { message }),
    ...((status === 'failed' || status === 'other') && {
      trace: [...fewExchanges(clause, report), ...(curl ? ['', curl] : [])].join('\n'),
    }),
    extra: {
      statement,
      section,
      ...(observed !== undefined && { observed }),
      ...(note !== undefined && { note }),
      ...(cause !== undefined && { cause }),
      ...(owners !== undefined && { owners }),
    },
  }
}
