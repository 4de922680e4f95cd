import type { Exchange } from '../../engine/http/exchange.ts'

/** A request of a rehearsal, with the clauses whose evidence it is. */
export type Sent = { exchange: Exchange; clauses: string[] }

export type Pace = {
  /** how long the service took to answer a read */
  latencyMs: number
  /** how many requests may be under way */
  places: number
  /** how many may be sent in a second */
  perSecond?: number | undefined
  /** how long a task is watched after a refused update */
  settleMs?: number
}

/**
 * How long these requests take where each is answered after the latency: one waits for the answer that came
 * last before it in its clause, or about its task, and for a free place. An answer that clauses share is
 * waited for by each. What comes after the last refused update fills the time that it takes to settle.
 */
export function durationOf(
  sent: readonly Sent[],
  { latencyMs, places, perSecond, settleMs = 0 }: Pace,
): number {
  const inOrder = sent
    .map(({ exchange, clauses }) => {
      const from = Date.parse(exchange.start)
      const task = /\/tasks\/[^/?]+/.exec(exchange.path)?.[0]
      return {
        from,
        to: from + exchange.milliseconds,
        of: task ? [...clauses, task] : clauses,
        settles: exchange.method === 'PUT' && !wasAccepted(exchange),
      }
    })
    .sort((a, b) => a.from - b.from)
  /** by clause or task: requests in the order of their answers, with when they would be answered */
  const answered = new Map<string, { to: number; at: number }[]>()
  const free = Array.from({ length: places }, () => 0)
  let last = 0
  let admitted = 0
  for (const { from, to, of, settles } of inOrder) {
    const before = of.map((name) =>
      Math.max(
        0,
        ...(answered.get(name) ?? []).filter((one) => one.to <= from).map(({ at }) => at),
      ),
    )
    const place = free.indexOf(Math.min(...free))
    const begins = Math.max(...before, free[place] ?? 0, admitted)
    const at = begins + latencyMs
    free[place] = at
    if (perSecond) admitted = begins + 1000 / perSecond
    for (const name of of) answered.set(name, [...(answered.get(name) ?? []), { to, at }])
    last = Math.max(last, settles ? at + settleMs : at)
  }
  return last
}

export const wasAccepted = ({ status = 0 }: Exchange): boolean => status >= 200 && status < 300
