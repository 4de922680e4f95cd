import { pause } from './abort.ts'

/** What was seen last, whether that will do, and how long it took. */
export type Polled<T> = { last: T; met: boolean; milliseconds: number }

export type PollLimits = {
  /** how long to go on; 0: one look */
  limitMs: number
  /** ends the waiting with its reason */
  stop: AbortSignal
  /** before the second look; each pause is twice the one before, up to `maxMs` */
  firstMs?: number
  /** somebody looked just now: the pause comes first */
  isSeen?: boolean
  maxMs?: number
  /** the last look is asked for when the time is over: what a slow one shows is older than its end */
  askLate?: boolean
}

/** Looks until what is seen will do or the time is over: at first quickly, then less and less. */
export async function poll<T>(
  look: () => Promise<T>,
  willDo: (seen: T) => boolean,
  { limitMs, stop, firstMs = 20, isSeen = false, maxMs = 4000, askLate }: PollLimits,
): Promise<Polled<T>> {
  const start = performance.now()
  let wait = firstMs
  // The last look is at the very end of the time. Timers drop fractions of a millisecond.
  const pauseAfter = async (milliseconds: number) => {
    await pause(Math.min(wait, Math.ceil(limitMs - milliseconds)), stop)
    wait = Math.min(wait * 2, maxMs)
  }
  if (isSeen) await pauseAfter(0)
  for (;;) {
    stop.throwIfAborted()
    const asked = performance.now() - start
    const last = await look()
    const milliseconds = performance.now() - start
    const met = willDo(last)
    if (met || (askLate ? asked : milliseconds) >= limitMs) return { last, met, milliseconds }
    await pauseAfter(milliseconds)
  }
}
