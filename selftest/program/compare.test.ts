import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst } from '../proofs/prove.ts'
import { clause, exchange, hostileReport } from '../reporting/sample-reports.ts'
import { broken, compared, mock, outcome, place, real, seen } from './compared.ts'

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
    ['pass, observed', pass, seen('a', 1), 'level changed: must (real), observe (mock)'],
    [
      'a should that is a must',
      clause('a', { level: 'should' }),
      fail,
      'level changed: should (real), must (mock)',
    ],
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
