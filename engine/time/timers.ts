import { createHash, randomUUID } from 'node:crypto'
import { awaitEntry, enter, forget, logNow, numbered, standsAt } from './entering.ts'

export class Timer {
  isOff = false
  real: NodeJS.Timeout | undefined
  key = ''
  unref(): this {
    this.real?.unref()
    return this
  }
}

function set(act: () => void, ms: number, timer = new Timer()): Timer {
  const ring = () => {
    if (!timer.isOff) act()
  }
  const log = logNow()
  // As Node rounds: whole milliseconds, one at least.
  const waits = Math.max(1, Math.trunc(ms))
  // Of their own number for each wait: another version's pause must not ring a limit.
  const key = log ? numbered(`timer ${waits}`) : ''
  timer.key = key
  if (log?.mode !== 'replay') timer.real = setTimeout(() => enter(key, ring), ms)
  else awaitEntry(key, { act: ring, due: standsAt() + waits })
  return timer
}

export const clock = {
  now: (): number => (logNow() ? 1000 + standsAt() : performance.now()),
  date(): number {
    const log = logNow()
    return log ? Math.floor(log.begun + standsAt()) : Date.now()
  },
  iso: (): string => new Date(clock.date()).toISOString(),
  setTimeout: (act: () => void, ms = 0): Timer => set(act, ms),
  setInterval(act: () => void, ms: number): Timer {
    const timer = new Timer()
    const again = () => {
      set(again, ms, timer)
      act()
    }
    return set(again, ms, timer)
  },
  setImmediate(act: () => void): void {
    const log = logNow()
    const key = log ? numbered('turn') : ''
    if (log?.mode === 'replay') awaitEntry(key, { act, due: standsAt() })
    else setImmediate(() => enter(key, act))
  },
  /** For what is only shown: nothing enters, and no record knows of it. Returns what ends it. */
  tick(act: () => void, ms: number): () => void {
    const ticking = setInterval(act, ms).unref()
    return () => clearInterval(ticking)
  },
  clear(timer: Timer | undefined): void {
    if (!timer) return
    timer.isOff = true
    clearTimeout(timer.real)
    forget(timer.key)
  },
  /** Looks at this machine again and again; what it finds enters. */
  watch(key: string, ms: number, isFound: () => boolean, act: () => void): () => void {
    const log = logNow()
    awaitEntry(key, { act })
    if (log?.mode === 'replay') return () => {}
    const looking = setInterval(() => {
      if (!isFound()) return
      clearInterval(looking)
      if (log) enter(key, act)
      else act()
    }, ms).unref()
    return () => clearInterval(looking)
  },
}

/** Chance that is not drawn from SEED: it differs from run to run, but not from a record to its replay. */
export const chance = {
  uuid(): string {
    const log = logNow()
    if (!log) return randomUUID()
    const hex = createHash('sha256')
      .update(`${log.chance} ${numbered('chance')}`)
      .digest('hex')
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5')
  },
  hex: (digits: number): string => chance.uuid().replaceAll('-', '').slice(0, digits),
  below: (limit: number): number => Math.floor(limit * Math.random()),
}
