// If a service works on one request at a time, no more are sent than it answers in time.

import { orAborted } from '../../time/abort.ts'
import type { Kind } from './silence.ts'

/** Called when a request has ended, with how long its accepted answer took; Infinity without one. */
export type Place = {
  (milliseconds?: number): void
  isAlone: boolean
}

type Pace = {
  underway: number
  /** the longest time of an answer, shared by the requests in line; 0: none was answered */
  each: number
  /** how many were under way when the last of them took no longer than one alone */
  together: number
}

const [filesAtFirst, othersAtFirst] = [2, 4]
/** Answers vary this much even without a queue. */
const slackMs = 50

export function watchLoad() {
  const paces = new Map<string, Pace>()
  const waiting: (() => void)[] = []
  const open = new Set<Place>()
  let lone = 0

  const paceOf = ({ name }: Kind): Pace => {
    const pace = paces.get(name) ?? { underway: 0, each: 0, together: 1 }
    paces.set(name, pace)
    return pace
  }
  /** the requests under way that may stand in one line; quicker kinds do not wait for these */
  const inLine = ({ each }: Pace) =>
    [...paces.values()].reduce(
      (sum, other) => sum + (other.each === 0 || 4 * other.each >= each ? other.underway : 0),
      0,
    )
  const most = (kind: Kind, limitMs: number) => {
    const { each, together } = paceOf(kind)
    if (each === 0) return kind.isFile ? filesAtFirst : othersAtFirst
    return Math.max(together, Math.floor(limitMs / 2 / each))
  }

  return {
    most,
    /** waits until another request is answered in half of its time; `alone`: until no other is under way */
    async take(kind: Kind, limitMs: number, signal: AbortSignal, alone = false): Promise<Place> {
      const pace = paceOf(kind)
      const mustWait = () =>
        alone ? open.size > 0 : lone > 0 || inLine(pace) >= most(kind, limitMs)
      const leave = () => {
        if (alone) lone -= 1
        for (const go of waiting.splice(0)) go()
      }
      if (alone) lone += 1
      try {
        while (mustWait()) {
          const turn = new Promise<void>((resolve) => waiting.push(resolve))
          await orAborted(turn, signal)
        }
      } catch (error) {
        leave()
        throw error
      }
      const place = inLine(pace) + 1
      pace.underway += 1
      const end = (milliseconds?: number) => {
        if (!open.delete(one)) return
        pace.underway -= 1
        if (milliseconds === Number.POSITIVE_INFINITY) pace.together = 1
        else if (milliseconds !== undefined) {
          pace.each = Math.max(pace.each, milliseconds / place)
          if (milliseconds <= 1.5 * pace.each + slackMs)
            pace.together = Math.max(pace.together, place)
        }
        leave()
      }
      for (const other of open) other.isAlone = false
      const one: Place = Object.assign(end, { isAlone: open.size === 0 })
      open.add(one)
      return one
    },
  }
}
