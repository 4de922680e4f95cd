import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import { readWaivers } from '../../program/input/people-files.ts'
import { withDrift } from '../../program/report/drift.ts'
import { junitOf } from '../../reporting/junit.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst } from '../proofs/prove.ts'
import { clause, htmlOf, reportWith } from '../reporting/sample-reports.ts'
import { openTestFolder, openWorkerFolder } from '../test-end.ts'

const argv = ['--clauses', 'task.read.success-status,task.read.identity,task.read.error-codes']
const created: Bent = { open: { successStatus: () => 203 } }
const earlierRun = await runAgainst({}, argv)

/** A folder that holds the report of an earlier run on the reference service. */
function openBaseline(report = earlierRun.report as Report) {
  const reports = openTestFolder()
  writeFileSync(join(reports, 'report.json'), JSON.stringify(report))
  return reports
}

const drift = (report: Report | undefined) =>
  (report?.notices ?? []).filter((notice) => notice.startsWith('drift: '))

describe('a run with a baseline', () => {
  test('of the same service shows no drift', async () => {
    const { exitCode, report } = await runAgainst({}, [...argv, '--baseline', openBaseline()])
    expect([exitCode, drift(report)]).toEqual([0, []])
    expect(report?.notices.join('\n')).toMatch(
      /^baseline .* of \d{4}.*: 3 of 3 clauses were judged in both runs, 0 of them differ$/m,
    )
  })

  test('of a service that has changed shows it in every report, and fails under --strict', async () => {
    const baseline = openBaseline()
    const given = [...argv, '--baseline', baseline]
    const bent = { ...created, env: { REPORTS_DIR: baseline } }
    const { exitCode, report, output } = await runAgainst(bent, given)
    const sentence =
      'drift: task.read.success-status: the status of a successful read: earlier [200], now [203]'
    expect([exitCode, drift(report)]).toEqual([0, [sentence]])
    const made = [htmlOf, junitOf, markdownOf].map((make) => make(report as Report))
    const written = JSON.parse(readFileSync(join(baseline, 'report.json'), 'utf8'))
    for (const text of [output, ...made, ...written.notices.slice(-1)])
      expect(text).toContain(sentence)

    const before = openBaseline()
    const strict = await runAgainst(created, [...argv, '--baseline', before, '--strict'])
    expect([strict.exitCode, strict.report?.verdict]).toEqual([1, 'nonconformant'])
    expect(strict.report?.reasons).toEqual([
      `1 clause drifted from the baseline ${before}, which fails under --strict`,
    ])
  })

  test('that is undecided or of another suite ends before the first request', async () => {
    const file = (report: Report) => join(openBaseline(report), 'report.json')
    const of = (path: string) => runAgainst({}, [...argv, '--baseline', path])
    const idle = file(reportWith([clause('a', { verdict: 'skip', reason: 'r' })]))
    await expect(of(idle)).rejects.toThrow(
      `--baseline ${idle}: no clause was decided there; give the report of a run that decided some.`,
    )
    const lamps = file(reportWith([clause('lamp.fails', { verdict: 'fail', reason: 'r' })]))
    for (const flag of ['--baseline', '--failed'])
      await expect(runAgainst({}, [flag, lamps])).rejects.toThrow(
        `${flag} ${lamps}: it is a report of another suite; give a report of this suite.`,
      )
  })
})

