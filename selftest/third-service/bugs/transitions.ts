import { type Assignment, type Change, Fault, type Order, type Task } from '../model.ts'
import { natural, stated } from './bug.ts'

const REASSIGN = 'Assigned to the newly given user or team'

type Assigned = Extract<Change, { what: 'assigned' }>
const assigned = (changes: Change[], turn: (change: Assigned) => Change): Change[] =>
  changes.map((change) => (change.what === 'assigned' ? turn(change) : change))

const follow = (task: Task, change: Change): Change => ({ ...change, taskId: task.id }) as Change

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;')

/** What an assignment change does to the task. */
export const transitionBugs = [
  stated({
    name: 'team-update-404',
    breaks: 'Id of the user or team, according to assigned_to_type.',
    does: 'every update to a team is answered by 404, as the id is looked up among the users',
    hooks: () => ({
      order: (order) => {
        if (order.target?.type === 'TEAM') throw new Fault(404, 'USER_NOT_FOUND', 'no such user')
        return order
      },
    }),
  }),
  stated({
    name: 'unassign-answer-keeps-assignment',
    breaks: 'After a successful unassign, `assignment` is null.',
    does: 'the answer to an unassign still shows the assignment; the stored task has none',
    hooks: () => ({
      answer: (task, { before, order }) =>
        order.target ? task : { ...task, assignment: before.assignment },
    }),
  }),
  stated({
    name: 'reassign-not-stored',
    breaks: REASSIGN,
    does: 'a reassign is answered as made, but the stored task keeps the old assignee',
    hooks: () => ({
      changes: (changes, { before }) =>
        assigned(changes, (change) =>
          change.assignment && before.assignment
            ? { ...change, assignment: before.assignment }
            : change,
        ),
    }),
  }),
  stated({
    name: 'reassign-keeps-old-type',
    breaks: REASSIGN,
    does: 'a reassign stores the new id beside the old assigned_to_type; the answer shows the new one',
    hooks: () => ({
      changes: (changes, { before: { assignment: old } }) =>
        assigned(changes, (change) =>
          change.assignment && old
            ? {
                ...change,
                assignment: { ...change.assignment, assigned_to_type: old.assigned_to_type },
              }
            : change,
        ),
    }),
  }),
  stated({
    name: 'first-assigner-stays',
    breaks: 'assigned_by_id | string | Id of the user who made the assignment.',
    does: 'a reassign leaves the assigned_by_id of the assignment before, stored and answered',
    hooks: () => {
      const byFirst = <T extends Assignment | null>(now: T, old: Assignment | null): T =>
        now && old ? { ...now, assigned_by_id: old.assigned_by_id } : now
      return {
        changes: (changes, { before }) =>
          assigned(changes, (change) => ({
            ...change,
            assignment: byFirst(change.assignment, before.assignment),
          })),
        answer: (task, { before }) => ({
          ...task,
          assignment: byFirst(task.assignment, before.assignment),
        }),
      }
    },
  }),
  stated({
    name: 'team-unassign-not-stored',
    breaks: 'Assigned | PUT update-assignment with an `unassign` object | … | Unassigned',
    does: 'an unassign only takes off users: a team is gone in the answer and stays in the stored task',
    hooks: () => ({
      changes: (changes, { before: { assignment: old }, order }) =>
        assigned(changes, (change) =>
          !order.target && old?.assigned_to_type === 'TEAM'
            ? { ...change, assignment: old }
            : change,
        ),
    }),
  }),
  stated({
    name: 'assign-after-unassign-revives-the-old',
    breaks:
      'Unassigned | PUT update-assignment with an `update` object | … | Assigned to the given user or team',
    does: 'an unassign only marks the row of the assignment, and the next assign takes the mark off again',
    hooks: () => {
      const marked = new Map<string, Assignment>()
      return {
        changes: (changes, { before }) =>
          assigned(changes, (change) => {
            if (!change.assignment && before.assignment) marked.set(before.id, before.assignment)
            const row = change.assignment && !before.assignment && marked.get(before.id)
            return row ? { ...change, assignment: row } : change
          }),
      }
    },
  }),
  stated({
    name: 'nameless-task-update-500',
    breaks: 'Task name; may be null.',
    does: 'assigning a task whose name is null is stored, and then fails with 500 while the mail is written',
    hooks: () => ({
      letters: (letters, { before, order }) => {
        if (order.target && before.name === null)
          throw new Error("Cannot read properties of null (reading 'trim')")
        return letters
      },
    }),
  }),
  stated({
    name: 'team-comment-missing-in-read',
    breaks:
      "The comment, if any, is visible to the assignee and recorded in the entity's audit record.",
    does: 'a read of a task of a team has no comment; the answer to the update has it',
    hooks: () => ({
      shown: (task, { call }) =>
        call.op === 'task' && task.assignment?.assigned_to_type === 'TEAM'
          ? { ...task, assignment: { ...task.assignment, assignment_comment: null } }
          : task,
    }),
  }),
  stated({
    name: 'unassign-comment-comes-back',
    breaks: 'assignment_comment | string or null | Optional comment.',
    does: 'the comment of an unassign waits, and an assign without a comment shows it',
    hooks: () => {
      const waiting = new Map<string, string>()
      return {
        order: (order, { before }) => {
          if (!order.target) {
            if (order.comment !== null) waiting.set(before.id, order.comment)
            return order
          }
          const comment = order.comment ?? waiting.get(before.id) ?? null
          waiting.delete(before.id)
          return { ...order, comment }
        },
      }
    },
  }),
  stated({
    name: 'unassign-answer-without-the-member',
    breaks: 'After a successful unassign, `assignment` is null.',
    does: 'the answer to an unassign has no member assignment; reads have it as null',
    hooks: () => ({
      answer: (task, { order }) => {
        if (order.target) return task
        const { assignment: _, ...rest } = task
        return rest as Task
      },
    }),
  }),
  natural({
    name: 'comment-html-escaped',
    breaks: 'natural: a comment is shown the way it was sent',
    does: 'the characters & < and the apostrophe of a comment are stored as HTML entities',
    hooks: () => ({
      order: (order) => ({
        ...order,
        comment: order.comment === null ? null : escaped(order.comment),
      }),
    }),
  }),
  natural({
    name: 'comment-kept-on-reassign',
    breaks: 'natural: a comment belongs to the assignment it was sent with',
    does: 'a reassign without a comment shows the comment of the assignment before',
    hooks: () => ({
      order: (order, { before }): Order =>
        order.target && order.comment === null
          ? { ...order, comment: before.assignment?.assignment_comment ?? null }
          : order,
    }),
  }),
  natural({
    name: 'no-comment-becomes-the-word-null',
    breaks: 'natural: an assignment without a comment has no comment',
    does: 'an update without a comment gets the comment "null"',
    hooks: () => ({
      order: (order) => (order.target ? { ...order, comment: String(order.comment) } : order),
    }),
  }),
  natural({
    name: 'unassign-clears-custom-metadata',
    breaks: 'natural: a change of the assignment leaves the other fields of the task alone',
    does: 'an unassign also replaces custom_metadata by another value in the stored task',
    hooks: () => ({
      changes: (changes) =>
        assigned(changes, (change) =>
          change.assignment ? change : { ...change, patch: { custom_metadata: { cleared: true } } },
        ),
    }),
  }),
  natural({
    name: 'sister-tasks-follow',
    breaks: 'natural: an update changes the task in the path and no other',
    does: 'the other tasks of the same assessment get the assignment as well',
    hooks: () => ({
      changes: (changes, { before, siblings }) => {
        const sisters = siblings.filter((task) => task.assessment_id === before.assessment_id)
        return changes.flatMap((change) => [
          change,
          ...sisters.map((sister) => follow(sister, change)),
        ])
      },
    }),
  }),
  natural({
    name: 'created-at-moves-with-change',
    breaks: 'natural: created_at is when the task was made, and stays',
    does: 'each change of a task stores its moment as created_at, too',
    hooks: () => ({
      changes: (changes, { moment }) =>
        assigned(changes, (change) => ({
          ...change,
          patch: { created_at: new Date(moment).toISOString() },
        })),
    }),
  }),
] as const
