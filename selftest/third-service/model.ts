/** The things this service knows about. All moments inside are milliseconds since 1970. */

export type AssigneeKind = 'USER' | 'TEAM'

export interface Assignment {
  assigned_by_id: string
  assigned_to_id: string
  assigned_to_type: AssigneeKind
  assignment_comment: string | null
}

export interface Task {
  id: string
  assessment_id: string
  assessment_template_id: string
  assignment: Assignment | null
  c_name: string
  name: string | null
  created_at: string
  updated_at: string
  locked_at: string
  custom_metadata: Record<string, unknown> | null
  data_version: number
  entity_id: string
  institution_id: string
  microfrontend_id: string
  status: string
  step_name: string
  workflow_instance_id: string
}

/** The parts of a task that never come from a change. */
export type Opening = Omit<Task, 'assignment' | 'updated_at' | 'data_version'>

export type Change =
  | { what: 'opened'; taskId: string; at: number; stamp: number; opening: Opening }
  | {
      what: 'assigned'
      taskId: string
      at: number
      stamp: number
      assignment: Assignment | null
      patch?: Partial<Task>
    }
  | { what: 'touched'; taskId: string; at: number; stamp: number }

export interface Assessment {
  id: string
  created_at: string
  entity_id: string
  institution_id: string
  outcome_id: string
  status_id: string
  template_id: string
  workflow_instance_id: string
  workflow_state: 'Active' | 'Cancelled' | 'Error'
  error_message: string | null
  error_details: Record<string, unknown> | null
  error_step: string | null
  error_type: string | null
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

export interface AuditEvent {
  ref: string
  at: number
  causedBy: string
  kind: string
  action: string
  source: string
  metadata: Partial<Record<MetadataKey, string>>
  remark: string | null
}

export interface Target {
  id: string
  type: AssigneeKind
}

/** What a caller wants done with a task: a target to assign to, or null to take it off. */
export interface Order {
  by: string
  target: Target | null
  comment: string | null
}

export interface Letter {
  to: string[]
  subject: string
  text: string
}

export interface Person {
  id: string
  name: string
  mail: string
}

export interface Team {
  id: string
  name: string
  members: string[]
}

export type Operation = 'update' | 'task' | 'assessment' | 'export' | 'none'

export interface Call {
  op: Operation
  /** The how-manieth request of this service it is, from 1. */
  n: number
  id: string
  query: URLSearchParams
  header(name: string): string | undefined
  text(): Promise<string>
}

export interface Reply {
  status: number
  headers: Record<string, string>
  /** A Buffer goes out as it is, anything else as JSON. */
  payload: unknown
}

/** A refusal. `kind` is the word the caller gets. */
export class Fault extends Error {
  readonly status: number
  readonly kind: string
  constructor(status: number, kind: string, says: string) {
    super(says)
    this.status = status
    this.kind = kind
  }
}

export interface ExportQuery {
  lists: Partial<Record<ListName, string[]>>
  metadata: Partial<Record<MetadataKey, string[]>>
  from: number | null
  to: number | null
  file: 'csv' | 'pdf'
  locale: string
  zone: string
}

export const LIST_NAMES = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const
export type ListName = (typeof LIST_NAMES)[number]
