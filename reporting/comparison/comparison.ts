import { counted } from '../../engine/counted.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import {
  type CauseChange,
  type ClauseReport,
  type Report,
  targetOf,
  toldVerdict,
  toldWaiver,
} from '../../engine/run/report.ts'
import { type Block, withItems } from '../parts/blocks.ts'
import { countsOfChanges, linesOfChanges } from '../parts/change-lines.ts'
import { exchangeLine, exchangesBy, firstToSee, judgedIn, placesOf } from '../parts/evidence.ts'
import { listOf } from '../parts/not-checked.ts'
import { summaryOf } from '../parts/summary.ts'
import { routeOf } from '../parts/symptoms-of-breach.ts'
import { groupedBy, present } from '../parts/texts.ts'
import { changesOfCauses, isBroken, isUndecided, remarksOfMatching } from './cause-changes.ts'
import {
  type Compared,
  compare,
  differencesIn,
  type Facts,
  type Names,
  rankOf,
  undecidedTold,
  valueTold,
} from './compare.ts'

/** A report under its letter. */
export type Side = { name: string; file: string; report: Report; remarks: string[] }

/** A clause that a side breaks, or on which they differ where the contract leaves a choice. */
type Row = Pick<Compared, 'facts' | 'grade'> & {
  cause: string
  lines: string[]
  evidence: { name: string; exchange: string }[]
}

export type Comparison = {
  /** the reference, and what is compared with it */
  sides: readonly [Side, Side]
  compared: Compared[]
  /** of two runs on one service, the earlier first: what became of the causes */
  changes?: CauseChange[]
  remarks: string[]
  rows: Row[]
}

export const namesOf = ([one, other]: Comparison['sides']): Names => [one.name, other.name]

export function comparisonOf(sides: Comparison['sides'], manifest: readonly Facts[]): Comparison {
  const reports = [sides[0].report, sides[1].report] as const
  const names = namesOf(sides)
  const changes = changesOfCauses(...reports)
  const compared = compare(...reports, { manifest, names, changes })
  const [one, other] = reports.map(causesIn)
  const rows = compared
    .filter(({ grade }) => grade)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((each): Row => {
      const { facts, grade, sides } = each
      const isTold = (at: number) => grade === 'observed' || (sides[at] && isBroken(sides[at]))
      const lines = differenceTold(each, names).filter((_, at) => isTold(at))
      const shared = (grade === 'one only' ? one : other)?.get(facts.id)
      const cause = grade === 'observed' ? lines.join('; ') : (shared ?? facts.id)
      const evidence = names.flatMap((name, at) => {
        const exchange = telling(each, at, reports)
        return exchange ? [{ name, exchange: exchangeLine(exchange) }] : []
      })
      return { facts, grade, cause, lines, evidence }
    })
  const remarks = [...sides.flatMap((side) => side.remarks), ...remarksOf(reports, compared, names)]
  return { sides, compared, remarks, rows, ...(areInTurn(reports) ? { changes } : {}) }
}

const areInTurn = ([one, other]: readonly [Report, Report]): boolean =>
  targetOf(one) === targetOf(other) && one.startedAt < other.startedAt

/** Of several causes of a clause the gravest. */
const causesIn = (report: Report) =>
  new Map(
    summaryOf(report)
      .groups.toReversed()
      .flatMap(({ title, clauses }) => clauses.map((id) => [id, title] as const)),
  )

/** What became of the causes of the first report, where it is an earlier run on the same service. */
export const changeBlocks = (comparisons: readonly Comparison[]): Block[] =>
  comparisons.flatMap(({ sides, changes = [] }) => {
    const [one, other] = sides
    const seed = one.report.seed === other.report.seed ? undefined : one.report.seed
    const counts = countsOfChanges(changes)
    if (counts.length === 0) return []
    const lines = linesOfChanges(changes, seed)
    const heading = `${other.name} since ${one.name}: ${counts.join(', ')}`
    return [{ heading, items: lines.map((line) => [line]) }]
  })

/** What two reports differ in, the gravest first. */
export function differenceBlocks({ sides, rows }: Comparison): Block[] {
  const [one, other] = namesOf(sides)
  const headings = {
    'other only': `${other} breaks it, ${one} keeps it`,
    'another cause': `${one} and ${other} break it, ${other} by another cause`,
    both: `${one} and ${other} break it`,
    'one only': `${one} breaks it, ${other} keeps it`,
    observed: 'Differ where the contract leaves a choice',
  }
  const causes = (own: readonly Row[]) =>
    groupedBy(own, ({ cause, facts }) => `${facts.operation}\n${cause}`).values()
  return [...groupedBy(rows, ({ grade = 'both' }) => grade)].map(([grade, own]) => ({
    heading: `${headings[grade]}: ${own.length}`,
    items: [...causes(own)].map(itemOf),
  }))
}

