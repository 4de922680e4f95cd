import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { matchesAny } from '../../engine/glob.ts'
import type { Contract } from '../../engine/run/contract.ts'
import type { Judged } from '../../engine/run/run-clauses.ts'
import { nameInCode } from '../../engine/settings/table.ts'
import type { Area } from '../../engine/verdict.ts'
import {
  isUpdate,
  type Operation,
  operationNames,
  operations,
  rowOf,
} from '../../helpers/contract/operations.ts'
import { sentences } from '../../helpers/contract/sentences.ts'
import { statuses } from '../../helpers/contract/statuses.ts'
import { placeAt } from '../../helpers/export/ask/places.ts'
import { kinds } from '../../helpers/findings/kinds.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { makersOf } from '../../reporting/all.ts'

const { badKey, unknownId, staleVersion } = statuses

export const contract: Contract = {
  // TypeScript in a checkout, JavaScript in the package.
  entry: join(import.meta.dirname, `../../suites/entry${extname(import.meta.filename)}`),
  operations,
  statuses: { badKey, unknownId, staleVersion },
  text: readFileSync(new URL('../../helpers/contract/contract.md', import.meta.url), 'utf8'),
  sentences,
  findings: kinds,
  placeAt,
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

const isSet = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== undefined)

/**
 * The areas in which a run with these settings has to decide something: their settings are given, and no
 * declaration excludes them.
 */
export function areasFor(settings: Settings): Area[] {
  const { notPermitted } = settings
  const able = operationNames.filter((operation) => isAble(operation, settings))
  const areas = { authentication: 'auth.*', ...Object.assign({}, ...able.map(areasOf)) }
  return Object.entries<string>(areas).map(([name, glob]) => {
    const area = { name, clauses: [glob] }
    const isDeclared = notPermitted.some((id) => matchesAny(id, area.clauses))
    return isDeclared ? { ...area, declared: true } : area
  })
}

const areasOf = (operation: Operation) => rowOf(operation).areas

/** Whether a run with these settings can ask for the operation. */
function isAble(operation: Operation, settings: Settings): boolean {
  const { needs, shownBy } = rowOf(operation)
  const values: Record<string, unknown> = settings
  const isPermitted = (name: string) => !settings.notPermitted.includes(name)
  return (
    isPermitted(operation) &&
    (shownBy === undefined || isPermitted(shownBy)) &&
    !(settings.readOnly && isUpdate(operation)) &&
    needs.every((names) => names.some((name) => isSet(values[nameInCode(name)])))
  )
}
