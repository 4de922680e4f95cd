import type { Task } from '../../../reference/world/world.ts'
import { type Fault, fault, faultsBreaking, faultsNamed } from '../fault.ts'

/** What a task is, apart from what an update changes. */
const idsOf = ({ assignment: _, updated_at: __, ...rest }: Task) => rest

export const faults: Fault[] = [
  ...(['created_at', 'entity_id', 'step_name', 'workflow_instance_id'] as const).map((field) =>
    fault(`an update changes ${field} too`, {
      stored: ({ after }) => ({
        ...after,
        [field]:
          { created_at: after.updated_at, step_name: 'Assigned' }[field as string] ?? after.id,
      }),
      breaks: ['assign.only-the-assignment'],
      // The comments of such a task are in the record of another entity.
      mayBreak: ['audit.all-comments'],
    }),
  ),
  ...faultsBreaking('assign.only-the-assignment', {
    'a task without a name is given an empty one when it is assigned': {
      stored: ({ after }) => (after.assignment ? { ...after, name: after.name ?? '' } : after),
    },
    'the answer to an update names another entity': {
      answered: ({ after }) => ({ ...after, entity_id: after.institution_id }),
    },
    'the second update of a task empties its custom_metadata': {
      stored: ({ task, after }) =>
        task.updated_at === task.created_at ? after : { ...after, custom_metadata: {} },
    },
    'assigning to a team empties the custom_metadata of a task': {
      stored: ({ sent, after }) =>
        sent.assigned_to_type === 'TEAM' ? { ...after, custom_metadata: {} } : after,
    },
    'unassigning writes into custom_metadata': {
      stored: ({ after }) =>
        after.assignment ? after : { ...after, custom_metadata: { open: true } },
    },
    'an update names the task after its assignee': {
      stored: ({ after }) =>
        after.assignment ? { ...after, c_name: after.assignment.assigned_to_id } : after,
    },
  }),
  ...faultsBreaking('assign.only-this-task', {
    'an update touches another task': {
      alsoStored: ({ after, tasks }) =>
        tasks.slice(-1).map((task) => ({ ...task, updated_at: after.updated_at })),
      mayBreak: ['task.read.repeatable'],
    },
    'an update touches one of the given tasks too': {
      alsoStored: ({ after, tasks }) =>
        tasks
          .filter(({ id }) => id !== after.id)
          .slice(0, 1)
          .map((task) => ({ ...task, updated_at: after.updated_at })),
    },
    'an update touches the other tasks of its workflow instance': {
      alsoStored: ({ after, tasks }) =>
        tasks
          .filter(
            ({ id, workflow_instance_id }) =>
              id !== after.id && workflow_instance_id === after.workflow_instance_id,
          )
          .map((task) => ({ ...task, updated_at: after.updated_at })),
    },
    'an update to a team touches another task': {
      alsoStored: ({ after, tasks }) =>
        after.assignment?.assigned_to_type === 'TEAM'
          ? tasks.slice(-1).map((task) => ({ ...task, updated_at: after.updated_at }))
          : [],
      mayBreak: ['task.read.repeatable'],
    },
    'an update assigns all tasks of the same assessment': {
      alsoStored: ({ after, tasks }) =>
        tasks
          .filter(
            ({ id, assessment_id }) => id !== after.id && assessment_id === after.assessment_id,
          )
          .map((task) => ({ ...task, assignment: after.assignment, updated_at: after.updated_at })),
      // Of two such tasks each gives the other, when it is put back, what the other showed before.
      mayBreak: ['task.read.repeatable', 'assign.persisted.comment'],
    },
    'an update assigns another task too': {
      alsoStored: ({ after, tasks }) =>
        tasks.slice(-1).map((task) => ({ ...after, ...idsOf(task) })),
      mayBreak: ['task.read.repeatable'],
    },
  }),
  ...faultsNamed({
    'tasks show a word in place of their assignment': {
      fieldValue: ({ field, value }) => (field === 'assignment' ? 'somebody' : value),
      breaks: ['task.read.assignment'],
    },
  }),
]
