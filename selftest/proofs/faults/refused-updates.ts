import type { Call, Operation, Reason, Update } from '../../../reference/calls/call.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { type Fault, fault, faultsBreaking, faultsNamed, tableOf } from '../fault.ts'

const nobody = '00000000-0000-4000-8000-000000000000'

const notFound = (['update', 'unassign'] as const).flatMap((kind): Fault[] => {
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
})

/** What a service puts in the place of a field that it ought to ask for. */
const instead = { assigned_by_id: nobody, assigned_to_id: nobody, assigned_to_type: 'USER' }

/** An update that was taken without saying who assigns leaves an event that does not say it either. */
const whoElse = ['audit.every-task']

const nobodyYet = { assigned_by_id: null as never }

const required = tableOf<[string, keyof typeof instead, Operation]>([
  ['assigned_by_id', 'assigned_by_id', 'assign.update'],
  ['assigned_to_id', 'assigned_to_id', 'assign.update'],
  ['assigned_to_type', 'assigned_to_type', 'assign.update'],
  ['unassign-assigned_by_id', 'assigned_by_id', 'assign.unassign'],
]).flatMap(([name, field, op]): Fault[] => {
  const filled: Fault['stated'] = {
    assigned: ({ sent, comment }) => ({ ...instead, ...sent, assignment_comment: comment }),
  }
  return [
    fault(`${name} is not required`, {
      ...filled,
      requiredFields: (call) =>
        stated.requiredFields(call).filter((each) => call.op !== op || each !== field),
      breaks: [`assign.required.${name}`, `assign.required.${name}.status`],
      mayBreak: whoElse,
    }),
    fault(`an update without ${name} is refused, and carried out all the same`, {
      ...filled,
      effectOfRefusal: (refused) =>
        refused.op === op && refused.reason === 'invalid body' && !(field in refused.sent)
          ? 'carried out'
          : 'none',
      breaks: [`assign.required.${name}`],
    }),
  ]
})

const carriedOut = (what: string, isSo: (refused: Update & { reason: Reason }) => boolean) => ({
  name: `${what} is refused, and carried out all the same`,
  stated: {
    effectOfRefusal: (refused: Update & { reason: Reason }) =>
      isSo(refused) ? ('carried out' as const) : ('none' as const),
  },
})

const malformedIds: Fault[] = [
  ...faultsBreaking('assign.malformed-id.status', {
    'an update of an id that is no UUID is answered 400': {
      malformedIdStatus: ({ op }) => (op.startsWith('assign.') ? 400 : 404),
    },
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
      // A task has changed to which no update was sent.
      mayBreak: 'assign.only-this-task audit.all-recorded',
    }),
  ),
]

export const faults: Fault[] = [
  ...notFound,
  ...malformedIds,
  ...required,
  ...faultsNamed({
    'assigned_by_id is not required, and kept as null': {
      requiredFields: (call) =>
        stated.requiredFields(call).filter((field) => field !== 'assigned_by_id'),
      assigned: (update) => ({ ...nobodyYet, ...update.sent, assignment_comment: update.comment }),
      breaks: 'assign.required.*assigned_by_id assign.required.*assigned_by_id.status',
      mayBreak: whoElse,
    },
    'an update without something that is required is answered 200, and not carried out': {
      invalidBodyStatus: ({ flaw }) => (flaw === 'required' ? 200 : 422),
      breaks: 'assign.required.*.status',
    },
    'any assigned_to_type is taken': {
      typeIsAllowed: () => true,
      breaks: 'assign.type-values assign.type-values.status',
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
      breaks: 'assign.field-types',
      mayBreak: whoElse,
    },
    'ids and comments of any JSON type are taken, and shown as text': {
      sentFieldIsRight: () => true,
      assigned: (update) => {
        const kept = Object.entries(stated.assigned(update) ?? {})
        return Object.fromEntries(
          kept.map(([name, value]) => [name, value && String(value)]),
        ) as never
      },
      breaks: 'assign.field-types',
      mayBreak: whoElse,
    },
    'an unknown assigned_to_type is taken for USER': {
      typeIsAllowed: () => true,
      assigned: (update) => {
        const type = /^team$/i.test(update.sent.assigned_to_type) ? 'TEAM' : 'USER'
        const assignment = stated.assigned(update)
        return assignment && { ...assignment, assigned_to_type: type }
      },
      breaks: 'assign.type-values assign.type-values.status',
    },
  }),
  {
    ...carriedOut('an update to a PERSON', ({ sent }) => sent.assigned_to_type === 'PERSON'),
    breaks: ['assign.type-values'],
  },
  ...(['assigned_to_id', 'assigned_by_id', 'assignment_comment'] as const).map((at) =>
    fault(`${at} is taken whatever its JSON type`, {
      sentFieldIsRight: (given) => given.field === at || stated.sentFieldIsRight(given),
      // kept as a text of the right form, so that reads do not break as well
      assigned: (update) => {
        const assignment = stated.assigned(update)
        if (!assignment) return null
        const value = assignment[at]
        const isKept = typeof value === 'string' || value === null || value === undefined
        return { ...assignment, [at]: isKept ? value : nobody }
      },
      breaks: 'assign.field-types',
      mayBreak: whoElse,
    }),
  ),
  {
    ...carriedOut('a comment that is a number', ({ sent }) => {
      return typeof sent.assignment_comment === 'number'
    }),
    breaks: ['assign.field-types'],
    mayBreak: ['task.read.assignment'],
  },
  ...faultsNamed({
    'an update that is refused for its body gives the task a new version': {
      effectOfRefusal: ({ reason }) => (reason === 'invalid body' ? 'touched' : 'none'),
      breaks: 'assign.refused-keeps-version',
    },
    'a body that is not quite JSON is repaired': {
      bodyFrom: ({ text, ...call }) =>
        stated.bodyFrom({ ...call, text }) ?? stated.bodyFrom({ ...call, text: `${text}}` }),
      breaks: 'assign.not-json',
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
        assign.required.assigned_*.status`,
      mayBreak: 'assign.comment.plain audit.every-task version.*',
    },
    'a body that is not JSON is answered 200': {
      notJsonStatus: () => 200,
      breaks: 'assign.not-json',
    },
    'the content type is not looked at': {
      contentTypeIsRight: () => true,
      breaks: 'assign.content-type-required',
    },
  }),
  {
    ...carriedOut('an update that is sent as text', ({ reason }) => reason === 'content type'),
    breaks: ['assign.content-type-required'],
  },
]
