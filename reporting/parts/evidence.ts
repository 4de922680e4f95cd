import type { Exchange } from '../../engine/http/exchange.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { curlOf } from './curl.ts'
import { decisive } from './decisive.ts'

/** The command that repeats the decisive exchange, in one line. */
export function curlLine(clause: ClauseReport, report: Report): string | undefined {
  const exchange = decisive(clause)
  return exchange && curlOf(exchange, report).replaceAll(' \\\n  ', ' ')
}

/** What was asked and what came, in one line. */
export function exchangeLine({ method, path, status, milliseconds, ...rest }: Exchange): string {
  const { attempt, trouble } = rest
  const what = status === undefined ? 'no answer' : String(status)
  const again = attempt > 1 ? `, attempt ${attempt}` : ''
  return `${method} ${path} → ${what} in ${milliseconds} ms${again}${trouble ? ` (${trouble})` : ''}`
}

const most = 5

/** The last exchanges of a clause and the decisive one, where there is room for a few lines only. */
export function fewExchanges(clause: ClauseReport): string[] {
  const before = clause.evidence.slice(0, -most)
  const rests = before.length > 0 ? decisive(clause) : undefined
  const telling = before.filter((each) => each === rests)
  const left = before.length - telling.length
  return [
    ...telling.map(exchangeLine),
    ...(left > 0 ? [`… ${left} more before these`] : []),
    ...clause.evidence.slice(-most).map(exchangeLine),
  ]
}

const sameBut = ['body', 'bodyBytes', 'requestBody']

/**
 * Every exchange of a report once, in the order of their start: what several clauses share stands in
 * the evidence of each, with bodies in some and without in others.
 */
export function exchangesOf(report: Report): { exchange: Exchange; clauses: string[] }[] {
  const all = new Map<string, { exchange: Exchange; clauses: string[] }>()
  for (const { id, evidence } of report.clauses)
    for (const exchange of evidence) {
      const key = JSON.stringify(exchange, (name, value) =>
        sameBut.includes(name) ? undefined : value,
      )
      const known = all.get(key)
      if (!known) all.set(key, { exchange, clauses: [id] })
      else {
        if (!known.clauses.includes(id)) known.clauses.push(id)
        known.exchange = { ...exchange, ...known.exchange }
      }
    }
  return [...all.values()].sort((a, b) => (a.exchange.start < b.exchange.start ? -1 : 1))
}
