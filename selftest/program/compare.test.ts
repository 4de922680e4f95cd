import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { compareReports } from '../../program/compare.ts'
import { hasNoBrowser } from '../browser.ts'
import { ask, createOpener, violationsIn } from '../reporting/browsing.ts'
import {
  asVersion1,
  breach,
  clause,
  exchange,
  type Given,
  hostileReport,
  inRole,
  reportWith,
  observing as seen,
  statusBreach,
} from '../reporting/sample-reports.ts'
import { fileWith, openWorkerFolder } from '../test-end.ts'

const place = openWorkerFolder()
const opened = createOpener()

const broken = (id: string, given: Given = {}) =>
  clause(id, {
    verdict: 'fail',
    reason: 'GET /tasks/1 responded 200, not 404',
    breaches: (given.evidence ?? []).flatMap((each) =>
      'number' in each ? breach('GET /tasks/1 responded 200, not 404', each.number) : [],
    ),
    ...given,
  })

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
  return comparedAll([one, other], ...flags)
}

async function comparedAll(reports: (Report | string)[], ...flags: string[]) {
  const output: string[] = []
  const [json, html] = [join(place, 'out.json'), join(place, 'out.html')]
  const pages = flags.includes('--html') ? [] : ['--html', html]
  const argv = [...reports.map((each) => fileWith(each)), '--json', json, ...pages, ...flags]
  const out = { write: (text: string) => output.push(text) }
  const exitCode = await compareReports({ argv, env: {}, cwd: place, out })
  const made = { json: JSON.parse(readFileSync(json, 'utf8')), html: readFileSync(html, 'utf8') }
  return { exitCode, output: output.join(''), ...made }
}

const [pass, fail] = [clause('a'), broken('a')]
const warn = broken('a', { verdict: 'warn' })
const skip = clause('a', { verdict: 'skip', reason: 'set MAILBOX_URL\nmore' })
const lost = clause('a', { verdict: 'inconclusive', reason: 'no answer' })
const should = clause('a', { level: 'should' })

// biome-ignore format: one pair a line
test.each<[string, ClauseReport, ClauseReport, string]>([
  ['pass, pass', pass, pass, 'agree'],
  ['pass, fail', pass, fail, 'diverge'],
  ['pass, warn', pass, warn, 'diverge'],
  ['fail, pass', fail, pass, 'diverge'],
  ['fail, warn: the one run was strict', fail, warn, 'agree'],
  ['skip, pass', skip, pass, 'A skip: set MAILBOX_URL'],
  ['fail, inconclusive', fail, lost, 'B inconclusive: no answer'],
  ['skip, inconclusive', skip, lost, 'A skip: set MAILBOX_URL; B inconclusive: no answer'],
  ['skip, skip', skip, skip, 'skip: set MAILBOX_URL (A and B)'],
  ['observed, observed', seen('a', { b: 1, c: [2] }), seen('a', { c: [2], b: 1 }), 'agree'],
  ['observed otherwise', seen('a', ['x', 'y']), seen('a', ['y', 'x']), 'diverge'],
  ['null and nothing', seen('a', { b: null }), seen('a', {}), 'diverge'],
  ['what one does not know', seen('a', { b: 'not known' }), seen('a', { b: 1 }), 'agree'],
  ['what varies', seen('a', 1, { varies: 'the tasks' }), seen('a', 2), 'what is observed varies with the tasks'],
  ['pass, observed', pass, seen('a', 1), 'level changed: must (A), observe (B)'],
  ['a should that is a must', should, fail, 'level changed: should (A), must (B)'],
])('a clause of two reports: %s', async (_, one, other, expected) => {
  const also = clause('z')
  const { json } = await compared(real([one, also]), mock([other, also]))
  const { outcome, why } = json.sides[1].clauses.find(({ id }: ClauseReport) => id === 'a')
  expect(why ?? outcome).toBe(expected)
})

