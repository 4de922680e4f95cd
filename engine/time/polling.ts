import { pause } from './abort.ts'
import { clock } from './timers.ts'
import type { Waiting } from './waits.ts'

type Polled<T> = { last: T; met: boolean; milliseconds: number }

export type PollLimits = {
  limitMs: number
  stop: AbortSignal
  /** each pause is twice the one before */
  firstMs?: number
  isSeen?: boolean
  maxMs?: number
  /** from the first pause on */
  waiting?: Waiting
  /** start the last look after the time is over: a slow look shows a state older than its end */
  askLate?: boolean
}

export async function poll<T>(
  look: () => Promise<T>,
  willDo: (seen: T) => boolean,
  { limitMs, stop, firstMs = 20, isSeen = false, maxMs = 4000, waiting, askLate }: PollLimits,
): Promise<Polled<T>> {
  const start = clock.now()
  let wait = firstMs
  let end: (() => void) | undefined
  // Look once more at the very end. Timers drop fractions of a millisecond.
  const pauseAfter = async (milliseconds: number) => {
    end ??= waiting?.(limitMs - milliseconds)
    await pause(Math.min(wait, Math.ceil(limitMs - milliseconds)), stop)
    wait = Math.min(wait * 2, maxMs)
  }
  try {
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
  } finally {
    end?.()
  }
}
