import type { Symptom } from '../../engine/findings/symptom.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import type { Breach, Report } from '../../engine/run/report.ts'
import type { Scene } from './causes/cause.ts'
import { causesOfCell } from './causes/of-cell.ts'
import { causesOfMalformed } from './causes/of-malformed.ts'
import { causesOfMember } from './causes/of-member.ts'
import { causesOfReveals } from './causes/of-reveals.ts'
import { causesOfRows } from './causes/of-rows.ts'
import { causesOfStatus } from './causes/of-status.ts'
import { causesOfTwins } from './causes/of-twins.ts'
import { causesOfUnserved } from './causes/of-unserved.ts'
import { exchangesBy } from './evidence.ts'

/** The symptoms of a breach, the most telling first: those of the kinds of this service stand in the report. */
export function symptomsOf(breach: Breach, report: Report): readonly Symptom[] {
  const [judged = {} as Partial<Exchange>] = exchangesBy(breach.judged, report)
  const route = kindOf(breach, report)
  const scene: Scene = { breach, judged, route, statuses: report.statuses ?? {} }
  const { finding, symptoms = [] } = breach
  switch (finding?.kind) {
    case 'cell':
      return causesOfCell(finding)
    case 'malformed':
      return causesOfMalformed(finding, scene)
    case 'member':
      return causesOfMember(finding, scene)
    case 'reveals':
      return causesOfReveals(finding, scene)
    case 'rows':
      return causesOfRows(finding)
    case 'status':
      return causesOfStatus(finding, scene)
    case 'twins':
      return causesOfTwins(finding, scene)
    case 'unserved':
      return causesOfUnserved(finding, scene)
    default:
      return symptoms
  }
}

export const kindOf = ({ judged }: Breach, report: Report): string => {
  const [first] = exchangesBy(judged, report)
  return first ? `${first.method} ${routeOf(first.path)}` : ''
}

export const routeOf = (path: string): string =>
  path.replace(/\?.*$/s, '').replace(/(?<=\/)[^/]*\d[^/]*/g, '…')
