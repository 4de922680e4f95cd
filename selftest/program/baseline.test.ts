import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import { readWaivers } from '../../program/input/waivers.ts'
import { withDrift } from '../../program/report/drift.ts'
import { junitOf } from '../../reporting/junit.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { runAgainst } from '../proofs/prove.ts'
import { clause, htmlOf, observing, reportWith } from '../reporting/sample-reports.ts'
import { fileWith } from '../test-end.ts'

const baseline = (report: Report) => ({ file: 'earlier.json', report })
const seen = (status: number) => observing('status', [status])
const before = { startedAt: '2025-01-01T00:00:00.000Z', verdict: 'conformant' } as const

describe('a run with a baseline', () => {
  test('of a service that has changed shows it in every report, and fails under --strict', () => {
    const earlier = baseline(reportWith([clause('a'), seen(200)], before))
    const now = reportWith([clause('a'), seen(203)], { verdict: 'conformant' })
    const same = withDrift({ ...earlier.report, startedAt: now.startedAt }, earlier, true)
    expect(same.verdict).toBe('conformant')
    expect(same.notices.join()).toMatch(/: 2 of 2 clauses were judged in both runs, 0 of them/)
    const drifted = withDrift(now, earlier, false)
    const sentence = 'drift: status: what status states: earlier [200], now [203]'
    expect([drifted.verdict, drifted.notices.at(-1)]).toEqual(['conformant', sentence])
    for (const make of [htmlOf, junitOf, markdownOf]) expect(make(drifted)).toContain(sentence)
    const strict = withDrift(now, earlier, true)
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
    const { notices, verdict } = withDrift(after, baseline(reportWith(then, before)), true)
    expect(verdict).toBe('conformant')
    expect(notices.slice(1)).toEqual([
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

  test('names what broke in one line, and what is not decided any more; not what was not asked for', () => {
    const { notices } = withDrift(now, baseline(earlier), false)
    expect(notices.slice(1)).toEqual([
      'decided in the baseline but not now: b',
      'drift: c: what c states: earlier keeps it; now breaks it: one · two · … and 3 more',
    ])
  })

  test('names a baseline that is of another suite, of another service, or not whole', () => {
    const target = { baseUrl: 'https://b.example.com/v5', embedded: false }
    const other = { ...earlier, suiteVersion: '0.9', target, interrupted: true as const }
    const notices = withDrift(now, baseline(other), false).notices.join('\n')
    for (const words of [
      'of different suite versions (earlier 0.9, now 1.2.3); of their clauses the 3',
      'the baseline was interrupted: what it did not reach is not compared',
      'the baseline is of https://b.example.com/v5; the differences may be',
    ])
      expect(notices).toContain(words)
  })

  test('of many clauses is shown of forty, and counted', () => {
    const many = Array.from({ length: 50 }, (_, at) => clause(`c${at}`))
    const broken = many.map((each) => ({ ...each, verdict: 'fail' as const, reason: 'r' }))
    const { notices } = withDrift(reportWith(broken), baseline(reportWith(many)), false)
    expect(notices).toHaveLength(42)
    expect(notices.at(-1)).toBe('drift: and 10 more clauses')
  })
})

const until = '2126-12-31'
const waiver = { clause: 'task.read.fields', reason: 'being repaired', until, ticket: 'AB-12' }

describe('a file of waivers', () => {
  test('is read', () => {
    const { ticket: _, ...plain } = waiver
    const two = [waiver, { ...plain, clause: 'b' }]
    for (const all of [two, []]) expect(readWaivers(fileWith(all), '')).toEqual(all)
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
