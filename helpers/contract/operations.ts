import type { Why } from '../../engine/outcome.ts'
import { operationsAt as operationsOf } from '../../engine/run/contract.ts'
import type { Resource, SentObject } from './fields.ts'

/** A path has an id in place of `{…}`; `member` is the object of the body that decides between updates. */
type Row = {
  title: string
  method: 'GET' | 'PUT'
  path: string
  member?: SentObject
  resource?: Resource
  /** an accepted answer is a file */
  file?: true
  /** of several requests */
  plural: string
  /** the settings without which it is asked of nothing that exists: one of each list */
  needs: readonly (readonly string[])[]
  /** another operation, which shows what this one did */
  shownBy?: 'task.read'
  /** parts of the contract in which a run that can ask for it has to decide something, with their clauses */
  areas: Readonly<Record<string, string>>
}

const updating = {
  method: 'PUT',
  path: '/tasks/{task_id}/update-assignment',
  resource: 'task',
  plural: 'updates of assignments',
  needs: [['TASK_IDS'], ['ACTOR_ID'], ['USER_IDS', 'TEAM_IDS']],
  shownBy: 'task.read',
} as const

export const operations = {
  'task.read': {
    title: 'Retrieve a task',
    method: 'GET',
    path: '/tasks/{task_id}',
    resource: 'task',
    plural: 'reads of tasks',
    needs: [['TASK_IDS', 'READ_TASK_IDS']],
    areas: { task: 'task.*' },
  },
  'assign.update': {
    title: 'Assign or reassign a task',
    member: 'update',
    ...updating,
    areas: { assignment: 'assign.*', concurrency: 'version.*' },
  },
  'assign.unassign': { title: 'Unassign a task', member: 'unassign', ...updating, areas: {} },
  'assessment.read': {
    title: 'Retrieve an assessment',
    method: 'GET',
    path: '/assessments/{assessment_id}',
    resource: 'assessment',
    plural: 'reads of assessments',
    needs: [['ASSESSMENT_IDS']],
    areas: { assessment: 'assessment.*' },
  },
  export: {
    title: 'Export audit events',
    method: 'GET',
    path: '/audit-sentinel/events/export',
    file: true,
    plural: 'exports',
    needs: [],
    areas: { export: 'export.*' },
  },
} as const satisfies Record<string, Row>

export type Operation = keyof typeof operations

export const operationNames = Object.keys(operations) as Operation[]

export const rowOf = (operation: Operation): Row => operations[operation]

/** The operations that have a resource of their own, by its id. */
export type ReadOperation = {
  [Name in Operation]: (typeof operations)[Name] extends { method: 'GET'; resource: string }
    ? Name
    : never
}[Operation]

export const isReadOperation = (operation: Operation): operation is ReadOperation =>
  operations[operation].method === 'GET' && 'resource' in operations[operation]

export const readOperations = operationNames.filter(isReadOperation)

/** What can be read by its id, in the order of the rows. */
export const resources: readonly Resource[] = [
  ...new Set(readOperations.map((operation) => operations[operation].resource)),
]

/** What the readings of a clause are; of a clause about no read: tasks. */
export function resourceReadBy({ operation }: { operation?: string | undefined }): Resource {
  const name = readOperations.find((each) => each === operation)
  return name ? operations[name].resource : 'task'
}

/** The settings that name ids of the resource. */
export const idSettingsOf = (resource: Resource): readonly string[] =>
  rowOf(`${resource}.read`).needs.flat()

export const isUpdate = (operation: Operation): boolean => operations[operation].method === 'PUT'

/** Why a clause waits for what an operation needs, as in "set TASK_IDS or READ_TASK_IDS: …". */
export function whyNeeded(operation: Operation, what: string): Why {
  const { needs } = rowOf(operation)
  return ['setting', `set ${describeNeeds(needs)}${what}`, { set: needs.flat() }]
}

function describeNeeds(needs: Row['needs']): string {
  const alternatives = needs.map((names) => names.join(' or '))
  const last = alternatives.at(-1) ?? ''
  return alternatives.length > 1 ? `${alternatives.slice(0, -1).join(', ')} and ${last}` : last
}

export const pathOf = (operation: Operation, id = ''): string =>
  operations[operation].path.replace(/\{\w+\}/, encodeURIComponent(id))

/** The operations at a path: two, where the body of an update decides. */
export const operationsAt = (method: string, path: string): Operation[] =>
  operationsOf(operations, { method, path }) as Operation[]

/** The id in a path of the resource's operations, as it stands there. */
export const idIn = (resource: Row['resource'], path: string): string | undefined => {
  const row = operationNames.map(rowOf).find((each) => each.resource === resource)
  const [before = ''] = row?.path.split('{') ?? []
  const at = path.indexOf(before)
  const [id] = at < 0 ? [] : path.slice(at + before.length).split(/[/?]/)
  return id
}
