import type { Exchange } from '../../engine/http/exchange.ts'
import type { Problem } from '../../engine/problem.ts'
import { type ClauseReport, countsOf, type Report, roles } from '../../engine/run/report.ts'
import { causes } from '../../engine/verdict.ts'

const exchange: Exchange = {
  number: 1,
  start: '2026-01-01T00:00:00.000Z',
  method: 'PUT',
  path: '/?a=b',
  requestHeaders: { apikey: '(configured)' },
  requestBody: '{}',
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  bodyBytes: 2,
  milliseconds: 1,
  attempt: 2,
  trouble: '-',
}

const breach: Problem = { sentence: '-', expected: '-', got: '-', judged: [1], control: [1] }

const clause = (level: ClauseReport['level'], verdict: ClauseReport['verdict']): ClauseReport => ({
  id: '-',
  level,
  statement: '-',
  section: '-',
  operation: '-',
  verdict,
  reason: 'set',
  observed: '-',
  note: '-',
  durationMs: 1,
  evidence: roles.map((role) => ({ exchange: 1, role })),
  breaches: [breach],
})

const clauses: ClauseReport[] = [
  clause('must', 'pass'),
  clause('must', 'fail'),
  clause('should', 'warn'),
  clause('must', 'skip'),
  ...causes.map((cause) => ({ ...clause('must', 'skip'), cause, owners: ['-'] })),
  { ...clause('must', 'skip'), cause: 'refused' },
  { ...clause('must', 'skip'), cause: 'setting', reason: '-', dangling: '-' },
  clause('must', 'inconclusive'),
  clause('observe', 'observed'),
  { ...clause('must', 'fail'), waiver: { reason: '-', until: '2026-01-01', ticket: '-' } },
]

/** A report with one of everything: what is made of it shows the words that every report holds. */
export const sampleReport: Report = {
  reportVersion: 2,
  suiteVersion: '-',
  target: { baseUrl: 'http://-', embedded: true },
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  requests: 1,
  seed: 1,
  strict: true,
  verdict: 'nonconformant',
  interrupted: true,
  reasons: ['-'],
  notices: ['-'],
  restored: 1,
  residue: [{ task: '-', reason: '-', gone: true, theirs: true }],
  counts: countsOf(clauses),
  clauses,
  areas: [{ name: '-', clauses: ['-'] }],
  exchanges: [exchange],
  met: [{ owner: '-', ...breach }],
}
