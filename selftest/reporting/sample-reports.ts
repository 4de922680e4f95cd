import type { DueStatus } from '../../engine/findings/kind.ts'
import { statusFinding } from '../../engine/findings/status.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { worded } from '../../engine/run/in-words.ts'
import {
  type Breach,
  type ClauseReport,
  countsOf,
  type Evidence,
  type Report,
  type Role,
} from '../../engine/run/report.ts'
import type { Verdict } from '../../engine/verdict.ts'
import { effectFinding } from '../../helpers/findings/effect.ts'
import type { OldReport } from '../../program/input/read-report.ts'
import { contract } from '../../program/run/contract.ts'
import { htmlOf as pageOf } from '../../reporting/html/report.ts'

export function exchange(at: number, given: Partial<Exchange> = {}): Exchange {
  return {
    number: at + 1,
    start: new Date(Date.UTC(2026, 0, 1) + at * 10).toISOString(),
    method: 'GET',
    path: `/tasks/1d88d0e0-b9a5-448e-a9a7-${String(at).padStart(12, '0')}`,
    requestHeaders: {
      accept: '*/*',
      'accept-encoding': 'gzip, br, deflate',
      'user-agent': 'task-assignment-contract',
      apikey: '(configured)',
    },
    status: 200,
    headers: {
      'content-type': 'application/json',
      date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      connection: 'keep-alive',
    },
    body: '{"id":"1"}',
    bodyBytes: 10,
    milliseconds: (at % 97) + 1,
    attempt: 1,
    ...given,
  }
}

/** A clause with its exchanges, which go into the report made with it. */
export type Given = Partial<Omit<ClauseReport, 'evidence'>> & {
  evidence?: readonly (Exchange | Evidence)[]
}

const exchangesBy = new WeakMap<Evidence, Exchange>()

/** Exchanges in a role, as evidence of a clause. */
export const inRole = (role: Role, ...given: Exchange[]): Evidence[] =>
  given.map((each) => {
    const evidence: Evidence = { exchange: each.number, role }
    exchangesBy.set(evidence, each)
    return evidence
  })

export function clause(id: string, { evidence = [], ...given }: Given = {}): ClauseReport {
  return {
    id,
    level: 'must',
    statement: `what ${id} states`,
    section: 'Errors',
    operation: 'Retrieve a task',
    verdict: 'pass',
    durationMs: 12.3,
    evidence: evidence.flatMap((each) => ('role' in each ? each : inRole('set-up', each))),
    ...(given.verdict === 'skip' ? { cause: 'setting' } : {}),
    ...given,
  }
}

export const observing = (id: string, observed: unknown, given: Given = {}): ClauseReport =>
  clause(id, { level: 'observe', verdict: 'observed', observed, ...given })

/** A report without causes, as version 1 had none. */
export function asVersion1(report: Report): Report {
  const { areas: _, met: __, operations: ___, statuses: ____, ...rest } = report
  const clauses = report.clauses.map(
    ({ cause: _, owners: __, dangling: ___, breaches: ____, ...bare }) => bare,
  )
  return { ...rest, reportVersion: 1, clauses }
}

/** A report of an older suite, with members that no run writes any more. */
export const withOldMembers = (report: Report): Report =>
  Object.assign({}, report, {
    shard: { index: 1, of: 4 },
    merged: 4,
    slim: true,
    exchanges: [],
    clauses: report.clauses.map((each) => ({
      ...each,
      forms: { 'file type': ['csv', 'pdf'] },
      unasked: { locale: 'a reason of its own' },
      evidence: [],
    })),
  })

/** A report in the form where each clause held its exchanges. */
export function inlined({ exchanges, met: _, ...rest }: Report): OldReport {
  const clauses = rest.clauses.map(({ breaches: _, evidence, ...bare }) => ({
    ...bare,
    evidence: evidence.flatMap(({ exchange }) =>
      exchanges.flatMap(({ number, ...found }) => (number === exchange ? [found] : [])),
    ),
  }))
  return { ...rest, clauses }
}

