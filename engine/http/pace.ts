/** The right to have one request in flight; called to give it back, once or more often. */
export type Slot = {
  (): void
  /** it is sent now: a busy process may lose a while between letting it go and that */
  sent(): void
}

export type Pace = {
  /** the most slots that can be had together */
  readonly most: number
  /** waits in line for n slots, and gets them all at the same moment */
  take(n: number, signal?: AbortSignal): Promise<Slot[]>
  /** the service asks for a pause: nobody starts before it is over, and then at half the pace */
  slowDown(pauseMs: number): void
}

/** When a request was let go, and then when it was sent. */
type Start = { at: number }

type Waiting = { n: number; go: (slots: Slot[]) => void }

/** Keeps to so many requests in flight and so many starts in any one second, first come first. */
export function openPace(limits: { concurrency: number; requestsPerSecond?: number }): Pace {
  let rate = limits.requestsPerSecond ?? Number.POSITIVE_INFINITY
  const perWindow = () => Math.max(1, Math.floor(rate))
  // less than one a second: one in a longer window; on their way two may come closer by a little
  const window = Math.max(1000, 1000 / rate) + 20
  const most = Math.min(limits.concurrency, perWindow())
  let heldUntil = 0
  let slowedAt = Number.NEGATIVE_INFINITY
  const line: Waiting[] = []
  let starts: Start[] = []
  let free = limits.concurrency
  let alarm: NodeJS.Timeout | undefined

  function slotOf(start: Start): Slot {
    let held = true
    const giveBack = () => {
      if (!held) return
      held = false
      free++
      advance()
    }
    const sent = () => {
      start.at = performance.now()
    }
    return Object.assign(giveBack, { sent })
  }

  // only the first in line is looked at: one who wants many is not overtaken for ever
  function advance() {
    clearTimeout(alarm)
    for (let next = line[0]; next && next.n <= free; next = line[0]) {
      const wait = rateWait(next.n)
      if (wait > 0) {
        alarm = setTimeout(advance, Math.ceil(wait) + 1)
        return
      }
      line.shift()
      free -= next.n
      const begun = Array.from({ length: next.n }, () => ({ at: performance.now() }))
      starts.push(...begun)
      next.go(begun.map(slotOf))
    }
  }

  function rateWait(n: number): number {
    const now = performance.now()
    starts = starts.filter(({ at }) => at > now - window)
    const held = Math.max(heldUntil - now, 0)
    if (!Number.isFinite(rate)) return held
    const sorted = starts.map(({ at }) => at).sort((a, b) => a - b)
    const inTheWay = sorted[sorted.length + n - perWindow() - 1]
    return Math.max(held, inTheWay === undefined ? 0 : inTheWay + window - now)
  }

  function slowDown(pauseMs: number) {
    const now = performance.now()
    heldUntil = Math.max(heldUntil, now + pauseMs)
    // Of requests that were under way together each is refused: that is one sign, not many.
    if (now - slowedAt < window) return
    slowedAt = now
    const recent = starts.filter(({ at }) => at > now - window).length
    rate = Math.max(1, Math.min(rate, recent) / 2)
  }

  return {
    most,
    slowDown,
    take(n, signal) {
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
