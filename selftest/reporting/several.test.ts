import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { compareReports } from '../../program/compare.ts'
import { broken, mock, place, real, seen } from '../program/compared.ts'
import { clause } from './sample-reports.ts'

const manifest = async () => []

/** Compares several reports, which are called a, b, c and so on. */
async function severalCompared(reports: readonly Report[], ...flags: string[]) {
  const names = reports.map((report, at) => {
    const name = `${String.fromCharCode(97 + at)}.json`
    writeFileSync(join(place, name), JSON.stringify(report))
    return name
  })
  const output: string[] = []
  const exitCode = await compareReports({
    argv: [...names, '--json', 'several.json', '--html', 'several.html', ...flags],
    env: {},
    cwd: place,
    manifest,
    out: { write: (text) => output.push(text) },
  })
  const written = (name: string) => readFileSync(join(place, name), 'utf8')
  return {
    exitCode,
    output: output.join(''),
    json: JSON.parse(written('several.json')),
    html: written('several.html'),
  }
}

describe('more than two reports', () => {
  test('say of each whether it differs, or cannot be held against the reference', async () => {
    const skipped = clause('law', { verdict: 'skip', reason: 'set X' })
    const { json } = await severalCompared([
      real([clause('law'), clause('same')]),
      mock([broken('law'), clause('same')]),
      mock([skipped, clause('same')]),
      mock([clause('law'), clause('same')]),
    ])
    const [law] = json.differences
    expect(law).toMatchObject({ id: 'law', kind: 'breaks' })
    expect(law.told.map(({ name }: { name: string }) => name)).toEqual(['b.json', 'c.json'])
    expect(law.told[1].lines[0]).toMatch(/^not comparable: .*set X/)
  })

  test('are measured by the first, and what differs stands once', async () => {
    const [one, other] = [clause('keeps'), clause('skips')]
    const { exitCode, output, json, html } = await severalCompared([
      real([one, other, seen('free', 200), seen('old', 'a'), clause('law')]),
      mock([one, other, seen('free', 201), seen('old', 'b'), broken('law')]),
      mock([
        one,
        clause('skips', { verdict: 'skip', reason: 'set X' }),
        seen('free', 200),
        seen('old', 'b'),
        clause('law'),
      ]),
    ])
    expect(exitCode).toBe(1)
    const found = Object.fromEntries(
      json.differences.map(({ id, kind, told }: { id: string; kind: string; told: unknown }) => [
        id,
        { kind, told },
      ]),
    )
    expect(found).toEqual({
      free: { kind: 'silent', told: [{ name: 'b.json', lines: ['a.json 200, b.json 201'] }] },
      old: {
        kind: 'stale',
        told: [
          { name: 'b.json', lines: ['a.json a, b.json b'] },
          { name: 'c.json', lines: ['a.json a, c.json b'] },
        ],
      },
      law: {
        kind: 'breaks',
        told: [
          {
            name: 'b.json',
            lines: ['a.json keeps it', 'b.json breaks it: GET /tasks/1 answered 200, not 404'],
          },
        ],
      },
      skips: { kind: 'not comparable', told: [{ name: 'c.json', lines: ['c.json skip: set X'] }] },
    })
    const figures = json.others.map(({ figures: { all } }: { figures: { all: object } }) => all)
    expect(figures).toEqual([
      { diverging: 3, compared: 5, all: 5 },
      { diverging: 1, compared: 4, all: 5 },
    ])
    for (const heading of [
      'Breaks the contract: 1',
      'Differs where the contract is silent: 1',
      'Only the reference differs; its report may be stale: 1',
      'Not comparable: 1',
    ]) {
      expect(output).toContain(heading)
      expect(html).toContain(heading)
    }
  })

  test('fail by what any of them does, and say when the reference is old', async () => {
    const [old, later] = ['2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']
    const reports = [
      real([seen('free', 1)], { startedAt: old }),
      mock([seen('free', 1)], { startedAt: later }),
      mock([seen('free', 2)], { startedAt: later, seed: 2 }),
    ]
    const lenient = await severalCompared(reports)
    expect(lenient.exitCode).toBe(0)
    expect(lenient.output).toContain(
      'notice: the report of a.json is 59 days older than the newest; run the suite on it again',
    )
    expect((await severalCompared(reports, '--fail-on', 'any')).exitCode).toBe(1)
  })

  test('name the one of which nothing can be compared', async () => {
    const reports = [real([clause('a')]), mock([clause('a')]), mock([clause('b')])]
    await expect(severalCompared(reports)).rejects.toThrow(
      'c.json have no clause in common; give two reports of one suite.',
    )
  })

  test('hold no markup of a report', async () => {
    const hostile = '<img src=x onerror=alert(1)>'
    const { html } = await severalCompared([
      real([seen('free', hostile)]),
      mock([seen('free', 1)]),
      mock([seen('free', 2)], { target: { baseUrl: hostile, embedded: false } }),
    ])
    expect(html).not.toContain('<img')
  })
})
