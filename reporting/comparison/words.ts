import type { Exchange } from '../../engine/http/exchange.ts'
import { type ClauseReport, type Report, toldWaiver } from '../../engine/run/report.ts'
import { curlOf } from '../parts/curl.ts'
import { evidenceOf, exchangeLine, firstToSee } from '../parts/evidence.ts'
import type { Compared, Grade, Names } from './compare.ts'
import { differencesIn, valueTold } from './values.ts'

/** The heading of a kind of difference. */
export const gradeTold = ([one, other]: Names): Record<Grade, string> => ({
  'other only': `Contract broken by ${other} only`,
  both: `Contract broken by ${one} and by ${other}`,
  'one only': `Contract broken by ${one} only`,
  observed: 'Observed differently, where the contract leaves it free',
})

/** What the two sides do differently: a line for each place where they differ. */
export function differenceTold({ grade, sides }: Compared, names: Names): string[] {
  if (grade === 'observed')
    return differencesIn(sides[0]?.observed, sides[1]?.observed).map(({ path, one, other }) => {
      const said = `${names[0]} ${valueTold(one)}, ${names[1]} ${valueTold(other)}`
      return path === '' ? said : `${path}: ${said}`
    })
  return sides.flatMap((side, at) => (side ? [`${names[at]} ${verdictTold(side)}`] : []))
}

/** A difference in one sentence and one line, for a notice; a reason may have several. */
export function differenceLine(compared: Compared, names: Names): string {
  const { id, statement } = compared.facts
  const line = differenceTold(compared, names).join('; ')
  return `${id}: ${statement}: ${line.replace(/\s*\n\s*/g, ' · ')}`
}

function verdictTold({ verdict, reason, waiver }: ClauseReport): string {
  if (verdict === 'pass') return 'keeps it'
  const borne = waiver ? ` (${toldWaiver(waiver)})` : ''
  return `breaks it${verdict === 'warn' ? ', a should' : ''}: ${reason ?? ''}${borne}`
}

export type Proof = { name: string; exchange: string; curl?: string }

/** The exchange that each side's verdict or value rests on. */
export function proofsOf(compared: Compared, reports: readonly [Report, Report], names: Names) {
  return compared.sides.flatMap((_, at): Proof[] => {
    const exchange = telling(compared, at, reports)
    if (!exchange) return []
    const said = { name: names[at] as string, exchange: exchangeLine(exchange) }
    // A command without the body that was sent would ask something else.
    if (exchange.method !== 'GET' && exchange.requestBody === undefined) return [said]
    const curl = curlOf(exchange, reports[at] as Report).replaceAll(' \\\n  ', ' ')
    return [{ ...said, curl }]
  })
}

/**
 * Of a breach what it judged; of a side that keeps the clause, the last request of the kind that the
 * other broke it with; of observed values the last answer with a status that is one of them.
 */
function telling({ grade, sides }: Compared, at: number, reports: readonly [Report, Report]) {
  const [side, other] = [sides[at], sides[1 - at]]
  const [report, otherReport] = [reports[at], reports[1 - at]] as [Report, Report]
  if (!side) return undefined
  const judged = firstToSee(side, report)
  if (judged || !other) return judged
  const exchanges = evidenceOf(side, report).map(({ exchange }) => exchange)
  if (grade !== 'observed') {
    const like = firstToSee(other, otherReport)
    return exchanges.findLast((each) => isLike(each, like))
  }
  const values = differencesIn(side.observed, other.observed).flatMap(({ one }) => numbersIn(one))
  return exchanges.findLast(({ status = 0 }) => values.includes(status))
}

/** The numbers in an observed value, however deep. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

const isLike = (one: Exchange, other: Exchange | undefined) =>
  one.method === other?.method && shapeOf(one.path) === shapeOf(other.path)

/** A path without its query, and without what ids stand in it. */
const shapeOf = (path: string) => path.replace(/\?.*$/s, '').replace(/(?<=\/)[^/]*\d[^/]*/g, ':id')
