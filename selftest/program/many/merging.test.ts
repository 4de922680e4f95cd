import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { areasJudgedIn, type Report } from '../../../engine/run/report.ts'
import { Impossible } from '../../../program/input/mistakes.ts'
import { readReport } from '../../../program/input/read-report.ts'
import { merged } from '../../../reporting/merged.ts'
import { runProgram } from '../../proofs/prove.ts'
import { asVersion1, breach, clause, exchange, reportWith } from '../../reporting/sample-reports.ts'

const place = mkdtempSync(join(tmpdir(), 'contract-'))
afterAll(() => rmSync(place, { recursive: true }))

describe('merging', () => {
  const pass = clause('a')
  const fail = clause('a', { verdict: 'fail', reason: 'r' })
  const lost = clause('a', { verdict: 'inconclusive', reason: 'r' })
  const skip = clause('a', { verdict: 'skip', reason: 'r' })
  const waived = { ...fail, waiver: { reason: 'r', until: '2126-01-01' } }
  const of = (...clauses: (typeof pass)[]) => reportWith(clauses, { verdict: 'conformant' })

  test.each([
    ['pass, fail', [pass, fail], fail, 'nonconformant'],
    ['fail, pass', [fail, pass], fail, 'nonconformant'],
    ['pass, inconclusive', [pass, lost], lost, 'inconclusive'],
    ['fail, inconclusive', [lost, fail], fail, 'nonconformant'],
    ['skip, pass', [skip, pass], pass, 'conformant'],
    ['waived, inconclusive', [waived, lost], lost, 'inconclusive'],
    ['waived, pass', [pass, waived], waived, 'conformant'],
    ['waived, fail', [waived, fail], fail, 'nonconformant'],
  ] as const)('of a clause run twice takes the graver: %s', (_, [one, other], graver, verdict) => {
    const report = merged([of(one), of(other)], [])
    expect(report.clauses).toEqual([graver])
    expect(report.verdict).toBe(verdict)
  })

  test('adds up what can be, and keeps what the runs had to say', () => {
    const one = reportWith([clause('b')], { durationMs: 2000, notices: ['n'], seed: 1 })
    const other = reportWith([clause('a'), clause('c', { operation: 'O' })], {
      startedAt: '2026-01-01T00:00:01.000Z',
      durationMs: 9000,
      notices: ['n', 'm'],
      seed: 2,
      interrupted: true,
    })
    expect(merged([one, other], [])).toMatchObject({
      startedAt: '2026-01-01T00:00:00.000Z',
      durationMs: 10_000,
      requests: 1400,
      merged: 2,
      interrupted: true,
      notices: ['the runs had different seeds: 1, 2', 'n', 'm'],
      counts: { must: { pass: 3 } },
      clauses: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    })
  })

  test('a reason beyond the clauses stands for the verdict of its run', () => {
    const stale = { ...of(pass), reasons: ['stale'], verdict: 'nonconformant' as const }
    expect(merged([of(pass), stale], [])).toMatchObject({
      verdict: 'nonconformant',
      reasons: ['stale'],
    })
    // A shard to which nothing fell that could be decided is no trouble.
    const idle = { ...of(skip), reasons: ['nothing was checked: no must was decided'] }
    expect(merged([of(clause('b')), { ...idle, verdict: 'inconclusive' }], [])).toMatchObject({
      verdict: 'conformant',
      reasons: [],
    })
  })

  test.each([
    [['conformant', 'inconclusive'], 'inconclusive'],
    [['incomplete', 'inconclusive'], 'incomplete'],
    [['incomplete', 'nonconformant'], 'nonconformant'],
    [['conformant', 'incomplete'], 'incomplete'],
  ] as const)('%j, each with a reason of its own: %s', (verdicts, expected) => {
    const reports = verdicts.map((verdict) => ({ ...of(pass), verdict, reasons: ['r'] }))
    expect(merged(reports as unknown as [Report], []).verdict).toBe(expected)
  })

  describe('hands a breach that one shard met to the clause that another ran', () => {
    const met = [{ owner: 'b', ...breach('status is missing', 1) }]
    const meeting = { ...of(clause('a')), met, exchanges: [exchange(0)] }

    test('which then fails, though it passed', () => {
      const report = merged([meeting, of(clause('b'))], [])
      expect(report.verdict).toBe('nonconformant')
      expect(report.met).toBeUndefined()
      expect(report.clauses[1]).toMatchObject({
        id: 'b',
        verdict: 'fail',
        reason: 'status is missing',
        breaches: [breach('status is missing', 1)],
        evidence: [{ exchange: 1, role: 'judged' }],
      })
      expect(report.counts.must).toMatchObject({ pass: 1, fail: 1 })
    })

    test('which warns where it is a should, and fails where a run was strict', () => {
      const should = of(clause('b', { level: 'should' }))
      expect(merged([meeting, should], []).clauses[1]?.verdict).toBe('warn')
      expect(merged([meeting, { ...should, strict: true }], [])).toMatchObject({
        strict: true,
        verdict: 'nonconformant',
      })
    })

    test('or hands it on where that clause is not there either', () => {
      expect(merged([meeting, of(clause('c'))], [])).toMatchObject({ met, verdict: 'conformant' })
    })
  })

  describe('follows references among the clauses of all', () => {
    const refers = clause('a', { verdict: 'skip', cause: 'clause', reason: 'r', owners: ['b'] })

    test.each([
      ['failed', clause('b', { verdict: 'fail', reason: 'r' }), 'nonconformant', []],
      [
        'passed',
        clause('b'),
        'inconclusive',
        [
          'a was not checked, and no other clause judged the fact: b, which owns the missing fact, passed',
        ],
      ],
      [
        'was skipped',
        clause('b', { verdict: 'skip', reason: 'q', cause: 'data' }),
        'conformant',
        [],
      ],
    ] as const)('to one that %s', (_, owner, verdict, reasons) => {
      const report = merged([of(refers), of(owner, clause('c'))], [])
      expect(report).toMatchObject({ verdict, reasons })
    })

    test('and takes back what one report alone had found', () => {
      const alone = { ...refers, dangling: 'b, which owns the missing fact, did not run' }
      const reason = `a was not checked, and no other clause judged the fact: ${alone.dangling}`
      const one = { ...of(alone), verdict: 'inconclusive' as const, reasons: [reason] }
      const waived = { ...fail, id: 'b', waiver: { reason: 'r', until: '2126-01-01' } }
      expect(merged([one, of(waived, clause('c'))], [])).toMatchObject({
        verdict: 'conformant',
        reasons: [],
      })
    })

    test('but not where a shard is missing, which may have the owner', () => {
      const report = merged([of(refers, clause('c'))], ['shard 2/2 is missing'])
      expect(report.reasons).toEqual(['shard 2/2 is missing'])
    })
  })

  describe('judges areas on all shards', () => {
    const areas = [{ name: 'export', clauses: ['export.*'] }]
    const open = clause('export.a', { verdict: 'skip', reason: 'r' })
    const shardWith = (index: number, ...clauses: (typeof pass)[]) => ({
      ...of(...clauses),
      shard: { index, of: 2 },
      areas,
    })

    test('of which one decided something', () => {
      const report = merged([shardWith(1, open, pass), shardWith(2, clause('export.b'))], [])
      expect(report).toMatchObject({ verdict: 'conformant', reasons: [], areas })
    })

    test('but a shard of one alone is judged by itself', () => {
      const alone = { ...shardWith(1, open, pass), shard: { index: 1, of: 1 } }
      expect(areasJudgedIn(alone)).toEqual(areas)
      expect(areasJudgedIn(shardWith(1, open))).toEqual([])
    })

    test('of which none did', () => {
      const report = merged([shardWith(1, open, pass), shardWith(2, clause('c'))], [])
      expect(report.verdict).toBe('inconclusive')
      expect(report.reasons).toEqual([
        expect.stringMatching(/^nothing of the area export was decided, /),
      ])
      // Merged again, it says so once.
      expect(merged([report, of(clause('d'))], []).reasons).toEqual(report.reasons)
    })
  })

  const shard = (index: number, given: Partial<Report> = {}) => {
    const dir = join(place, `shard-${Math.random()}`)
    mkdirSync(dir)
    const report = { ...of(clause(`c${index}`)), shard: { index, of: 3 }, ...given }
    writeFileSync(join(dir, 'report.json'), JSON.stringify(report))
    return dir
  }
  const mergeOf = (...dirs: string[]) =>
    runProgram({ REPORTS_DIR: join(place, 'out') }, ['--merge', ...dirs])

  test('names the shards that are missing, and is inconclusive', async () => {
    const { exitCode, report } = await mergeOf(shard(1), shard(3))
    expect(exitCode).toBe(3)
    expect(report?.reasons).toEqual(['shard 2/3 is missing: its clauses were not checked'])
    const dir = join(place, 'empty')
    mkdirSync(dir)
    const other = await mergeOf(shard(1), shard(2), shard(3), dir)
    expect(other.report?.reasons).toEqual([`${dir} has no report.json: that run was not made`])
    expect((await mergeOf(shard(1), shard(2), shard(3))).exitCode).toBe(0)
  })

  test('says why a shard ended before its clauses, and is inconclusive', async () => {
    const reasons = ['BASE_URL cannot be reached']
    const unmade = shard(2, { clauses: [], verdict: 'inconclusive', reasons })
    const { exitCode, report } = await mergeOf(shard(1), unmade, shard(3))
    expect(exitCode).toBe(3)
    expect(report?.reasons).toEqual(reasons)
  })

  test('a failure stays one where a shard is missing', async () => {
    expect((await mergeOf(shard(1, { clauses: [fail] }))).exitCode).toBe(1)
  })

  test('keeps the key out of what it writes', async () => {
    const dir = shard(1, { notices: ['the key is k9Zq-W3vT7x2'] })
    const env = { REPORTS_DIR: join(place, 'out'), API_KEY: 'k9Zq-W3vT7x2' }
    const { report, output } = await runProgram(env, ['--merge', dir])
    expect(report?.notices).toEqual(['the key is (configured)'])
    expect(output).not.toContain('LEAK')
  })

  test.each<[string, () => string[], string]>([
    ['versions', () => [shard(1), shard(2, { suiteVersion: '9' })], 'is of suite version 1.2.3, '],
    [
      'targets',
      () => [shard(1), shard(2, { target: { baseUrl: 'https://b.example.com', embedded: false } })],
      'is of target https://eu.example.com/v5, ',
    ],
    [
      'numbers of shards',
      () => [shard(1), shard(2, { shard: { index: 2, of: 5 } })],
      'is of number of shards 3, ',
    ],
    [
      'folders that are not there',
      () => [shard(1), 'nowhere'],
      '--merge nowhere: the folder does not exist',
    ],
    ['no report at all', () => [place], 'holds no report.json.'],
  ])('of different %s: one sentence', async (_, dirs, sentence) => {
    const given = dirs()
    await expect(mergeOf(...given)).rejects.toThrow(sentence)
    await expect(mergeOf(...given)).rejects.toThrow(Impossible)
  })

  test('runs against embedded services are of one target, at whatever address', async () => {
    const embedded = (port: number) => ({
      target: { baseUrl: `http://127.0.0.1:${port}/v5`, embedded: true },
    })
    const dirs = [shard(1, embedded(1)), shard(2, embedded(2)), shard(3, embedded(3))]
    expect((await mergeOf(...dirs)).exitCode).toBe(0)
  })

  test('of version 1 makes a report of version 1, that can be read', async () => {
    const given = asVersion1(of(pass, clause('b', { verdict: 'skip', reason: 'q' })))
    const dirs = [1, 2].map((index) => shard(index, { ...given, shard: { index, of: 2 } }))
    const { exitCode, report, output } = await mergeOf(...dirs)
    expect(exitCode).toBe(0)
    expect(report).toMatchObject({ reportVersion: 1, verdict: 'conformant' })
    expect(output).toContain('CONFORMANT in 1 of 2 musts; 1 not checked (1 skipped)')
    expect(readReport(join(place, 'out'))).toMatchObject({ reportVersion: 1 })
    const newer = merged([given, of(clause('c'))], [])
    expect(newer.reportVersion).toBe(1)
  })

  test('of a future version: one sentence', async () => {
    const future = shard(1, { reportVersion: 3 as 2 })
    await expect(mergeOf(future)).rejects.toThrow(
      'is a report of version 3: this suite reads versions 1 and 2; read it with the suite that wrote it.',
    )
  })
})
