// The only clock, timers and chance of a run.

import { createHash, randomUUID } from 'node:crypto'
import {
  awaitEntry,
  awaitTimer,
  beganAt,
  chanceOf,
  enter,
  forgetTimer,
  modeOf,
  numbered,
  standsAt,
} from './entries.ts'

/** A timer that is set. */
export class Timer {
  isOff = false
  real: NodeJS.Timeout | undefined
  key: string | undefined
  unref(): this {
    this.real?.unref()
    return this
  }
}

function set(act: () => void, ms: number, timer = new Timer()): Timer {
  const ring = () => {
    if (!timer.isOff) act()
  }
  if (modeOf() === 'plain') {
    timer.real = setTimeout(ring, ms)
    return timer
  }
  const key = numbered('timer')
  timer.key = key
  // As Node rounds: whole milliseconds, one at least.
  if (modeOf() === 'replay') awaitTimer(key, Math.max(1, Math.trunc(ms)), ring)
  else timer.real = setTimeout(() => enter(key, ring), ms)
  return timer
}

export const clock = {
  /** milliseconds for differences; it never goes back */
  now: (): number => (modeOf() === 'plain' ? performance.now() : 1000 + standsAt()),
  /** the date in milliseconds */
  date: (): number => (modeOf() === 'plain' ? Date.now() : Math.floor(beganAt() + standsAt())),
  iso: (): string => new Date(clock.date()).toISOString(),
  setTimeout: (act: () => void, ms = 0): Timer => set(act, ms),
  setInterval(act: () => void, ms: number): Timer {
    const timer = new Timer()
    const next = (): Timer =>
      set(
        () => {
          next()
          act()
        },
        ms,
        timer,
      )
    return next()
  },
  setImmediate(act: () => void): void {
    if (modeOf() === 'plain') setImmediate(act)
    else if (modeOf() === 'replay') awaitTimer(numbered('timer'), 0, act)
    else {
      const key = numbered('timer')
      setImmediate(() => enter(key, act))
    }
  },
  clear(timer: Timer | undefined): void {
    if (!timer) return
    timer.isOff = true
    clearTimeout(timer.real)
    if (timer.key) forgetTimer(timer.key)
  },
  sleep: (ms: number): Promise<void> =>
    new Promise((resolve) => {
      set(resolve, ms)
    }),
  /** Looks at this machine again and again; what it finds enters. Returns a function that ends it. */
  watch(key: string, ms: number, isFound: () => boolean, act: () => void): () => void {
    const mode = modeOf()
    if (mode === 'replay') {
      awaitEntry(key, { act, missing: () => {} })
      return () => {}
    }
    const looking = setInterval(() => {
      if (!isFound()) return
      clearInterval(looking)
      if (mode === 'plain') act()
      else enter(key, act)
    }, ms).unref()
    return () => clearInterval(looking)
  },
}

/** The next 16 bytes that follow from the record's own seed. */
const draw = (): Buffer =>
  createHash('sha256')
    .update(`${chanceOf()} ${numbered('chance')}`)
    .digest()
    .subarray(0, 16)

/** Chance that is not drawn from SEED: it differs from run to run. */
export const chance = {
  uuid(): string {
    if (modeOf() === 'plain') return randomUUID()
    const bytes = draw()
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  },
  /** so many hexadecimal digits, 32 at most */
  hex: (digits: number): string => chance.uuid().replaceAll('-', '').slice(0, digits),
  /** tests seed it */
  below: (limit: number): number => Math.floor(limit * Math.random()),
}
