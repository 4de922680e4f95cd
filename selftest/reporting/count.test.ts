import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { carriedOver } from '../../reporting/carried-over.ts'
import { summaryOf } from '../../reporting/parts/summary.ts'
import { disagreementsIn } from './agreement.ts'
import { breach, clause, exchange, reportWith } from './sample-reports.ts'

const fail = { verdict: 'fail', reason: 'r' } as const
const waiver = { reason: 'known', until: '2126-12-31' }
const should = { level: 'should' } as const
const warn = { ...should, verdict: 'warn', reason: 'r' } as const
const lost = { verdict: 'inconclusive', reason: 'r' } as const
const down = 'the service responds 503 to every request: it is not up'
const seen = { level: 'observe', verdict: 'observed', observed: 1 } as const
const skip = (cause: 'data' | 'setting' | 'freedom') =>
  ({ verdict: 'skip', cause, reason: 'r' }) as const
const dangles = { ...skip('data'), cause: 'clause', dangling: 'b passed' } as const
const conformant = { verdict: 'conformant' } as const
const inconclusive = { verdict: 'inconclusive' } as const
const embedded = { baseUrl: 'http://127.0.0.1:1/v5', embedded: true }
const area = (name: string) => [{ name, clauses: [`${name}.*`] }]

// biome-ignore format: one line a run
const runs: [line: string, ...Parameters<typeof reportWith>][] = [
  ['CONFORMANT: 2 of 3 musts pass; 1 not checked (1 needs data)', [clause('a'), clause('b'), clause('c', skip('data')), clause('d', should), clause('e', seen)], conformant],
  ['NONCONFORMANT: 1 of 2 musts of --clauses a,b broken; 1 passes', [clause('a', fail), clause('b')], { selection: '--clauses a,b' }],
  ['CONFORMANT apart from 1 waived breach: 1 of 2 musts passes', [clause('a', { ...fail, waiver }), clause('b')], conformant],
  ['CONFORMANT with 1 warning: 1 of 1 must passes', [clause('a'), clause('b', warn)], { ...conformant, target: embedded }],
  ['INCONCLUSIVE: 1 of 2 musts passes; 1 not checked (1 inconclusive; no must of assessment was decided)', [clause('task.a'), clause('assessment.a', lost)], { ...inconclusive, areas: area('assessment') }],
  ['CONFORMANT: 1 of 2 musts passes; 1 not checked (1 needs a setting)', [clause('a'), clause('b', skip('setting'))], conformant],
  ['INCONCLUSIVE (INTERRUPTED): 1 of 2 musts passes; 1 not checked (1 inconclusive)', [clause('a'), clause('b', lost)], { ...inconclusive, interrupted: true }],
  ['INCONCLUSIVE: nothing was checked; 0 of 1 must pass; 1 not checked (1 needs a setting; no must of task was decided)', [clause('task.a', skip('setting'))], { ...inconclusive, reasons: ['nothing was checked'], areas: area('task') }],
  ['INCONCLUSIVE: nothing of --clauses a was to be judged; 2 observations', [clause('a', seen), clause('b', seen)], { ...inconclusive, selection: '--clauses a' }],
  ['INCONCLUSIVE: 1 of 2 musts passes; 1 not checked (1 depend on a fact that no clause judged)', [clause('a', dangles), clause('b')], inconclusive],
  ['NONCONFORMANT: 1 of 2 musts and 1 should broken; 1 passes', [clause('a', fail), clause('b'), clause('c', { ...should, ...fail })], { strict: true }],
  ['NONCONFORMANT: 1 should broken; 1 of 1 must passes', [clause('b'), clause('c', { ...should, ...fail })], { strict: true }],
  ['NONCONFORMANT: 1 of 3 musts broken, 2 waived breaches, 1 warning; 1 passes', [clause('a', fail), clause('b'), clause('c', { ...fail, waiver }), clause('d', { ...warn, waiver }), clause('e', warn)]],
  ['NONCONFORMANT: the waiver of a is stale; 2 of 2 musts pass', [clause('a'), clause('b')], { reasons: ['the waiver of a is stale: the clause passes; delete it'], shortReason: 'the waiver of a is stale' }],
  ['INCONCLUSIVE: task t could not be put back, 1 warning; 1 of 1 must passes', [clause('a'), clause('b', warn)], { ...inconclusive, reasons: ['task t could not be put back'] }],
  ['INCONCLUSIVE: 4 tasks could not be put back; 1 of 1 must passes', [clause('a')], { ...inconclusive, reasons: ['4 tasks could not be put back'] }],
  ['INCONCLUSIVE: the service responds 503 to every request; 0 of 2 musts pass; 2 not checked (2 inconclusive)', [clause('a', { ...lost, reason: down }), clause('b', { ...lost, reason: down })], { ...inconclusive, reasons: [down, 'nothing was checked'], shortReason: 'the service responds 503 to every request', endedEarly: true }],
  ['CONFORMANT with 1 warning: 1 of 2 shoulds passes', [clause('a', should), clause('b', warn)], conformant],
  ['CONFORMANT: 1 of 2 musts passes; 1 not checked (1 left open by the contract; no must of export was decided)', [clause('task.a'), clause('export.a', skip('freedom'))], { ...conformant, areas: area('export') }],
  ['CONFORMANT: 1 of 2 musts passes; 1 not checked (1 needs a setting); --read-only: no update was sent', [clause('a'), clause('b', skip('setting'))], { ...conformant, readOnly: true }],
  ['INCONCLUSIVE: nothing was checked', [], { ...inconclusive, reasons: ['x'] }],
]

