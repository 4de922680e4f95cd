import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { collectClauses } from '../../program/clauses.ts'
import { compareReports } from '../../program/compare.ts'
import { UsageError } from '../../program/input/flags.ts'
import { Impossible } from '../../program/input/mistakes.ts'
import { listed } from '../../program/run/manifest.ts'
import type { ClauseReport, Report } from '../../reporting/report.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst } from '../proofs/prove.ts'
import { clause, exchange, hostileReport, reportWith } from '../reporting/sample-reports.ts'

const place = mkdtempSync(join(tmpdir(), 'contract-'))
afterAll(() => rmSync(place, { recursive: true }))

// Collected once: it takes a second.
const suite = collectClauses()
const manifest = async () => (await suite).map(listed)

let files = 0
const fileOf = (report: Report | string) => {
  files += 1
  const file = join(place, `${files}.json`)
  writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report))
  return file
}

const seen = (id: string, observed: unknown, given: Partial<ClauseReport> = {}) =>
  clause(id, { level: 'observe', verdict: 'observed', observed, ...given })
const broken = (id: string, given: Partial<ClauseReport> = {}) =>
  clause(id, { verdict: 'fail', reason: 'GET /tasks/1 answered 200, not 404', ...given })

const real = (clauses: ClauseReport[], given: Partial<Report> = {}) =>
  reportWith(clauses, { verdict: 'conformant', ...given })
const mock = (clauses: ClauseReport[], given: Partial<Report> = {}) =>
  reportWith(clauses, {
    verdict: 'conformant',
    startedAt: '2026-02-01T00:00:00.000Z',
    target: { baseUrl: 'http://127.0.0.1:4010/v5', embedded: false },
    ...given,
  })

async function compared(one: Report | string, other: Report | string, ...flags: string[]) {
  const output: string[] = []
  const json = join(place, 'out.json')
  const exitCode = await compareReports({
    argv: [fileOf(one), fileOf(other), '--json', json, ...flags],
    env: {},
    cwd: place,
    manifest,
    out: { write: (text) => output.push(text) },
  })
  return { exitCode, output: output.join(''), json: JSON.parse(readFileSync(json, 'utf8')) }
}

/** What became of one clause that two reports have in these ways. */
async function outcome(one: ClauseReport, other: ClauseReport) {
  const also = clause('z')
  const { json } = await compared(real([one, also]), mock([other, also]))
  const { outcome, why } = json.clauses.find(({ id }: ClauseReport) => id === 'a')
  return why ?? outcome
}

describe('a clause of two reports', () => {
  const [pass, fail] = [clause('a'), broken('a')]
  const warn = broken('a', { verdict: 'warn' })
  const skip = clause('a', { verdict: 'skip', reason: 'set MAILBOX_URL\nmore' })
  const lost = clause('a', { verdict: 'inconclusive', reason: 'no answer' })

  test.each<[string, ClauseReport, ClauseReport, string]>([
    ['pass, pass', pass, pass, 'agree'],
    ['pass, fail', pass, fail, 'diverge'],
    ['pass, warn', pass, warn, 'diverge'],
    ['fail, pass', fail, pass, 'diverge'],
    ['fail, warn: the one run was strict', fail, warn, 'agree'],
    ['skip, pass', skip, pass, 'real skip: set MAILBOX_URL'],
    ['fail, inconclusive', fail, lost, 'mock inconclusive: no answer'],
    ['skip, inconclusive', skip, lost, 'real skip: set MAILBOX_URL; mock inconclusive: no answer'],
    ['skip, skip', skip, skip, 'skip: set MAILBOX_URL (both)'],
    ['observed, observed', seen('a', { b: 1, c: [2] }), seen('a', { c: [2], b: 1 }), 'agree'],
    ['observed otherwise', seen('a', ['x', 'y']), seen('a', ['y', 'x']), 'diverge'],
    ['null and nothing', seen('a', { b: null }), seen('a', {}), 'diverge'],
    ['what one does not know', seen('a', { b: 'not known' }), seen('a', { b: 1 }), 'agree'],
    [
      'what varies',
      seen('a', 1, { varies: 'the tasks' }),
      seen('a', 2),
      'what is seen varies with the tasks',
    ],
    ['pass, observed', pass, seen('a', 1), 'one of the reports judges what the other observes'],
  ])('%s', async (_, one, other, expected) => {
    expect(await outcome(one, other)).toBe(expected)
  })
})

