// Runs that are recorded, and their replays.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { isObject } from '../../engine/http/answers.ts'
import { inThread } from '../../engine/run/clause-thread.ts'
import type { Report } from '../../engine/run/report.ts'
import { check } from '../../program/check.ts'
import type { Checked } from '../../program/report/finish.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import { jsonOf } from '../../reporting/all.ts'

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

/** Repeats a run out of its record. */
export async function replay(
  record: string,
  { argv = [], env = {} }: { argv?: string[]; env?: Record<string, string> } = {},
): Promise<Checked & { output: string }> {
  const cwd = mkdtempSync(join(tmpdir(), 'contract-'))
  const output: string[] = []
  try {
    const checked = await check({
      argv: ['--replay', record, ...argv],
      env,
      cwd,
      out: { write: (text) => output.push(text) },
      interruption: createInterruption(),
      ...inOwnThread,
    })
    return { ...checked, output: output.join('') }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** What a replay has of its own, what is of the suite, and remedies, which name the command that was used. */
const ofItsOwn = new Set([
  ...['line', 'record', 'replayed', 'seal', 'notChecked'],
  ...['clausesSha256', 'suiteVersion', 'suiteCommit', 'node', 'platform'],
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
  return { places: placesOf(rest(then), rest(now), ''), moved }
}

/** The places of the leaves that differ. */
function placesOf(then: unknown, now: unknown, place: string): string[] {
  if (JSON.stringify(then) === JSON.stringify(now)) return []
  const isNested = (value: unknown) => isObject(value) || Array.isArray(value)
  if (!isNested(then) || !isNested(now)) {
    const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 160)
    return [`${place}: ${shown(then)} -> ${shown(now)}`]
  }
  const [one, other] = [then, now] as Record<string, unknown>[]
  return Object.keys({ ...one, ...other }).flatMap((key) =>
    placesOf(one?.[key], other?.[key], `${place}/${key}`),
  )
}
