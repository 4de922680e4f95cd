import type { Exchange } from '../../engine/http/exchange.ts'
import { type ClauseReport, type Report, toldWaiver } from '../../engine/run/report.ts'
import { exchangeLine, exchangesBy, firstToSee, judgedIn, onOneLine } from '../parts/evidence.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import { placesOf } from '../parts/places.ts'
import { routeOf } from '../parts/symptom.ts'
import type { Compared, Names } from './compare.ts'
import { differencesIn, valueTold } from './values.ts'

/** What the two sides do differently: a line for each difference, with all its places. */
export function differenceTold({ grade, sides }: Compared, names: Names): string[] {
  if (grade !== 'observed')
    return sides.flatMap((side, at) => (side ? [`${names[at]} ${verdictTold(side)}`] : []))
  const places = differencesIn(sides[0]?.observed, sides[1]?.observed).map(
    ({ path, one, other }) => {
      const [first = '', ...rest] = path.split(' › ')
      const values = `${names[0]} ${valueTold(one)}, ${names[1]} ${valueTold(other)}`
      return { first, rest: [...rest.map((each) => ` › ${each}`), path && ': ', values].join('') }
    },
  )
  return [...groupedBy(places, ({ rest }) => rest)].map(
    ([rest, same]) => `${same.map(({ first }) => first).join(' / ')}${rest}`,
  )
}

/** A difference in one line, for a notice; a reason may have several lines. */
export function differenceLine(compared: Compared, names: Names): string {
  const { id, statement } = compared.facts
  const line = differenceTold(compared, names).join('; ')
  return `${id}: ${statement}: ${line.replace(/\s*\n\s*/g, ' · ')}`
}

export function verdictTold({ verdict, reason, waiver }: ClauseReport): string {
  if (verdict === 'pass') return 'keeps it'
  const waived = waiver ? ` (${toldWaiver(waiver)})` : ''
  return `breaks it${verdict === 'warn' ? ', a should' : ''}: ${reason ?? ''}${waived}`
}

export type Proof = { name: string; exchange: string; curl?: string }

/** The exchange behind each side's verdict or value, and the command that repeats it. */
export function proofsOf(compared: Compared, reports: readonly [Report, Report], names: Names) {
  return names.flatMap((name, at): Proof[] => {
    const exchange = telling(compared, at, reports)
    if (!exchange) return []
    const proof = { name, exchange: exchangeLine(exchange) }
    // Without the body that was sent, the command would send something else.
    if (exchange.method !== 'GET' && exchange.requestBody === undefined) return [proof]
    return [{ ...proof, curl: onOneLine(exchange, reports[at] as Report) }]
  })
}

/** The judged exchange that explains a difference: its first, and on the side that keeps it the one most like it. */
function telling({ sides }: Compared, at: number, reports: readonly [Report, Report]) {
  const [side, other] = [sides[at], sides[1 - at]]
  const [report, otherReport] = [reports[at], reports[1 - at]] as [Report, Report]
  const first = side && firstToSee(side, report)
  if (!first || !other || side.breaches) return first
  const judged = exchangesBy(judgedIn(side), report)
  const theirs = firstToSee(other, otherReport)
  const like = judged.filter((each) => kindOf(each) === kindOf(theirs))
  const apart = (each: Exchange) => (theirs ? placesOf(each, theirs).length : 0)
  return like.toSorted((a, b) => apart(a) - apart(b))[0] ?? first
}

const kindOf = (exchange?: Exchange) => exchange && `${exchange.method} ${routeOf(exchange.path)}`