describe('a comparison', () => {
  const ofReal = [
    clause('a'),
    clause('b', { level: 'should', operation: 'O' }),
    broken('c'),
    broken('d', { evidence: [exchange(1)] }),
    seen('e', 428, { statement: 'how an update without If-Match is refused' }),
    seen('f', { first: 401, second: 404 }),
    clause('g', { verdict: 'skip', reason: 'set X' }),
  ]
  const ofMock = [
    broken('a', { evidence: [exchange(2, { path: '/tasks/1' })] }),
    broken('b', { level: 'should', operation: 'O', verdict: 'warn' }),
    clause('c'),
    broken('d'),
    seen('e', 400, {
      statement: 'how an update without If-Match is refused',
      evidence: [exchange(3, { method: 'PUT', status: 400 })],
    }),
    seen('f', { first: 401, second: 'accepted' }),
    clause('g'),
  ]

  test('gives divergence and coverage, in all and for each level and operation', async () => {
    const { json } = await compared(real(ofReal), mock(ofMock))
    const { all, levels, operations } = json.figures
    expect(all).toMatchObject({ diverging: 5, compared: 6 })
    expect(levels.should).toMatchObject({ diverging: 1, compared: 1 })
    expect(operations.O).toEqual({ diverging: 1, compared: 1, all: 1 })
    // The clauses of the suite itself, none of which ran, are what coverage is a part of.
    expect(all.all).toBeGreaterThan(200)
  })

  test('lists the differences, the gravest first, in words to act on', async () => {
    const { output, json } = await compared(real(ofReal), mock(ofMock))
    expect(json.differences.map(({ id }: ClauseReport) => id)).toEqual([...'abdcef'])
    expect(output).toContain('Contract broken by mock only: 2')
    expect(output).toContain('Contract broken by real and by mock: 1')
    expect(output).toContain('Contract broken by real only: 1')
    expect(output).toContain('mock breaks it: GET /tasks/1 answered 200, not 404')
    expect(output).toContain('how an update without If-Match is refused\n      real 428, mock 400')
    expect(output).toContain('      second: real 404, mock accepted')
    expect(output).not.toContain('first: real')
    expect(output).toMatch(/evidence, mock: PUT .* → 400 in/)
  })

  test.each([
    ['', [1, 0], ['DIVERGING', 'FAITHFUL as far as the contract goes']],
    ['contract', [1, 0], ['DIVERGING', 'FAITHFUL as far as the contract goes']],
    ['any', [1, 1], ['DIVERGING', 'DIVERGING']],
    ['none', [0, 0], ['COMPARED', 'COMPARED']],
  ] as const)('fails on what --fail-on %s says', async (limit, expected, words) => {
    const flags = limit ? ['--fail-on', limit] : []
    const graver = await compared(real(ofReal), mock(ofMock), ...flags)
    const freer = await compared(real(ofReal.slice(3)), mock(ofMock.slice(3)), ...flags)
    expect([graver.exitCode, freer.exitCode]).toEqual(expected)
    expect([graver.json.verdict, freer.json.verdict]).toEqual(words)
    expect(graver.output).toContain(`${words[0]}\n`)
  })

  test('takes as evidence the same request on both sides', async () => {
    const put = (at: number, status: number) =>
      exchange(at, { method: 'PUT', path: `/tasks/${at}8d88d0/update-assignment`, status })
    const read = exchange(9)
    const of = async (one: ClauseReport, other: ClauseReport) =>
      (await compared(real([one]), mock([other]))).json.differences[0].evidence.map(
        (each: { exchange: string }) => /^\S+ \S+ → \d+/.exec(each.exchange)?.[0],
      )
    const evidence = [put(1, 422), put(2, 428), read]
    expect(
      await of(clause('a', { evidence }), broken('a', { reason: 'r', evidence: [put(3, 200)] })),
    ).toEqual([
      'PUT /tasks/28d88d0/update-assignment → 428',
      'PUT /tasks/38d88d0/update-assignment → 200',
    ])
    expect(
      await of(seen('a', 422, { evidence }), seen('a', 400, { evidence: [put(4, 400), read] })),
    ).toEqual([
      'PUT /tasks/18d88d0/update-assignment → 422',
      'PUT /tasks/48d88d0/update-assignment → 400',
    ])
  })

  test('a should, or what is waived, is a difference but fails no contract', async () => {
    const waived = broken('a', { waiver: { reason: 'known', until: '2126-01-01' } })
    for (const other of [waived, broken('a', { verdict: 'warn' })])
      expect((await compared(real([clause('a')]), mock([other]))).exitCode).toBe(0)
  })

  test('is a page of its own, in which nothing of a service is markup', async () => {
    const html = join(place, 'out.html')
    const other = { ...hostileReport(), startedAt: '2026-02-01T00:00:00.000Z' }
    const safe = (report: Report) => ({ ...report, startedAt: '2026-02-01T00:00:00.000Z' })
    const kept = { ...other, clauses: other.clauses.map((each) => ({ ...each, evidence: [] })) }
    await compared(
      safe({ ...kept, clauses: kept.clauses.map((c) => ({ ...c, verdict: 'pass' as const })) }),
      safe(kept),
      '--html',
      html,
      '--fail-on',
      'none',
    )
    const page = readFileSync(html, 'utf8')
    expect(page).toContain('Contract broken by mock only')
    expect(page).not.toMatch(/<script|<img|<svg/)
    expect(page.length).toBeLessThan(1_000_000)
  })
})

