import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { revealsFinding } from '../../../engine/findings/reveals.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { problem } from '../../../engine/problem.ts'
import { worded } from '../../../engine/run/in-words.ts'
import * as words from '../../../engine/run/report.ts'
import { type RunResult, reportOf } from '../../../engine/run/report-of.ts'
import type { Judged } from '../../../engine/run/run-clauses.ts'
import type { Outcome } from '../../../engine/verdict.ts'
import { contract } from '../../../program/run/contract.ts'
import { summaryOf } from '../../../reporting/parts/summary.ts'
import { disagreementsIn } from '../../reporting/agreement.ts'
import { exchange, clause as sample } from '../../reporting/sample-reports.ts'

type Given = Partial<Omit<Judged, 'facts'>> & Partial<Judged['facts']>
const read = { method: 'GET', path: '/tasks/1', status: 200 }
const breach = (resource: string, ...judged: number[]) =>
  worded(problem(revealsFinding({ of: read, resource }), { judged }), contract.findings)

const held: Outcome = { kind: 'held' }

function clause(id: string, { outcome = held, evidence = [], note, tookMs, ...given }: Given = {}) {
  const facts = { id, level: 'must' as const, statement: `says ${id}`, section: 'Task', ...given }
  return { facts, outcome, evidence, note, ...(tookMs === undefined ? {} : { tookMs }) }
}
const breaks = (...breaches: ReturnType<typeof breach>[]): Outcome => ({
  kind: 'broken',
  breaches,
})

const settings = { baseUrl: 'https://a.example/v5', embedded: false, seed: 1, strict: false }
const same = { reasons: [], notices: [], restored: 0, residue: [], requests: 1 }
const operations = { 'task.read': { title: 'Read a task', method: 'GET', path: '/tasks/{id}' } }
const reportOn = (judged: Judged[], given: Partial<RunResult> = {}) =>
  reportOf({
    ...same,
    judged,
    errors: [],
    contract: { ...contract, operations },
    settings: { ...settings, bodies: 'failed' },
    order: { require: [], waived: [] },
    startedAt: new Date(0),
    durationMs: 1.4,
    madeBy: { suiteVersion: '1' },
    interrupted: false,
    ...given,
  })
const digest = (of: unknown) => createHash('sha256').update(JSON.stringify(of)).digest('hex')
const stated = (id: string) => ({ id, level: 'must', statement: `says ${id}`, section: 'Task' })

test('a report of the smallest run has no optional member', () => {
  const { run: _, ...report } = reportOn([clause('task.a')])
  expect(report).toStrictEqual({
    ...same,
    reportVersion: 2,
    clausesSha256: digest([['task.a', 'must', 'says task.a']]),
    suiteVersion: '1',
    target: { baseUrl: settings.baseUrl, embedded: false },
    startedAt: '1970-01-01T00:00:00.000Z',
    ...{ durationMs: 1, seed: 1, verdict: 'conformant', exchanges: [], areas: [] },
    operations,
    statuses: contract.statuses,
    counts: {
      must: { pass: 1, fail: 0, skip: 0, inconclusive: 0 },
      should: { pass: 0, fail: 0, warn: 0, skip: 0, inconclusive: 0 },
      observe: { observed: 0, skip: 0, inconclusive: 0 },
    },
    clauses: [{ ...stated('task.a'), operation: '', verdict: 'pass', durationMs: 0, evidence: [] }],
  })
})

