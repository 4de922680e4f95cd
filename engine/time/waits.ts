import { clock } from './timers.ts'

/** What a run waits for, and until when at most: a time of clock.date(). */
export type Wait = { what: string; until: number }

/** Begins a wait of at most so many milliseconds, and returns what ends it. */
export type Waiting = (limitMs: number) => () => void

/** Says which waits are under way whenever one begins or ends. */
export function createWaits(say: (waits: readonly Wait[]) => void) {
  const underWay = new Set<Wait>()
  return (what: string): Waiting =>
    (limitMs) => {
      const wait = { what, until: clock.date() + limitMs }
      underWay.add(wait)
      say([...underWay])
      return () => {
        underWay.delete(wait)
        say([...underWay])
      }
    }
}
