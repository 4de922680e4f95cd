import { counted } from '../engine/counted.ts'
import { clock } from '../engine/time/timers.ts'
import type { Out } from './console.ts'
import { printable } from './parts/printable.ts'

type Live = {
  /** `expected`: about how many requests of a kind will be answered */
  collected(total: number, expected?: Readonly<Record<string, number>>): void
  started(id: string): void
  judged(id: string): void
  /** so many more were sent, and of each kind so many more answered */
  requested(count: number, answers?: Readonly<Record<string, number>>): void
  end(): void
}

/** With this few left, name the clauses that the run waits for. */
const few = 3

type Answered = { count: number; at: number }

const roughly = (ms: number) =>
  ms < 90_000 ? `${Math.ceil(ms / 10_000) * 10} s` : `${Math.round(ms / 60_000)} min`

/** The progress of a run: one line that is overwritten on a terminal, an occasional line in CI. */
export function liveLine(out: Out): Live {
  const start = clock.now()
  const width = () => (out.columns ?? 80) - 1
  let total = 0
  let done = 0
  let requests = 0
  // All begin at once and most wait: the last one to end shows the progress.
  const underWay = new Set<string>()
  let last = ''
  let drawn = 0

  /** kinds whose number is expected; from the first answers on, later ones show how long each takes */
  const kinds = new Map<string, { expected: number; answered: number; first?: Answered }>()

  /** How long the slowest kind still takes; undefined: no answer of such a kind has come. */
  const leftMs = (now: number): number | undefined => {
    const each = [...kinds.values()].flatMap(({ expected, answered, first }) => {
      if (!first) return []
      const later = answered - first.count
      const ms = later > 0 ? (now - first.at) / later : (now - start) / answered
      return [Math.max(0, expected - answered) * ms]
    })
    return each.length > 0 ? Math.max(...each) : undefined
  }

  const where = () => {
    if (total - done <= few && underWay.size > 0) return `waiting for ${[...underWay].join(', ')}`
    return last && `last: ${last}`
  }

  const draw = (force = false) => {
    const now = clock.now()
    const every = out.isTTY ? 80 : 10_000
    if (!force && now - drawn < every) return
    drawn = now
    const elapsed = ((now - start) / 1000).toFixed(1)
    const left = leftMs(now)
    const estimate = left === undefined ? '' : `  about ${roughly(left)} left`
    const line = `${done}/${total} clauses  ${requests} requests  ${elapsed} s${estimate}  ${printable(where())}`
    out.write(out.isTTY ? `\r\u001b[K${line.slice(0, width())}` : `${line}\n`)
  }
  drawn = out.isTTY ? 0 : start

  return {
    collected: (count, expected = {}) => {
      // Owners run after the others.
      total += count
      for (const [kind, number] of Object.entries(expected)) {
        const known = kinds.get(kind) ?? { expected: 0, answered: 0 }
        kinds.set(kind, { ...known, expected: known.expected + number })
      }
      if (out.isTTY) draw(true)
      else if (count > 0) out.write(`checking ${counted(count, 'clause')}\n`)
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
    requested: (count, answers = {}) => {
      requests += count
      for (const [kind, known] of kinds) {
        known.answered += answers[kind] ?? 0
        if (answers[kind]) known.first ??= { count: known.answered, at: clock.now() }
      }
      draw()
    },
    end: () => {
      if (out.isTTY) out.write('\r\u001b[K')
    },
  }
}
