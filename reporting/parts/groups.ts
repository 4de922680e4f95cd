import type { Breach, ClauseReport, Report } from '../../engine/run/report.ts'
import { toldVerdict } from '../../engine/run/report.ts'
import { exchangesBy } from './evidence.ts'

/** Broken clauses with one cause. */
export type Group = {
  /** what they share */
  title: string
  /** the kind of request, or the operation */
  where: string
  verdict: 'fail' | 'warn'
  /** how many of them are musts */
  musts: number
  /** their ids; the one to read first comes first */
  clauses: [string, ...string[]]
}

const isBreach = (clause: ClauseReport) => ['fail', 'warn'].includes(toldVerdict(clause))

/**
 * Groups broken clauses by what they judged: the same request with the same problem, or the same answer
 * with the same value. Failures come before warnings, large groups before small ones.
 */
export function groupsOf(report: Report): Group[] {
  const groups: ClauseReport[][] = []
  for (const clause of report.clauses.filter(isBreach)) {
    const same = groups.find((group) => group.some((other) => isOneCause(clause, other, report)))
    if (same) same.push(clause)
    else groups.push([clause])
  }
  return groups
    .map((group) => group.toSorted((a, b) => rankOf(a) - rankOf(b)) as [ClauseReport])
    .toSorted((a, b) => gravityOf(a[0]) - gravityOf(b[0]) || b.length - a.length)
    .map((clauses) => ({
      title: titleOf(clauses[0], report),
      where: whereOf(clauses[0], report),
      verdict: toldVerdict(clauses[0]) as Group['verdict'],
      musts: clauses.filter(({ level }) => level === 'must').length,
      clauses: clauses.map(({ id }) => id) as Group['clauses'],
    }))
}

const gravityOf = (clause: ClauseReport) => (toldVerdict(clause) === 'fail' ? 0 : 1)

/** A must before a should, and a judgement of one answer before a comparison of many. */
const rankOf = (clause: ClauseReport) =>
  gravityOf(clause) * 1000 +
  Math.min(...(clause.breaches ?? []).map(({ judged }) => judged.length), 999)

function isOneCause(one: ClauseReport, other: ClauseReport, report: Report): boolean {
  return (one.breaches ?? []).some((a) =>
    (other.breaches ?? []).some((b) => isOneFact(a, b) || isOneKind(a, b, report)),
  )
}

const bare = (value: string) => value.replace(/^"|"$/g, '').toLowerCase()

/** Both judged the same answer, and one value contains the other. */
function isOneFact(a: Breach, b: Breach): boolean {
  const [one, other] = [bare(a.got), bare(b.got)]
  const isPart = one !== '' && other !== '' && (one.includes(other) || other.includes(one))
  return isPart && a.judged.some((number) => b.judged.includes(number))
}

/** Requests of one kind got the same answer. */
const isOneKind = (a: Breach, b: Breach, report: Report): boolean =>
  a.expected === b.expected && a.got === b.got && kindOf(a, report) === kindOf(b, report)

const kindOf = ({ judged }: Breach, report: Report): string => {
  const [first] = exchangesBy(judged, report)
  return first ? `${first.method} ${routeOf(first.path)}` : ''
}

export const routeOf = (path: string): string =>
  path.replace(/\?.*$/s, '').replace(/(?<=\/)[^/]*\d[^/]*/g, '…')

const whereOf = ({ breaches: [breach] = [], operation }: ClauseReport, report: Report) =>
  (breach && kindOf(breach, report)) || operation

function titleOf(first: ClauseReport, report: Report): string {
  const [breach] = first.breaches ?? []
  if (!breach) return first.statement
  const values = `expected ${breach.expected}, got ${breach.got}`
  // Long values are shown side by side below.
  const fact = values.length > maxValues ? broken(first.statement) : values
  return `${kindOf(breach, report) || first.operation}: ${fact}`
}

/** A statement as what does not hold: `not give the whole file`. A leading `not` is dropped. */
const broken = (statement: string) =>
  /^not /.test(statement) ? `does ${statement.slice(4)}` : `not ${statement}`

const maxValues = 100
