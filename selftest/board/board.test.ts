import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { makeBoard } from '../../program/board.ts'
import schema from '../../schemas/board.schema.json' with { type: 'json' }
import { asVersion1, clause, observing, reportWith } from '../reporting/sample-reports.ts'
import { openWorkerFolder } from '../test-end.ts'

const place = openWorkerFolder()
const facts = ['a', 'b', 'c'].map((id) => clause(id))
const manifest = facts
const validate = new Ajv2020().compile(schema)

const on = (day: number, host: string, clauses: ClauseReport[], given: Partial<Report> = {}) =>
  reportWith(clauses, {
    startedAt: `2026-03-${String(day).padStart(2, '0')}T03:00:00.000Z`,
    target: { baseUrl: `https://${host}/v5`, embedded: false },
    verdict: clauses.some(({ verdict }) => verdict === 'fail') ? 'nonconformant' : 'conformant',
    ...given,
  })
const [a, b, c] = facts as [ClauseReport, ClauseReport, ClauseReport]
const [noA, noB] = ['a', 'b'].map((id) =>
  clause(id, { verdict: 'fail', reason: 'responded 200, not 404' }),
) as [ClauseReport, ClauseReport]
const skippedB = clause('b', { verdict: 'skip', reason: 'set X' })

let folders = 0
/** Writes reports below a new folder and makes a board of it. */
async function boardOf(files: Record<string, Report | string>, ...flags: string[]) {
  folders += 1
  const cwd = join(place, String(folders))
  for (const [name, content] of Object.entries(files)) {
    const file = join(cwd, 'in', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  const now = Date.parse('2026-03-31T00:00:00Z')
  const exitCode = await makeBoard({ argv: ['in', ...flags], env: {}, cwd, out, manifest, now })
  const read = (name: string) => readFileSync(join(cwd, 'board', name), 'utf8')
  const json = JSON.parse(read('board.json'))
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
  return { exitCode, output: output.join(''), json, read, cwd }
}

/** The names of all files of a board. */
const pathsOf = (cwd: string) =>
  readdirSync(join(cwd, 'board'), { recursive: true }).map(String).sort()

describe('a board', () => {
  test('keeps its addresses from board to board, and shows both figures over time', async () => {
    const files = { 'eu/1.json': on(1, 'eu', [a, b, c]), 'mock/2.json': on(2, 'mock', [a, noB]) }
    const later = { 'mock/9.json': on(9, 'mock', [a, noB, c]) }
    const before = await boardOf(files)
    const { json, read, cwd } = await boardOf({ ...files, ...later })
    expect(pathsOf(cwd)).toEqual(pathsOf(before.cwd))
    const page = read(`targets/${json.targets[1].slug}.html`).replace(/<[^>]+>/g, ' ')
    expect(page).toMatch(
      /2026-03-09 03:00 nonconformant, divergence 1 of 3, coverage 3 of 3\s+2026-03-02 03:00 nonconformant, divergence 1 of 2, coverage 2 of 3/,
    )
  })

  const at = (host: string, revision: string, clauses = [a]) =>
    on(1, host, clauses, { target: { baseUrl: `https://${host}/v5`, embedded: false, revision } })
  const failedThere = 'https://us/v5: NONCONFORMANT: 1 of 1 must broken; 0 pass'
  // biome-ignore format: one board a line
  test.each<[string, Report, Report, number, string]>([
    ['all of one revision', at('eu', 'r1'), at('us', 'r1'), 0, 'PASSED: 2 of 2 targets conformant, revision r1'],
    ['one of them red', at('eu', 'r1'), at('us', 'r1', [noA]), 1, `FAILED: 1 of 2 targets conformant, revision r1; ${failedThere}`],
    ['all red', at('eu', 'r1', [noA]), at('us', 'r1', [noA]), 1, 'FAILED: 0 of 2 targets conformant, revision r1; '],
    ['two revisions', at('eu', 'r1'), at('us', 'r2'), 3, 'INCONCLUSIVE: 2 of 2 targets conformant, revisions r1, r2'],
    ['a part of the clauses', at('eu', 'r1'), { ...at('us', 'r1'), selection: '--clauses a' }, 3, 'INCONCLUSIVE: '],
  ])('is a gate for the newest reports of all targets: %s', async (_, eu, us, code, line) => {
    const { exitCode, output } = await boardOf({ 'eu/1.json': eu, 'us/2.json': us }, '--gate')
    expect(exitCode).toBe(code)
    expect(output).toContain(`\nGATE ${line}`)
  })

  test('compares with the newest conformant target, or the named one, and says so', async () => {
    const files = {
      'eu/1.json': on(1, 'eu', [a]),
      'us/2.json': on(2, 'us', [a]),
      'mock/3.json': on(3, 'mock', [noA]),
    }
    const { json, output, read } = await boardOf(files)
    const chosen = 'the newest conformant target'
    expect(json.reference).toMatchObject({ name: 'https://us/v5', chosen })
    expect(output).toContain(`measured by https://us/v5, ${chosen}`)
    expect(read('index.html')).toContain(`>https://us/v5</a>, ${chosen}.`)
    const named = await boardOf(files, '--reference', 'https://mock/v5')
    expect(named.read('index.html')).toContain('>https://mock/v5</a>, which --reference names.')
    const broken = { 'eu/1.json': on(1, 'eu', [noA]), 'mock/3.json': files['mock/3.json'] }
    await expect(boardOf(files, '--reference', 'x')).rejects.toThrow(
      '--reference x: no report tests this target; give one of https://',
    )
    await expect(boardOf(broken)).rejects.toThrow(
      'no target is conformant in its newest report; choose one with --reference: https://eu/v5, https://mock/v5.',
    )
  })

  test('compares each target with the reference of its time, and counts', async () => {
    const { exitCode, json, read } = await boardOf(
      {
        'eu/1.json': on(1, 'eu', [a, b, observing('c', 1)]),
        'eu/20.json': on(20, 'eu', [a, b, observing('c', 2)]),
        'mock/2.json': on(2, 'mock', [a, noB, observing('c', 1)]),
        'mock/21.json': on(21, 'mock', [a, skippedB, observing('c', 1)]),
      },
      '--reference',
      'https://eu/v5',
    )
    expect(exitCode).toBe(0)
    const [eu, mock] = json.targets
    expect([eu.name, mock.name]).toEqual(['https://eu/v5', 'https://mock/v5'])
    expect(mock.runs.map(({ divergence }: { divergence: object }) => divergence)).toEqual([
      { diverging: 1, compared: 3 },
      { diverging: 1, compared: 2 },
    ])
    expect(mock.newest.coverage).toEqual({ decided: 2 })
    expect(mock.differs).toEqual(['c'])
    expect(mock.notChecked).toEqual([{ id: 'b', verdict: 'skip', cause: 'setting' }])
    expect(json.manifest.clauses).toBe(3)
    expect(json.reference).toMatchObject({ staleOn: '2026-04-19', isStale: false })
    expect(read(`targets/${mock.slug}.html`)).toContain('A 2, B 1')
  })

  test('shows verdicts that changed and came back, of folders as targets too, and no skip', async () => {
    const { json } = await boardOf(
      {
        'one/1.json': on(1, 'eu', [a, b]),
        'one/2.json': on(2, 'eu', [noA, skippedB]),
        'one/3.json': on(3, 'eu', [a, b]),
        'other/1.json': on(1, 'eu', [noA]),
      },
      '--by=folder',
      '--reference=other',
    )
    expect(json.targets.map(({ name }: { name: string }) => name)).toEqual(['other', 'one'])
    expect(json.targets[1].flips).toEqual([
      { id: 'a', verdict: 'pass', other: 'fail', at: '2026-03-03T03:00:00.000Z' },
    ])
  })

  test('names clauses that other versions of the suite have, and a reference that is stale', async () => {
    const { output, json } = await boardOf(
      {
        '1.json': on(1, 'eu', [a, b, c]),
        '2.json': on(2, 'mock', [a, clause('old')], { suiteVersion: '0.0.9' }),
        '3.json': asVersion1(on(3, 'older', [a])) as never,
      },
      '--stale-days=7',
      '--reference=https://eu/v5',
    )
    expect(json.reference.isStale).toBe(true)
    expect(output).toContain('the reference is stale since 2026-03-08; run the suite on it again')
    expect(output).toContain(
      '(https://eu/v5 1.2.3, https://mock/v5 0.0.9); of their clauses the 1 that both have are compared',
    )
    expect(json.targets).toHaveLength(3)
  })

  test('skips files that are not reports, and says so', async () => {
    const { output } = await boardOf({
      'a/report.json': on(1, 'eu', [a]),
      'a/badge.json': '{}',
      'a/cut.json': '{"reportVersion": 2,',
      'a/other.json': '{"name": 1}',
      'b/foreign.json': on(2, 'us', [clause('x')]),
    })
    expect(output).toContain('1 report of 1 target,')
    expect(output).toMatch(/cut\.json is not JSON: it may be cut short/)
    expect(output).toMatch(/other\.json is not a report of this suite/)
    expect(output).toMatch(
      /foreign\.json is a report of another suite: it has no clause of this suite\./,
    )
    expect(output).not.toContain('badge.json')
  })

  test('shows markup and odd ids as text, in files of its own', async () => {
    const hostile = '"><img src=x onerror=alert(1)>'
    const id = '../../x'
    const { cwd, json } = await boardOf({
      '1.json': on(1, 'eu', [a, clause(id, { statement: hostile })]),
      '2.json': on(2, hostile, [noA, observing('c', hostile)], { suiteVersion: hostile }),
    })
    for (const file of pathsOf(cwd).filter((each) => each.endsWith('.html')))
      expect(readFileSync(join(cwd, 'board', file), 'utf8'), file).not.toContain('<img')
    expect(existsSync(join(cwd, 'x.html'))).toBe(false)
    expect(json.targets[1].slug).toMatch(/^[a-z0-9-]+$/)
  })

  test('replaces an earlier board, and no other site', async () => {
    const { cwd } = await boardOf({ '1.json': on(1, 'eu', [a]) })
    const call = { env: {}, cwd, out: { write: () => {} }, manifest }
    writeFileSync(join(cwd, 'board/targets/gone.html'), '')
    expect(await makeBoard({ ...call, argv: ['in'] })).toBe(0)
    expect(existsSync(join(cwd, 'board/targets/gone.html'))).toBe(false)
    mkdirSync(join(cwd, 'site'))
    writeFileSync(join(cwd, 'site/index.html'), 'mine')
    await expect(makeBoard({ ...call, argv: ['in', '--out', 'site'] })).rejects.toThrow(
      '--out site contains another site; give an empty folder.',
    )
    expect(readFileSync(join(cwd, 'site/index.html'), 'utf8')).toBe('mine')
  })
})
