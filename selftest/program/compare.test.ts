import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst } from '../proofs/prove.ts'
import { breach, clause, exchange, hostileReport } from '../reporting/sample-reports.ts'
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
    ['skip, pass', skip, pass, 'A skip: set MAILBOX_URL'],
    ['fail, inconclusive', fail, lost, 'B inconclusive: no answer'],
    ['skip, inconclusive', skip, lost, 'A skip: set MAILBOX_URL; B inconclusive: no answer'],
    ['skip, skip', skip, skip, 'skip: set MAILBOX_URL (both)'],
    ['observed, observed', seen('a', { b: 1, c: [2] }), seen('a', { c: [2], b: 1 }), 'agree'],
    ['observed otherwise', seen('a', ['x', 'y']), seen('a', ['y', 'x']), 'diverge'],
    ['null and nothing', seen('a', { b: null }), seen('a', {}), 'diverge'],
    ['what one does not know', seen('a', { b: 'not known' }), seen('a', { b: 1 }), 'agree'],
    [
      'what varies',
      seen('a', 1, { varies: 'the tasks' }),
      seen('a', 2),
      'what is observed varies with the tasks',
    ],
    ['pass, observed', pass, seen('a', 1), 'level changed: must (A), observe (B)'],
    [
      'a should that is a must',
      clause('a', { level: 'should' }),
      fail,
      'level changed: should (A), must (B)',
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

  test('ends with five lines to quote, and a row for each operation', async () => {
    const { output, json } = await compared(real(ofReal), mock(ofMock))
    const five = [
      `6 of ${json.sides[1].figures.all} clauses were judged on both A and B (1.6 %).`,
      '1 of them agree (16.7 %); 1 of these are broken by both.',
      'B breaks 2 that A keeps (1 failed, 1 warned or waived); A breaks 1 that B keeps.',
      'In 2 the contract leaves a choice and they differ.',
    ]
    expect(json.sides[1].summary.slice(0, 4)).toEqual(five)
    expect(json.sides[1].summary[4]).toMatch(
      /^\d+ could not be compared: .*in neither report \(\d+\)/,
    )
    expect(output.trimEnd().split('\n').slice(-5, -1)).toEqual(five.map((line) => `  ${line}`))
    expect(output).toMatch(/^ {2}O +1 +0 +1 +0 +0 +0$/m)
    // The clauses of the suite itself, none of which ran, are what the first line counts.
    expect(json.sides[1].figures.all).toBeGreaterThan(200)
  })

  test('lists the differences, the gravest first, by who breaks what and who keeps it', async () => {
    const { output, json } = await compared(real(ofReal), mock(ofMock))
    expect(json.differences.map(({ id }: ClauseReport) => id)).toEqual([...'abdcef'])
    expect(output).toContain('B breaks it, A keeps it: 2')
    expect(output).toContain('A and B break it: 1')
    expect(output).toContain('A breaks it, B keeps it: 1')
    expect(output).toContain('B breaks it: GET /tasks/1 answered 200, not 404')
    expect(output).toMatch(/how an update without If-Match is refused\n +A 428, B 400/)
    expect(output).toContain('second: A 404, B accepted')
    expect(output).not.toContain('first: A')
    expect(output).toMatch(/evidence of B: PUT .* → 400 in/)
  })

  test('puts a clause under its operation, and what has one cause together', async () => {
    const ids = ['auth.missing-key.export', 'auth.key-case.export', 'version.star', 'export.odd']
    const unauthorized = (id: string, at: number) =>
      broken(id, {
        operation: 'Export audit events',
        reason: `r${at}`,
        breaches: [{ ...breach('s', at + 1), expected: '401', got: '200' }],
        evidence: [exchange(at, { path: '/audit-sentinel/events/export' })],
      })
    const { output, json } = await compared(
      real(ids.map((id) => clause(id))),
      mock(ids.map((id, at) => (at < 2 ? unauthorized(id, at + 1) : broken(id)))),
    )
    const rows = json.differences as { id: string; operation: string; cause?: string }[]
    expect(rows.map(({ id, operation }) => [id, operation])).toEqual([
      ['auth.missing-key.export', 'Authentication'],
      ['auth.key-case.export', 'Authentication'],
      ['version.star', 'Update a task assignment'],
      ['export.odd', 'Export audit events'],
    ])
    expect(output).toContain('2 clauses: GET /audit-sentinel/events/export: expected 401, got 200')
    expect(output).toContain('B breaks it: r1')
    expect(output).not.toContain('B breaks it: r2')
    expect(output).toMatch(/^ {2}Authentication +2 +0 +2 +0 +0 +\d+$/m)
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
    expect(page).toContain('B breaks it, A keeps it')
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
    expect(output).toContain('A and B are both runs on the embedded reference service')
    expect(output).toMatch(/B breaks it: task \S+: step_name is missing/)
    expect(output).toMatch(/how an update without If-Match is refused\n +A 428, B 400/)
    expect(output).toMatch(/evidence of A: PUT \S+ → 428 in .*\n.*evidence of B: PUT \S+ → 400 in/)
  })
})
