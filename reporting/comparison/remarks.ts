import { type Report, toldVerdict } from '../../engine/run/report.ts'
import { type Compared, isLevelChanged, type Names } from './compare.ts'

/** What whoever reads a comparison should know of the two reports: a sentence each. */
export function remarksOf(
  reports: readonly [Report, Report],
  compared: readonly Compared[],
  names: Names,
): string[] {
  return [
    ...versionRemarks(reports, compared, names),
    ...targets(reports, names),
    ...[0, 1].flatMap((at) => partialRemarks(reports[at] as Report, `the run on ${names[at]}`)),
    ...oneSided(compared, names),
    ...levelRemarks(compared, names),
    ...undecidedBreaches(compared, names),
  ]
}

/** Reports of different suites have only a part in common. */
export function versionRemarks(
  [one, other]: readonly [Report, Report],
  compared: readonly Compared[],
  n: Names,
) {
  if (one.suiteVersion === other.suiteVersion) return []
  const both = compared.filter(({ sides }) => sides[0] && sides[1]).length
  return [
    `the reports are of different suite versions (${n[0]} ${one.suiteVersion}, ${n[1]} ${other.suiteVersion}): the ${both} clauses that both have are compared, the others left out`,
  ]
}

function targets([one, other]: readonly [Report, Report], [first, second]: Names): string[] {
  if (one.startedAt === other.startedAt && one.seed === other.seed)
    return ['both reports are of one and the same run: there is nothing to find']
  if (targetOf(one) === targetOf(other))
    return [
      `both reports are of ${targetOf(one)}: this compares a service with itself; give the report of ${first} first and that of ${second} second`,
    ]
  if (isLocal(one) && !isLocal(other))
    return [
      `the first report is of ${targetOf(one)} and the second of ${targetOf(other)}: are they swapped? the report of ${first} goes first`,
    ]
  return []
}

/** What a report is of. */
export const targetOf = ({ target }: Report) =>
  target.embedded ? 'the embedded reference service' : target.baseUrl

const isLocal = ({ target }: Report) =>
  target.embedded || /^https?:\/\/(127\.|localhost|\[::1\]|host\.docker)/i.test(target.baseUrl)

/** Of older suites: which part of the clauses a run checked, where it was one of several. */
export function partOf(report: Report): string | undefined {
  const { shard } = report as { shard?: { index: number; of: number } }
  return shard && `${shard.index}/${shard.of}`
}

/** What a report lacks as a whole, whatever its clauses say. */
export function partialRemarks(report: Report, run: string): string[] {
  const { verdict, reasons = [], interrupted } = report
  const part = partOf(report)
  const why = reasons[0] ? ` (${reasons[0]})` : ''
  return [
    ...(part ? [`${run} is shard ${part} alone: what the others checked is missing`] : []),
    ...(interrupted ? [`${run} was interrupted: what it did not reach is not compared`] : []),
    ...(verdict === 'inconclusive' && !interrupted
      ? [`${run} is inconclusive as a whole${why}: what it lost is not compared`]
      : []),
  ]
}

function oneSided(compared: readonly Compared[], names: Names): string[] {
  return names.flatMap((name, at) => {
    const ids = compared.filter(({ sides }) => sides[at] && !sides[1 - at])
    return ids.length === 0
      ? []
      : [`${counted(ids.length)} in the report of ${name} only: ${listed(ids)}`]
  })
}

/** Clauses that another suite version judges otherwise: what differs is the suite. */
export function levelRemarks(compared: readonly Compared[], [first, second]: Names): string[] {
  return compared.filter(isLevelChanged).map(({ facts: { id }, sides: [one, other] }) => {
    const broken = [one, other].map((side) => side && ['fail', 'warn'].includes(side.verdict))
    const breaks = [...(broken[0] ? [first] : []), ...(broken[1] ? [second] : [])]
    const also = breaks.length > 0 ? `; broken by ${breaks.join(' and ')}` : ''
    return `level changed: ${id} is ${one?.level} (${first}), ${other?.level} (${second}), and not compared${also}`
  })
}

/** Nothing is known of the other side, and it is a breach all the same. */
function undecidedBreaches(compared: readonly Compared[], [first, second]: Names): string[] {
  const ids = compared.filter(
    ({ outcome, sides: [one, other] }) =>
      outcome === 'not comparable' &&
      one?.level === other?.level &&
      one &&
      other &&
      toldVerdict(other) === 'fail',
  )
  if (ids.length === 0) return []
  return [
    `${counted(ids.length)} broken by ${second} and undecided on ${first}, so not compared: ${listed(ids)}`,
  ]
}

const counted = (count: number) => (count === 1 ? '1 clause is' : `${count} clauses are`)

/** The ids of clauses, as many as fit a line. */
export const listed = (clauses: readonly Compared[], most = 6) => {
  const ids = clauses.map(({ facts }) => facts.id)
  const rest = ids.length - most
  return rest > 0 ? `${ids.slice(0, most).join(', ')} … and ${rest} more` : ids.join(', ')
}
