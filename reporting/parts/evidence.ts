import type { Exchange } from '../../engine/http/exchange.ts'
import type { Breach, ClauseReport, Report } from '../../engine/run/report.ts'
import { curlOf } from './curl.ts'

const numbered = new WeakMap<readonly Exchange[], Map<number, Exchange>>()

export function exchangeBy(number: number, { exchanges }: Pick<Report, 'exchanges'>) {
  const known = numbered.get(exchanges) ?? new Map(exchanges.map((each) => [each.number, each]))
  numbered.set(exchanges, known)
  return known.get(number)
}

export type EvidenceItem = { role: string; exchange: Exchange }

/** The role of a control: the request without its mistake, or what the answer is compared with. */
export const roleOfControl = ({ differs = [] }: Pick<Breach, 'differs'>) =>
  differs.length > 0 ? 'control' : 'compared with'

/** The exchanges of a clause in request order. */
export const evidenceOf = ({ evidence, breaches }: ClauseReport, report: Report): EvidenceItem[] =>
  evidence.flatMap(({ exchange: number, role }) => {
    const exchange = exchangeBy(number, report)
    const breach = breaches?.find(({ control }) => control.includes(number))
    const shown = role === 'control' ? roleOfControl(breach ?? {}) : role
    return exchange ? [{ role: shown, exchange }] : []
  })

/** The exchange to look at first: judged by the first breach, or with trouble if that left the clause undecided. */
export function firstToSee(clause: ClauseReport, report: Report): Exchange | undefined {
  const [number] = clause.breaches?.flatMap(({ judged }) => judged) ?? []
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

/** A request and its status, in one line. */
export function exchangeLine({ method, path, status, milliseconds, ...rest }: Exchange): string {
  const { attempt, trouble } = rest
  const what = status === undefined ? 'no answer' : String(status)
  const again = attempt > 1 ? `, attempt ${attempt}` : ''
  return `${method} ${path} → ${what} in ${milliseconds} ms${again}${trouble ? ` (${trouble})` : ''}`
}

const most = 5

/** The judged exchange and its control, or the last exchanges, for a few lines of space. */
export function fewExchanges(clause: ClauseReport, report: Report): string[] {
  const all = evidenceOf(clause, report)
  const telling = all.filter(({ role }) => !['set-up', 'put-back'].includes(role))
  const kept = telling.length > 0 ? telling.slice(0, most) : all.slice(-most)
  const left = all.length - kept.length
  const label = (role: string) => (telling.length > 0 ? `${role}: ` : '')
  return [
    ...kept.map(({ role, exchange }) => `${label(role)}${exchangeLine(exchange)}`),
    ...(left > 0 ? [`… and ${left} more`] : []),
  ]
}
