import { pause } from './abort.ts'
import { clock } from './timers.ts'

/** The last look, whether it met the condition, and how long it all took. */
export type Polled<T> = { last: T; met: boolean; milliseconds: number }

export type PollLimits = {
  /** how long to go on; 0: one look */
  limitMs: number
  stop: AbortSignal
  /** before the second look; each pause is twice the one before, up to `maxMs` */
  firstMs?: number
  /** a look was just made: pause first */
  isSeen?: boolean
  maxMs?: number
  /** start the last look after the time is over: a slow look shows a state older than its end */
  askLate?: boolean
}

/** Looks until the condition is met or the time is over, less and less often. */
export async function poll<T>(
  look: () => Promise<T>,
  willDo: (seen: T) => boolean,
  { limitMs, stop, firstMs = 20, isSeen = false, maxMs = 4000, askLate }: PollLimits,
): Promise<Polled<T>> {
  const start = clock.now()
  let wait = firstMs
  // Look once more at the very end. Timers drop fractions of a millisecond.
  const pauseAfter = async (milliseconds: number) => {
    await pause(Math.min(wait, Math.ceil(limitMs - milliseconds)), stop)
    wait = Math.min(wait * 2, maxMs)
  }
  if (isSeen) await pauseAfter(0)
  for (;;) {
    stop.throwIfAborted()
    const asked = clock.now() - start
    const last = await look()
    const milliseconds = clock.now() - start
    const met = willDo(last)
    if (met || (askLate ? asked : milliseconds) >= limitMs) return { last, met, milliseconds }
    await pauseAfter(milliseconds)
  }
}
