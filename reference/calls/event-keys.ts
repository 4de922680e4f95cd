import type { Task } from '../world/world.ts'

/** Words that tag events of one type. */
const tags = ['vip', 'pep', 'high-risk', 'renewal', 'watchlist, EU', 'Überprüfung']

/** Where the values of a metadata key come from: a field of a task, so many ids, or words. */
export type Values = { field: keyof Task } | { ids: number } | { words: readonly string[] }

/** Each metadata key, with the kinds of events that have it. */
export const keys = {
  entity_id: { field: 'entity_id', of: 'assessment task entity screening inquiry' },
  assessment_id: { field: 'assessment_id', of: 'assessment task screening' },
  task_id: { field: 'id', of: 'task inquiry' },
  workflow_instance_id: { field: 'workflow_instance_id', of: 'assessment task' },
  screening_application_id: { ids: 8, of: 'screening' },
  screening_config_id: { ids: 4, of: 'screening' },
  match_id: { ids: 60, of: 'screening inquiry' },
  inquiry_id: { ids: 40, of: 'inquiry' },
  tag: { words: tags, of: 'assessment task entity inquiry' },
  cache_id: { ids: 20, of: 'entity screening' },
  workflow_step: { field: 'step_name', of: 'assessment task' },
} as const satisfies Record<string, Values & { of: string }>

export type MetadataKey = keyof typeof keys

/** These share the first stream, in this order, and so keep the values that they have always had. */
export const keysInTurn = [
  'entity_id',
  'assessment_id',
  'task_id',
  'workflow_instance_id',
  'workflow_step',
  'screening_application_id',
  'screening_config_id',
  'inquiry_id',
  'match_id',
  'cache_id',
  'tag',
] as const satisfies readonly MetadataKey[]
