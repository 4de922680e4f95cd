import { wordsOf } from '../../engine/word-list.ts'

export const taskPath = (id: string) => `/tasks/${encodeURIComponent(id)}`
export const updatePath = (id: string) => `${taskPath(id)}/update-assignment`
export const assessmentPath = (id: string) => `/assessments/${encodeURIComponent(id)}`
export const exportPath = (query = '') =>
  `/audit-sentinel/events/export${query === '' ? '' : `?${query}`}`

export const operations = {
  'task.read': { title: 'Retrieve a task', method: 'GET', path: taskPath },
  'assign.update': { title: 'Assign or reassign a task', method: 'PUT', path: updatePath },
  'assign.unassign': { title: 'Unassign a task', method: 'PUT', path: updatePath },
  'assessment.read': { title: 'Retrieve an assessment', method: 'GET', path: assessmentPath },
  export: { title: 'Export audit events', method: 'GET', path: exportPath },
} as const

export type Operation = keyof typeof operations

export function kindOf(operation: Operation, query = ''): string {
  if (operation !== 'export') return kinds[operation]
  const isPdf = new URLSearchParams(query).get('file_type')?.toLowerCase() === 'pdf'
  return isPdf ? 'exports as PDF' : 'exports as CSV'
}

const kinds = {
  'task.read': 'reads of tasks',
  'assign.update': 'updates of assignments',
  'assign.unassign': 'updates of assignments',
  'assessment.read': 'reads of assessments',
}

export const arrayParameters = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const

export const encodings = wordsOf('repeat brackets indices comma pipe semicolon space json')

export type Encoding = (typeof encodings)[number]

export function encodeList(name: string, values: readonly string[], encoding: Encoding): string[] {
  switch (encoding) {
    case 'repeat':
      return values.map((value) => pair(name, value))
    case 'brackets':
      return values.map((value) => pair(`${name}[]`, value))
    case 'indices':
      return values.map((value, at) => pair(`${name}[${at}]`, value))
    case 'comma':
      return values.length === 0 ? [] : [`${name}=${values.map(encodeURIComponent).join(',')}`]
    case 'json':
      return values.length === 0 ? [] : [pair(name, JSON.stringify(values))]
    default:
      return values.length === 0 ? [] : [pair(name, values.join(separators[encoding]))]
  }
}

const separators = { pipe: '|', semicolon: ';', space: ' ' }

// Brackets stay unencoded, as the contract writes metadata[<key>].
export const pair = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`

type Key = { names: readonly string[]; task?: string; assessment?: string }

/** Each metadata key: other names of its column, and the members of a task and an assessment with its values. */
export const metadata = keysOf({
  entity_id: { names: ['entity'], task: 'entity_id', assessment: 'entity_id' },
  assessment_id: { names: ['assessment'], task: 'assessment_id', assessment: 'id' },
  task_id: { names: ['task'], task: 'id' },
  workflow_instance_id: {
    names: ['workflow instance', 'workflow', 'workflow id', 'instance id'],
    task: 'workflow_instance_id',
    assessment: 'workflow_instance_id',
  },
  screening_application_id: { names: ['screening application', 'application id'] },
  screening_config_id: { names: ['screening config', 'screening configuration', 'config id'] },
  match_id: { names: ['match'] },
  inquiry_id: { names: ['inquiry', 'enquiry', 'enquiry id'] },
  tag: { names: ['tags', 'label', 'labels'] },
  cache_id: { names: ['cache'] },
  workflow_step: { names: ['step', 'step name', 'workflow step name'], task: 'step_name' },
})

function keysOf<Name extends string>(keys: Record<Name, Key>) {
  return keys
}

export type MetadataKey = keyof typeof metadata

export const metadataKeys = Object.keys(metadata) as MetadataKey[]