export function reportWith(clauses: ClauseReport[], given: Partial<Report> = {}): Report {
  return {
    reportVersion: 2,
    suiteVersion: '1.2.3',
    target: { baseUrl: 'https://eu.example.com/v5', embedded: false },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 4321,
    requests: 700,
    seed: 77,
    verdict: 'nonconformant',
    reasons: [],
    notices: [],
    restored: 0,
    residue: [],
    counts: countsOf(clauses),
    exchanges: exchangesIn(clauses),
    clauses,
    operations: contract.operations,
    statuses: contract.statuses,
    ...given,
  }
}

/** Each once. */
function exchangesIn(clauses: readonly ClauseReport[]): Exchange[] {
  const all = clauses.flatMap(({ evidence }) => evidence.map((each) => exchangesBy.get(each)))
  const held = all.flatMap((each) => each ?? [])
  const once = new Map(held.map((each) => [each.number, each]))
  return [...once.values()].sort((a, b) => a.number - b.number)
}

/** Expected and actual values, as any clause may have judged them. */
export function breach(sentence: string, ...judged: number[]): Problem & Breach {
  const finding = effectFinding(
    { method: 'GET', path: '/tasks/1', status: 200 },
    { effect: 'unlike before', read: sentence },
  )
  return { sentence, expected: '404', got: '200', finding, judged, control: [] }
}

/** A breach by the status of an answer. */
export function statusBreach(wanted: DueStatus, status: number, ...judged: number[]) {
  const finding = statusFinding({ method: 'GET', path: '/tasks/1', status }, wanted)
  return worded(problem(finding, { judged }), contract.findings)
}

/** A report with one breach, by default of its first exchange. */
export const brokenReport = (found: Partial<Breach>, ...evidence: Exchange[]): Report => {
  const breaches = [{ ...breach('what is wrong', 1), ...found }]
  return reportWith([
    clause('task.read.success', { verdict: 'fail', reason: 'r', breaches, evidence }),
  ])
}

/** A report with something of everything. */
export function variedReport(): Report {
  const again = [exchange(1), exchange(2, { attempt: 2, status: 404 })]
  const of = (verdict: Verdict, got?: string): Given => {
    const reason = `why it is ${verdict}`
    const breaches = got && { breaches: [{ ...breach(reason, 3), control: [2], got }] }
    return { verdict, reason, evidence: again, ...breaches }
  }
  const observed = { status: 418, media: ['tea'] }
  const each: Given[] = [
    of('fail', '200'),
    { ...of('warn', '500'), level: 'should' },
    of('inconclusive'),
    { ...of('skip'), level: 'should' },
    { verdict: 'pass', evidence: [exchange(3)] },
    { level: 'observe', verdict: 'observed', observed, evidence: again },
  ]
  const clauses = each.map((given, at) =>
    clause(`task.read.${given.verdict}`, { section: at % 2 ? 'Task' : 'Errors', ...given }),
  )
  return reportWith(
    [
      ...clauses,
      clause('version.waived', {
        verdict: 'fail',
        reason: 'responded 200, not 409',
        breaches: [breach('responded 200, not 409', 20)],
        operation: 'Optimistic concurrency',
        section: 'Versioning',
        reading: 'a reading',
        note: 'a note',
        waiver: { reason: 'known since May', until: '2027-01-31', ticket: 'T-1' },
        evidence: Array.from({ length: 40 }, (_, at) => exchange(10 + at)),
      }),
      clause('export.lost', {
        verdict: 'inconclusive',
        reason: 'no answer',
        operation: 'Export audit events',
        section: 'Export audit events',
        evidence: [
          exchange(60, {
            status: undefined,
            headers: undefined,
            body: undefined,
            trouble: 'reset',
          }),
          exchange(61, {
            method: 'PUT',
            path: '/tasks/1/update-assignment',
            requestBody: '{"update":{}}',
            status: 409,
            milliseconds: 1500,
          }),
        ],
      }),
    ],
    {
      reasons: ['a reason of the run'],
      notices: ['a notice of the run'],
      residue: [{ task: 'task-1', reason: 'refused' }],
      interrupted: true,
      areas: [{ name: 'task', clauses: ['task.*'] }],
      met: [{ owner: 'task.read.types', ...breach('data_version is "1"', 2) }],
    },
  )
}

