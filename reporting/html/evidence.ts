import type { Exchange } from '../../engine/http/exchange.ts'
import type { ClauseReport, Report, Evidence as Rest } from '../../engine/run/report.ts'
import { evidenceOf as shownOf } from '../parts/evidence.ts'

/** An exchange of a report, as the page shows it. */
export type Numbered = {
  number: number
  exchange: Exchange
  /** a clause that is not green rests on it */
  grave: boolean
}

/** The same as evidence of one clause. */
export type Referred = Numbered & { role: Rest['role'] }

export type Evidence = {
  exchanges: Numbered[]
  of(clause: ClauseReport): Referred[]
}

const isGrave = ({ verdict }: ClauseReport) =>
  verdict === 'fail' || verdict === 'warn' || verdict === 'inconclusive'

/** The exchanges of a report, and how grave each is. */
export function evidenceOf(report: Report): Evidence {
  const grave = new Set(
    report.clauses
      .filter(isGrave)
      .flatMap(({ evidence }) => evidence.map(({ exchange }) => exchange)),
  )
  const numbered = (exchange: Exchange): Numbered => ({
    number: exchange.number,
    exchange,
    grave: grave.has(exchange.number),
  })
  return {
    exchanges: report.exchanges.map(numbered),
    of: (clause) =>
      shownOf(clause, report).map(({ role, exchange }) => ({ ...numbered(exchange), role })),
  }
}
