import type { Update } from '../../../reference/calls/call.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { fault, faultsBreaking, faultsNamed, tableOf } from '../fault.ts'

const teamIds = new Set(makeWorld(1, { events: 0 }).teams.map(({ id }) => id))

/** Who assigned first in this run, as a cache that is never refreshed would have it. */
let firstAssigner: string | undefined

const isToTheSame = ({ op, task, sent }: Update) =>
  op === 'assign.update' && task.assignment?.assigned_to_id === sent.assigned_to_id

export const faults = [
  ...faultsBreaking('assign.fields-as-given', {
    'who assigned to a team stays the assigner of the next assignment': {
      assigned: ({ task, sent, comment }) => {
        const before = task.assignment
        const by = before?.assigned_to_type === 'TEAM' ? before.assigned_by_id : sent.assigned_by_id
        return { ...sent, assigned_by_id: by, assignment_comment: comment }
      },
    },
    'a team is taken for a user where its type comes before its id': {
      assigned: (update) => {
        const [first] = Object.keys(update.sent).filter((name) => name.startsWith('assigned_to'))
        const now = stated.assigned(update)
        return now && first === 'assigned_to_type' ? { ...now, assigned_to_type: 'USER' } : now
      },
      mayBreak: 'assign.* version.model',
    },
    'an update to the same assignee keeps the assigner before it': {
      assigned: (update) => {
        const { task, sent } = update
        const isSame = task.assignment?.assigned_to_id === sent.assigned_to_id
        const by = (isSame && task.assignment?.assigned_by_id) || sent.assigned_by_id
        const now = stated.assigned(update)
        return now && { ...now, assigned_by_id: by }
      },
    },
  }),
  ...faultsBreaking('assign.new-version.same-assignee', {
    'an update to the same assignee leaves the version as it was': {
      versionAfter: ({ task, sent, fresh }) =>
        task.assignment?.assigned_to_id === sent.assigned_to_id ? task.updated_at : fresh,
    },
    'an update to the same assignee is refused, and carried out all the same': {
      stateRefusal: (update) => (isToTheSame(update) ? 422 : undefined),
      effectOfRefusal: (update) =>
        update.reason === 'state' && isToTheSame(update) ? 'carried out' : 'none',
    },
  }),
  ...faultsBreaking('assign.new-version.shown', {
    'answers to unassigns alone show a version that no read gives': {
      answered: ({ after }) =>
        after.assignment ? after : { ...after, updated_at: after.updated_at.replace(/^2/, '3') },
    },
    'answers to assignments alone show a version that no read gives': {
      answered: ({ after }) =>
        after.assignment ? { ...after, updated_at: after.updated_at.replace(/^2/, '3') } : after,
    },
    'answers show a version a moment before the one that is stored': {
      answered: ({ after }) => ({
        ...after,
        updated_at: `${new Date(Date.parse(after.updated_at) - 1).toISOString().slice(0, 23)}000000Z`,
      }),
      mayBreak: 'assign.new-version',
    },
  }),
  ...faultsNamed({
    'the assigner is always the first who ever assigned': {
      assigned: ({ sent, comment }) => {
        firstAssigner ??= sent.assigned_by_id
        return { ...sent, assigned_by_id: firstAssigner, assignment_comment: comment }
      },
      breaks: 'assign.by-another',
      mayBreak: 'audit.every-task',
    },
    'an update to the same assignee is accepted, and changes nothing': {
      assigned: (update) =>
        isToTheSame(update) ? update.task.assignment : stated.assigned(update),
      versionAfter: (update) => (isToTheSame(update) ? update.task.updated_at : update.fresh),
      breaks: 'assign.new-version assign.new-version.same-assignee',
    },
    'an update to the same assignee keeps the comment before it': {
      comment: ({ task, sent, comment }) =>
        task.assignment?.assigned_to_id === sent.assigned_to_id
          ? task.assignment.assignment_comment
          : comment,
      breaks: 'assign.comment.plain',
    },
    'an update with a line break in its comment leaves the version as it was': {
      versionAfter: ({ task, sent, fresh }) =>
        /\n/.test(sent.assignment_comment ?? '') ? task.updated_at : fresh,
      breaks: 'assign.new-version',
    },
    'an update without a comment behind one with a comment leaves the version as it was': {
      versionAfter: ({ task, sent, fresh }) =>
        task.assignment?.assignment_comment && sent.assignment_comment === null
          ? task.updated_at
          : fresh,
      breaks: 'assign.new-version',
      mayBreak: 'assign.new-version.same-assignee',
    },
  }),
]

/** Members of an update that are named as those of the task are taken over. */
export const memberFaults = tableOf([
  ['name', 'update'],
  ['c_name', 'update'],
  ['custom_metadata', 'update'],
  ['name', 'unassign'],
  ['custom_metadata', 'unassign'],
]).map(([member, kind]) =>
  fault(`${member} is taken from an ${kind}`, {
    stored: ({ after, sent, op }) =>
      op === `assign.${kind}` && member in sent
        ? { ...after, [member]: (sent as Record<string, unknown>)[member] }
        : after,
    breaks: 'assign.extra-fields.ignored',
    // Every answer is held against the task before the update, but for custom_metadata.
    mayBreak: 'assign.only-the-assignment',
  }),
)

/** The task that updates find, as a statement without its WHERE would have it. */
let firstTask: string | undefined
/** The version that the last accepted update of any task made. */
let lastVersion: string | undefined

export const versionFaults = faultsBreaking('version.current-accepted', {
  'every update is answered 409': { versionMatches: () => false },
  'the version of the first task is compared for every task': {
    versionMatches: ({ task, given, current }) => {
      firstTask ??= task.id
      return task.id === firstTask && given === current
    },
  },
  'the version of the last update of any task is compared for every task': {
    versionMatches: ({ given, current }) => given === current && given === (lastVersion ?? given),
    versionAfter: ({ fresh }) => {
      lastVersion = fresh
      return fresh
    },
  },
})

export const actorFaults = faultsNamed({
  'the event of an update is filed under the assignee': {
    recorded: ({ event, sent }) => [
      { ...event, auditee_id: sent.assigned_to_id ?? event.auditee_id },
    ],
    breaks: 'audit.actor',
  },
  'the event of an unassignment is filed under who was assigned': {
    recorded: ({ event, kind, task }) => [
      kind === 'unassigned' && task.assignment
        ? { ...event, auditee_id: task.assignment.assigned_to_id }
        : event,
    ],
    breaks: 'audit.actor',
    mayBreak: 'audit.each-actor',
  },
  'auditee_id finds the events of who was assigned too': {
    recorded: ({ event, sent }) => [
      { ...event, description: `${event.description} to ${sent.assigned_to_id}` },
    ],
    filterHolds: ({ filter, event, matches }) =>
      matches.some(Boolean) ||
      (filter.name === 'auditee_id' &&
        filter.values.some((user) => event.description.endsWith(` to ${user}`))),
    breaks: 'audit.actor-alone',
  },
  'auditee_id finds the events of assignments to a team by the id of the team too': {
    recorded: ({ event, sent }) => [
      { ...event, description: `${event.description} to team ${sent.assigned_to_id}` },
    ],
    filterHolds: ({ filter, event, matches }) =>
      matches.some(Boolean) ||
      (filter.name === 'auditee_id' &&
        filter.values.some((team) => teamIds.has(team) && event.description.endsWith(team))),
    breaks: 'audit.actor-alone',
  },
})
