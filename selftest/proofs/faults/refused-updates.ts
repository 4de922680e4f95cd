import type { Call, Operation, Reason, Update } from '../../../reference/calls/call.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import { makeWorld, type Task } from '../../../reference/world/world.ts'
import { type Fault, fault, faultsOf, tableOf } from '../fault.ts'

const nobody = '00000000-0000-4000-8000-000000000000'

/** What a service puts in the place of a field that it ought to ask for. */
const instead = { assigned_by_id: nobody, assigned_to_id: nobody, assigned_to_type: 'USER' }

const nobodyYet = { assigned_by_id: null as never }

type Refused = Update & { reason: Reason }
const carriedOut = (isSo: (refused: Refused) => boolean): Partial<Stated> => ({
  effectOfRefusal: (refused) => (isSo(refused) ? 'carried out' : 'none'),
})

const filled: Partial<Stated> = {
  assigned: ({ sent, comment }) => ({ ...instead, ...sent, assignment_comment: comment }),
}

const teamIds = new Set(makeWorld(1, { events: 0 }).teams.map(({ id }) => id))

/** Who assigned first in this run, as a cache that is never refreshed would have it. */
let firstAssigner: string | undefined

const isToTheSame = ({ op, task, sent }: Update) =>
  op === 'assign.update' && task.assignment?.assigned_to_id === sent.assigned_to_id

const withOtherVersion = (after: Task): Task => ({
  ...after,
  updated_at: after.updated_at.replace(/^2/, '3'),
})

