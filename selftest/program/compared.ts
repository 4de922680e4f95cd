import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { factsOfSuite } from '../../program/clauses.ts'
import { compareReports } from '../../program/compare.ts'
import { breach, clause, type Given, reportWith } from '../reporting/sample-reports.ts'
import { openWorkerFolder } from '../test-end.ts'

export const place = openWorkerFolder()

// Collected once: it takes a second.
const suite = factsOfSuite()
export const manifest = () => suite

let files = 0
const fileOf = (report: Report | string) => {
  files += 1
  const file = join(place, `${files}.json`)
  writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report))
  return file
}

export const seen = (id: string, observed: unknown, given: Given = {}) =>
  clause(id, { level: 'observe', verdict: 'observed', observed, ...given })
export const broken = (id: string, given: Given = {}) =>
  clause(id, {
    verdict: 'fail',
    reason: 'GET /tasks/1 answered 200, not 404',
    breaches: (given.evidence ?? []).flatMap((each) =>
      'number' in each ? breach('GET /tasks/1 answered 200, not 404', each.number) : [],
    ),
    ...given,
  })

export const real = (clauses: ClauseReport[], given: Partial<Report> = {}) =>
  reportWith(clauses, { verdict: 'conformant', ...given })
export const mock = (clauses: ClauseReport[], given: Partial<Report> = {}) =>
  reportWith(clauses, {
    verdict: 'conformant',
    startedAt: '2026-02-01T00:00:00.000Z',
    target: { baseUrl: 'http://127.0.0.1:4010/v5', embedded: false },
    ...given,
  })

/** Runs `compare` on two reports. */
export async function compared(one: Report | string, other: Report | string, ...flags: string[]) {
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
export async function outcome(one: ClauseReport, other: ClauseReport) {
  const also = clause('z')
  const { json } = await compared(real([one, also]), mock([other, also]))
  const { outcome, why } = json.sides[1].clauses.find(({ id }: ClauseReport) => id === 'a')
  return why ?? outcome
}
