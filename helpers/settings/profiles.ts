import { either } from '../../engine/settings/parsers.ts'
import { nameInCode } from '../../engine/settings/table.ts'
import type { Resource } from '../contract/fields.ts'
import {
  idSettingsOf,
  isUpdate,
  type Operation,
  operationNames,
  readOperations,
  resources,
  rowOf,
} from '../contract/operations.ts'
import { idsNamedIn, idsOf } from './resource-ids.ts'

type Profile = {
  meaning: string
  clauses?: readonly string[]
  narrowed?: (settings: object) => object
}

const under = (part: string, ids: string) => ids.split(' ').map((id) => `${part}.${id}`)

const reads = operationNames.filter((operation) => !isUpdate(operation))
const updates = operationNames.filter(isUpdate)

const areasOf = (operation: Operation) => Object.values(rowOf(operation).areas)

const keysOf = (operation: Operation) => `auth.*.${operation}*`

export const profiles = {
  full: { meaning: 'every clause; this is the default' },
  smoke: {
    meaning: 'a few clauses of each operation; no update that a service is to accept',
    clauses: [
      ...reads.map((operation) => `auth.missing-key.${operation}`),
      ...updates.map((operation) => `auth.before-lookup.${operation}`),
      'assign.not-found.unassign',
      ...readOperations.flatMap((operation) =>
        under(operation, 'success identity fields identifiers timestamps'),
      ),
      ...under('task.read', 'types version assignment'),
      ...under('assessment.read', 'state error error-fields no-error'),
      ...under('export', 'csv.status csv.readable csv.well-formed pdf.status pdf.readable'),
      ...under('export', 'timezone.same-events range.start-inclusive range.end-inclusive.exact'),
      ...under('export', 'cells-are-values.pdf'),
    ],
    // Its cost does not depend on how many ids are given.
    narrowed: (settings) =>
      Object.assign({}, ...resources.map((resource) => firstTwoOf(resource, settings))),
  },
  reads: {
    meaning: `reads of ${either(
      resources.map((resource) => `${resource}s`),
      'and',
    )}; no update is sent`,
    clauses: [...readOperations.flatMap(areasOf), ...readOperations.map(keysOf)],
    narrowed: () => ({ readOnly: true }),
  },
  updates: {
    meaning: 'updates, versions, emails and the audit trail; no other export',
    clauses: [
      ...updates.flatMap(areasOf),
      ...['audit.*', 'notify.*', 'auth.refused-changes-nothing'],
      ...updates.map(keysOf),
    ],
  },
  export: {
    meaning: 'exports; two clauses change a task for a comment to be exported',
    clauses: [...areasOf('export'), keysOf('export')],
  },
} satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles

export const profileNames = Object.keys(profiles) as ProfileName[]

export const clausesIn = (name: ProfileName): readonly string[] | undefined => {
  const { clauses }: Profile = profiles[name]
  return clauses
}

/** The settings that name ids of the resource, with the first two ids alone. */
function firstTwoOf(resource: Resource, settings: object): object {
  const firstTwo = idsOf(resource, settings).slice(0, 2)
  const entries = idSettingsOf(resource).map((name) => {
    const ids = idsNamedIn(name, settings)
    return [nameInCode(name), ids.filter((id) => firstTwo.includes(id))]
  })
  return Object.fromEntries(entries)
}

export function narrowed<Given extends object & { profile: ProfileName }>(settings: Given): Given {
  const { narrowed: own }: Profile = profiles[settings.profile]
  return { ...settings, ...own?.(settings) }
}
