import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { clock } from '../time/timers.ts'
import { holderFor, releaseLock, takeLock } from './lock.ts'

/** Files that a killed run was writing: `<task>.json.1a2b3c4d.draft`, `<task>.lock.123.stale`. */
const unfinished = /^([\da-f-]{36})\.(json\..*\.draft|lock\..*\.stale|lock)$/
const probe = /^probe-[\da-f]{8}(\.[\da-f]{8}\.draft)?$/
/** The folder of a target; JOURNAL_DIR may hold other folders too. */
const folder = /^[\da-f]{12}$/
const maxProbeAgeMs = 60_000

/** Removes what dead runs left beside the debts of any target; files of live runs stay. */
export function sweep(journalDir: string): void {
  for (const name of namesIn(journalDir)) if (folder.test(name)) sweepFolder(join(journalDir, name))
}

function sweepFolder(dir: string): void {
  const names = namesIn(dir)
  const tasks = new Set(names.flatMap((name) => unfinished.exec(name)?.[1] ?? []))
  for (const task of tasks) {
    const lock = join(dir, `${task}.lock`)
    // A run that writes about a task holds its lock.
    if (takeLock(lock, holderFor(maxProbeAgeMs))) continue
    const theirs = names.filter((name) => name.startsWith(`${task}.`) && unfinished.test(name))
    for (const name of theirs) if (!name.endsWith('.lock')) rmSync(join(dir, name), { force: true })
    releaseLock(lock)
  }
  for (const name of names.filter((each) => probe.test(each)))
    if (isOld(join(dir, name))) rmSync(join(dir, name), { force: true })
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}

function isOld(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && clock.date() - found.mtimeMs > maxProbeAgeMs
}