describe('runs on two services', () => {
  const argv = ['--clauses', 'version.missing-status,task.read.identity,task.read.fields']
  const bent: Bent = {
    open: { missingIfMatchStatus: () => 400 },
    stated: { fieldIsShown: ({ field }: { field: string }) => field !== 'step_name' },
  }

  test('are compared in words that the author of the other can act on', async () => {
    const [one, other] = [await runAgainst({}, argv), await runAgainst(bent, argv)]
    const { output, exitCode } = await compared(one.report as Report, other.report as Report)
    expect(exitCode).toBe(1)
    expect(output).toContain('both reports are of the embedded reference service')
    expect(output).toMatch(/mock breaks it: task \S+: step_name is missing/)
    expect(output).toContain('how an update without If-Match is refused\n      real 428, mock 400')
    expect(output).toMatch(
      /evidence, real: PUT \S+ → 428 in .*\n.*evidence, mock: PUT \S+ → 400 in/,
    )
  })
})

describe('bad input', () => {
  const some = [clause('a'), clause('b')]

  test.each<[string, Report, Report, RegExp]>([
    [
      'different suite versions',
      real(some),
      mock([clause('a')], { suiteVersion: '1.3.0' }),
      /of different suite versions \(real 1\.2\.3, mock 1\.3\.0\): the 1 clauses that both have are/,
    ],
    [
      'the same target',
      real(some),
      mock(some, { target: real(some).target }),
      /both reports are of https:\/\/eu\.example\.com\/v5: this compares a service with itself/,
    ],
    ['one and the same run', real(some), real(some), /both reports are of one and the same run/],
    [
      'a run that is inconclusive',
      real(some),
      mock(some, { verdict: 'inconclusive', reasons: ['no suite was found'] }),
      /the run on mock is inconclusive as a whole \(no suite was found\): what it lost is not/,
    ],
    [
      'an interrupted run',
      real(some, { interrupted: true }),
      mock(some),
      /on real was interrupted/,
    ],
    [
      'a shard alone',
      real(some),
      mock(some, { shard: { index: 1, of: 4 } }),
      /the run on mock is shard 1\/4 alone: merge the shards first/,
    ],
    [
      'ids in one file only',
      real(some),
      mock([clause('a')]),
      /1 clause is in the report of real only: b/,
    ],
    [
      'files that are swapped',
      mock(some),
      real(some),
      /the first report is of http:\/\/127\.0\.0\.1:4010\/v5 and the second .* are they swapped\?/,
    ],
    [
      'a breach beside what was not decided',
      real([clause('a', { verdict: 'skip', reason: 'r' }), clause('b')]),
      mock([broken('a'), clause('b')]),
      /1 clause is broken by mock and undecided on real, so not compared: a/,
    ],
  ])('%s: a sentence', async (_, one, other, sentence) => {
    const { output, exitCode } = await compared(one, other)
    expect(output).toMatch(sentence)
    expect(exitCode).toBe(0)
  })

  test.each<[string, () => [Report | string, Report | string, ...string[]], string]>([
    ['an empty file', () => [real(some), ''], 'is empty; give a report.json'],
    ['a file that is cut', () => [JSON.stringify(real(some)).slice(0, 99), ''], 'is no JSON'],
    ['no report', () => ['{}', ''], 'is no report of this suite'],
    [
      'nothing in common',
      () => [real([clause('a')]), mock([clause('b')])],
      'Nothing was compared: no clause is decided in both reports; 1 clause is in',
    ],
    [
      'a page that cannot be written',
      () => [real(some), mock(some), '--html', join(place, 'none', 'a.html')],
      'cannot be written (it is not there): give a file in a folder that is there.',
    ],
  ])('%s: one sentence, and 2', async (_, given, sentence) => {
    await expect(compared(...given())).rejects.toThrow(sentence)
    await expect(compared(...given())).rejects.toThrow(Impossible)
  })

  const call = (argv: string[], env: Record<string, string> = {}) =>
    compareReports({ argv, env, cwd: place, out: { write: () => {} } })

  test.each<[string, string[], string]>([
    ['no report', [], 'compare takes two reports, and was given none: npm run compare -- real/'],
    ['one report', ['a'], 'compare takes two reports, and was given 1: '],
    ['three', ['a', 'b', 'c'], 'compare takes two reports, and was given 3: '],
    [
      'a flag that is none',
      ['a', 'b', '--htm', 'c'],
      '--htm is no flag of compare; did you mean --h',
    ],
    [
      'two values for one flag',
      ['a', 'b', '--fail-on', 'any', '--fail-on=none'],
      '--fail-on is given twice, with any and with none; give it once.',
    ],
    ['no value', ['a', 'b', '--html'], '--html needs a value; write --html FILE.'],
    [
      'no limit',
      ['a', 'b', '--fail-on', 'all'],
      "--fail-on holds 'all'; write contract, any, none.",
    ],
  ])('%s: one sentence on the command line', async (_, argv, sentence) => {
    await expect(call(argv)).rejects.toThrow(sentence)
    await expect(call(argv)).rejects.toThrow(UsageError)
  })

  test('a flag that npm kept: the command that was meant', async () => {
    await expect(call(['a', 'b', 'any'], { npm_config_fail_on: 'true' })).rejects.toThrow(
      'npm kept --fail-on for itself; write: npm run compare -- a b --fail-on any',
    )
  })
})
