import type { Field, Operation, Update } from '../../reference/call.ts'
import type { Stated } from '../../reference/stated.ts'
import type { Task } from '../../reference/world.ts'
import type { Fault } from '../bend.ts'

const transitions = {
  'unassigned-to-user': ['unassigned', 'USER'],
  'user-to-user': ['USER', 'USER'],
  'user-to-team': ['USER', 'TEAM'],
  'team-to-team': ['TEAM', 'TEAM'],
  'team-to-user': ['TEAM', 'USER'],
  'unassign-user': ['USER', 'unassigned'],
  'unassigned-to-team': ['unassigned', 'TEAM'],
  'unassign-team': ['TEAM', 'unassigned'],
} as const

const isUpdate = ({ op }: { op: Operation }) => op.startsWith('assign.')
const inAnswer = (at: Field, field: string) =>
  isUpdate(at) && at.resource === 'task' && at.field === field

/** Whether an update takes a task from the one state to the other. */
const goes = ({ op, task, sent }: Update, [from, to]: readonly [string, string]) =>
  (task.assignment?.assigned_to_type ?? 'unassigned') === from &&
  (op === 'assign.unassign' ? 'unassigned' : sent.assigned_to_type) === to

const unmoved = ({ task, after }: Update & { after: Task }): Task => ({
  ...after,
  assignment: task.assignment,
})

const perTransition = Object.entries(transitions).flatMap(([name, way]): Fault[] => {
  const only = (bend: Stated['stored']): Stated['stored'] => {
    return (update) => (goes(update, way) ? bend(update) : update.after)
  }
  return [
    {
      name: `${name} is refused`,
      stated: { transitionRefusal: (update) => (goes(update, way) ? 422 : undefined) },
      breaks: [`assign.${name}`, 'version.model'],
    },
    {
      name: `${name} is accepted, and nothing is done`,
      stated: { stored: only(unmoved), answered: only(unmoved) },
      breaks: [`assign.${name}`, 'version.model'],
    },
    {
      name: `${name} is answered, and not stored`,
      stated: { stored: only(unmoved) },
      breaks: [`assign.${name}`, 'assign.persisted', 'version.model'],
    },
  ]
})

const answers: Fault[] = [
  ...['data_version', 'step_name', 'workflow_instance_id'].map(
    (field): Fault => ({
      name: `the answer to an update has no ${field}`,
      stated: { fieldIsShown: (at) => !inAnswer(at, field) },
      breaks: ['assign.answer-is-task'],
    }),
  ),
  {
    name: 'the answer to an update names another task',
    stated: {
      identifier: (at) => (inAnswer(at, 'id') ? '00000000-0000-4000-8000-000000000000' : at.value),
    },
    breaks: ['assign.answer-is-task'],
  },
  {
    name: 'the answer to an unassign has a number for a status',
    stated: {
      fieldValue: (at) => (at.op === 'assign.unassign' && at.field === 'status' ? 0 : at.value),
    },
    breaks: ['assign.answer-is-task'],
  },
  {
    name: 'the answer to an update is empty',
    stated: {
      answerText: (call) => (isUpdate(call) ? '' : JSON.stringify(call.resource)),
    },
    breaks: ['assign.answer-is-task'],
  },
  {
    name: 'the answer to an update is in an envelope',
    stated: {
      answerText: (call) =>
        JSON.stringify(isUpdate(call) ? { data: call.resource } : call.resource),
    },
    breaks: ['assign.answer-is-task'],
  },
  {
    name: 'the answer to an update is the task as it was before',
    stated: { answered: ({ task }) => task },
    breaks: ['assign.answer-is-task'],
  },
  {
    name: 'the answer shows the old assignment, and the new version',
    stated: { answered: unmoved },
    breaks: ['assign.answer-is-task'],
  },
  {
    name: 'the answer shows the new assignment, and the old version',
    stated: { answered: ({ task, after }) => ({ ...after, updated_at: task.updated_at }) },
    breaks: ['assign.new-version'],
  },
  {
    name: 'updates are answered, and none is stored',
    stated: { stored: ({ task }) => task },
    breaks: ['assign.persisted'],
  },
  {
    name: 'the comment is answered, and not stored',
    stated: {
      stored: ({ after }) => ({
        ...after,
        assignment: after.assignment && { ...after.assignment, assignment_comment: null },
      }),
    },
    breaks: ['assign.persisted'],
  },
]