describe('a comparison', () => {
  const ofReal = [
    clause('a'),
    clause('b', { level: 'should', operation: 'O' }),
    broken('c'),
    broken('d', { evidence: [exchange(1)] }),
    seen('e', 428, { statement: 'the status of the response to an update without If-Match' }),
    seen('f', { first: 401, second: 404 }),
    clause('g', { verdict: 'skip', reason: 'set X' }),
  ]
  const ofMock = [
    broken('a', { evidence: [exchange(2, { path: '/tasks/1' })] }),
    broken('b', { level: 'should', operation: 'O', verdict: 'warn' }),
    clause('c'),
    broken('d'),
    seen('e', 400, {
      statement: 'the status of the response to an update without If-Match',
      evidence: inRole('judged', exchange(3, { method: 'PUT', status: 400 })),
    }),
    seen('f', { first: 401, second: 'accepted' }),
    clause('g'),
  ]

  test('lists the differences, the gravest first, and ends with five lines to quote and a row for each operation', async () => {
    const { output, json } = await compared(real(ofReal), mock(ofMock))
    const { all } = json.sides[1].figures
    const five = [
      `6 of ${all} clauses were judged on both A and B (${(600 / all).toFixed(1)} %).`,
      '1 of them agree (16.7 %); 1 of these are broken by both.',
      'B breaks 2 that A keeps (1 failed, 1 warned or waived); A breaks 1 that B keeps.',
      'In 2 the contract leaves a choice and they differ.',
      `${all - 6} could not be compared.`,
    ]
    expect(json.sides[1].summary).toEqual(five)
    expect(output).toContain(five.map((line) => `  ${line}\n`).join(''))
    expect(output).toMatch(/^ {2}O +1 +0 +1 +0 +0 +0 +0$/m)
    // The first line counts the clauses of the suite; none ran.
    expect(all).toBeGreaterThan(200)
    expect(json.differences.map(({ id }: ClauseReport) => id)).toEqual([...'abdcef'])
    for (const said of [
      'B breaks it, A keeps it: 2',
      'A and B break it: 1',
      'A breaks it, B keeps it: 1',
      'B breaks it: GET /tasks/1 responded 200, not 404',
      'second: A 404, B accepted',
      'response to an update without If-Match\n      A 428, B 400',
    ])
      expect(output).toContain(said)
    expect(output).not.toContain('first: A')
    expect(output).toMatch(/evidence of B: PUT .* → 400 in/)
  })

  test('puts a clause under its operation, and what has one cause together', async () => {
    const ids = ['auth.missing-key.export', 'auth.key-case.export', 'version.star', 'export.odd']
    const unauthorized = (id: string, at: number) => {
      const breaches = [statusBreach(401, 200, at + 1)]
      const evidence = [exchange(at, { path: '/audit-sentinel/events/export' })]
      return broken(id, { operation: 'Export audit events', reason: `r${at}`, breaches, evidence })
    }
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
    expect(output).toContain('2 clauses: Responds 200, not 401, to a request without a valid key')
    expect(output).toContain('B breaks it: r1')
    expect(output).not.toContain('B breaks it: r2')
    expect(output).toMatch(/^ {2}Authentication +2 +0 +2 +0 +0 +0 +\d+$/m)
  })

  test.each([
    ['', [1, 0], ['DIVERGING', 'FAITHFUL as far as the contract goes']],
    ['contract', [1, 0], ['DIVERGING', 'FAITHFUL as far as the contract goes']],
    ['any', [1, 1], ['DIVERGING', 'DIVERGING']],
    ['none', [0, 0], ['COMPARED', 'COMPARED']],
  ])('fails on what --fail-on %s says', async (limit, codes, words) => {
    const flags = limit ? ['--fail-on', limit] : []
    for (const [at, from] of [0, 3].entries()) {
      const [one, other] = [real(ofReal.slice(from)), mock(ofMock.slice(from))]
      const { exitCode, json, output } = await compared(one, other, ...flags)
      expect([exitCode, json.verdict]).toEqual([codes[at], words[at]])
      expect(output).toContain(`${words[at]}\n`)
    }
  })

  test('uses the same request on both sides as evidence, which was judged', async () => {
    const put = (at: number, status: number, version: string) => {
      const path = `/tasks/${at}8d88d0/update-assignment`
      return exchange(at, { method: 'PUT', path, status, requestHeaders: { 'if-match': version } })
    }
    const evidence = [
      ...inRole('judged', put(1, 422, 'x'), put(2, 428, ''), put(4, 428, 'y'), exchange(9)),
      ...inRole('set-up', put(5, 200, '')),
    ]
    const [one, other] = [clause('a', { evidence }), broken('a', { evidence: [put(3, 200, '')] })]
    const { json } = await compared(real([one]), mock([other]))
    const shown = json.differences[0].evidence as { exchange: string }[]
    expect(shown.map((each) => /^\S+ \S+ → \d+/.exec(each.exchange)?.[0])).toEqual([
      'PUT /tasks/28d88d0/update-assignment → 428',
      'PUT /tasks/38d88d0/update-assignment → 200',
    ])
    const bare = clause('a', { evidence: [put(5, 200, '')] })
    const { evidence: told } = (await compared(real([bare]), mock([other]))).json.differences[0]
    expect(told).toHaveLength(1)
  })

  test('is a page, in which nothing of a service is markup', async () => {
    const hostile = { ...hostileReport(), startedAt: '2026-02-01T00:00:00.000Z' }
    const green = { verdict: 'pass' as const, evidence: [] }
    const kept = hostile.clauses.map((each) => ({ ...each, ...green }))
    const { html } = await compared({ ...hostile, clauses: kept }, hostile, '--fail-on', 'none')
    expect(html).toContain('B breaks it, A keeps it')
    expect(html).not.toMatch(/<script|<img|<svg/)
    expect(html.length).toBeLessThan(200_000)
  })
})

