import { counted } from '../../engine/counted.ts'
import { type Report, targetOf, toldVerdict } from '../../engine/run/report.ts'
import { listOf } from '../parts/not-checked.ts'
import { present } from '../parts/present.ts'
import { type Compared, isBroken, isLevelChanged, type Names } from './compare.ts'

/** What a reader of a comparison should know of the two reports, as sentences. */
export function remarksOf(
  reports: readonly [Report, Report],
  compared: readonly Compared[],
  names: Names,
): string[] {
  const [one, other] = reports
  const only = (at: 0 | 1) => compared.filter(({ sides }) => sides[at] && !sides[1 - at])
  const lost = compared.filter(
    ({ outcome, sides: [before, after] }) =>
      outcome === 'not compared' && before && after && toldVerdict(after) === 'fail',
  )
  return present([
    versionRemarks(reports, compared, names),
    targets(reports, names),
    partialRemarks(one, `the run on ${names[0]}`),
    partialRemarks(other, `the run on ${names[1]}`),
    remarkOn(only(0), `in the report of ${names[0]} only`),
    remarkOn(only(1), `in the report of ${names[1]} only`),
    levelRemarks(compared, names),
    remarkOn(
      lost.filter((each) => !isLevelChanged(each)),
      `broken by ${names[1]} and not checked on ${names[0]}, so not compared`,
    ),
  ])
}

/** Reports of different suites share only a part of the clauses. */
export function versionRemarks(
  [one, other]: readonly [Report, Report],
  compared: readonly Compared[],
  names: Names,
) {
  if (one.suiteVersion === other.suiteVersion) return []
  const both = compared.filter(({ sides }) => sides[0] && sides[1]).length
  return [
    `the reports are of different suite versions (${names[0]} ${one.suiteVersion}, ${names[1]} ${other.suiteVersion}); of their clauses the ${both} that both have are compared`,
  ]
}

function targets([one, other]: readonly [Report, Report], [first, second]: Names): string[] {
  if (one.startedAt === other.startedAt && one.seed === other.seed)
    return [`${first} and ${second} are one and the same run; give the reports of two runs`]
  if (targetOf(one) === targetOf(other))
    return [`${first} and ${second} are both runs on ${targetOf(one)}`]
  if (isLocal(one) && !isLocal(other))
    return [`${first} is local and ${second} is not; give the report of the real service first`]
  return []
}

const isLocal = ({ target }: Report) =>
  target.embedded || /^https?:\/\/(127\.|localhost|\[::1\]|host\.docker)/i.test(target.baseUrl)

/** The selection of an older suite's run, if it was partial. */
export function partOf(report: Report): string | undefined {
  const { shard } = report as { shard?: { index: number; of: number } }
  return shard && `${shard.index}/${shard.of}`
}

export function partialRemarks(report: Report, run: string): string[] {
  const { verdict, reasons: [why] = [], interrupted, selection } = report
  const part = partOf(report)
  return present([
    part && `${run} is shard ${part} alone: what the others checked is missing`,
    selection && `${run} was of ${selection} alone: what that leaves out is missing`,
    interrupted && `${run} was interrupted: what it did not reach is not compared`,
    verdict === 'inconclusive' &&
      !interrupted &&
      `${run} is inconclusive as a whole${why ? ` (${why})` : ''}: what it lost is not compared`,
  ])
}

/** Clauses whose level differs between suite versions: the suites differ, not the services. */
export function levelRemarks(compared: readonly Compared[], names: Names): string[] {
  return compared.filter(isLevelChanged).map(({ facts: { id }, why, sides }) => {
    const breaks = names.filter((_, at) => sides[at] && isBroken(sides[at]))
    const also = breaks.length > 0 ? `; broken by ${breaks.join(' and ')}` : ''
    return `${why?.replace(':', `: ${id} is`)}, and not compared${also}`
  })
}

const remarkOn = (clauses: readonly Compared[], what: string) =>
  clauses.length > 0 &&
  `${counted(clauses.length, 'clause is', 'clauses are')} ${what}: ${listed(clauses)}`

/** The ids of clauses, as many as fit a line. */
export const listed = (clauses: readonly Pick<Compared, 'facts'>[]) =>
  listOf(clauses.map(({ facts }) => facts.id))
