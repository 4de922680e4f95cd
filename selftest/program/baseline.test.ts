import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import { readWaivers } from '../../program/input/waivers.ts'
import { withBaseline } from '../../program/report/baseline.ts'
import { consoleOf } from '../../reporting/console.ts'
import { junitOf } from '../../reporting/junit.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { summaryOf } from '../../reporting/parts/summary.ts'
import { runAgainst } from '../proofs/prove.ts'
import { clause, htmlOf, observing, reportWith } from '../reporting/sample-reports.ts'
import { fileWith, openTestFolder } from '../test-end.ts'

const baseline = (report: Report) => ({ file: 'earlier.json', report })
const seen = (status: number) => observing('status', [status])
const before = { startedAt: '2025-01-01T00:00:00.000Z', verdict: 'conformant' } as const

describe('a run with a baseline', () => {
  test('of a service that has changed shows it in every report, and fails under --strict', () => {
    const earlier = baseline(reportWith([clause('a'), seen(200)], before))
    const now = reportWith([clause('a'), seen(203)], { verdict: 'conformant' })
    const same = withBaseline({ ...earlier.report, startedAt: now.startedAt }, earlier, true)
    expect(same.verdict).toBe('conformant')
    expect(summaryOf(same).since?.line).toBe(
      'since the run of 2025-01-01 00:00 (earlier.json): nothing changed; 2 of 2 clauses were judged in both',
    )
    const drifted = withBaseline(now, earlier, false)
    const sentence = 'drift: status: what status states: earlier [200], now [203]'
    expect([drifted.verdict, drifted.notices.at(-1)]).toEqual(['conformant', sentence])
    for (const make of [htmlOf, junitOf, markdownOf]) expect(make(drifted)).toContain(sentence)
    const strict = withBaseline(now, earlier, true)
    expect([strict.verdict, strict.reasons]).toEqual([
      'nonconformant',
      ['1 clause drifted from the baseline earlier.json, which fails under --strict'],
    ])
  })

  const lamp = clause('lamp.fails', { verdict: 'fail', reason: 'r' })
  const idle = reportWith([clause('a', { verdict: 'skip', reason: 'r' })])
  const another = ': it is a report of another suite; give a report of this suite.'
  // biome-ignore format: one report a line
  test.each<[string, string, Report, string]>([
    ['undecided', '--baseline', idle, ': no clause was decided there; give the report of a run that decided some.'],
    ['of another suite', '--baseline', reportWith([lamp]), another],
    ['of another suite', '--failed', reportWith([lamp]), another],
  ])('that is %s ends before the first request: %s', async (_, flag, report, sentence) => {
    const file = fileWith(report)
    await expect(runAgainst({}, [flag, file])).rejects.toThrow(`${flag} ${file}${sentence}`)
  })
})

describe('drift', () => {
  test('is not a change of level, which is named as it is', () => {
    const fails = { verdict: 'fail', reason: 'r' } as const
    const should = { level: 'should' } as const
    const then = [
      clause('a', { ...should, verdict: 'warn', reason: 'r' }),
      observing('b', 1),
      clause('c', should),
      clause('d'),
    ]
    const skipped = clause('c', { verdict: 'skip', reason: 'r' })
    const clauses = [clause('a'), clause('b', fails), skipped, clause('d')]
    const after = reportWith(clauses, { verdict: 'conformant' })
    const { notices, verdict } = withBaseline(after, baseline(reportWith(then, before)), true)
    expect(verdict).toBe('conformant')
    expect(notices).toEqual([
      'a: level changed: should (earlier), must (now)',
      'b: level changed: observe (earlier), must (now)',
      'c: level changed: should (earlier), must (now)',
      'decided in the baseline but not now: c',
    ])
  })

  const now = reportWith([
    clause('a'),
    clause('b', { verdict: 'skip', reason: 'r' }),
    clause('c', { verdict: 'fail', reason: 'one\n  two\n… and 3 more' }),
  ])
  const earlier = reportWith(
    [...'abc', 'gone'].map((id) => clause(id)),
    before,
  )

  test('names what broke, and what is not decided any more; not what was not asked for', () => {
    const { notices, baseline: changes } = withBaseline(now, baseline(earlier), false)
    expect(notices).toEqual(['decided in the baseline but not now: b'])
    expect(changes).toMatchObject({ new: ['c'], since: {}, fixed: [], compared: 2 })
  })

  test('names a baseline that is of another suite, of another service, or not whole', () => {
    const target = { baseUrl: 'https://b.example.com/v5', embedded: false }
    const other = { ...earlier, suiteVersion: '0.9', target, interrupted: true as const }
    const notices = withBaseline(now, baseline(other), false).notices.join('\n')
    for (const words of [
      'of different suite versions (earlier 0.9, now 1.2.3); of their clauses the 3',
      'the baseline was interrupted: what it did not reach is not compared',
      'the baseline is of https://b.example.com/v5; the differences may be',
    ])
      expect(notices).toContain(words)
  })

  test('of many clauses is shown of forty, and counted', () => {
    const many = (value: number) =>
      Array.from({ length: 50 }, (_, at) => observing(`c${at}`, value))
    const [then, since] = [1, 2].map((value) => reportWith(many(value)))
    const { notices } = withBaseline(since as Report, baseline(then as Report), false)
    expect(notices).toHaveLength(41)
    expect(notices.at(-1)).toBe('drift: and 10 more clauses')
  })
})