export const faults = [
  ...(['update', 'unassign'] as const).flatMap((kind): Fault[] => {
    const isOf = ({ op }: Call) => op === `assign.${kind}`
    const statuses = kind === 'update' ? [200, 400, 500] : [200, 422]
    const breaks = [`assign.not-found.${kind}`]
    return [
      ...statuses.map((status) =>
        fault(`an unknown task is answered ${status} to ${kind}`, {
          notFoundStatus: (call: Call) => (isOf(call) ? status : 404),
          breaks,
        }),
      ),
      fault(`an unknown task is answered 403 to ${kind}, and another 404`, {
        notFoundStatus: (call) => (isOf(call) && /^[0-7][\da-f]{7}-/.test(call.id) ? 403 : 404),
        breaks,
      }),
    ]
  }),
  ...(['update', 'unassign'] as const).map((kind) =>
    fault(`${kind === 'update' ? 'an update' : 'an unassign'} looks for its task by LIKE`, {
      taskFor: ({ op, id, tasks }) => {
        const pattern = new RegExp(`^${id.replaceAll('_', '.').replaceAll('%', '.*')}`)
        return tasks.find((task) =>
          op === `assign.${kind}` ? pattern.test(task.id) : task.id === id,
        )
      },
      breaks: 'assign.malformed-id assign.malformed-id.status',
      mayBreak: 'assign.only-this-task audit.all-recorded',
    }),
  ),
  ...faultsOf('assign.malformed-id.status', 'malformedIdStatus', {
    'an update of an id that is no UUID is answered 400': ({ op }) =>
      op.startsWith('assign.') ? 400 : 404,
  }),
  ...tableOf<[string, keyof typeof instead, Operation]>([
    ['assigned_by_id', 'assigned_by_id', 'assign.update'],
    ['assigned_to_id', 'assigned_to_id', 'assign.update'],
    ['assigned_to_type', 'assigned_to_type', 'assign.update'],
    ['unassign-assigned_by_id', 'assigned_by_id', 'assign.unassign'],
  ]).flatMap(([name, field, op]): Fault[] => {
    const owner = `assign.required.${name}`
    return [
      ...faultsOf(`${owner} ${owner}.status ?audit.every-task`, {
        [`${name} is not required`]: {
          ...filled,
          requiredFields: (call) =>
            stated.requiredFields(call).filter((each) => call.op !== op || each !== field),
        },
      }),
      ...faultsOf(owner, {
        [`an update without ${name} is refused, and carried out all the same`]: {
          ...filled,
          ...carriedOut(
            ({ sent, ...refused }) =>
              refused.op === op && refused.reason === 'invalid body' && !(field in sent),
          ),
        },
      }),
    ]
  }),
  ...faultsOf('assign.type-values', carriedOut, {
    'an update to a PERSON is refused, and carried out all the same': ({ sent }) =>
      sent.assigned_to_type === 'PERSON',
  }),
  ...faultsOf('assign.field-types ?task.read.assignment', carriedOut, {
    'a comment that is a number is refused, and carried out all the same': ({ sent }) =>
      typeof sent.assignment_comment === 'number',
  }),
  ...faultsOf('assign.content-type-required.unchanged', carriedOut, {
    'an update that is sent as text is refused, and carried out all the same': ({ reason }) =>
      reason === 'content type',
  }),
  ...(['assigned_to_id', 'assigned_by_id', 'assignment_comment'] as const).map((at) =>
    fault(`${at} is taken whatever its JSON type`, {
      sentFieldIsRight: (given) => given.field === at || stated.sentFieldIsRight(given),
      assigned: (update) => {
        const assignment = stated.assigned(update)
        if (!assignment) return null
        const value = assignment[at]
        const isKept = typeof value === 'string' || value === null || value === undefined
        return { ...assignment, [at]: isKept ? value : nobody }
      },
      breaks: 'assign.field-types ?audit.every-task',
    }),
  ),
  ...faultsOf('assign.type-values assign.type-values.status', {
    'any assigned_to_type is taken': { typeIsAllowed: () => true },
    'an unknown assigned_to_type is taken for USER': {
      typeIsAllowed: () => true,
      assigned: (update) => {
        const type = /^team$/i.test(update.sent.assigned_to_type) ? 'TEAM' : 'USER'
        const assignment = stated.assigned(update)
        return assignment && { ...assignment, assigned_to_type: type }
      },
    },
  }),
  ...faultsOf('assign.not-json', {
    'a body that is not quite JSON is repaired': {
      bodyFrom: ({ text, ...call }) =>
        stated.bodyFrom({ ...call, text }) ?? stated.bodyFrom({ ...call, text: `${text}}` }),
    },
    'a body that is not JSON is answered 200': { notJsonStatus: () => 200 },
  }),
  ...faultsOf({
    'assigned_by_id is not required, and kept as null': {
      requiredFields: (call) =>
        stated.requiredFields(call).filter((field) => field !== 'assigned_by_id'),
      assigned: (update) => ({ ...nobodyYet, ...update.sent, assignment_comment: update.comment }),
      breaks: `assign.required.*assigned_by_id assign.required.*assigned_by_id.status
        ?audit.every-task`,
    },
    'an update without something that is required is answered 200, and not carried out': {
      invalidBodyStatus: ({ flaw }) => (flaw === 'required' ? 200 : 422),
      breaks: 'assign.required.*.status',
    },
    'assigned_to_type is taken in any letter case': {
      typeIsAllowed: ({ type }) => /^(user|team)$/i.test(String(type)),
      assigned: (update) => {
        const type = update.sent.assigned_to_type.toUpperCase()
        return { ...stated.assigned(update), assigned_to_type: type } as never
      },
      breaks: 'assign.type-values.status',
    },
    'assigned_to_type is taken with spaces and in any letter case, and kept as sent': {
      typeIsAllowed: ({ type }) => /^\s*(user|team)\s*$/i.test(String(type)),
      breaks: 'assign.type-values.status',
    },
    'ids and comments of any JSON type are taken, and kept as sent': {
      sentFieldIsRight: () => true,
      breaks: 'assign.field-types ?audit.every-task',
    },
    'ids and comments of any JSON type are taken, and shown as text': {
      sentFieldIsRight: () => true,
      assigned: (update) => {
        const kept = Object.entries(stated.assigned(update) ?? {})
        return Object.fromEntries(
          kept.map(([name, value]) => [name, value && String(value)]),
        ) as never
      },
      breaks: 'assign.field-types ?audit.every-task',
    },
    'an update that is refused for its body gives the task a new version': {
      effectOfRefusal: ({ reason }) => (reason === 'invalid body' ? 'touched' : 'none'),
      breaks: 'assign.refused-keeps-version',
    },
    'an update that names nobody is refused, and its task has no member assignment any more': {
      effectOfRefusal: ({ op, sent }) =>
        op === 'assign.update' && !('assigned_to_id' in sent) ? 'carried out' : 'none',
      assigned: (update) =>
        update.sent.assigned_to_id === undefined ? (undefined as never) : stated.assigned(update),
      breaks: 'assign.required.assigned_to_id task.read.fields',
    },
    'an update without its required fields is answered 200, and no update is stored': {
      requiredFields: () => [],
      stored: ({ task }) => task,
      breaks: `assign.persisted assign.new-version assign.new-version.shown assign.unassigned-to-*
        assign.required.assigned_*.status ?assign.required.unassign-assigned_by_id.status
        ?assign.comment.plain ?audit.every-task ?version.*`,
    },
    'a team is taken for a user where its type comes before its id': {
      assigned: (update) => {
        const [first] = Object.keys(update.sent).filter((name) => name.startsWith('assigned_to'))
        const now = stated.assigned(update)
        return now && first === 'assigned_to_type' ? { ...now, assigned_to_type: 'USER' } : now
      },
      breaks: 'assign.fields-as-given ?assign.* ?version.model',
    },
    'answers show a version a moment before the one that is stored': {
      answered: ({ after }) => ({
        ...after,
        updated_at: `${new Date(Date.parse(after.updated_at) - 1).toISOString().slice(0, 23)}000000Z`,
      }),
      breaks: 'assign.new-version.shown ?assign.new-version ?assign.new-version.same-assignee',
    },
    'the assigner is always the first who ever assigned': {
      assigned: ({ sent, comment }) => {
        firstAssigner ??= sent.assigned_by_id
        return { ...sent, assigned_by_id: firstAssigner, assignment_comment: comment }
      },
      breaks: 'assign.by-another ?audit.every-task',
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
      breaks: 'assign.new-version ?assign.new-version.same-assignee',
    },
  }),
  ...faultsOf('assign.fields-as-given', 'assigned', {
    'who assigned to a team stays the assigner of the next assignment': ({
      task,
      sent,
      comment,
    }) => {
      const before = task.assignment
      const by = before?.assigned_to_type === 'TEAM' ? before.assigned_by_id : sent.assigned_by_id
      return { ...sent, assigned_by_id: by, assignment_comment: comment }
    },
    'an update to the same assignee keeps the assigner before it': (update) => {
      const { task, sent } = update
      const isSame = task.assignment?.assigned_to_id === sent.assigned_to_id
      const by = (isSame && task.assignment?.assigned_by_id) || sent.assigned_by_id
      const now = stated.assigned(update)
      return now && { ...now, assigned_by_id: by }
    },
  }),
  ...faultsOf('assign.new-version.shown', 'answered', {
    'answers to unassigns alone show a version that no read gives': ({ after }) =>
      after.assignment ? after : withOtherVersion(after),
    'answers to assignments alone show a version that no read gives': ({ after }) =>
      after.assignment ? withOtherVersion(after) : after,
  }),
  ...faultsOf('assign.new-version.same-assignee', {
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
  ...tableOf([
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
      breaks: 'assign.extra-fields.ignored ?assign.only-the-assignment',
    }),
  ),
]

/** The task that updates find, as a statement without its WHERE would have it. */
let firstTask: string | undefined
/** The version that the last accepted update of any task made. */
let lastVersion: string | undefined

export const versionFaults = faultsOf('version.current-accepted', {
  'every update is answered 409': { versionMatches: () => false },
  'the version of the first task is compared for every task': {
    versionMatches: ({ task, given, current }) => {
      firstTask ??= task.id
      return task.id === firstTask && given === current
    },
    mayBreak: 'version.model',
  },
  'the version of the last update of any task is compared for every task': {
    versionMatches: ({ given, current }) => given === current && given === (lastVersion ?? given),
    versionAfter: ({ fresh }) => {
      lastVersion = fresh
      return fresh
    },
    mayBreak: 'version.model',
  },
})

/** auditee_id finds events by their assignees too, which their descriptions name. */
const findingAssignees = (to: string, isMeant: (id: string) => boolean): Partial<Stated> => ({
  recorded: ({ event, sent }) => [
    { ...event, description: `${event.description} ${to} ${sent.assigned_to_id}` },
  ],
  filterHolds: ({ filter: { name, values }, event, matches }) =>
    matches.some(Boolean) ||
    (name === 'auditee_id' &&
      values.some((id) => isMeant(id) && event.description.endsWith(` ${to} ${id}`))),
})

export const actorFaults = faultsOf({
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
    breaks: 'audit.actor ?audit.each-actor',
  },
  'auditee_id finds the events of who was assigned too': {
    ...findingAssignees('to', () => true),
    breaks: 'audit.actor-alone',
  },
  'auditee_id finds the events of assignments to a team by the id of the team too': {
    ...findingAssignees('to team', (id) => teamIds.has(id)),
    breaks: 'audit.actor-alone',
  },
})
