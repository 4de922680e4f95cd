import { counted } from '../engine/counted.ts'
import { clock } from '../engine/time/timers.ts'
import type { Wait } from '../engine/time/waits.ts'

/** With this few left, name the clauses that the run waits for. */
const few = 3

/** After so long without a verdict, say what the run waits for. */
const quietMs = 1000

type RequestKind = {
  name: string
  expected: number
  answered: number
  /** how many were answered when the first were counted, and when */
  first?: { count: number; at: number }
  /** the time from one answer to the next */
  intervalMs: number
  due: number
}

type Estimate = Pick<RequestKind, 'name' | 'expected' | 'intervalMs' | 'due'> & {
  /** the earliest that was shown: a later one needs a reason */
  promised: number
  why?: string | undefined
}

/** Estimates are shown in such steps: one that becomes later by less does not change. */
const stepMs = 10_000

const roughly = (ms: number) =>
  ms < 90_000 ? `${Math.ceil(ms / stepMs) * 10} s` : `${Math.round(ms / 60_000)} min`

/** How far a run is, and what it does or waits for. */
export class Progress {
  #total = 0
  #done = 0
  /** All begin at once and most wait: the last one to end shows the progress. */
  #last = ''
  #judgedAt = clock.now()
  readonly #underWay = new Set<string>()
  /** kinds whose number is expected; from the first answers on, later ones show how long each takes */
  readonly #kinds = new Map<string, RequestKind>()
  #waits: readonly Wait[] = []
  #shown: Estimate | undefined

  collect(count: number, expected: Readonly<Record<string, number>>): void {
    // Owners run after the others.
    this.#total += count
    for (const [name, number] of Object.entries(expected)) {
      const kind = this.#kinds.get(name) ?? {
        name,
        expected: 0,
        answered: 0,
        intervalMs: 0,
        due: 0,
      }
      this.#kinds.set(name, { ...kind, expected: kind.expected + number })
    }
  }

  start(id: string): void {
    this.#underWay.add(id)
  }

  judge(id: string): void {
    this.#underWay.delete(id)
    this.#last = id
    this.#done += 1
    this.#judgedAt = clock.now()
  }

  answer(answers: Readonly<Record<string, number>>): void {
    const now = clock.now()
    for (const kind of this.#kinds.values()) {
      const more = answers[kind.name]
      if (!more) continue
      kind.answered += more
      kind.first ??= { count: kind.answered, at: now }
      kind.intervalMs = (now - kind.first.at) / Math.max(1, kind.answered - kind.first.count)
      kind.due = now + (kind.expected - kind.answered) * kind.intervalMs
    }
  }

  wait(waits: readonly Wait[]): void {
    this.#waits = waits
  }

  count(): string {
    return `${this.#done}/${this.#total} clauses`
  }

  describe(): string {
    const now = clock.now()
    const clauses = [...this.#underWay]
    const lastJudged = this.#last && `last: ${this.#last}`
    if (clauses.length === 0) return lastJudged
    const isQuiet = now - this.#judgedAt >= quietMs
    const waits = isQuiet ? describeWaits(this.#waits, clock.date()) : ''
    if (this.#total - this.#done <= few)
      return `waiting for ${clauses.join(', ')}${waits && `: ${waits}`}`
    const estimate = this.#estimate(now)
    if (estimate) return describeEstimate(estimate, now)
    const clausesUnderWay = `${counted(clauses.length, 'clause')}, such as ${clauses[0]}`
    if (waits) return `waiting for ${waits}: ${clausesUnderWay}`
    const kinds = [...this.#kinds.values()]
    const areAnswered = kinds.length > 0 && kinds.every(isKnown)
    return areAnswered ? `waiting for ${clausesUnderWay}` : lastJudged
  }

  /** The time that the slowest kind still takes. */
  #estimate(now: number): Estimate | undefined {
    const [slowest] = [...this.#kinds.values()]
      .filter((kind) => isKnown(kind) && kind.due > now)
      .sort((one, other) => other.due - one.due)
    if (!slowest) return undefined
    this.#shown = estimateAfter(this.#shown, slowest, now)
    return this.#shown
  }
}

/** A later time than was shown before has its reason. */
function estimateAfter(shown: Estimate | undefined, slowest: RequestKind, now: number): Estimate {
  const { due } = slowest
  if (!shown || due <= shown.promised) return { ...slowest, promised: due }
  if (due < shown.due) return { ...shown, ...slowest }
  const isLater = due > shown.due + stepMs || shown.due <= now
  if (!isLater) return shown
  return { ...slowest, promised: shown.promised, why: whyLater(slowest, shown) }
}

/** A tenth of the answers shows how long the others take. */
const isKnown = ({ expected, answered }: RequestKind): boolean =>
  answered > 0 && answered * 10 >= expected

function whyLater({ name, expected, intervalMs }: RequestKind, shown: Estimate): string {
  if (name !== shown.name) return `one comes every ${span(intervalMs)}`
  if (expected > shown.expected) return 'there are more of them now'
  return `one comes every ${span(intervalMs)} now, and came every ${span(shown.intervalMs)} before`
}

const span = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : inSeconds(ms))

export const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const describeEstimate = ({ name, due, why }: Estimate, now: number): string =>
  `about ${roughly(due - now)} left for ${name}${why ? `: ${why}` : ''}`

/** What is waited for longest comes first. */
function describeWaits(waits: readonly Wait[], now: number): string {
  const untils = new Map<string, number>()
  for (const { what, until } of waits)
    if (until > now) untils.set(what, Math.max(until, untils.get(what) ?? 0))
  return [...untils]
    .sort(([, one], [, other]) => other - one)
    .map(([what, until]) => `${what} (${Math.ceil((until - now) / 1000)} s at most)`)
    .join(' and ')
}