const versions: Fault[] = (
  [
    ['assigning', ({ op, task }) => op === 'assign.update' && !task.assignment],
    ['reassigning', ({ op, task }) => op === 'assign.update' && !!task.assignment],
    ['unassigning', ({ op }) => op === 'assign.unassign'],
    ['any update', () => true],
  ] satisfies [string, (update: Update) => boolean][]
).map(([what, only]) => ({
  name: `${what} leaves the version as it was`,
  stated: {
    versionAfter: (update) => (only(update) ? update.task.updated_at : update.fresh),
  },
  breaks: ['assign.new-version'],
}))

const fields: Fault[] = [
  {
    name: 'who assigned and to whom are swapped',
    stated: {
      assigned: ({ sent, comment }) => ({
        assigned_by_id: sent.assigned_to_id,
        assigned_to_id: sent.assigned_by_id,
        assigned_to_type: sent.assigned_to_type,
        assignment_comment: comment,
      }),
    },
    breaks: ['assign.fields-as-given'],
  },
  ...(['assigned_by_id', 'assigned_to_id', 'assigned_to_type'] as const).map(
    (field): Fault => ({
      name: `${field} is kept from the assignment before`,
      stated: {
        assigned: ({ task, sent, comment }) => ({
          assigned_by_id: sent.assigned_by_id,
          assigned_to_id: sent.assigned_to_id,
          assigned_to_type: sent.assigned_to_type,
          assignment_comment: comment,
          ...(task.assignment && { [field]: task.assignment[field] }),
        }),
      },
      breaks: ['assign.fields-as-given'],
    }),
  ),
  {
    name: 'teams are assigned to as users',
    stated: {
      assigned: ({ sent, comment }) => ({
        assigned_by_id: sent.assigned_by_id,
        assigned_to_id: sent.assigned_to_id,
        assigned_to_type: 'USER',
        assignment_comment: comment,
      }),
    },
    breaks: ['assign.fields-as-given'],
  },
  {
    name: 'the assigner is the assignee',
    stated: {
      assigned: ({ sent, comment }) => ({
        assigned_by_id: sent.assigned_to_id,
        assigned_to_id: sent.assigned_to_id,
        assigned_to_type: sent.assigned_to_type,
        assignment_comment: comment,
      }),
    },
    breaks: ['assign.fields-as-given'],
  },
]

const others: Fault[] = [
  ...(['created_at', 'entity_id', 'step_name', 'workflow_instance_id'] as const).map(
    (field): Fault => ({
      name: `an update changes ${field} too`,
      stated: {
        stored: ({ after }) => ({
          ...after,
          [field]:
            { created_at: after.updated_at, step_name: 'Assigned' }[field as string] ?? after.id,
        }),
      },
      breaks: ['assign.only-the-assignment'],
    }),
  ),
  {
    name: 'an update touches the tasks of the same entity',
    stated: {
      alsoStored: ({ after, tasks }) =>
        tasks
          .filter(({ id, entity_id }) => entity_id === after.entity_id && id !== after.id)
          .map((task) => ({ ...task, updated_at: after.updated_at })),
    },
    breaks: ['assign.only-this-task'],
  },
  {
    name: 'an update assigns all tasks',
    stated: {
      alsoStored: ({ after, tasks }) =>
        tasks
          .filter(({ id }) => id !== after.id)
          .map((task) => ({ ...task, assignment: after.assignment })),
    },
    breaks: ['assign.only-this-task'],
  },
]

export const faults: Fault[] = [...perTransition, ...answers, ...versions, ...fields, ...others]
