import { distinct } from '../distinct.ts'
import { matchesAny } from '../glob.ts'
import { type Area, type Cause, isDecided, undecidedAreas } from '../verdict.ts'
import type { ClauseReport } from './report.ts'

const needs: Record<Cause, (count: number) => string> = {
  setting: (count) => (count === 1 ? '1 needs a setting' : `${count} need a setting`),
  data: (count) => (count === 1 ? '1 needs data' : `${count} need data`),
  freedom: (count) => `${count} left open by the contract`,
  refused: (count) => (count === 1 ? '1 was refused' : `${count} were refused`),
  clause: (count) =>
    count === 1 ? '1 waits for another clause' : `${count} wait for other clauses`,
}

/** How many clauses were not checked for this cause, in words: "5 need a setting". */
export const describeCause = (cause: Cause, count: number): string => needs[cause](count)

/** How far a verdict reaches: "131 of 138 musts; 7 not checked (5 need a setting, 2 …)". */
export function describeReach(clauses: readonly ClauseReport[]): string {
  const musts = clauses.filter(({ level }) => level === 'must')
  const open = musts.filter((clause) => !isDecided(clause))
  const decided = `${musts.length - open.length} of ${musts.length} musts`
  if (open.length === 0) return decided
  const skipped = open.filter(({ verdict }) => verdict === 'skip')
  const lost = open.length - skipped.length
  const parts = (Object.keys(needs) as Cause[]).flatMap((cause) => {
    const count = skipped.filter((clause) => clause.cause === cause).length
    return count > 0 ? [describeCause(cause, count)] : []
  })
  // A report of version 1 has no causes.
  const unknown = skipped.filter(({ cause }) => cause === undefined).length
  const why = [
    ...(lost > 0 ? [`${lost} inconclusive`] : []),
    ...parts,
    ...(unknown > 0 ? [`${unknown} skipped`] : []),
  ]
  return `${decided}; ${open.length} not checked (${why.join(', ')})`
}

/**
 * Says which area lacks a setting or data for the largest share of its musts, and the reason that most
 * of these give. Only for an area whose own settings are given, and for more than a fifth of its musts.
 */
export function describeShortfall(
  clauses: readonly ClauseReport[],
  areas: readonly Area[],
): string | undefined {
  const short = areas
    .filter(({ declared }) => !declared)
    .map(({ name, clauses: ids }) => {
      const musts = clauses.filter(({ id, level }) => level === 'must' && matchesAny(id, ids))
      const open = musts.filter(
        ({ verdict, cause }) => verdict === 'skip' && (cause === 'setting' || cause === 'data'),
      )
      return { name, musts, open, share: open.length / musts.length }
    })
    .filter(({ share }) => share > 0.2)
  const [worst] = short.sort((a, b) => b.share - a.share)
  if (!worst) return undefined
  const whatOf = ({ reason = '' }: ClauseReport) => reason.split(/[:\n]/)[0] ?? ''
  const counts = new Map<string, number>()
  for (const clause of worst.open) counts.set(whatOf(clause), (counts.get(whatOf(clause)) ?? 0) + 1)
  const [most = ['', 0]] = [...counts].sort((a, b) => b[1] - a[1])
  return `${worst.open.length} of ${worst.musts.length} musts of the area ${worst.name} were not checked; for ${most[1]} of them: ${most[0]}`
}

/** Sentences on what keeps a run without failures from being conformant. */
export function problemsOfReach(
  clauses: readonly ClauseReport[],
  areas: readonly Area[],
): string[] {
  const refused = clauses.filter(({ level, cause }) => level === 'must' && cause === 'refused')
  return [
    ...silentAreas(clauses, areas).map(
      ({ name }) =>
        `nothing of the area ${name} was decided, though its settings are given; correct them, or declare with NOT_PERMITTED what the key may not do`,
    ),
    ...[...groupedByReason(refused)].map(
      ([reason, group]) =>
        `${listOf(group.map(({ id }) => id))} could not be checked: ${reason}${describeDeclaration(group)}`,
    ),
    ...clauses.flatMap(({ id, dangling }) =>
      dangling ? [`${id} was not checked, and no other clause judged the fact: ${dangling}`] : [],
    ),
  ]
}
/** Where trouble lost a must of an area, its clauses say so themselves. */
const silentAreas = (clauses: readonly ClauseReport[], areas: readonly Area[]) =>
  undecidedAreas(clauses, areas).filter(
    (area) =>
      !clauses.some(
        ({ id, level, verdict }) =>
          level === 'must' && verdict === 'inconclusive' && matchesAny(id, area.clauses),
      ),
  )

/** What NOT_PERMITTED would hold for these clauses: an operation, where the key may not use one. */
export const declarationOf = (group: readonly ClauseReport[]): string =>
  distinct(group.flatMap(({ id, declare = [id] }) => declare)).join(',')

/** The end of a sentence on what was refused: what may be declared, where a declaration would do. */
export function describeDeclaration(group: readonly ClauseReport[]): string {
  const declaration = declarationOf(group)
  if (declaration === '') return ''
  return `; if this key may not do it, set NOT_PERMITTED=${declaration}`
}

const groupedByReason = (clauses: readonly ClauseReport[]): Map<string, ClauseReport[]> => {
  const groups = new Map<string, ClauseReport[]>()
  for (const clause of clauses) {
    const line = clause.reason?.split('\n')[0] ?? ''
    groups.set(line, [...(groups.get(line) ?? []), clause])
  }
  return groups
}

const listOf = (ids: readonly string[]) =>
  ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ')
