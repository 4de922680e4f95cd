import type { Report } from '../engine/run/report.ts'

/** Requests of one clause that followed one another. */
export type Link = { clause: string; requests: number; from: number; to: number }

type Asked = { clause: string; from: number; to: number }

/** Between an answer and the request that waited for it lies no more. */
const atOnceMs = 60

/**
 * The longest chain of a run, from its end back to where all places were taken: each request is held
 * to have waited for the answer that came last before it, in its own clause where that came just
 * before. Where all places are taken requests wait for a place, and not for an answer.
 */
export function longestChain(
  { clauses, exchanges, startedAt }: Pick<Report, 'clauses' | 'exchanges' | 'startedAt'>,
  places: number,
): Link[] {
  const byNumber = new Map(exchanges.map((each) => [each.number, each]))
  const zero = Date.parse(startedAt)
  const asked = clauses.flatMap(({ id, evidence }) =>
    evidence.flatMap(({ exchange }): Asked[] => {
      const asked = byNumber.get(exchange)
      if (!asked) return []
      const { start, milliseconds } = asked
      const from = Date.parse(start) - zero
      return [{ clause: id, from, to: from + milliseconds }]
    }),
  )
  // Clauses that share an answer show it each.
  const each = [...new Map(asked.map((one) => [`${one.from} ${one.to}`, one])).values()]
  const underWay = (time: number) => each.filter(({ from, to }) => from < time && to > time).length

  const links: Link[] = []
  let at = latest(asked)
  while (at && underWay(at.from - 1) < places) {
    const { clause, from, to } = at
    const link = links.at(-1)
    if (link?.clause === clause) {
      link.from = from
      link.requests += 1
    } else links.push({ clause, requests: 1, from, to })
    const before = asked.filter((other) => other.to <= from)
    const own = latest(before.filter((other) => other.clause === clause))
    at = own && own.to > from - atOnceMs ? own : latest(before)
  }
  return links.reverse()
}

const latest = (asked: Asked[]): Asked | undefined =>
  asked.reduce<Asked | undefined>(
    (last, one) => (last && last.to >= one.to ? last : one),
    undefined,
  )
