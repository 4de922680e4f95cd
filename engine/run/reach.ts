import { distinct } from '../distinct.ts'
import { matchesAny } from '../glob.ts'
import { grouped } from '../grouped.ts'
import { type Area, isChecked, undecidedAreas } from '../verdict.ts'
import type { ClauseReport, Reason } from './report.ts'

/** Why the clauses make no verdict, or not the one that they seem to make. */
export function reasonsOfClauses(
  clauses: readonly ClauseReport[],
  areas: readonly Area[],
): Reason[] {
  const refused = clauses.filter(({ level, cause }) => level === 'must' && cause === 'refused')
  return [
    ...(isChecked(clauses) ? [] : [nothingChecked(clauses)]),
    ...silentAreas(clauses, areas).map(({ name }) => ({
      fact: `no clause of the area ${name} was decided`,
      details:
        ', although its settings are given: the reasons of its clauses say why; set NOT_PERMITTED to what the key may not do',
    })),
    ...[...grouped(refused, ({ reason = '' }) => reason)].map(([reason, group]) => ({
      fact: `${listOf(group.map(({ id }) => id))} could not be checked`,
      details: `: ${reason}${describeDeclaration(group)}`,
    })),
    ...clauses.flatMap(({ id, dangling }) => {
      const details = `, and no other clause judged the fact: ${dangling}`
      return dangling ? [{ fact: `${id} was not checked`, details }] : []
    }),
  ]
}

const nothingChecked = (clauses: readonly Pick<ClauseReport, 'level'>[]): Reason =>
  clauses.length > 0 && clauses.every(({ level }) => level === 'observe')
    ? {
        fact: 'there is nothing to judge',
        details: ': every clause of this run only observes',
      }
    : { fact: 'nothing was checked', details: ': no must was decided' }

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
