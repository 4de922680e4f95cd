import { distinct } from '../distinct.ts'
import { matchesAny } from '../glob.ts'
import { grouped } from '../grouped.ts'
import { type Area, undecidedAreas } from '../verdict.ts'
import type { ClauseReport } from './report.ts'

export function problemsOfReach(clauses: readonly ClauseReport[], areas: readonly Area[]) {
  const refused = clauses.filter(({ level, cause }) => level === 'must' && cause === 'refused')
  return [
    ...silentAreas(clauses, areas).map(
      ({ name }) =>
        `no clause of the area ${name} was decided, although its settings are given: the reasons of its clauses say why; set NOT_PERMITTED to what the key may not do`,
    ),
    ...[...grouped(refused, ({ reason = '' }) => reason.split('\n')[0] ?? '')].map(
      ([reason, group]) =>
        `${listOf(group.map(({ id }) => id))} could not be checked: ${reason}${describeDeclaration(group)}`,
    ),
    ...clauses.flatMap(({ id, dangling }) =>
      dangling ? [`${id} was not checked, and no other clause judged the fact: ${dangling}`] : [],
    ),
  ]
}

/** Areas without trouble: where trouble lost a must, its clause says so. */
const silentAreas = (clauses: readonly ClauseReport[], areas: readonly Area[]) =>
  undecidedAreas(clauses, areas).filter(
    (area) =>
      !clauses.some(
        ({ id, level, verdict }) =>
          level === 'must' && verdict === 'inconclusive' && matchesAny(id, area.clauses),
      ),
  )

/** What NOT_PERMITTED could declare for these clauses: an operation if the key may not use one. */
export const declarationOf = (group: readonly ClauseReport[]): string =>
  distinct(group.flatMap(({ id, declare = [id] }) => declare)).join(',')

export function describeDeclaration(group: readonly ClauseReport[]): string {
  const declaration = declarationOf(group)
  if (declaration === '') return ''
  return `; if this key may not do it, set NOT_PERMITTED=${declaration}`
}

const listOf = (ids: readonly string[]) =>
  ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ')
