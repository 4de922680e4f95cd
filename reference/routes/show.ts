import type { Call, Field, Resource } from '../calls/call.ts'
import type { Setup } from '../state/setup.ts'
import type { Assessment, Task } from '../world/world.ts'
import { checksOf, firstRefusal, refuse, succeed } from './answer.ts'

const fields: Record<Resource, string[]> = {
  task: 'id assessment_id assessment_template_id assignment c_name name created_at updated_at locked_at custom_metadata data_version entity_id institution_id microfrontend_id status step_name workflow_instance_id'.split(
    ' ',
  ),
  assignment: ['assigned_by_id', 'assigned_to_id', 'assigned_to_type', 'assignment_comment'],
  assessment:
    'id created_at entity_id institution_id outcome_id status_id template_id workflow_instance_id workflow_state error_message error_details error_step error_type'.split(
      ' ',
    ),
}

/** Creates the answer's form of a stored record, field by field. */
export function show(setup: Setup, call: Call, resource: Resource, record: Readonly<object>) {
  const { stated, open } = setup
  const shown = open.extraFields({ ...call, resource, record })
  const stored = record as Record<string, unknown>
  for (const field of fields[resource]) {
    const at: Field = { ...call, resource, record, field }
    if (!stated.fieldIsShown(at)) continue
    const value = showValue(setup, at, open.shownValue({ ...at, value: stored[field] }))
    shown[field] = stated.fieldValue({ ...at, value })
  }
  return shown
}

/** The task's version as answers show it and If-Match must send it. */
export function shownVersion(setup: Setup, call: Call, task: Task): string {
  const at: Field = { ...call, resource: 'task', record: task, field: 'updated_at' }
  return String(showValue(setup, at, task.updated_at))
}

function showValue(setup: Setup, at: Field, value: unknown): unknown {
  const { stated, open } = setup
  const { field } = at
  if (field === 'assignment' && typeof value === 'object' && value !== null)
    return show(setup, at, 'assignment', value)
  if (typeof value !== 'string') return value
  if (/(^|_)id$/.test(field))
    return stated.identifier({ ...at, value: open.idForm({ ...at, value }) })
  if (field.endsWith('_at'))
    return stated.timestamp({ ...at, value: open.timestampForm({ ...at, value }) })
  return value
}

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

export function readAssessment(setup: Setup, call: Call): Response {
  const { stated, world } = setup
  const found = stated.assessmentFor({ ...call, assessments: world.assessments })
  const refusal = firstRefusal(setup, call, checksOf(setup, call, found))
  if (refusal) return refuse(setup, call, refusal, found)
  return succeed(setup, call, show(setup, call, 'assessment', found as Assessment))
}
