import { counted } from '../engine/counted.ts'
import { clock } from '../engine/time/timers.ts'
import type { Wait } from '../engine/time/waits.ts'
import type { Out } from './console.ts'
import { printable } from './parts/texts.ts'
import { inSeconds, Progress } from './progress.ts'

type Live = {
  /** `expected`: about how many requests of a kind will be answered */
  collected(total: number, expected?: Readonly<Record<string, number>>): void
  started(id: string): void
  judged(id: string): void
  /** so many more were sent, and of each kind so many more answered */
  requested(count: number, answers?: Readonly<Record<string, number>>): void
  /** all waits under way */
  waits(waits: readonly Wait[]): void
  end(): void
}

export function liveLine(out: Out): Live {
  const start = clock.now()
  const progress = new Progress()
  let requests = 0
  let drawn = out.isTTY ? 0 : start
  let endTicking: (() => void) | undefined

  const draw = (force = false) => {
    const now = clock.now()
    const every = out.isTTY ? 80 : 10_000
    if (!force && now - drawn < every) return
    drawn = now
    const elapsed = inSeconds(now - start)
    const line = `${progress.count()}  ${requests} requests  ${elapsed}  ${printable(progress.describe())}`
    out.write(out.isTTY ? `\r\u001b[K${line.slice(0, (out.columns ?? 80) - 1)}` : `${line}\n`)
  }
  const tick = (isWaiting: boolean) => {
    if (isWaiting) endTicking ??= clock.tick(draw, 1000)
    else {
      endTicking?.()
      endTicking = undefined
    }
  }

  return {
    collected: (count, expected = {}) => {
      progress.collect(count, expected)
      if (out.isTTY) draw(true)
      else if (count > 0) out.write(`checking ${counted(count, 'clause')}\n`)
    },
    started: (id) => {
      progress.start(id)
      draw()
    },
    judged: (id) => {
      progress.judge(id)
      draw()
    },
    requested: (count, answers = {}) => {
      requests += count
      progress.answer(answers)
      draw()
    },
    waits: (waits) => {
      progress.wait(waits)
      // During a wait nothing else may call for a new line.
      tick(waits.length > 0)
    },
    end: () => {
      tick(false)
      if (out.isTTY) out.write('\r\u001b[K')
    },
  }
}
