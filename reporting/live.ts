import type { Out } from './console.ts'
import { printable } from './parts/printable.ts'

export type Live = {
  collected(total: number): void
  started(id: string): void
  judged(id: string): void
  requested(count: number): void
  end(): void
}

/** With this few left, name the clauses that the run waits for. */
const few = 3

/** The progress of a run: one line that is overwritten on a terminal, an occasional line in CI. */
export function liveLine(out: Out): Live {
  const start = performance.now()
  const width = () => (out.columns ?? 80) - 1
  let total = 0
  let done = 0
  let requests = 0
  // All begin at once and most wait: the last one to end shows the progress.
  const underWay = new Set<string>()
  let last = ''
  let drawn = 0

  const where = () => {
    if (total - done <= few && underWay.size > 0) return `waiting for ${[...underWay].join(', ')}`
    return last && `last: ${last}`
  }

  const draw = (force = false) => {
    const now = performance.now()
    const every = out.isTTY ? 80 : 10_000
    if (!force && now - drawn < every) return
    drawn = now
    const elapsed = ((now - start) / 1000).toFixed(1)
    const line = `${done}/${total} clauses  ${requests} requests  ${elapsed} s  ${printable(where())}`
    out.write(out.isTTY ? `\r\u001b[K${line.slice(0, width())}` : `${line}\n`)
  }
  drawn = out.isTTY ? 0 : start

  return {
    collected: (count) => {
      // Owners run after the others.
      total += count
      if (out.isTTY) draw(true)
      else if (count > 0) out.write(`checking ${count} ${count === 1 ? 'clause' : 'clauses'}\n`)
    },
    started: (id) => {
      underWay.add(id)
      draw()
    },
    judged: (id) => {
      underWay.delete(id)
      last = id
      done += 1
      draw()
    },
    requested: (count) => {
      requests += count
      draw()
    },
    end: () => {
      if (out.isTTY) out.write('\r\u001b[K')
    },
  }
}
