import type { Exchange } from '../../engine/http/exchange.ts'
import type { ClauseReport } from '../../engine/run/report.ts'

/** An exchange with its number in the report. Clauses share most of them: each is kept once. */
export type Numbered = {
  number: number
  exchange: Exchange
  /** a clause that is not green rests on it */
  grave: boolean
}

export type Evidence = {
  /** in the order of time */
  exchanges: Numbered[]
  of(clause: ClauseReport): Numbered[]
}

const isGrave = ({ verdict }: ClauseReport) =>
  verdict === 'fail' || verdict === 'warn' || verdict === 'inconclusive'

/**
 * Gathers the exchanges of all clauses, each once. One and the same may come with its bodies from a
 * clause that failed and without them from one that passed: it is kept with them.
 */
export function evidenceOf(clauses: readonly ClauseReport[]): Evidence {
  const alike = new Map<string, Numbered[]>()
  const byClause = new Map<ClauseReport, Numbered[]>()
  for (const clause of clauses) {
    const grave = isGrave(clause)
    const rests = clause.evidence.map((exchange) => {
      const key = keyOf(exchange)
      const candidates = alike.get(key) ?? []
      let known = candidates.find((candidate) => isSame(candidate.exchange, exchange))
      if (known) known.exchange = withBodies(known.exchange, exchange)
      else {
        known = { number: 0, exchange, grave: false }
        alike.set(key, [...candidates, known])
      }
      known.grave ||= grave
      return known
    })
    byClause.set(clause, rests)
  }
  const exchanges = [...alike.values()]
    .flat()
    .sort((a, b) => (a.exchange.start < b.exchange.start ? -1 : 1))
  exchanges.forEach((numbered, at) => {
    numbered.number = at + 1
  })
  return { exchanges, of: (clause) => byClause.get(clause) ?? [] }
}

function keyOf({ body, requestBody, bodyBytes, bodySha256, ...rest }: Exchange): string {
  return JSON.stringify(rest)
}

/** Rivals may start in one millisecond: two that differ in a body are two. */
const isSame = (one: Exchange, other: Exchange) =>
  (['body', 'requestBody', 'bodyBytes', 'bodySha256'] as const).every(
    (part) => one[part] === other[part] || one[part] === undefined || other[part] === undefined,
  )

const withBodies = (one: Exchange, other: Exchange): Exchange => ({
  ...one,
  requestBody: one.requestBody ?? other.requestBody,
  body: one.body ?? other.body,
})
