import type { Exchange } from '../http/exchange.ts'

/**
 * How long the exchanges of a clause took, simultaneous ones counted once. Waiting in line says nothing of
 * the service.
 */
export function timeOf(evidence: readonly Exchange[]): number {
  const spans = evidence.map(({ start, milliseconds }) => {
    const from = Date.parse(start)
    return { from, to: from + milliseconds }
  })
  let sum = 0
  let until = Number.NEGATIVE_INFINITY
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return sum
}
