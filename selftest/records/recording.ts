// Runs that are recorded, and their replays.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { WARCParser } from 'warcio'
import { inThread } from '../../engine/run/clause-thread.ts'
import type { Report } from '../../engine/run/report.ts'
import type { Checked } from '../../program/report/finish.ts'
import { jsonOf } from '../../reporting/all.ts'
import { runProgram } from '../proofs/prove.ts'

/** Clauses of a run that is recorded have a thread of their own, and no report is written on its own. */
export const inOwnThread = { makers: {}, runner: inThread }

/** A report as its file has it. */
export type Written = Report & { line: string; seal?: unknown }
export const writtenOf = (report: Report): Written => JSON.parse(jsonOf(report))

/** The folders of records in a folder. */
export const recordsIn = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name)
    .sort()

export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)

/** Keeps a run: its report, compressed for git, and its record beside it. */
export async function recordIn(
  place: string,
  run: (env: Record<string, string>, argv: string[]) => Promise<Checked>,
  isForGit = false,
): Promise<Checked> {
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  const checked = await run({}, ['--record', join(place, 'record')])
  const text = checked.report ? jsonOf(checked.report) : ''
  if (isForGit) writeFileSync(join(place, 'report.json.gz'), gzipSync(text, { level: 9 }))
  else writeFileSync(join(place, 'report.json'), text)
  return checked
}

export function reportIn(place: string): Written {
  const file = join(place, 'report.json')
  const bytes = existsSync(file) ? readFileSync(file) : gunzipSync(readFileSync(`${file}.gz`))
  return JSON.parse(bytes.toString())
}

/** How many records of each type another's reader finds. */
export async function countsIn(bytes: Buffer): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const source = Readable.toWeb(Readable.from([bytes])) as ReadableStream<Uint8Array>
  for await (const record of new WARCParser(source)) {
    const type = record.warcType ?? ''
    await record.readFully(false)
    counts[type] = (counts[type] ?? 0) + 1
  }
  return counts
}

/** Repeats a run out of its record. */
export const replay = (record: string) => runProgram({}, ['--replay', record], inOwnThread)

/** What a replay has of its own, what is of the suite, and remedies, which name the command that was used. */
const ofItsOwn = new Set([
  ...['line', 'record', 'replayed', 'seal', 'summary'],
  ...['clausesSha256', 'operations', 'suiteVersion', 'suiteCommit', 'node', 'platform'],
])

/** Where two reports differ, and which verdicts moved. */
export function differencesOf(then: Written, now: Written): { places: string[]; moved: string[] } {
  const rest = (report: Written) =>
    Object.fromEntries(Object.entries(report).filter(([name]) => !ofItsOwn.has(name)))
  const verdictsOf = ({ clauses }: Written) =>
    new Map(clauses.map(({ id, verdict, cause = '' }) => [id, `${verdict} ${cause}`.trim()]))
  const [before, after] = [verdictsOf(then), verdictsOf(now)]
  const moved = [...new Set([...before.keys(), ...after.keys()])]
    .filter((id) => before.get(id) !== after.get(id))
    .map((id) => `${id}: ${before.get(id) ?? 'absent'} -> ${after.get(id) ?? 'absent'}`)
  return { places: placesOf(rest(then), rest(now)), moved }
}

/** The places of the leaves that differ. */
function placesOf(then: unknown, now: unknown): string[] {
  const [before, after] = [new Map(leavesOf(then)), new Map(leavesOf(now))]
  const shown = (leaf = 'nothing') => leaf.slice(0, 160)
  return [...new Map([...before, ...after]).keys()]
    .filter((place) => before.get(place) !== after.get(place))
    .map((place) => `${place}: ${shown(before.get(place))} -> ${shown(after.get(place))}`)
}

const leavesOf = (value: unknown, place = ''): [string, string][] => {
  const parts = typeof value === 'object' ? Object.entries(value ?? {}) : []
  if (parts.length === 0) return [[place, JSON.stringify(value)]]
  return parts.flatMap(([name, part]) => leavesOf(part, `${place}/${name}`))
}
