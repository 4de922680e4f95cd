import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sample } from './processes.ts'

/** How much a part measures; small is for trying the bench itself. */
type Size = { rounds: number; small: boolean }

/** What a part found. */
type Measurement = {
  rows: Row[]
  /** sentences below the table */
  notes?: string[]
}

export type Part = {
  title: string
  measure(size: Size): Promise<Measurement>
}

/** Measured values, or the reason why there are none. */
type Values = number[] | { missing: string }

type Spread = { median: number; min: number; max: number }

export type Row = {
  what: string
  unit: 's' | 'ms' | 'MB' | 'bytes' | ''
  values: Values
  /** beside what the part compares with */
  ratio?: Values
  /** what the ratio, or else the value, is to be at most */
  most?: number
}

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const at = (place: number) => sorted[place] ?? Number.NaN
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  }
}

/** Why there are values missing, in sentences. */
export function missingIn(rows: Row[]): string[] {
  const reasons = rows.flatMap(({ values, ratio }) =>
    [values, ratio ?? []].flatMap((each) => (Array.isArray(each) ? [] : [each.missing])),
  )
  return [...new Set(reasons)].map((reason) => `none: ${reason}`)
}

/** Rows as a table that is read in a terminal as well as in Markdown. */
export function tableOf(rows: Row[]): string {
  const cells = [
    ['what', 'median', 'min to max', 'ratio', 'at most'],
    ...rows.map(({ what, unit, values, ratio, most }) => [
      what,
      Array.isArray(values) ? `${told(spreadOf(values).median)}${unit && ` ${unit}`}` : 'none',
      Array.isArray(values) ? range(values) : '',
      ratio === undefined ? '' : Array.isArray(ratio) ? told(spreadOf(ratio).median) : 'none',
      most === undefined ? '' : told(most),
    ]),
  ]
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: string[], fill = ' ') =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0, fill) : cell.padStart(widths[at] ?? 0, fill))).join(' | ')} |`
  const [head = [], ...body] = cells
  const rule = `|${widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(head), rule, ...body.map((row) => line(row))].join('\n')
}

function range(values: number[]): string {
  const { min, max } = spreadOf(values)
  return values.length < 2 ? 'once' : `${told(min)} to ${told(max)}`
}

const told = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)

/** What was measured of several ways, each round one after another. */
type Rounds<Name extends string> = {
  /** values of each round from the seconds of these ways; none where one of them failed */
  seconds(names: Name[], of?: (...seconds: number[]) => number): Values
  /** the same for the other values of the processes */
  told(name: Name, of: (told: Record<string, number>) => number): Values
}

/**
 * Measures ways in turn, round by round, so that what else the machine does falls on all of them.
 * The first round warms files and is left out. A way that fails is not tried again.
 */
export async function interleaved<Name extends string>(
  ways: Record<Name, () => Promise<Sample>>,
  rounds: number,
): Promise<Rounds<Name>> {
  const samples = new Map<string, Sample[]>()
  const failed = new Map<string, string>()
  for (let round = rounds > 1 ? -1 : 0; round < rounds; round += 1)
    for (const [name, way] of Object.entries<() => Promise<Sample>>(ways)) {
      if (failed.has(name)) continue
      process.stderr.write(`round ${round + 1} of ${rounds}: ${name}\n`)
      const sample = await way().catch((error: Error) => void failed.set(name, error.message))
      if (sample && round >= 0) samples.set(name, [...(samples.get(name) ?? []), sample])
    }

  const missing = (names: string[]) => {
    const name = names.find((one) => failed.has(one))
    return name === undefined ? undefined : { missing: `${name} ${failed.get(name)}` }
  }
  return {
    seconds: (names, of = (only) => only as number) =>
      missing(names) ??
      Array.from({ length: rounds }, (_, round) =>
        of(...names.map((name) => samples.get(name)?.[round]?.seconds ?? Number.NaN)),
      ),
    told: (name, of) =>
      missing([name]) ?? (samples.get(name) ?? []).map((sample) => of(sample.told)),
  }
}

/** Flags of a run with all of a run's start, and one clause that asks nothing. */
export const idle = ['--clauses', 'auth.wrong-region']

/** How such a run ends. */
export const nothingChecked = 3

/** Where the bench keeps files for as long as it runs. */
export const scratch = join(tmpdir(), `contract-bench-${process.pid}`)

process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** Looks at a process again and again for the most memory that it and all that it started take. */
export function createPeak(): { look(pid: number): void; megabytes(): number } {
  let peakKb = 0
  return {
    look: (pid) => {
      const all = familyOf(pid).reduce((sum, each) => sum + sharesOf(each), 0)
      peakKb = Math.max(peakKb, all)
    },
    megabytes: () => peakKb / 1024,
  }
}

/** A process and all that it started. */
function familyOf(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    )
    return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
  } catch {
    return []
  }
}

/** What of the memory is its own, and its share of what it has in common with others, in kB. */
function sharesOf(pid: number): number {
  try {
    return Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
