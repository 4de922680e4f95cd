// What the service holds, and the only ways to read and to change a task.
import { nextVersion } from './clock.ts'
import type { Quirks } from './quirks.ts'

export type Assignment = {
  assigned_by_id: string
  assigned_to_id: string
  assigned_to_type: 'USER' | 'TEAM'
  assignment_comment?: string | null
  [extra: string]: unknown
}
export type TaskBody = {
  id: string
  assessment_id: string
  entity_id: string
  workflow_instance_id: string
  assignment: Assignment | null
  updated_at: string
  data_version: number | null
  [extra: string]: unknown
}
export type TaskRecord = {
  versions: { at: number; body: TaskBody }[]
  used: Set<string>
  quirks: Quirks
}
export type AssessmentBody = { id: string; entity_id: string; [field: string]: unknown }
export type World = {
  random: () => number
  arguable: boolean
  apiKey: string
  apiUserId: string
  actorId: string
  userIds: string[]
  teams: Map<string, string[]>
  tasks: Map<string, TaskRecord>
  assessments: Map<string, AssessmentBody>
  taskIds: string[]
  readTaskIds: string[]
  assessmentIds: string[]
  events: AuditEvent[]
  outbox: { to: string; taskId: string; comment: string | null }[]
  later: (ms: number, run: () => void) => void
  stop: () => void
}

export function current(task: TaskRecord): TaskBody {
  const last = task.versions.at(-1)
  if (last === undefined) throw new Error('a task without a version')
  return last.body
}

/** The only place that writes: one synchronous step, and always a version never used before. */
export function commit(task: TaskRecord, change: Partial<TaskBody>): TaskBody {
  const before = current(task)
  const { updatedAt, behindMs, dataStep } = task.quirks
  const body: TaskBody = {
    ...before,
    // legal: "Meaning and update rules of data_version …: not shown"
    data_version: before.data_version === null ? null : before.data_version + dataStep,
    ...change,
    updated_at: nextVersion(task.used, updatedAt, task.used.size % 2 === 1 ? behindMs : 0),
  }
  task.versions = [...task.versions.slice(-500), { at: Date.now(), body }]
  return body
}

/** Legal: nothing promises that a read follows the latest write at once; versions can go back. */
export function readFromReplica(world: World, task: TaskRecord): TaskBody {
  const seenUntil = Date.now() - world.random() * task.quirks.lagMs
  const seen = task.versions.findLast((version) => version.at <= seenUntil)
  return seen?.body ?? task.versions[0]?.body ?? current(task)
}

export const METADATA_KEYS = [
  'entity_id',
  'assessment_id',
  'task_id',
  'workflow_instance_id',
  'screening_application_id',
  'screening_config_id',
  'match_id',
  'inquiry_id',
  'tag',
  'cache_id',
  'workflow_step',
] as const
export type MetadataKey = (typeof METADATA_KEYS)[number]

export type AuditEvent = {
  at: number
  auditee_id: string
  event_type: string
  sub_type: string
  system_source: string
  metadata: Partial<Record<MetadataKey, string>>
  comment: string | null
}