test('a report has every optional member of its run', () => {
  const seen = (at: number, given: Partial<Exchange> = {}) =>
    exchange(at, { milliseconds: 20.06, ...given })
  const written = { title: 'A title', reading: 'a reading', varies: 'often', note: 'a note' }
  const judged: Judged[] = [
    clause('task.a', {
      ...written,
      operation: 'task.read',
      since: '0.9',
      tookMs: 7.6,
      outcome: breaks({ ...breach('task', 2, 9), control: [1, 9] }),
      evidence: [seen(2, { putBack: true }), seen(0), seen(1)],
    }),
    clause('task.b', { title: 'A title', level: 'observe', outcome: breaks(breach('note', 1)) }),
    clause('task.c', { level: 'observe', outcome: { kind: 'held', observed: 3 } }),
    clause('task.d', { level: 'observe', operation: 'none' }),
    clause('task.e', {
      outcome: { kind: 'undecided', reason: 'r', cause: 'refused', declare: ['x'] },
    }),
    clause('task.f', {
      outcome: { kind: 'undecided', reason: 's', cause: 'clause', owners: ['task.a'] },
    }),
  ]
  const met = { owner: 'other', ...breach('met', 8) }
  const given = { SEED: '1' }
  const waived = { clause: 'task.c', reason: 'known', until: '1970-01-01' }
  const residue = [
    { task: '1', reason: 'q' },
    { task: '2', reason: 'q', gone: true as const },
    { task: '3', reason: 'q', theirs: true as const },
  ]
  const areas = [{ name: 'export', clauses: ['export.*'] }]
  const shown = {
    ...{ selection: '--clauses x', notices: ['a notice'], details: ['a detail'], restored: 2 },
    ...{ residue, areas, interrupted: true as const },
  }
  const { clauses, exchanges, ...report } = reportOn(judged, {
    ...shown,
    met: ['other', 'task.a'].map((owner) => ({ ...met, owner, exchanges: [seen(7)] })),
    errors: ['no suite'],
    declared: ['task.a'],
    settings: { ...settings, strict: true, bodies: 'failed', given },
    order: { require: ['task.e', 'task.a'], waived: [waived] },
    asOf: '0.10',
    reasons: [{ fact: 'the end' }],
    revision: 'r1',
  })
  expect(exchanges.map(({ number }) => number)).toEqual([1, 2, 3, 8])
  const verdict = 'nonconformant'
  const target = { revision: 'r1' }
  expect(report).toMatchObject({ ...shown, target, strict: true, settings: given, verdict })
  expect(report.met).toStrictEqual([met])
  expect(report.reasons).toEqual([
    'the waiver of task.c is stale: the clause passes; delete it',
    'task.e is required and was skipped: r',
    'the runner reported an error: no suite',
    'the end',
    'task 1 could not be put back',
    'task.e could not be checked: r; if this key may not do it, set NOT_PERMITTED=x',
  ])
  const skipped = { operation: '', verdict: 'skip', durationMs: 0, evidence: [] }
  expect(clauses).toStrictEqual([
    {
      ...stated('task.a'),
      operation: 'Read a task',
      reading: 'a reading',
      varies: 'often',
      note: 'a note',
      verdict: 'fail',
      reason: breach('task').sentence,
      durationMs: 40.1,
      tookMs: 8,
      breaches: [{ ...breach('task', 2), control: [1] }],
      evidence: [
        { exchange: 1, role: 'control' },
        { exchange: 2, role: 'judged' },
        { exchange: 3, role: 'put-back' },
      ],
    },
    {
      ...{ ...stated('task.b'), ...skipped, level: 'observe', operation: 'A title' },
      ...{ reason: breach('note').sentence, cause: 'data' },
    },
    { ...stated('task.c'), ...skipped, level: 'observe', verdict: 'observed', observed: 3 },
    { ...stated('task.d'), ...skipped, level: 'observe', verdict: 'observed', observed: null },
    { ...stated('task.e'), ...skipped, reason: 'r', cause: 'refused', declare: ['x'] },
    { ...stated('task.f'), ...skipped, reason: 's', cause: 'clause', owners: ['task.a'] },
  ])
})

test('the verdict names one task that is left changed, and counts several', () => {
  const reasonsOf = (...left: object[]) => {
    const residue = left.map((facts, at) => ({ task: `${at + 1}`, reason: 'r', ...facts }))
    return reportOn([clause('task.a')], { residue }).reasons
  }
  expect(reasonsOf({})).toEqual(['task 1 could not be put back'])
  expect(reasonsOf({}, {}, {}, {})).toEqual(['4 tasks could not be put back'])
  expect(reasonsOf({}, { unknown: true }, { unsure: true })).toEqual([
    'task 1 could not be put back',
    '2 tasks are not known to be put back',
  ])
})

const residue = (given: object) => ({ residue: [{ task: '1', reason: 'r', ...given }] })
const skipped = clause('task.b', { outcome: { kind: 'undecided', reason: 'r', cause: 'data' } })

const stale = { clause: 'x', reason: '', until: '1970-01-01' }
const met = [{ owner: 'task.a', ...breach('met'), exchanges: [] }]
const wants = (id: string, ...waived: (typeof stale)[]) => ({ order: { require: [id], waived } })

// biome-ignore format: one run a line
test.each<[string, Partial<RunResult>, string]>([
  ['an error', { errors: ['e'] }, 'inconclusive'],
  ['an early end', { reasons: [{ fact: 'e' }] }, 'inconclusive'],
  ['a task left changed', residue({}), 'inconclusive'],
  ['a task that another writer changed', residue({ theirs: true }), 'conformant'],
  ['a task that is gone', residue({ gone: true }), 'conformant'],
  ['a required clause that was skipped, and an error', { ...wants('task.*'), errors: ['e'] }, 'incomplete'],
  ['that clause, and a breach that others met', { ...wants('task.b'), met }, 'nonconformant'],
  ['that clause, and a stale waiver', { ...wants('task.b', stale), declared: [] }, 'nonconformant'],
])('a run that decided a must and had %s', (_, given, verdict) =>
  expect(reportOn([clause('task.a'), skipped], given).verdict).toBe(verdict))

test('after an error no waiver is stale for want of a clause, as some may not have loaded', () => {
  const given = { order: { require: [], waived: [stale] }, declared: [], errors: ['e'] }
  expect(reportOn([], given).reasons).toEqual([
    'the runner reported an error: e',
    'nothing was checked: no must was decided',
  ])
})

