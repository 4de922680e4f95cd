import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsed } from '../../engine/parsed.ts'
import { type ClauseReport, type Report, targetOf, toldVerdict } from '../../engine/run/report.ts'

/** Where the last report is kept while this one is written; CI may restore it there. */
export const lastName = 'last.json'

/** Adds what is new, still broken or fixed since the last report of the same target in this folder. */
export function withLast(report: Report, dir: string): Report {
  const last = lastOf(report, dir)
  if (!last) return report
  const before = new Map(last.clauses.map((clause) => [clause.id, clause]))
  const known = report.clauses.filter(({ id }) => before.has(id))
  const was = ({ id }: ClauseReport) => before.get(id) as ClauseReport
  const broken = known.filter(isBroken)
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

/** The newest that holds every clause of this run, or else the newest. */
function lastOf(report: Report, dir: string): Report | undefined {
  const all = ['report.json', lastName].flatMap((name) => reportAt(join(dir, name)) ?? [])
  const before = all.filter(
    (each) =>
      targetOf(each) === targetOf(report) &&
      each.startedAt < report.startedAt &&
      (each.recorded === undefined) === (report.recorded === undefined),
  )
  const holdsAll = ({ clauses }: Report) => {
    const ids = new Set(idsOf(clauses))
    return report.clauses.every(({ id }) => ids.has(id))
  }
  return before.find(holdsAll) ?? before[0]
}

/** Nothing for a report that cannot be read. */
export function reportAt(file: string): Report | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const found = parsed(text) as Partial<Report> | undefined
  return found?.reportVersion === 2 && found.target && found.startedAt && found.clauses
    ? (found as Report)
    : undefined
}
