import { curlLine, decisive, exchangeLine } from '../evidence.ts'
import { type ClauseReport, type Report, toldWaiver } from '../report.ts'
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

/** A difference in one sentence, for a notice. */
export const differenceLine = (compared: Compared, names: Names): string =>
  `${compared.facts.id}: ${compared.facts.statement}: ${differenceTold(compared, names).join('; ')}`

function verdictTold({ verdict, reason, waiver }: ClauseReport): string {
  if (verdict === 'pass') return 'keeps it'
  const borne = waiver ? ` (${toldWaiver(waiver)})` : ''
  return `breaks it${verdict === 'warn' ? ', a should' : ''}: ${reason ?? ''}${borne}`
}

export type Proof = { name: string; exchange: string; curl?: string }

/** The exchange that each side's verdict or value rests on. */
export function proofsOf({ sides }: Compared, reports: readonly [Report, Report], names: Names) {
  return sides.flatMap((side, at): Proof[] => {
    const exchange = side && decisive(side)
    if (!exchange) return []
    const curl = curlLine(side, reports[at] as Report)
    return [{ name: names[at] as string, exchange: exchangeLine(exchange), curl }]
  })
}
