import { matchesAny } from '../../engine/glob.ts'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import type { Waived } from '../../engine/run/waive.ts'
import {
  becameOf,
  describeFormerIds,
  formerIdOf,
  formerIds,
  isRetired,
  presentId,
} from '../../helpers/contract/former-ids.ts'

/** The former ids that this glob means; one that matches the present id needs none. */
const renamedBy = (glob: string): string[] =>
  Object.keys(formerIds).filter(
    (id) => !isRetired(id) && matchesAny(id, [glob]) && !matchesAny(presentId(id), [glob]),
  )

/** These globs with the ids that clauses have now. */
export const presentGlobs = (globs: readonly string[]): string[] =>
  globs.flatMap((glob) => {
    const renamed = renamedBy(glob).map(presentId)
    return renamed.length > 0 && formerIdOf(glob) ? renamed : [glob, ...renamed]
  })

/** Ends if one of these is the id of a retired clause. */
export function needNoneRetired(globs: readonly string[], place: string): void {
  const retired = globs.filter(isRetired)
  if (retired.length === 0) return
  throw new Impossible(`${place}: ${describeFormerIds(retired).join('; ')}; leave it out.`)
}

/** A notice for each of these globs that means a renamed clause. */
export const noticesOfGlobs = (globs: readonly string[], place: string): string[] =>
  describeFormerIds(globs.flatMap(renamedBy)).map((sentence) => `${place}: ${sentence}`)

/** A waiver of a renamed clause goes on working; one of a retired clause says so. */
export function presentWaiver(waiver: Waived): Waived {
  const former = formerIdOf(waiver.clause)
  if (!former) return waiver
  if (former.replacedBy !== undefined) return { ...waiver, clause: former.replacedBy }
  return { ...waiver, retired: `the clause ${becameOf(former)}` }
}

/** An earlier report with the ids that clauses have now. */
export function withPresentIds(report: Report): Report {
  const { clauses, met, baseline } = report
  return {
    ...report,
    clauses: clauses.map((clause) => ({
      ...clause,
      id: presentId(clause.id),
      ...(clause.owners && { owners: clause.owners.map(presentId) }),
    })),
    ...(met && { met: met.map((each) => ({ ...each, owner: presentId(each.owner) })) }),
    ...(baseline && { baseline: { ...baseline, since: withPresentKeys(baseline.since) } }),
  }
}

const withPresentKeys = (since: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(since).map(([id, time]) => [presentId(id), time]))

/** What became of the clauses of an earlier report. */
export const noticesOfReport = ({ clauses }: Report): string[] =>
  describeFormerIds(clauses.map(({ id }) => id))