describe('drift', () => {
  test('is not a change of level, which is named as it is', () => {
    const before = reportWith([
      clause('a', { level: 'should', verdict: 'warn', reason: 'r' }),
      clause('b', { level: 'observe', verdict: 'observed', observed: 1 }),
      clause('c', { level: 'should' }),
      clause('d'),
    ])
    const after = reportWith([
      clause('a'),
      clause('b', { verdict: 'fail', reason: 'r' }),
      clause('c', { verdict: 'skip', reason: 'r' }),
      clause('d'),
    ])
    const { notices, verdict } = withDrift(
      { ...after, verdict: 'conformant' },
      { file: 'earlier.json', report: { ...before, startedAt: '2025-01-01T00:00:00.000Z' } },
      true,
    )
    expect(verdict).toBe('conformant')
    expect(notices.slice(1)).toEqual([
      'level changed: a is should (earlier), must (now), and not compared; broken by earlier',
      'level changed: b is observe (earlier), must (now), and not compared; broken by now',
      'level changed: c is should (earlier), must (now), and not compared',
      'decided in the baseline but not now: c',
    ])
  })

  const baseline = (report: Report) => ({ file: 'earlier.json', report })
  const now = reportWith([
    clause('a'),
    clause('b', { verdict: 'skip', reason: 'r' }),
    clause('c', { verdict: 'fail', reason: 'one\n  two\n… and 3 more' }),
  ])
  const earlier = reportWith([clause('a'), clause('b'), clause('c'), clause('gone')], {
    startedAt: '2025-01-01T00:00:00.000Z',
  })

  test('names what broke in one line, and what is not decided any more; not what was not asked for', () => {
    const { notices } = withDrift(now, baseline(earlier), false)
    expect(notices.slice(1)).toEqual([
      'decided in the baseline but not now: b',
      'drift: c: what c states: earlier keeps it; now breaks it: one · two · … and 3 more',
    ])
  })

  test('names a baseline that is of another suite, of another service, or not whole', () => {
    const other = reportWith(earlier.clauses, {
      suiteVersion: '0.9',
      target: { baseUrl: 'https://b.example.com/v5', embedded: false },
      interrupted: true,
    })
    const notices = withDrift(now, baseline(other), false).notices.join('\n')
    expect(notices).toContain(
      'of different suite versions (earlier 0.9, now 1.2.3); of their clauses the 3',
    )
    expect(notices).toContain('the baseline was interrupted: what it did not reach is not compared')
    expect(notices).toContain('the baseline is of https://b.example.com/v5; the differences may be')
  })

  test('of many clauses is shown of forty, and counted', () => {
    const many = Array.from({ length: 50 }, (_, at) => clause(`c${at}`))
    const broken = many.map((each) => ({ ...each, verdict: 'fail' as const, reason: 'r' }))
    const { notices } = withDrift(reportWith(broken), baseline(reportWith(many)), false)
    expect(notices).toHaveLength(42)
    expect(notices.at(-1)).toBe('drift: and 10 more clauses')
  })
})

const place = openWorkerFolder()
const path = join(place, 'waivers.json')
const write = (value: unknown) => {
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const until = '2126-12-31'
const waiver = { clause: 'task.read.fields', reason: 'being repaired', until, ticket: 'AB-12' }

describe('a file of waivers', () => {
  test('is read', () => {
    const { ticket: _, ...plain } = waiver
    write([waiver, { ...plain, clause: 'b' }])
    expect(readWaivers('waivers.json', place)).toEqual([waiver, { ...plain, clause: 'b' }])
    expect(readWaivers(write([]), place)).toEqual([])
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
    const read = () => readWaivers(write(value), place)
    expect(read).toThrow(Impossible)
    expect(read).toThrow(`--waivers ${path}${sentence}`)
    expect(read).not.toThrow(/\n/)
  })

  test('that is missing ends with one sentence', () => {
    expect(() => readWaivers('none.json', place)).toThrow(
      '--waivers none.json cannot be read (it does not exist); give a readable file.',
    )
  })
})

describe('a run with waivers', () => {
  const bent = { stated: { fieldIsShown: (at: { field: string }) => at.field !== 'status' } }
  const argv = ['--clauses', 'task.read.fields,task.read.identity', '--waivers']

  test('does not fail for a waived failure, and shows it', async () => {
    const { exitCode, report, output } = await runAgainst(bent, [...argv, write([waiver])])
    expect(exitCode, output).toBe(0)
    const { clause: _, ...shown } = waiver
    const failed = report?.clauses.find(({ id }) => id === waiver.clause)
    expect(failed).toMatchObject({ verdict: 'fail', waiver: shown })
    expect(report?.verdict).toBe('conformant')
    expect(output).toContain('1 waived')
  })

  test('fails for a stale waiver, with the advice to delete it', async () => {
    const idle = { ...waiver, clause: 'task.read.identity' }
    const lost = { ...waiver, clause: 'task.read.gone' }
    const given = write([waiver, idle, lost, { ...waiver, clause: 'version.history' }])
    const { exitCode, report } = await runAgainst(bent, [...argv, given])
    expect(exitCode).toBe(1)
    expect(report?.reasons).toEqual([
      'the waiver of task.read.identity is stale: the clause passes; delete it',
      'the waiver of task.read.gone is stale: no clause has this id; delete it',
    ])
  })

  test('a bad file ends the run before the first request', async () => {
    const fieldIsShown = vi.fn(() => true)
    const given = [...argv, write('[')]
    await expect(runAgainst({ stated: { fieldIsShown } }, given)).rejects.toThrow('is not JSON')
    expect(fieldIsShown).not.toHaveBeenCalled()
  })
})
