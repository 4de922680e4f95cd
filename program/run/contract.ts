import { extname, join } from 'node:path'
import { matchesAny } from '../../engine/glob.ts'
import type { Contract } from '../../engine/run/contract.ts'
import type { Judged } from '../../engine/run/run-clauses.ts'
import type { Area } from '../../engine/verdict.ts'
import { clauseGlobs, sentences } from '../../helpers/contract.ts'
import { describeExportFacts } from '../../helpers/service/export-facts.ts'
import { operations } from '../../helpers/service/operations.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { makersOf } from '../../reporting/all.ts'

/** The contract, as the engine and the reports need it. */
export const contract: Contract = {
  // TypeScript in a checkout, JavaScript in the package.
  entry: join(import.meta.dirname, `../../suites/entry${extname(import.meta.filename)}`),
  operations,
  sentences,
  describeFacts: describeExportFacts,
}

/** The ids in the contract's sentences; of a pattern, the part before its star. */
export const ownIds: string[] = clauseGlobs
  .map((id) => id.replace(/\*.*/, ''))
  .filter((id) => /\..*\w/.test(id))

/** The makers of all files made from a report, by file name. */
export const makers = makersOf(contract)

/** The areas with a selected must; clauses that run for a reference do not count. */
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
  const { taskIds, readTaskIds, assessmentIds, userIds, teamIds, actorId } = settings
  const may = (operation: string) => !settings.notPermitted.includes(operation)
  const changes =
    !settings.readOnly &&
    isGiven(taskIds) &&
    isGiven([...userIds, ...teamIds]) &&
    may('assign.update') &&
    may('task.read')
  const given: [Area, boolean][] = [
    [{ name: 'authentication', clauses: ['auth.*'] }, true],
    [
      { name: 'task', clauses: ['task.*'] },
      isGiven([...taskIds, ...readTaskIds]) && may('task.read'),
    ],
    [{ name: 'assignment', clauses: ['assign.*'] }, changes && actorId !== undefined],
    [{ name: 'concurrency', clauses: ['version.*'] }, changes && actorId !== undefined],
    [
      { name: 'assessment', clauses: ['assessment.*'] },
      isGiven(assessmentIds) && may('assessment.read'),
    ],
    [{ name: 'export', clauses: ['export.*'] }, may('export')],
  ]
  const isDeclared = ({ clauses }: Area) =>
    settings.notPermitted.some((id) => matchesAny(id, clauses))
  return given.flatMap(([area, isExpected]) =>
    isExpected ? [isDeclared(area) ? { ...area, declared: true } : area] : [],
  )
}