describe('two runs on one service', () => {
  const failing = (id: string, ...breaches: ReturnType<typeof statusBreach>[]) =>
    clause(id, { verdict: 'fail', reason: 'r', breaches, evidence: [exchange(0)] })
  const [accepted, crashed] = [statusBreach(404, 200, 1), statusBreach(422, 500, 1)]
  const later = { startedAt: '2026-02-01T00:00:00.000Z' }

  // biome-ignore format: one pair a line
  test.each<[string, ClauseReport[], ClauseReport[], Partial<Report>, [exitCode: number, ...lines: string[]]]>([
    ['the same cause', [failing('a', accepted)], [failing('a', accepted)], {}, [0, 'B since A: 1 cause still broken', 'A and B break it: 1']],
    ['another cause', [failing('a', accepted)], [failing('a', crashed)], {}, [1, 'B since A: 1 cause new, 1 replaced by another cause', 'A and B break it, B by another cause: 1', 'both break 1, B by another cause.']],
    ['one more cause', [failing('a', accepted)], [failing('a', accepted, crashed)], {}, [1, '1 cause still broken, 1 new', 'B by another cause: 1']],
    ['a known cause in one more clause', [failing('a', accepted), clause('b')], [failing('a', accepted), failing('b', accepted)], {}, [1, 'still broken: Responds 200, not 404, to an id that does not exist; passed then: b']],
    ['no cause any more', [failing('a', accepted)], [clause('a')], {}, [0, 'B since A: 1 cause fixed']],
    ['a pass under another seed', [failing('a', accepted)], [clause('a')], { seed: 78 }, [0, 'B since A: 1 cause passes now, under another seed', 'passes now, under another seed (77 then): Responds 200, not 404, to an id that does not exist: a']],
    ['a clause that is skipped', [failing('a', accepted), failing('b', accepted)], [clause('a'), clause('b', { verdict: 'skip', reason: 's' })], {}, [0, 'B since A: 1 cause not decided now', 'not decided now: Responds 200, not 404, to an id that does not exist: b; passes now: a']],
    ['an older report', [broken('a')], [failing('a', crashed)], {}, [0, 'A has no findings: breaches are matched by clause id', 'B since A: 1 cause still broken']],
  ])('that show %s', async (_, then, since, given, [exitCode, ...lines]) => {
    const also = clause('z')
    const made = await compared(real([...then, also]), real([...since, also], { ...later, ...given }))
    expect(made.exitCode).toBe(exitCode)
    for (const line of lines) expect(made.output).toContain(line)
    expect(made.html).toContain('since A')
  })
})

