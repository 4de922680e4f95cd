import type { Exchange } from '../../engine/http/exchange.ts'
import type { ClauseReport, Report, Role } from '../../engine/run/report.ts'
import { curlOf } from './curl.ts'
import { cut } from './cut.ts'
import { present } from './present.ts'

const numbered = new WeakMap<readonly Exchange[], Map<number, Exchange>>()

export function exchangeBy(number: number, { exchanges }: Pick<Report, 'exchanges'>) {
  const known = numbered.get(exchanges) ?? new Map(exchanges.map((each) => [each.number, each]))
  numbered.set(exchanges, known)
  return known.get(number)
}

/** Those of these numbers that the report holds. */
export const exchangesBy = (numbers: readonly number[], report: Pick<Report, 'exchanges'>) =>
  numbers.flatMap((number) => exchangeBy(number, report) ?? [])

/** The exchanges of a clause in request order; a control stands beside what was judged. */
export const evidenceOf = ({ evidence }: ClauseReport, report: Report) =>
  evidence.flatMap(({ exchange: number, role }) => {
    const exchange = exchangeBy(number, report)
    return exchange ? [{ role: role === 'control' ? 'beside' : role, exchange }] : []
  })

const mostTold = 3

/** What a verdict depends on, as "judged by #12, #31, #40 and 4 more, beside #11, after #10". */
export function toldEvidence({ evidence, judgedBy }: ClauseReport): string {
  const told = (role: Role, word: string, count?: number) => {
    const own = evidence.flatMap((each) => (each.role === role ? `#${each.exchange}` : []))
    const left = (count ?? own.length) - mostTold
    const shown = `${word} ${own.slice(0, mostTold).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
    return own.length > 0 ? [shown] : []
  }
  const besides = [...told('control', 'beside'), ...told('before', 'after')]
  return [...told('judged', 'judged by', judgedBy), ...besides].join(', ')
}

/** The numbers of what was judged, what the first breach judged first. */
export function judgedIn({ breaches = [], evidence }: ClauseReport): number[] {
  const judged = evidence.filter(({ role }) => role === 'judged').map(({ exchange }) => exchange)
  return [...new Set([...breaches.flatMap((each) => each.judged), ...judged])]
}

/** The exchange to look at first: the first judged, or the one with trouble that left the clause undecided. */
export function firstToSee(clause: ClauseReport, report: Report): Exchange | undefined {
  const [number] = judgedIn(clause)
  if (number !== undefined) return exchangeBy(number, report)
  if (clause.verdict !== 'inconclusive') return undefined
  return evidenceOf(clause, report).findLast(({ exchange }) => exchange.trouble)?.exchange
}

export function curlLine(clause: ClauseReport, report: Report): string | undefined {
  const exchange = firstToSee(clause, report)
  return exchange && onOneLine(exchange, report)
}

/** A request as a command on one line. */
export const onOneLine = (exchange: Exchange, report: Report): string =>
  curlOf(exchange, report).replaceAll(' \\\n  ', ' ')

/** What came of a request: status and time, or what went wrong. */
export const cameOf = ({ status, milliseconds, attempt, trouble }: Exchange): string =>
  present([
    `${status ?? 'no answer'} in ${Math.round(milliseconds)} ms`,
    attempt > 1 && `attempt ${attempt}`,
    trouble && cut(trouble, 200),
  ]).join(', ')

export const exchangeLine = (exchange: Exchange): string =>
  `${exchange.method} ${exchange.path} → ${cameOf(exchange)}`
