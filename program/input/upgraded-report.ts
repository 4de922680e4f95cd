import type { Exchange } from '../../engine/http/exchange.ts'
import type { ClauseReport, Met, Report } from '../../engine/run/report.ts'

type OldExchange = Omit<Exchange, 'number'>

/** The older form of a report, where each clause held its exchanges. */
export type OldReport = Omit<Report, 'exchanges' | 'clauses' | 'met'> & {
  clauses: (Omit<ClauseReport, 'evidence' | 'breaches'> & { evidence: OldExchange[] })[]
  met?: { owner: string; sentence: string; exchange?: OldExchange }[]
}

const sameBut = ['body', 'bodyBytes', 'requestBody']

/** Converts to the current form: each exchange once. An old report does not say what was judged. */
export function upgradedReport(report: Report | OldReport): Report {
  if ('exchanges' in report) return report
  const { clauses, met, ...rest } = report
  const known = new Map<string, Exchange>()
  const numberOf = (exchange: OldExchange): number => {
    const key = JSON.stringify(exchange, (name, value) =>
      sameBut.includes(name) ? undefined : value,
    )
    const earlier = known.get(key)
    const number = earlier?.number ?? known.size + 1
    known.set(key, { ...exchange, ...earlier, number })
    return number
  }
  const upgraded = clauses.map(({ evidence, ...clause }): ClauseReport => {
    const numbers = [...new Set(evidence.map(numberOf))]
    return { ...clause, evidence: numbers.map((exchange) => ({ exchange, role: 'set-up' })) }
  })
  const metNow = met?.map(({ owner, sentence, exchange }): Met => {
    const judged = exchange ? [numberOf(exchange)] : []
    return { owner, sentence, expected: '', got: '', judged, control: [] }
  })
  const exchanges = [...known.values()]
  return { ...rest, exchanges, clauses: upgraded, ...(metNow && { met: metNow }) }
}
