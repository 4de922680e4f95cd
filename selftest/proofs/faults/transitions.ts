import type { Update } from '../../../reference/calls/call.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import type { Task } from '../../../reference/world/world.ts'
import { type Fault, fault } from '../fault.ts'

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

export const everyTransition = Object.keys(transitions).map((name) => `assign.${name}`)

/** Whether an update takes a task from the one state to the other. */
const goes = ({ op, task, sent }: Update, [from, to]: readonly [string, string]) =>
  (task.assignment?.assigned_to_type ?? 'unassigned') === from &&
  (op === 'assign.unassign' ? 'unassigned' : sent.assigned_to_type) === to

// Which transitions they make depends on who comes first, and on where the walk leads.
const chance = ['version.model', 'version.one-winner', 'version.history']

/** The task as an update leaves it that changes everything but the assignment. */
export const unmoved = ({ task, after }: Update & { after: Task }): Task => ({
  ...after,
  assignment: task.assignment,
})

const perTransition: Fault[] = Object.entries(transitions).flatMap(([name, way]): Fault[] => {
  const only = (bend: Stated['stored']): Stated['stored'] => {
    return (update) => (goes(update, way) ? bend(update) : update.after)
  }
  return [
    fault(`${name} is refused`, {
      transitionRefusal: (update) => (goes(update, way) ? 422 : undefined),
      breaks: [`assign.${name}`],
      mayBreak: chance,
    }),
    fault(`${name} is accepted, and nothing is done`, {
      stored: only(unmoved),
      answered: only(unmoved),
      breaks: [`assign.${name}`, ...(way[1] === 'unassigned' ? [] : ['assign.fields-as-given'])],
      // Nothing is done of the comment either.
      mayBreak: [...chance, 'assign.comment.plain'],
    }),
    ...(['unassigned-to-team', 'user-to-user', 'unassign-user'].includes(name)
      ? [
          fault(`${name} is answered, and not stored`, {
            stored: only(unmoved),
            breaks: [`assign.${name}`, 'assign.persisted'],
            // The next read shows neither the assignee nor the comment.
            mayBreak: [...chance, 'assign.comment.*', 'assign.persisted.comment'],
          }),
        ]
      : []),
  ]
})

const noTeams = fault('every team is refused as an assignee, and no user', {
  held: (given) => (given.assigned_to_type === 'USER' ? given : null),
  personIsTaken: ({ field, sent }) =>
    field === 'assigned_by_id' || sent.assigned_to_type === 'USER',
  breaks: ['assign.unassigned-to-team', 'assign.user-to-team'],
})

/** Where a comment is given, and where none is. */
const withAndWithout = (['USER', 'TEAM'] as const).flatMap((type) =>
  [true, false].map((isCommented): Fault => {
    const isMeant = ({ op, task, sent }: Update) =>
      op === 'assign.unassign' &&
      task.assignment?.assigned_to_type === type &&
      !!sent.assignment_comment === isCommented
    const kept: Stated['stored'] = (update) => (isMeant(update) ? unmoved(update) : update.after)
    const kind = type === 'USER' ? 'user' : 'team'
    return fault(
      `unassigns of a ${kind} ${isCommented ? 'with' : 'without'} a comment are accepted, and nothing is done`,
      {
        stored: kept,
        answered: kept,
        breaks: [`assign.unassign-${kind}`],
        mayBreak: [...chance, 'assign.*'],
      },
    )
  }),
)

export const faults: Fault[] = [...perTransition, noTeams, ...withAndWithout]
