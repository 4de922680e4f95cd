import { clock, type Timer } from '../time/timers.ts'
/** call it to give the right to one request in flight back, once or more often */
export type Slot = {
  (): void
  /** a busy process may take a while from the grant to the sending */
  sent(): void
}

const above = 1.3
const growth = 1.5
/** A second, and a little: on the wire two requests may come closer. */
const windowMs = 1020
const period = 2 * windowMs

type Waiting = { n: number; go: (slots: Slot[]) => void }

/** Limits the requests in flight and spaces their starts. After a 429 it follows the accepted rate. */
export function openPace({
  concurrency,
  requestsPerSecond = Number.POSITIVE_INFINITY,
}: {
  concurrency: number
  requestsPerSecond?: number
}) {
  let learned = Number.POSITIVE_INFINITY
  let learnedAt = Number.NEGATIVE_INFINITY
  let refusedAt = Number.NEGATIVE_INFINITY
  let measuredFrom = 0
  /** since `measuredFrom` */
  let accepted = 0
  const rateAt = (now: number) => {
    const calm = Math.max(0, Math.floor((now - Math.max(learnedAt, refusedAt)) / period))
    return Math.min(requestsPerSecond, learned * growth ** calm)
  }
  const most = Math.max(1, Math.min(concurrency, Math.floor(requestsPerSecond)))
  const ahead: Waiting[] = []
  const behind: Waiting[] = []
  let served = behind
  let last = { at: Number.NEGATIVE_INFINITY, n: 1 }
  let free = concurrency
  let alarm: Timer | undefined

  function createSlot(): Slot {
    let held = true
    const giveBack = () => {
      if (!held) return
      held = false
      free++
      // Let a caller that sends one request after another ask for its next one first.
      clock.setImmediate(advance)
    }
    const sent = () => {
      last.at = clock.now()
    }
    return Object.assign(giveBack, { sent })
  }

  // Only the first in line is served: a request for many slots must not be overtaken forever.
  function advance() {
    clock.clear(alarm)
    for (;;) {
      const other = served === ahead ? behind : ahead
      const line = other.length > 0 ? other : served
      const [next] = line
      if (!next || next.n > free) return
      const now = clock.now()
      // So spaced, no second holds more than the rate, however many start together.
      const wait = last.at + ((next.n + last.n - 1) * windowMs) / rateAt(now) - now
      if (wait > 0) {
        alarm = clock.setTimeout(advance, Math.ceil(wait))
        return
      }
      line.shift()
      served = line
      last = { at: now, n: next.n }
      free -= next.n
      next.go(Array.from({ length: next.n }, createSlot))
    }
  }

  return {
    answered(tooMany: boolean) {
      const now = clock.now()
      if (!tooMany) {
        accepted += 1
        return
      }
      // A single 429 says nothing: the rate is measured while they continue.
      const isNew = now - refusedAt > period
      refusedAt = now
      if (!isNew && now - measuredFrom < period) return
      if (!isNew) {
        learned = ((accepted * 1000) / (now - measuredFrom)) * above + 1
        learnedAt = now
      }
      measuredFrom = now
      accepted = 0
    },
    /** the same moment for n slots, or for as many as possible */
    take(n: number, signal?: AbortSignal, isAhead = false): Promise<Slot[]> {
      const line = isAhead ? ahead : behind
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const leave = () => {
          line.splice(line.indexOf(waiting), 1)
          reject(signal?.reason)
          advance()
        }
        const waiting: Waiting = {
          n: Math.max(1, Math.min(n, most)),
          go: (slots) => {
            signal?.removeEventListener('abort', leave)
            resolve(slots)
          },
        }
        signal?.addEventListener('abort', leave, { once: true })
        line.push(waiting)
        advance()
      })
    },
  }
}