const at = (number: number, given: Partial<Exchange> = {}) => exchange(number - 1, given)
const task = { path: '/tasks/1' }
const judged: Judged[] = [
  clause('task.before', {
    level: 'observe',
    evidence: [
      at(2, { path: '/tasks' }),
      at(3, { path: '/tasks/1/update-assignment' }),
      at(4, { path: '/tasks/10' }),
      at(5, { ...task, status: 300 }),
    ],
  }),
  clause('task.green', { evidence: [at(1, task), at(9), at(11, { path: '/tasks/2' })] }),
  clause('task.red', { outcome: breaks(breach('r', 7)), evidence: [at(7, task)] }),
  clause('task.too', {
    outcome: breaks(breach('r', 12), breach('r', 99)),
    evidence: [at(12, { path: '/tasks/2' })],
  }),
  clause('task.warned', { level: 'should', outcome: breaks(breach('w', 8)), evidence: [at(8)] }),
  clause('task.lost', { outcome: { kind: 'trouble', reason: 't' }, evidence: [at(6), at(9)] }),
  { ...skipped, evidence: [at(6), at(13)] },
]
const metElsewhere = [{ owner: 'other', ...breach('m', 10), exchanges: [at(10)] }]
const all = Array.from({ length: 13 }, (_, n) => n + 1)

test.each([
  ['failed', [2, 3, 6, 7, 8, 9, 10, 11, 12]],
  ['all', all],
] as const)('exchanges are listed once each; BODIES=%s keeps these bodies', (bodies, kept) => {
  const { exchanges } = reportOn(judged, { met: metElsewhere, settings: { ...settings, bodies } })
  expect(exchanges.map(({ number }) => number)).toEqual(all)
  const having = exchanges.filter(({ body }) => body !== undefined)
  expect(having.map(({ number }) => number)).toEqual(kept)
  for (const { bodyBytes } of exchanges) expect(bodyBytes).toBe(10)
})

test('the exchanges of a report keep small JSON that a pass depends on, with its requests, and nothing else of it', () => {
  const json = '{"id":"1"}'
  const own = { body: json, requestBody: '{}' }
  const proof = [
    at(1, own),
    at(2, { body: '', requestBody: '{}' }),
    at(3, { body: 'id;name' }),
    at(4, { body: JSON.stringify({ id: 'x'.repeat(2048) }) }),
    at(5, own),
    at(6, { body: '[1]' }),
  ]
  const rests = { judged: [1, 3, 4, 6], control: [2], before: [], judgedBy: 4 }
  const green = { ...clause('task.green', { evidence: proof }), rests }
  const keptBy = (bodies: 'none' | 'failed') =>
    reportOn([green], { settings: { ...settings, bodies } }).exchanges.map(
      ({ body, requestBody }) => [body, requestBody],
    )
  const none = [undefined, undefined]
  expect(keptBy('failed')).toEqual([[json, '{}'], ['', '{}'], none, none, none, none])
  expect(keptBy('none')).toEqual(proof.map(() => none))
})

test('a report is described in words', () => {
  const made = { suiteVersion: '1', suiteCommit: '0123456789abcdef', node: '22', platform: 'linux' }
  expect(words.describeSuite(made)).toBe('version 1 (0123456789ab), Node 22, linux')
  expect(words.describeSuite({ suiteVersion: '1' })).toBe('version 1')
  const waiver = { reason: 'known', until: '2026-12-31' }
  expect(words.toldWaiver(waiver)).toBe('waived until 2026-12-31: known')
  expect(words.toldVerdict(sample('a', { waiver }))).toBe('pass')
  expect(words.toldVerdict(sample('a', { newerThan: '1' }))).toBe('not counted')
  const observed = clause('task.a', { level: 'observe' })
  const nothing = 'there is nothing to judge: every clause of this run only observes'
  expect(reportOn([observed]).reasons).toEqual([nothing])
  const unchecked = 'nothing was checked: no must was decided'
  expect(reportOn([observed, skipped]).reasons).toEqual([unchecked])
})

const reportAsOf = (asOf: string) => {
  const broken = clause('task.new', { since: '0.10', outcome: breaks(breach('task')) })
  return reportOn([clause('task.old'), broken], { asOf })
}

test('what is newer than --as-of is shown and does not count; what is as old does', () => {
  const report = reportAsOf('0.9')
  const line = 'CONFORMANT: 1 of 1 must passes; 1 not counted: newer than 0.9'
  expect(summaryOf(report)).toMatchObject({ line, figures: { passed: 1, failed: 0 } })
  expect(report.clauses[1]).toMatchObject({ verdict: 'fail', newerThan: '0.9' })
  expect(disagreementsIn(report)).toEqual([])
  expect(reportAsOf('0.10').verdict).toBe('nonconformant')
})
