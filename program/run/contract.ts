import { extname, join } from 'node:path'
import { matchesAny } from '../../engine/glob.ts'
import type { Contract } from '../../engine/run/contract.ts'
import type { Judged } from '../../engine/run/run-clauses.ts'
import type { Area } from '../../engine/verdict.ts'
import { operations } from '../../helpers/contract/operations.ts'
import { sentences } from '../../helpers/contract/sentences.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { makersOf } from '../../reporting/all.ts'

export const contract: Contract = {
  // TypeScript in a checkout, JavaScript in the package.
  entry: join(import.meta.dirname, `../../suites/entry${extname(import.meta.filename)}`),
  operations,
  sentences,
}

export const makers = makersOf(contract)

export const selectedAreas = (
  areas: readonly Area[],
  judged: readonly Judged[],
  owners: readonly string[],
): Area[] =>
  areas.filter(({ clauses }) =>
    judged.some(
      ({ facts: { id, level } }) =>
        level === 'must' && matchesAny(id, clauses) && !owners.includes(id),
    ),
  )

const isGiven = (list: readonly string[]) => list.length > 0

/**
 * The areas in which a run with these settings has to decide something: their settings are given, and no
 * declaration excludes them.
 */
export function areasFor(settings: Settings): Area[] {
  const { taskIds, readTaskIds, assessmentIds, userIds, teamIds, notPermitted } = settings
  const may = (operation: string) => !notPermitted.includes(operation)
  const changes =
    !settings.readOnly &&
    settings.actorId !== undefined &&
    isGiven(taskIds) &&
    isGiven([...userIds, ...teamIds]) &&
    may('assign.update') &&
    may('task.read')
  const given: [name: string, clauses: string, isExpected: boolean][] = [
    ['authentication', 'auth.*', true],
    ['task', 'task.*', isGiven([...taskIds, ...readTaskIds]) && may('task.read')],
    ['assignment', 'assign.*', changes],
    ['concurrency', 'version.*', changes],
    ['assessment', 'assessment.*', isGiven(assessmentIds) && may('assessment.read')],
    ['export', 'export.*', may('export')],
  ]
  return given.flatMap(([name, glob, isExpected]) => {
    const area = { name, clauses: [glob] }
    const isDeclared = notPermitted.some((id) => matchesAny(id, area.clauses))
    return isExpected ? [isDeclared ? { ...area, declared: true } : area] : []
  })
}
