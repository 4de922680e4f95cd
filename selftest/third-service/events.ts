import { randomUUID } from 'node:crypto'
import type { AuditEvent, Opening, Order } from './model.ts'

/** The event that an assignment change leaves in the audit record of the task's entity. */
export function eventOf(task: Opening, order: Order, at: number): AuditEvent {
  return {
    ref: randomUUID(),
    at,
    causedBy: order.by,
    kind: 'task',
    action: order.target ? 'assigned' : 'unassigned',
    source: 'task_platform',
    metadata: {
      entity_id: task.entity_id,
      assessment_id: task.assessment_id,
      task_id: task.id,
      workflow_instance_id: task.workflow_instance_id,
      workflow_step: task.step_name,
    },
    remark: order.comment,
  }
}
