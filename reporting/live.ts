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
type Kind = { expected: number; answered: number; first?: Answered; due: number }

const roughly = (ms: number) =>
  ms < 90_000 ? `${Math.ceil(ms / 10_000) * 10} s` : `${Math.round(ms / 60_000)} min`

export function liveLine(out: Out): Live {
  const start = clock.now()
  let total = 0
  let done = 0
  let requests = 0
  // All begin at once and most wait: the last one to end shows the progress.
  const underWay = new Set<string>()
  let last = ''
  let drawn = out.isTTY ? 0 : start

  /** kinds whose number is expected; from the first answers on, later ones show how long each takes */
  const kinds = new Map<string, Kind>()

  /** How long a kind still takes, by a tenth of its answers or more; below 0 once it took longer. */
  const leftOf = ({ expected, answered, due }: Kind, now: number) =>
    answered * 10 < expected ? 0 : due - now

  const where = (now: number) => {
    const [one] = underWay
    if (total - done <= few && one) return `waiting for ${[...underWay].join(', ')}`
    const lefts = [...kinds].map(([kind, known]) => ({ kind, left: leftOf(known, now) }))
    const [slow] = lefts.sort((a, b) => b.left - a.left)
    if (slow && slow.left > 0 && one) return `about ${roughly(slow.left)} left for ${slow.kind}`
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
    out.write(out.isTTY ? `\r\u001b[K${line.slice(0, (out.columns ?? 80) - 1)}` : `${line}\n`)
  }

  return {
    collected: (count, expected = {}) => {
      // Owners run after the others.
      total += count
      for (const [kind, number] of Object.entries(expected)) {
        const known = kinds.get(kind) ?? { expected: 0, answered: 0, due: 0 }
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
        if (!answers[kind]) continue
        const now = clock.now()
        known.answered += answers[kind]
        known.first ??= { count: known.answered, at: now }
        const { expected, answered, first } = known
        const each = (now - first.at) / Math.max(1, answered - first.count)
        known.due = now + (expected - answered) * each
      }
      draw()
    },
    end: () => {
      if (out.isTTY) out.write('\r\u001b[K')
    },
  }
}