describe('a comparison of three reports', () => {
  const us = (clauses: ClauseReport[]) =>
    mock(clauses, { target: { baseUrl: 'https://us.example.com/v5', embedded: false } })
  const open = (id: string) => clause(id, { verdict: 'skip', reason: 'set X\nmore' })
  const limits = { first: 401, second: 404 }
  const ofReal = [clause('a'), clause('b'), broken('c'), seen('d', limits), clause('e')]
  const ofUs = [clause('a'), clause('b'), broken('c'), seen('d', limits), open('e')]
  const ofMock = [broken('a'), open('b'), clause('c'), seen('d', { ...limits, second: 'accepted' })]
  const all = [real(ofReal), us(ofUs), mock(ofMock)]

  test('has a column for each report, and a row for each difference from the first', async () => {
    const { exitCode, output, json } = await comparedAll(all)
    expect(exitCode).toBe(1)
    expect(output).toMatch(/^\nDIVERGING: C\n {2}A {2}https.*\n {2}B {2}https.*\n {2}C {2}http/)
    const rows = output.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '))
    for (const row of [
      'The first keeps it, others break it: 1',
      'a (must) | keeps it | keeps it | ≠ breaks it: GET /tasks/1 respon …',
      'The first breaks it, others keep it: 1',
      'Differ where the contract leaves a choice: 1',
      'd (observe) › second | 404 | 404 | ≠ accepted',
      'C skip: set X',
    ])
      expect(rows).toContain(row)
    expect(rows.filter((row) => row.includes('≠'))).toHaveLength(3)
    expect(rows.some((row) => /^[be] \(/.test(row))).toBe(false)
    const { all: suite } = json.sides[1].figures
    expect(rows).toContain(`B | 4 | 4 | 0 | 0 | 0 | 0 | ${suite - 4}`)
    expect(rows).toContain(`C | 3 | 0 | 1 | 1 | 0 | 1 | ${suite - 3}`)
  })

  test('says in its JSON of each difference which side it is of', async () => {
    const { json } = await comparedAll(all)
    const { sides, differences } = json
    expect(sides.map(({ diverging }: { diverging?: boolean }) => diverging)).toEqual([
      undefined,
      false,
      true,
    ])
    expect(sides[2].summary[2]).toMatch(/^C breaks 1 that A keeps .*; A breaks 1 that C keeps\.$/)
    expect(
      differences.map(({ id, side, grade }: Record<string, string>) => [id, side, grade]),
    ).toEqual([
      ['c', 'B', 'both'],
      ['a', 'C', 'other only'],
      ['c', 'C', 'one only'],
      ['d', 'C', 'observed'],
    ])
  })

  test('says which two reports have nothing in common', async () => {
    const error = await comparedAll([...all, mock([clause('z')])]).catch((error) => error)
    expect(error.message).toMatch(/^\S+\.json and \S+\.json have no clause in common; give reports/)
  })

  test.skipIf(hasNoBrowser)(
    'is a page that a phone shows whole, and in which axe finds nothing',
    async () => {
      const { html } = await comparedAll(all)
      const file = join(place, 'three.html')
      writeFileSync(file, html)
      const { page } = await opened(file, '', { viewport: { width: 360, height: 740 } })
      expect(await violationsIn(page)).toEqual([])
      expect(await ask(page, 'document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
      expect(await page.locator('tbody tr').count()).toBe(3)
    },
  )
})

describe('two reports that do not fit each other', () => {
  const some = [clause('a'), clause('b')]
  const should = [clause('a', { level: 'should' }), clause('b')]
  const skipped = [clause('a', { verdict: 'skip', reason: 'r' }), clause('b')]
  const breaks = [broken('a'), clause('b')]
  const waived = [broken('a', { waiver: { reason: 'known', until: '2126-01-01' } })]

  // biome-ignore format: one pair a line
  test.each<[string, Report, Report, RegExp]>([
    ['of different suite versions', real(some), mock([clause('a')], { suiteVersion: '1.3.0' }), /of different suite versions \(A 1\.2\.3, B 1\.3\.0\); of their clauses the 1 that both have are/],
    ['of one target', real(some), mock(some, { target: real(some).target }), /A and B are both runs on https:\/\/eu\.example\.com\/v5/],
    ['of one run', real(some), real(some), /A and B are one and the same run/],
    ['of an inconclusive run', real(some), mock(some, { verdict: 'inconclusive', reasons: ['no suite was found'] }), /the run on B is inconclusive as a whole \(no suite was found\): what it lost is not/],
    ['of an interrupted run', real(some, { interrupted: true }), mock(some), /on A was interrupted/],
    ['with ids in one alone', real(some), mock([clause('a')]), /not in the report of B\n {6}b/],
    ['swapped', mock(some), real(some), /A is local and B is not; give the report of the real service first/],
    ['with a clause of another level', real(should), mock(breaks), /broken by B and not compared: a\n[\s\S]*level changed: should \(A\), must \(B\)\n {6}a/],
    ['of version 1', asVersion1(real(skipped)), mock(some), /Not compared\n[\s\S]*A skip: r\n {6}a/],
    ['with a breach beside what was not decided', real(skipped), mock(breaks), /1 clause is broken by B and not compared: a/],
    ['that differ in what is waived', real([clause('a')]), mock(waived), /B breaks it, A keeps it: 1/],
    ['that differ in a warning', real([clause('a')]), mock([broken('a', { verdict: 'warn' })]), /B breaks it, A keeps it: 1/],
  ])('%s: a sentence, and 0', async (_, one, other, sentence) => {
    const { output, exitCode } = await compared(one, other)
    expect(output).toMatch(sentence)
    expect(exitCode).toBe(0)
  })

  // biome-ignore format: one mistake a line
  test.each<[string, [Report | string, Report | string, ...string[]], string]>([
    ['nothing in common', [real([clause('a')]), mock([clause('b')])], '.json have no clause in common; give reports of one suite.'],
    ['a page that cannot be written', [real(some), mock(some), '--html', join(place, 'none', 'a.html')], 'cannot be written (it does not exist); give a file in an existing folder.'],
  ])('%s: one sentence, and 2', async (_, given, sentence) => {
    const error = await compared(...given).catch((error) => error)
    expect(error).toBeInstanceOf(Impossible)
    expect(error.message).toContain(sentence)
  })
})
