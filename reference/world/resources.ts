export type Assignment = {
  assigned_by_id: string
  assigned_to_id: string
  /** USER or TEAM */
  assigned_to_type: string
  assignment_comment?: string | null
}

export type Task = {
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

export type Assessment = {
  id: string
  created_at: string
  entity_id: string
  institution_id: string
  outcome_id: string
  status_id: string
  template_id: string
  workflow_instance_id: string
  workflow_state: string
  error_message: unknown
  error_details: unknown
  error_step: unknown
  error_type: unknown
}

export type User = { id: string; name: string; mail: string }
export type Team = { id: string; name: string; memberIds: string[] }
export type Institution = { id: string; name: string }
export type Entity = { id: string; name: string; institutionId: string }
