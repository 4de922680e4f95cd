import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsed } from '../../engine/parsed.ts'
import { type ClauseReport, type Report, targetOf, toldVerdict } from '../../engine/run/report.ts'

/** Where the last report is kept while this one is written; CI may restore it there. */
export const lastName = 'last.json'

/** Adds what is new, still broken or fixed since the last report of the same target in this folder. */
export function withLast(report: Report, dir: string): Report {
  const last = lastIn(dir)
  const isComparable =
    last &&
    targetOf(last) === targetOf(report) &&
    last.startedAt < report.startedAt &&
    (last.recorded === undefined) === (report.recorded === undefined)
  if (!isComparable) return report
  const before = new Map(last.clauses.map((clause) => [clause.id, clause]))
  const known = report.clauses.filter(({ id }) => before.has(id))
  const was = ({ id }: ClauseReport) => before.get(id) as ClauseReport
  const broken = report.clauses.filter(isBroken)
  const still = known.filter((each) => isBroken(each) && isBroken(was(each)))
  const fixed = known.filter((each) => each.verdict === 'pass' && isBroken(was(each)))
  const { revision } = report.target
  const isSame = revision !== undefined && revision === last.target.revision
  const flipped = known.filter((each) => isBroken(each) && was(each).verdict === 'pass')
  return {
    ...report,
    last: {
      startedAt: last.startedAt,
      new: idsOf(broken.filter((each) => !still.includes(each))),
      since: Object.fromEntries(
        still.map(({ id }) => [id, last.last?.since[id] ?? last.startedAt]),
      ),
      fixed: idsOf(fixed),
      flipped: isSame ? idsOf([...flipped, ...fixed]) : [],
    },
  }
}

const isBroken = (clause: ClauseReport) => ['fail', 'warn'].includes(toldVerdict(clause))

const idsOf = (clauses: readonly ClauseReport[]) => clauses.map(({ id }) => id)

/** A report that cannot be read is none. */
function lastIn(dir: string): Report | undefined {
  const file = ['report.json', lastName].map((name) => join(dir, name)).find(existsSync)
  const last = parsed(file ? readFileSync(file, 'utf8') : '') as Partial<Report> | undefined
  return last?.reportVersion === 2 && last.target && last.startedAt && last.clauses
    ? (last as Report)
    : undefined
}
