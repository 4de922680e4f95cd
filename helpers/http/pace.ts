/** The right to have one request in flight; called to give it back, once or more often. */
export type Slot = () => void

export type Pace = {
  /** the most slots that can be had together */
  readonly most: number
  /** waits in line for n slots, and gets them all at the same moment */
  take(n: number, signal?: AbortSignal): Promise<Slot[]>
}

type Waiting = { n: number; go: (slots: Slot[]) => void }

/** Keeps to so many requests in flight and so many starts in any one second, first come first. */
export function openPace(limits: { concurrency: number; requestsPerSecond?: number }): Pace {
  const rate = limits.requestsPerSecond ?? Number.POSITIVE_INFINITY
  const perWindow = Math.max(1, Math.floor(rate))
  // less than one a second: one in a longer window
  const window = Math.max(1000, 1000 / rate)
  const most = Math.min(limits.concurrency, perWindow)
  const line: Waiting[] = []
  let starts: number[] = []
  let free = limits.concurrency
  let alarm: NodeJS.Timeout | undefined

  function slot(): Slot {
    let held = true
    return () => {
      if (!held) return
      held = false
      free++
      advance()
    }
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
      if (Number.isFinite(rate)) starts.push(...Array(next.n).fill(performance.now()))
      next.go(Array.from({ length: next.n }, slot))
    }
  }

  function rateWait(n: number): number {
    if (!Number.isFinite(rate)) return 0
    const now = performance.now()
    starts = starts.filter((start) => start > now - window)
    const inTheWay = starts[starts.length + n - perWindow - 1]
    return inTheWay === undefined ? 0 : inTheWay + window - now
  }

  return {
    most,
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