export const remarkBlocks = (comparisons: readonly Comparison[]): Block[] =>
  withItems([
    { heading: 'Of the reports', items: remarksIn(comparisons).map((remark) => [remark]) },
  ])

export const remarksIn = (comparisons: readonly Comparison[]): string[] => [
  ...new Set(comparisons.flatMap(({ remarks }) => remarks)),
]

/** The clauses that could not be compared, by reason; `most`: so many ids in a list. */
export function uncomparedBlocks(comparisons: readonly Comparison[], most: number): Block[] {
  const open = comparisons
    .flatMap(({ compared }) => compared)
    .filter(({ outcome }) => outcome === 'not compared')
  const reasons = [...groupedBy(open, ({ why = '' }) => why)]
  const items = reasons.map(([why, own]) => [why, listed(own, most)])
  return withItems([{ heading: 'Not compared', items }])
}

/** Of several with one cause, the first explains it. */
function itemOf(rows: readonly Row[]): string[] {
  const told = rows.map(({ facts: { id, level, operation, statement }, lines, evidence }, at) => [
    `${id}  (${level}, ${operation}) ${statement}`,
    ...(at === 0 ? lines : []),
    ...(at === 0 ? evidence : []).map(({ name, exchange }) => `evidence of ${name}: ${exchange}`),
  ])
  return present([rows.length > 1 && `${rows.length} clauses: ${rows[0]?.cause}`, ...told])
}

function remarksOf(
  reports: readonly [Report, Report],
  compared: readonly Compared[],
  names: Names,
): string[] {
  const lost = compared.filter(
    ({ outcome, sides: [before, after] }) =>
      outcome === 'not compared' && before && after && toldVerdict(after) === 'fail',
  )
  return present([
    versionRemarks(reports, compared, names),
    targets(reports, names),
    remarksOfMatching(reports, names),
    ...reports.map((report, at) => partialRemarks(report, `the run on ${names[at]}`)),
    lost.length > 0 &&
      `${counted(lost.length, 'clause is', 'clauses are')} broken by ${names[1]} and not compared: ${listed(lost)}`,
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

function targets([one, other]: readonly [Report, Report], names: Names) {
  const both = names.join(' and ')
  if (one.startedAt === other.startedAt && one.seed === other.seed)
    return `${both} are one and the same run; give the reports of two runs`
  if (targetOf(one) === targetOf(other)) return `${both} are both runs on ${targetOf(one)}`
  if (isLocal(one) && !isLocal(other))
    return `${names[0]} is local and ${names[1]} is not; give the report of the real service first`
  return undefined
}

const isLocal = ({ target }: Report) =>
  target.embedded || /^https?:\/\/(127\.|localhost|\[::1\]|host\.docker)/i.test(target.baseUrl)

export function partialRemarks(report: Report, run: string): string[] {
  const { verdict, reasons: [why] = [], interrupted, selection } = report
  return present([
    selection && `${run} was of ${selection} alone: what that leaves out is missing`,
    interrupted && `${run} was interrupted: what it did not reach is not compared`,
    verdict === 'inconclusive' &&
      !interrupted &&
      `${run} is inconclusive as a whole${why ? ` (${why})` : ''}: what it lost is not compared`,
  ])
}

/** Clauses whose level differs between suite versions: the suites differ, not the services. */
export const levelRemarks = (compared: readonly Compared[]): string[] =>
  compared.flatMap(({ facts: { id }, why = '', sides: [one, other] }) =>
    one && other && one.level !== other.level ? [`${id}: ${why}`] : [],
  )

export const listed = (clauses: readonly Pick<Compared, 'facts'>[], most?: number) =>
  listOf([...new Set(clauses.map(({ facts }) => facts.id))], most)

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

export function verdictTold(clause: ClauseReport): string {
  const { verdict, reason, waiver } = clause
  if (verdict === 'pass') return 'keeps it'
  if (isUndecided(clause)) return undecidedTold(clause)
  const waived = waiver ? ` (${toldWaiver(waiver)})` : ''
  return `breaks it${verdict === 'warn' ? ', a should' : ''}: ${reason ?? ''}${waived}`
}

/** The judged exchange that explains a difference: its first, and on the side that keeps it the one most like it. */
function telling({ sides }: Compared, at: number, reports: readonly [Report, Report]) {
  const [side, other] = [sides[at], sides[1 - at]]
  const [report, otherReport] = [reports[at], reports[1 - at]] as [Report, Report]
  const first = side && firstToSee(side, report)
  if (!first || !other || side.breaches) return first
  const theirs = firstToSee(other, otherReport)
  const kindOf = (each?: Exchange) => each && `${each.method} ${routeOf(each.path)}`
  const judged = exchangesBy(judgedIn(side), report)
  const like = judged.filter((each) => kindOf(each) === kindOf(theirs))
  const apart = (each: Exchange) => (theirs ? placesOf(each, theirs).length : 0)
  return like.toSorted((a, b) => apart(a) - apart(b))[0] ?? first
}
