import { type Change, Fault, type Order, type Task } from '../model.ts'
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