describe('the report in REPORTS_DIR', () => {
  const fail = { verdict: 'fail', reason: 'r' } as const
  const at = (minute: number) => `2026-11-29T08:0${minute}:00.000Z`
  const startedAt = at(0)
  const first = reportWith([clause('a', fail), clause('b', fail), clause('c')], { startedAt })
  const second = (given: Partial<Report> = {}) =>
    reportWith([clause('a', fail), clause('b'), clause('c', fail)], { startedAt: at(1), ...given })

  test('says what is new, still broken and fixed, and fails nothing', () => {
    const since = { a: startedAt }
    const report = withBaseline(second({ verdict: 'nonconformant' }), { report: first }, true)
    expect(report.baseline).toEqual({
      ...{ startedAt, compared: 3, new: ['c'], since, fixed: ['b'], flipped: [], differing: [] },
      causes: [
        { change: 'still', title: 'what a states', clauses: ['a'], since: startedAt },
        { change: 'new', title: 'what c states', clauses: ['c'] },
        { change: 'fixed', title: 'what b states', clauses: ['b'] },
      ],
    })
    expect([report.verdict, report.reasons]).toEqual(['nonconformant', []])
    expect(consoleOf(report, { verbose: false })).toContain(
      'since the run of 2026-11-29 08:00: 1 cause still broken, 1 new, 1 fixed; 3 of 3 clauses were judged in both',
    )
    expect(htmlOf(report)).toContain('data-since="new"')
    const third = withBaseline({ ...first, startedAt: at(2) }, { report }, false)
    expect(third.baseline).toMatchObject({ startedAt: at(1), since, new: ['b'], flipped: [] })
  })

  test('names what flipped at one revision, and is not compared with another service', () => {
    const target = { ...first.target, revision: '1' }
    const flipped = withBaseline(second({ target }), { report: { ...first, target } }, false)
    expect(flipped.baseline).toMatchObject({ flipped: ['c', 'b'] })
    const elsewhere = { baseUrl: 'https://other.example.com/v5', embedded: false }
    const other = withBaseline(second({ target: elsewhere }), { report: first }, false)
    expect(other.baseline).toBeUndefined()
  })

  test('is the baseline of a run that names none, and is passed over if it cannot be read', async () => {
    const argv = ['--clauses', 'task.read.types']
    const reports = openTestFolder()
    const env = { REPORTS_DIR: reports }
    const { report: one } = await runAgainst({ env }, argv)
    const { report: other } = await runAgainst({ env }, argv)
    expect([one?.baseline, other?.baseline?.compared]).toEqual([undefined, 1])
    writeFileSync(join(reports, 'report.json'), '{')
    expect((await runAgainst({ env }, argv)).report?.baseline).toBeUndefined()
  })
})

const until = '2126-12-31'
const waiver = { clause: 'task.read.fields', reason: 'being repaired', until, ticket: 'AB-12' }

