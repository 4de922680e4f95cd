// Processes that are timed in turn, and what was measured as a table.
import { fork, spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsed } from '../engine/parsed.ts'

export const root = join(import.meta.dirname, '..')

export const scratch = join(tmpdir(), `contract-bench-${process.pid}`)
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

type Sample = { seconds: number; told: Record<string, number> }

type Values = number[] | { missing: string }

export type Row = {
  what: string
  unit: 's' | 'MB' | 'bytes' | ''
  values: Values
  /** beside what the part compares with */
  ratio?: Values
  /** what the ratio, or else the value, is to be at most */
  most?: number
}

export const tsx = (file: string, ...args: (string | number)[]): string[] =>
  ['--import', 'tsx', join(root, file), ...args].map(String)

/** The user's own settings must not affect what is measured. */
const bareEnv = (env: Record<string, string> = {}) => {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, ...env }
}

type Given = { env?: Record<string, string>; mayEndWith?: number; look?: (pid: number) => void }

export const timedNode = (args: string[], given: Given = {}): Promise<Sample> =>
  timed(process.execPath, args, given)

/**
 * Runs a process to its end; one that fails is an error with the end of what it said. `look` looks at it again
 * and again while it runs.
 */
export function timed(command: string, args: string[], given: Given = {}): Promise<Sample> {
  const { env, mayEndWith = 0, look } = given
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(command, args, { cwd: root, env: bareEnv(env), timeout: 15 * 60_000 })
    const looking = look && setInterval(() => look(child.pid ?? 0), 50)
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        said = (said + piece).slice(-100_000)
      })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearInterval(looking)
      const seconds = (performance.now() - start) / 1000
      const lines = said.trim().split('\n')
      const told = parsed(lines.at(-1) ?? '')
      if (code === mayEndWith)
        return resolve({ seconds, told: told && typeof told === 'object' ? { ...told } : {} })
      const line = lines.findLast((each) => /error/i.test(each)) ?? lines.at(-1)
      reject(new Error(`ended with ${code ?? signal}: ${line?.trim() || 'it said nothing'}`))
    })
  })
}

/** Does something beside the reference service, which gets a process of its own. */
export async function besideService<T>(
  act: (settings: Record<string, string> & { BASE_URL: string }) => Promise<T>,
): Promise<T> {
  const options = { execArgv: ['--import', 'tsx'], env: bareEnv(), cwd: root }
  const child = fork(join(root, 'bench/own.ts'), ['service'], options)
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`))),
  )
  const settings = new Promise<Parameters<typeof act>[0]>((resolve) =>
    child.once('message', (message) => resolve(message as never)),
  )
  try {
    return await act(await Promise.race([settings, ended]))
  } finally {
    child.disconnect()
    await ended.catch(() => {})
  }
}

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
    told: (name, of) => missing([name]) ?? (samples.get(name) ?? []).map(({ told }) => of(told)),
  }
}

export function spreadOf(values: number[]): { median: number; min: number; max: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const at = (place: number) => sorted[place] ?? Number.NaN
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2
  return { median, min: at(0), max: at(sorted.length - 1) }
}

export function missingIn(rows: Row[]): string[] {
  const all = rows.flatMap(({ values, ratio }) => [values, ratio ?? []])
  const reasons = all.flatMap((each) => (Array.isArray(each) ? [] : [each.missing]))
  return [...new Set(reasons)].map((reason) => `none: ${reason}`)
}

const toldAs = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)

export function tableOf(rows: Row[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const body = rows.map(({ what, unit, values, ratio, most }) => {
    const isMeasured = Array.isArray(values)
    const { median, min, max } = spreadOf(isMeasured ? values : [])
    const several = isMeasured && values.length > 1
    return line([
      what,
      isMeasured ? `${toldAs(median)} ${unit}`.trim() : 'none',
      several ? `${toldAs(min)} to ${toldAs(max)}` : '',
      Array.isArray(ratio) ? toldAs(spreadOf(ratio).median) : ratio ? 'none' : '',
      most === undefined ? '' : toldAs(most),
    ])
  })
  const head = ['what', 'median', 'min to max', 'ratio', 'at most']
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...body].join('\n')
}

/** The most memory that a process and all that it started take, looked at again and again. */
export function createPeak(): { look(pid: number): void; megabytes(): number } {
  let peakKb = 0
  return {
    look: (pid) => {
      peakKb = Math.max(
        peakKb,
        familyOf(pid).reduce((sum, each) => sum + sharesOf(each), 0),
      )
    },
    megabytes: () => peakKb / 1024,
  }
}

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

/** Its own memory and its share of the memory that it shares, in kB. */
function sharesOf(pid: number): number {
  try {
    return Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
