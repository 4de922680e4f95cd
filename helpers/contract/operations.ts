/** A path has an id in place of `{…}`; `member` is the object of the body that decides between updates. */
type Row = {
  title: string
  method: 'GET' | 'PUT'
  path: string
  member?: 'update' | 'unassign'
  resource?: 'task' | 'assessment'
  /** of several requests */
  plural: string
  /** the settings without which it is asked of nothing that exists */
  settings?: string
}

const updating = {
  method: 'PUT',
  path: '/tasks/{task_id}/update-assignment',
  resource: 'task',
  plural: 'updates of assignments',
  settings: 'TASK_IDS, ACTOR_ID and USER_IDS',
} as const

export const operations = {
  'task.read': {
    title: 'Retrieve a task',
    method: 'GET',
    path: '/tasks/{task_id}',
    resource: 'task',
    plural: 'reads of tasks',
    settings: 'TASK_IDS or READ_TASK_IDS',
  },
  'assign.update': { title: 'Assign or reassign a task', member: 'update', ...updating },
  'assign.unassign': { title: 'Unassign a task', member: 'unassign', ...updating },
  'assessment.read': {
    title: 'Retrieve an assessment',
    method: 'GET',
    path: '/assessments/{assessment_id}',
    resource: 'assessment',
    plural: 'reads of assessments',
    settings: 'ASSESSMENT_IDS',
  },
  export: {
    title: 'Export audit events',
    method: 'GET',
    path: '/audit-sentinel/events/export',
    plural: 'exports',
  },
} as const satisfies Record<string, Row>

export type Operation = keyof typeof operations

/** The operations that have a resource of their own, by its id. */
export type ReadOperation = 'task.read' | 'assessment.read'

export const isReadOperation = (operation: Operation): operation is ReadOperation =>
  operations[operation].method === 'GET' && 'resource' in operations[operation]

export const readOperations = (Object.keys(operations) as Operation[]).filter(isReadOperation)

export const pathOf = (operation: Operation, id = ''): string =>
  operations[operation].path.replace(/\{\w+\}/, encodeURIComponent(id))

/** The part of the path before the id, by which an unusual form of the path is recognised too. */
const placeOf = ({ path }: Row): string => path.replace(/\{.*/, '')

/** The operations at a path: two, where the body of an update decides. */
export const operationsAt = (method: string, path: string): Operation[] =>
  (Object.keys(operations) as Operation[]).filter(
    (operation) =>
      (operations[operation].method === 'PUT') === (method === 'PUT') &&
      path.includes(placeOf(operations[operation])),
  )