describe('a file of waivers', () => {
  test('is read', () => {
    const { ticket: _, ...plain } = waiver
    const two = [waiver, { ...plain, clause: 'b' }]
    const ofFinding = { ...waiver, finding: { kind: 'member', member: 'assignment' } }
    for (const all of [two, [], [ofFinding]]) expect(readWaivers(fileWith(all), '')).toEqual(all)
  })

  // biome-ignore format: one mistake a line
  test.each<[string, unknown, string]>([
    ['cut short', '[{"clause":', ' is not JSON; write [{'],
    ['no list', { clause: 'a' }, ' does not hold a list; write [{'],
    ['an entry that is not an object', [waiver, 'a'], ', entry 2: it is not an object; write [{'],
    ['a misspelt member', [{ ...waiver, untill: '' }], ", entry 1: unknown member 'untill'; write [{"],
    ['no reason', [{ ...waiver, reason: ' ' }], ', entry 1: reason is missing or not a text; write'],
    ['no clause', [{ ...waiver, clause: 5 }], ', entry 1: clause is missing or not a text; write'],
    ['a glob', [{ ...waiver, clause: 'auth.*' }], ": clause is 'auth.*'; give the id of"],
    ['no day', [{ ...waiver, until: '31.12.2126' }], ", entry 1: until is '31.12.2126'; give a day"],
    ['an invalid day', [{ ...waiver, until: '2126-02-30' }], ", entry 1: until is '2126-02-3"],
    ['a ticket that is not a text', [{ ...waiver, ticket: 12 }], ', entry 1: ticket is missing or not a t'],
    ['a finding without a kind', [{ ...waiver, finding: {} }], ', entry 1: finding has no kind; copy the fi'],
    ['one clause twice', [waiver, waiver], ': task.read.fields is waived twice; keep one of the'],
  ])('with %s: one sentence', (_, value, sentence) => {
    const path = fileWith(value)
    const read = () => readWaivers(path, '')
    expect(read).toThrow(Impossible)
    expect(read).toThrow(`--waivers ${path}${sentence}`)
    expect(read).not.toThrow(/\n/)
  })
})

describe('a run with waivers', () => {
  const bent = { stated: { fieldIsShown: (at: { field: string }) => at.field !== 'status' } }
  const argv = ['--clauses', 'task.read.fields,task.read.identity', '--waivers']

  test('does not fail for a waived failure, and shows it', async () => {
    const { exitCode, report, output } = await runAgainst(bent, [...argv, fileWith([waiver])])
    expect(exitCode, output).toBe(0)
    const { clause: _, ...shown } = waiver
    const failed = report?.clauses.find(({ id }) => id === waiver.clause)
    expect(failed).toMatchObject({ verdict: 'fail', waiver: shown })
    expect(report?.verdict).toBe('conformant')
    expect(output).toContain('1 waived')
  })

  test('a bad file ends the run before the first request', async () => {
    const fieldIsShown = vi.fn(() => true)
    const read = runAgainst({ stated: { fieldIsShown } }, [...argv, fileWith('[')])
    await expect(read).rejects.toThrow('is not JSON')
    expect(fieldIsShown).not.toHaveBeenCalled()
  })
})

describe('--failed', () => {
  const folderOf = (report: Report) => dirname(fileWith(report))
  const [green, red] = [
    clause('task.read.types'),
    clause('task.read.fields', { verdict: 'fail', reason: 'r' }),
  ]

  test('without a value takes the report in REPORTS_DIR, which is read before it is replaced', async () => {
    const reports = folderOf(reportWith([red, green]))
    const { report } = await runAgainst({ env: { REPORTS_DIR: reports } }, ['--failed'])
    expect(report?.clauses.map(({ id }) => id)).toEqual(['task.read.fields'])
    const { verdict } = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8'))
    expect(verdict).toBe('conformant')
  })

  test('of a report with nothing left ends with a sentence, not with a green run', async () => {
    const reports = folderOf(reportWith([green]))
    const nothing = 'green; nothing is left to run again.'
    const own = runAgainst({ env: { REPORTS_DIR: reports } }, ['--failed'])
    await expect(own).rejects.toThrow(`--failed ${reports}: every clause in it is ${nothing}`)
    expect(JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8')).clauses).toHaveLength(1)
    const skipped = clause('auth.wrong-region', { verdict: 'skip', reason: 'r' })
    const file = fileWith(reportWith([green, skipped]))
    await expect(runAgainst({}, ['--failed', file, '--clauses', 'task.*'])).rejects.toThrow(
      `report.json: every clause of --clauses task.* in it is ${nothing}`,
    )
  })

  test('of a run that ended before its clauses checks all that is asked for', async () => {
    const file = fileWith(reportWith([], { verdict: 'inconclusive' }))
    const argv = ['--failed', file, '--clauses', 'task.read.identity']
    expect((await runAgainst({}, argv)).report?.clauses).toHaveLength(1)
  })
})
