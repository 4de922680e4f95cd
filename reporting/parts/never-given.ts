// Files of one type that the service never gave, while it gave those of the other type.

import { distinct } from '../../engine/distinct.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'

export type NeverGiven = { sentence: string; concerns(clause: ClauseReport): boolean }

const fewest = 4
const shortestMs = 10_000

const typeOf = ({ path }: Exchange) => {
  const [route = '', query = ''] = path.split('?')
  if (!route.endsWith('/audit-sentinel/events/export')) return undefined
  return new URLSearchParams(query).get('file_type') === 'pdf' ? 'PDF' : 'CSV'
}

const isGiven = ({ status = 0, trouble }: Exchange) => status < 300 && trouble === undefined
/** A rejected request says nothing of the files. */
const isFailing = ({ status = 0, trouble }: Exchange) => trouble !== undefined || status >= 500
const at = ({ start }: Exchange) => Date.parse(start)

/** Four or more over ten seconds, between files of the other type; each alone could be an outage. */
export function neverGiven({ exchanges }: Pick<Report, 'exchanges'>): NeverGiven | undefined {
  for (const type of ['PDF', 'CSV']) {
    const own = exchanges.filter((each) => typeOf(each) === type)
    const failing = own.filter(isFailing).sort((a, b) => at(a) - at(b))
    const [first, last] = [failing[0], failing.at(-1)]
    if (!first || !last || failing.length < fewest || own.some(isGiven)) continue
    const others = exchanges.filter((each) => {
      const isOther = typeOf(each) !== type && typeOf(each) !== undefined && isGiven(each)
      return isOther && at(each) > at(first) && at(each) < at(last)
    })
    if (at(last) - at(first) < shortestMs || others.length === 0) continue
    const how = distinct(failing.map(({ trouble, status }) => (trouble ? 'no end' : `${status}`)))
    const numbers = new Set(failing.map(({ number }) => number))
    return {
      sentence: `every ${type} export failed (${how.join(', ')}, ${failing.length} of ${failing.length})`,
      concerns: ({ evidence }) => evidence.some(({ exchange }) => numbers.has(exchange)),
    }
  }
  return undefined
}
