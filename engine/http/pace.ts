import { clock, type Timer } from '../time/timers.ts'
/** The right to one request in flight; call it to give the right back, once or more often. */
export type Slot = {
  (): void
  /** it is sent now: a busy process may take a while from the grant to the sending */
  sent(): void
}

/** When a request was granted, and when it was sent. */
type Start = { at: number }

/** How far above the accepted rate to try. */
const above = 1.3
/** How much the rate grows after a while without a 429. */
const growth = 1.5

type Waiting = { n: number; go: (slots: Slot[]) => void }

/**
 * Limits the requests in flight and the starts per second, first come first served in each line. After "too
 * many requests" it follows the accepted rate and tries a little more. Without them the rate grows again.
 */
export function openPace({
  concurrency,
  requestsPerSecond = Number.POSITIVE_INFINITY,
}: {
  concurrency: number
  requestsPerSecond?: number
}) {
  // Below one per second the window is longer. On the wire two may come a little closer.
  const window = Math.max(1000, 1000 / requestsPerSecond) + 20
  const period = 2 * window
  let learned = Number.POSITIVE_INFINITY
  let learnedAt = Number.NEGATIVE_INFINITY
  let refusedAt = Number.NEGATIVE_INFINITY
  let measuredFrom = 0
  /** since then */
  let accepted = 0
  const perWindow = (now = clock.now()) => {
    const calm = Math.max(0, Math.floor((now - Math.max(learnedAt, refusedAt)) / period))
    return Math.max(1, Math.floor(Math.min(requestsPerSecond, learned * growth ** calm)))
  }
  const most = Math.min(concurrency, perWindow())
  const ahead: Waiting[] = []
  const behind: Waiting[] = []
  let last = behind
  let starts: Start[] = []
  let free = concurrency
  let alarm: Timer | undefined

  function slotOf(start: Start): Slot {
    let held = true
    const giveBack = () => {
      if (!held) return
      held = false
      free++
      // Let a caller that sends one request after another ask for its next one first.
      clock.setImmediate(advance)
    }
    const sent = () => {
      start.at = clock.now()
    }
    return Object.assign(giveBack, { sent })
  }

  // Only the first in line is served: a request for many slots must not be overtaken forever.
  function advance() {
    clock.clear(alarm)
    for (;;) {
      const other = last === ahead ? behind : ahead
      const line = other.length > 0 ? other : last
      const [next] = line
      if (!next || next.n > free) return
      const wait = rateWait(next.n)
      if (wait > 0) {
        alarm = clock.setTimeout(advance, Math.ceil(wait) + 1)
        return
      }
      line.shift()
      last = line
      free -= next.n
      const begun = Array.from({ length: next.n }, () => ({ at: clock.now() }))
      starts.push(...begun)
      next.go(begun.map(slotOf))
    }
  }

  function rateWait(n: number): number {
    const now = clock.now()
    starts = starts.filter(({ at }) => at > now - window)
    const limit = perWindow(now)
    if (starts.length + n <= limit) return 0
    const inTheWay = starts.sort((a, b) => a.at - b.at)[starts.length + n - limit - 1]
    return inTheWay ? Math.max(0, inTheWay.at + window - now) : 0
  }

  return {
    /** an answer came; `tooMany`: it asks to wait */
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
    /** waits for n slots and gets them at the same moment, or as many as possible; the two lines take turns */
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