test.each(runs)('every report has the line and the numbers of %s', (line, clauses, given) => {
  const report = reportWith(clauses, given)
  expect(summaryOf(report).line).toBe(line)
  expect(disagreementsIn(report)).toEqual([])
  // Counted by the engine, from the verdicts alone.
  const { passed, failed, waived, warned, 'not-checked': open } = summaryOf(report).figures
  const { must, should } = report.counts
  const waivedMusts = clauses.filter(({ level, waiver }) => level === 'must' && waiver).length
  const notChecked = (must.skip ?? 0) + (must.inconclusive ?? 0)
  expect([passed, failed + waivedMusts, open]).toEqual([must.pass, must.fail, notChecked])
  expect(waived + warned).toBe(waivedMusts + (should.warn ?? 0) + (should.fail ?? 0))
})

const file = 'earlier.json'
const failed = (id: string) =>
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
    const report = again([clause('a'), lost, failed('c')], [clause('b'), failed('c')])
    const verdicts = report.clauses.map(({ id, verdict }) => `${id} ${verdict}`)
    expect(verdicts).toEqual(['a pass', 'b pass', 'c fail'])
    const [counts, rerun] = [{ must: { pass: 2, fail: 1 } }, { clauses: ['b', 'c'] }]
    expect(report).toMatchObject({ verdict: 'nonconformant', counts, rerun })
    expect(report.notices[0]).toBe(
      '--failed earlier.json: 2 clauses were checked again; the other 1 are carried over from the run of 2026-01-01T00:00:00.000Z',
    )
  })

  const ofA = 'failed in the report of 2026-01-01T00:00:00.000Z'
  const passes = `a passes now; ${ofA}`
  const both = [failed('a'), clause('b')]
  const skipped = clause('a', { verdict: 'skip', reason: 'r', cause: 'data' })
  const trouble = clause('a', lost)
  // biome-ignore format: one run a line
  test.each<[string, Clauses, Clauses, (string | undefined)[], string, string[]]>([
    ['counts what passes now', both, [clause('a')], [], 'conformant', []],
    ['counts what passes at another revision', both, [clause('a')], ['7.3', '7.2'], 'conformant', []],
    ['counts what passes at an unknown revision', both, [clause('a')], [undefined, '7.2'], 'conformant', []],
    ['calls it a flip at the same revision', both, [clause('a')], ['7.2'], 'inconclusive', [`${passes}, at the same revision 7.2`]],
    ['is inconclusive where what failed is not decided now', both, [skipped], ['7.3', '7.2'], 'inconclusive', [`a is not decided now; ${ofA}`]],
    ['counts no unchecked failure as repaired', [failed('a'), failed('b')], [clause('b')], [], 'nonconformant', []],
    ['counts no trouble as a flip', [trouble], [clause('a')], ['7.2'], 'conformant', []],
  ])('%s', (_, before, now, revisions, verdict, reasons) => {
    const report = again(before, now, revisions)
    expect(report).toMatchObject({ verdict, reasons })
    if (before === both && verdict === 'conformant') expect(report.notices).toContain(passes)
  })

  test('keeps the exchanges of both apart, and drops those that no clause needs', () => {
    const report = again([failed('a'), failed('b')], [failed('b')])
    const judged = report.clauses.flatMap(({ breaches = [] }) => breaches.flatMap((b) => b.judged))
    expect(new Set(judged).size).toBe(2)
    expect(report.exchanges.map(({ number }) => number)).toEqual(judged)
  })

  // biome-ignore format: one report a line
  test.each<[string, Partial<Report>, string]>([
    ['another service', { target: { baseUrl: 'https://other.example', embedded: false } }, 'it is of https://other.example'],
    ['the embedded service', { target: { baseUrl: 'http://127.0.0.1:1/v5', embedded: true } }, 'it is of the embedded reference service'],
    ['another suite', { suiteVersion: '0.9' }, 'it is of suite version 0.9'],
  ])('carries nothing over from a report of %s', (_, other, why) => {
    const earlier = { file, report: reportWith([failed('a'), failed('b')], other) }
    const now = reportWith([clause('a')], { verdict: 'conformant' })
    const notice = `--failed earlier.json: ${why}, so nothing is carried over from it`
    expect(carriedOver(now, earlier)).toEqual({ ...now, notices: [notice] })
  })

  test('counts nothing as checked if it ended before its clauses', () => {
    const now = reportWith([], { verdict: 'inconclusive' })
    expect(carriedOver(now, { file, report: reportWith([clause('a')]) })).toBe(now)
  })
})
