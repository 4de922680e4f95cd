import type { Exchange } from '../../engine/http/exchange.ts'
import { type ClauseReport, type Report, toldWaiver } from '../../engine/run/report.ts'
import { curlOf } from '../parts/curl.ts'
import { decisive } from '../parts/decisive.ts'
import { exchangeLine } from '../parts/evidence.ts'
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
  return compared.sides.flatMap((side, at): Proof[] => {
    const exchange = side && telling(compared, side, compared.sides[1 - at])
    if (!exchange) return []
    const said = { name: names[at] as string, exchange: exchangeLine(exchange) }
    // A command without the body that was sent would ask something else.
    if (exchange.method !== 'GET' && exchange.requestBody === undefined) return [said]
    const curl = curlOf(exchange, reports[at] as Report).replaceAll(' \\\n  ', ' ')
    return [{ ...said, curl }]
  })
}

/**
 * Of a breach what its reason names; of a side that keeps the clause, the last request of the kind
 * that the other broke it with; of observed values the last answer with a status that is told.
 */
function telling({ grade }: Compared, side: ClauseReport, other?: ClauseReport) {
  if (side.reason !== undefined || !other) return decisive(side)
  if (grade !== 'observed') {
    const like = decisive(other)
    return side.evidence.findLast((each) => isLike(each, like)) ?? decisive(side)
  }
  const told = differencesIn(side.observed, other.observed).map(({ one }) => JSON.stringify(one))
  const statuses = new Set(told.join().match(/\b[1-5]\d\d\b/g))
  return side.evidence.findLast(({ status }) => statuses.has(String(status))) ?? decisive(side)
}

const isLike = (one: Exchange, other: Exchange | undefined) =>
  one.method === other?.method && shapeOf(one.path) === shapeOf(other.path)

/** A path without its query, and without what ids stand in it. */
const shapeOf = (path: string) => path.replace(/\?.*$/s, '').replace(/(?<=\/)[^/]*\d[^/]*/g, ':id')
