import { type Assessment, type AssigneeKind, type Assignment, Fault, type Task } from '../model.ts'
import { natural, stated } from './bug.ts'

/** How tasks and assessments are shown. */
export const readingBugs = [
  stated({
    name: 'unassigned-shows-empty-object',
    breaks: 'It is null when the task is unassigned.',
    does: 'the assignment of an unassigned task is {}',
    hooks: () => ({
      shown: (task) => ({ ...task, assignment: task.assignment ?? ({} as Assignment) }),
    }),
  }),
  stated({
    name: 'assignee-type-with-enum-name',
    breaks: 'assigned_to_type | string | Allowed values: `USER`, `TEAM`.',
    does: 'every answer writes the type of the assignee as AssigneeType.USER or AssigneeType.TEAM',
    hooks: () => ({
      shown: (task) => {
        if (!task.assignment) return task
        const type = `AssigneeType.${task.assignment.assigned_to_type}` as AssigneeKind
        return { ...task, assignment: { ...task.assignment, assigned_to_type: type } }
      },
    }),
  }),
  stated({
    name: 'unknown-assessment-empty-200',
    breaks:
      '404 | Not Found | Assessment retrieval: the assessment_id does not match an assessment.',
    does: 'an assessment that does not exist is answered as a success that holds next to nothing',
    hooks: () => ({
      reply: (reply, { call, fault }) =>
        call.op === 'assessment' && fault?.status === 404
          ? { ...reply, status: 200, payload: {} }
          : reply,
    }),
  }),
  stated({
    name: 'unknown-task-update-409',
    breaks: '404 | Task not found | Task operations: the task_id does not match a task.',
    does: 'an update of a task that does not exist is refused as stale, as no version equals If-Match',
    hooks: () => ({
      fault: (fault, { call }) =>
        call.op === 'update' && fault.status === 404
          ? new Fault(409, 'VERSION_MISMATCH', 'the task has changed; read it again')
          : fault,
    }),
  }),
  stated({
    name: 'cancelled-with-one-l',
    breaks: 'workflow_state | string | Allowed values: `Active`, `Cancelled`, `Error`.',
    does: 'the workflow_state of a cancelled assessment is written Canceled',
    hooks: () => ({
      assessment: (found) =>
        found?.workflow_state === 'Cancelled'
          ? { ...found, workflow_state: 'Canceled' as Assessment['workflow_state'] }
          : found,
    }),
  }),
  stated({
    name: 'failed-assessment-has-other-id',
    breaks: 'id | string | Assessment id.',
    does: 'an assessment in Error has its error record laid over it, whose id is the workflow instance',
    hooks: () => ({
      assessment: (found) =>
        found?.workflow_state === 'Error' ? { ...found, id: found.workflow_instance_id } : found,
    }),
  }),
  stated({
    name: 'assessment-found-by-entity-id',
    breaks:
      '404 | Not Found | Assessment retrieval: the assessment_id does not match an assessment.',
    does: 'an assessment is also found by the id of its entity',
    hooks: () => ({
      assessment: (found, { id, all }) => found ?? all.find((one) => one.entity_id === id),
    }),
  }),
  stated({
    name: 'one-failed-assessment-tells-nothing',
    breaks: 'reports … its outcome id and, on failure, error information',
    does: 'of the assessments in Error the last one has all error fields null',
    hooks: () => ({
      assessment: (found, { all }) =>
        found && found === all.findLast(({ workflow_state }) => workflow_state === 'Error')
          ? {
              ...found,
              error_message: null,
              error_details: null,
              error_step: null,
              error_type: null,
            }
          : found,
    }),
  }),
  stated({
    name: 'task-of-a-team-locked-at-without-zone',
    breaks: 'Timestamps are ISO 8601 UTC datetime strings.',
    does: 'the locked_at of a task that a team has is written without Z',
    hooks: () => ({
      shown: (task) =>
        task.assignment?.assigned_to_type === 'TEAM'
          ? { ...task, locked_at: task.locked_at.replace('Z', '') }
          : task,
    }),
  }),
  stated({
    name: 'no-error-given-as-empty-text',
    breaks: 'They are null when there is no error.',
    does: 'the error fields of a cancelled assessment are empty texts',
    warns: 'the types of the error fields are not shown',
    hooks: () => ({
      assessment: (found) =>
        found?.workflow_state === 'Cancelled'
          ? { ...found, error_message: '', error_step: '', error_type: '' }
          : found,
    }),
  }),
  natural({
    name: 'stale-cache-after-twenty-requests',
    breaks: 'natural: a task that is read shows the changes made before',
    does: 'from the 21st request on a task is read once and then served from memory for good',
    hooks: () => {
      const memory = new Map<string, Task>()
      return {
        shown: (task, { call }) => {
          if (call.op !== 'task' || call.n <= 20) return task
          const held = memory.get(task.id) ?? task
          memory.set(task.id, held)
          return held
        },
      }
    },
  }),
  natural({
    name: 'assessment-cancelled-by-task-change',
    breaks: 'natural: assigning a task leaves its assessment as it is',
    does: 'once a task has been changed, its assessment is shown in another workflow_state',
    hooks: () => {
      const moved = new Set<string>()
      const turn = (one: Assessment): Assessment => ({
        ...one,
        workflow_state: one.workflow_state === 'Cancelled' ? 'Active' : 'Cancelled',
      })
      return {
        changes: (changes, { before, outcome }) => {
          if (outcome === 'done') moved.add(before.assessment_id)
          return changes
        },
        assessment: (found) => (found && moved.has(found.id) ? turn(found) : found),
      }
    },
  }),
] as const