/** As large as reports are expected to be: clauses that share exchanges with full bodies. */
export function largeReport(clauseCount = 230, exchangeCount = 700): Report {
  const body = JSON.stringify({ text: 'word "quoted" '.repeat(300) }).slice(0, 4096)
  const exchanges = Array.from({ length: exchangeCount }, (_, at) =>
    exchange(at, { body, bodyBytes: 4096 }),
  )
  const shared = (at: number) => (at * 3) % exchangeCount
  const reason = 'responded 200, not 404'
  const clauses = Array.from({ length: clauseCount }, (_, at) =>
    clause(`task.read.number-${at}`, {
      section: ['Errors', 'Task', 'Authentication'][at % 3] as string,
      evidence: [...exchanges, ...exchanges].slice(shared(at), shared(at) + 14),
      ...(at % 20 === 0 && {
        ...{ verdict: 'fail', reason, breaches: [breach(reason, shared(at) + 1)] },
      }),
    }),
  )
  return reportWith(clauses)
}

const nasty = [
  '</script><script>hostile()</script>',
  '--><img src=x onerror="hostile()">]]>',
  '"><svg onload=hostile()> \' onfocus=hostile() autofocus=" x',
  '</pre></details></main></style><style>*{display:none}</style>',
  '&lt;b&gt; &amp; {{hostile()}} `hostile()`',
  'javascript:hostile()',
  'right \u202e left \u2066\u200f \u0000\u0007\u001b[31m \ud800 é 漢 👩‍🚀',
  'Z\u0300\u0301\u0302'.repeat(60),
].join('\n')

/** Every field that a service or a hand-made report can fill holds what would break a careless page. */
export function hostileReport(): Report {
  const long = 'x'.repeat(100_000)
  const record = { [nasty]: nasty, [long]: long, '</pre>': nasty }
  const all = <Name extends string>(...names: Name[]) =>
    Object.fromEntries(names.map((name) => [name, nasty])) as Record<Name, string>
  const evil = (at: number) =>
    exchange(at, {
      ...all('method', 'requestBody', 'bodySha256', 'trouble'),
      ...{ path: `/${nasty}`, base: `javascript:${nasty}` },
      ...{ requestHeaders: record, headers: record, body: at % 2 ? nasty : long },
    })
  const verdicts = ['fail', 'pass', 'skip', 'inconclusive', 'observed'] as const
  const clauses = verdicts.map((verdict, at) => {
    const text = at % 2 ? nasty : long
    const between = { got: long, judged: [at + 1], control: [at + 2] }
    return clause(`${verdict}${nasty}`, {
      ...all('section', 'operation', 'reading', 'note'),
      ...{ verdict, statement: text, reason: text, observed: { [nasty]: [nasty, long] } },
      breaches: [{ sentence: nasty, expected: nasty, ...between }],
      waiver: { reason: nasty, until: nasty, ticket: nasty },
      evidence: [evil(at), evil(at + 1)],
    })
  })
  return reportWith(clauses, {
    ...all('suiteVersion', 'startedAt'),
    target: { baseUrl: nasty, embedded: false },
    ...{ reasons: [nasty, long], notices: [nasty, long] },
    residue: [{ task: nasty, reason: long }],
  })
}

/** The page of a report, as the program makes it. */
export const htmlOf = (report: Report): string => pageOf(report, contract)
