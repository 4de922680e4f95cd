import { counted } from '../engine/counted.ts'
import { clock } from '../engine/time/timers.ts'
import type { Out } from './console.ts'
import { printable } from './parts/texts.ts'

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

  /** How long a kind still takes; 0 if none is awaited, or a first answer alone came. */
  const leftOf = (kind: string, now: number) => {
    const { expected = 0, answered = 0, first } = kinds.get(kind) ?? {}
    const later = answered - (first?.count ?? answered)
    if (!first || later === 0) return 0
    return Math.max(0, ((expected - answered) * (now - first.at)) / later)
  }

  const where = (now: number) => {
    const [one] = underWay
    if (total - done <= few && one) return `waiting for ${[...underWay].join(', ')}`
    const [slow] = [...kinds.keys()].sort((a, b) => leftOf(b, now) - leftOf(a, now))
    const left = slow === undefined ? 0 : leftOf(slow, now)
    if (left > 0) return `about ${roughly(left)} left for ${slow}`
    const isAnswered = kinds.size > 0 && [...kinds.values()].every(({ first }) => first)
    if (isAnswered && one) return `waiting for ${counted(underWay.size, 'clause')}, such as ${one}`
    return last && `last: ${last}`
  }

  const draw = (force = false) => {
    const now = clock.now()
    const every = out.isTTY ? 80 : 10_000
    if (!force && now - drawn < every) return
    drawn = now
    const elapsed = ((now - start) / 1000).toFixed(1)
    const line = `${done}/${total} clauses  ${requests} requests  ${elapsed} s  ${printable(where(now))}`
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
