import type { Call, Field, Resource } from '../calls/call.ts'
import type { Setup } from '../state/setup.ts'
import type { Assessment, Assignment, Task } from '../world/world.ts'
import { refuse, succeed } from './answer.ts'
import { checksOf, firstRefusal } from './checks.ts'

type Kind = 'identifier' | 'timestamp' | 'assignment' | 'value'
type Fields<Record> = { [Name in keyof Required<Record>]: Kind }

const fields = {
  task: {
    id: 'identifier',
    assessment_id: 'identifier',
    assessment_template_id: 'identifier',
    assignment: 'assignment',
    c_name: 'value',
    name: 'value',
    created_at: 'timestamp',
    updated_at: 'timestamp',
    locked_at: 'timestamp',
    custom_metadata: 'value',
    data_version: 'value',
    entity_id: 'identifier',
    institution_id: 'identifier',
    microfrontend_id: 'identifier',
    status: 'value',
    step_name: 'value',
    workflow_instance_id: 'identifier',
  } satisfies Fields<Task>,
  assignment: {
    assigned_by_id: 'identifier',
    assigned_to_id: 'identifier',
    assigned_to_type: 'value',
    assignment_comment: 'value',
  } satisfies Fields<Assignment>,
  assessment: {
    id: 'identifier',
    created_at: 'timestamp',
    entity_id: 'identifier',
    institution_id: 'identifier',
    outcome_id: 'identifier',
    status_id: 'identifier',
    template_id: 'identifier',
    workflow_instance_id: 'identifier',
    workflow_state: 'value',
    error_message: 'value',
    error_details: 'value',
    error_step: 'value',
    error_type: 'value',
  } satisfies Fields<Assessment>,
}

/** Creates the answer's form of a stored record, field by field. */
export function show(setup: Setup, call: Call, resource: Resource, record: Readonly<object>) {
  const { stated, open } = setup
  const shown = open.extraFields({ ...call, resource, record })
  const stored = record as Record<string, unknown>
  for (const [field, kind] of Object.entries<Kind>(fields[resource])) {
    const at: Field = { ...call, resource, record, field }
    if (!stated.fieldIsShown(at)) continue
    const value = showValue(setup, at, kind, open.shownValue({ ...at, value: stored[field] }))
    shown[field] = stated.fieldValue({ ...at, value })
  }
  return shown
}

/** The task's version as answers show it and If-Match must send it. */
export function shownVersion(setup: Setup, call: Call, task: Task): string {
  const at: Field = { ...call, resource: 'task', record: task, field: 'updated_at' }
  return String(showValue(setup, at, 'timestamp', task.updated_at))
}

function showValue(setup: Setup, at: Field, kind: Kind, value: unknown): unknown {
  const { stated, open } = setup
  if (kind === 'assignment' && typeof value === 'object' && value !== null) {
    return show(setup, at, 'assignment', value)
  }
  if (typeof value !== 'string') return value
  if (kind === 'identifier') {
    return stated.identifier({ ...at, value: open.idForm({ ...at, value }) })
  }
  if (kind === 'timestamp') {
    return stated.timestamp({ ...at, value: open.timestampForm({ ...at, value }) })
  }
  return value
}

/** GET /tasks/{task_id} */
export function readTask(setup: Setup, call: Call): Response {
  const { stated, open, store } = setup
  const find = () => stated.taskFor({ ...call, tasks: store.tasks(open.readLag(call)) })
  const found = find()
  const refusal = firstRefusal(setup, call, checksOf(setup, call, found))
  if (refusal) return refuse(setup, call, refusal, found)
  const task = found as Task
  if (!stated.readingTouches({ ...call, task })) {
    return succeed(setup, call, show(setup, call, 'task', task))
  }
  store.touch(task.id)
  return succeed(setup, call, show(setup, call, 'task', find() ?? task))
}

/** GET /assessments/{assessment_id} */
export function readAssessment(setup: Setup, call: Call): Response {
  const { stated, world } = setup
  const found = stated.assessmentFor({ ...call, assessments: world.assessments })
  const refusal = firstRefusal(setup, call, checksOf(setup, call, found))
  if (refusal) return refuse(setup, call, refusal, found)
  return succeed(setup, call, show(setup, call, 'assessment', found as Assessment))
}
