import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { parsed } from '../parsed.ts'
import { clock } from '../time/timers.ts'

export type Holder = {
  pid: number
  host: string
  since: string
  until: string
  /** process ids are reused */
  born?: string
}

/** The locks of this process: released on every way out. */
const held = new Set<string>()

process.on('exit', () => {
  for (const file of held) rmSync(file, { force: true })
})

export const toldHolder = ({ pid, host, since }: Holder) => `pid ${pid} on ${host} since ${since}`

export function holderFor(milliseconds: number): Holder {
  const { pid } = process
  const now = clock.date()
  return {
    pid,
    host: hostname(),
    since: new Date(now).toISOString(),
    until: new Date(now + milliseconds).toISOString(),
    ...bornOf(pid),
  }
}

/** also one that a dead run left */
export function takeLock(file: string, holder: Holder): Holder | undefined {
  mkdirSync(dirname(file), { recursive: true })
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
      held.add(file)
      return undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const text = textIn(file)
    if (text === undefined) continue
    const other = liveHolderIn(file, text)
    if (other) return other
    removeStale(file, text)
  }
}

export function releaseLock(file: string): void {
  if (held.delete(file)) rmSync(file, { force: true })
}

export function holderOf(file: string): Holder | undefined {
  const text = textIn(file)
  return text === undefined ? undefined : liveHolderIn(file, text)
}

/** Two runs may find the same stale lock. Only one can rename it; the other looks again. */
function removeStale(file: string, text: string): void {
  const aside = `${file}.${process.pid}.stale`
  try {
    renameSync(file, aside)
    // Another process took the lock first: restore its file.
    if (textIn(aside) !== text) renameSync(aside, file)
    else rmSync(aside, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

const unwrittenMs = 5000

function liveHolderIn(file: string, text: string): Holder | undefined {
  const holder = holderIn(text)
  if (holder) return isLive(file, holder) ? holder : undefined
  // Between its creation and the writing a lock is empty.
  try {
    const { mtimeMs, mtime } = statSync(file)
    if (clock.date() - mtimeMs > unwrittenMs) return undefined
    const since = mtime.toISOString()
    return { pid: 0, host: 'an unknown host', since, until: since }
  } catch {
    return undefined
  }
}

function isLive(file: string, { pid, host, until, born }: Holder): boolean {
  if (Date.parse(until) < clock.date()) return false
  if (host !== hostname()) return true
  if (pid === process.pid) return held.has(file)
  if (!exists(pid)) return false
  const now = bornOf(pid)
  return now.zombie !== true && (born === undefined || now.born === undefined || born === now.born)
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function bornOf(pid: number): { born?: string; zombie?: true } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold anything, even brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { born: fields[19], ...(fields[0] === 'Z' ? { zombie: true } : {}) }
  } catch {
    return {}
  }
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function holderIn(text: string): Holder | undefined {
  const { pid, host, since, until, born } = (parsed(text) ?? {}) as Holder
  const whole = Number.isInteger(pid) && [host, since, until].every((e) => typeof e === 'string')
  return whole ? { pid, host, since, until, born } : undefined
}

/** Removes what dead runs left of tasks: a run that writes about one holds its lock. */
export function sweep(dir: string): void {
  for (const name of readdirSync(dir).filter((each) => each.endsWith('.lock'))) {
    const lock = join(dir, name)
    if (takeLock(lock, holderFor(unwrittenMs))) continue
    rmSync(lock.replace(/lock$/, 'json.draft'), { force: true })
    releaseLock(lock)
  }
}
