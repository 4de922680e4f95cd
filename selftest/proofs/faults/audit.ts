import type { AuditEvent } from '../../../reference/calls/events.ts'
import type { Change } from '../../../reference/calls/mail.ts'
import { type Open, open } from '../../../reference/rules/open.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import type { Task, User } from '../../../reference/world/world.ts'
import { throughStore } from '../bent/around.ts'
import { inCsv, inPdf } from '../bent/exports.ts'
import { alsoFoundBy, type Fault, fault, faultsOf, tableOf } from '../fault.ts'
import { finer } from '../variants/export-dates.ts'
import { isYearBefore, takesToo } from './concurrency.ts'
import { toMicroseconds } from './export/bounds.ts'

const recorded = 'audit.assignment-recorded'
const refusedToo = 'audit.refused-not-recorded'
const eachActor = 'audit.each-actor'
const nobody = '00000000-0000-4000-8000-000000000000'
let eventNumber = 0
let lastActor: string | undefined
const comments = ['audit.assign-comment', 'audit.unassign-comment']

const unrecorded = (what: string, kinds: Change['kind'][], breaks: string[]) =>
  fault(`${what} leaves no event`, {
    recorded: ({ kind, event }) => (kinds.includes(kind) ? [] : [event]),
    breaks: [recorded, ...breaks],
  })

const recordedAs = (
  name: string,
  bend: (event: AuditEvent, change: Change) => Partial<AuditEvent>,
  breaks: string[],
) =>
  fault(name, {
    recorded: ({ event, ...change }) => [{ ...event, ...bend(event, change) }],
    breaks,
    mayBreak: 'audit.all-comments audit.each-actor export*.text-intact',
  })

/** Those without metadata: two in three, and none of those that are lent first. */
export const isOfSome = ({ custom_metadata: metadata }: Pick<Task, 'custom_metadata'>) =>
  Object.keys(metadata ?? {}).length === 0

/** Chosen by letters, so that it is always the same ones; numbers would vary. */
const isOneInThree = (comment: string) =>
  [...Buffer.from(comment)].reduce((sum, byte) => sum + byte, 0) % 3 === 0

const withoutPictures = (text: string) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')

/** A UUID of another event. */
const backwards = (id: string) => id.replaceAll(/[\da-f]+/g, (part) => [...part].reverse().join(''))

const hoursLater = (time: string, hours: number) =>
  new Date(Date.parse(time) + hours * 3_600_000).toISOString().replace('Z', '000000Z')

export const ledgerFaults = [
  ...faultsOf('audit.once', 'recorded', {
    'every update leaves its event twice, the second with an id of its own': ({ event }) => [
      event,
      { ...event, id: backwards(event.id) },
    ],
    'every update leaves its event twice, milliseconds apart': ({ event }) => [
      { ...event, id: backwards(event.id), time: hoursLater(event.time, 3e-6) },
      event,
    ],
  }),
  ...faultsOf('audit.classified', 'recorded', {
    'events of unassignments have no subtype': ({ event, kind }) => [
      kind === 'unassigned' ? { ...event, sub_type: '' } : event,
    ],
    'events of updates have no source': ({ event }) => [{ ...event, system_source: '' }],
  }),
  ...faultsOf('audit.actor', 'recorded', {
    'events of updates name a user of the service, not who assigned': ({ event }) => [
      { ...event, auditee_id: nobody },
    ],
    'events of updates name nobody who caused them': ({ event }) => [{ ...event, auditee_id: '' }],
  }),
  ...faultsOf('audit.time', 'recorded', {
    'events of updates are given a time three hours ahead': ({ event }) => [
      { ...event, time: hoursLater(event.time, 3) },
    ],
    'events of updates are given a time an hour behind': ({ event }) => [
      { ...event, time: hoursLater(event.time, -1) },
    ],
  }),
  ...faultsOf('audit.updated-at', 'timestampForm', {
    'updated_at is two hours ahead, in the time of a zone, and marked as UTC': ({ field, value }) =>
      open.timestampForm({
        resource: 'task',
        field,
        value: field === 'updated_at' ? hoursLater(value, 2) : value,
      }),
    'updated_at is four and a half hours behind, in the time of a zone': ({ field, value }) =>
      open.timestampForm({
        resource: 'task',
        field,
        value: field === 'updated_at' ? hoursLater(value, -4.5) : value,
      }),
  }),
  ...faultsOf({
    'pictures in the comments of unassigns are lost in their events': {
      recorded: ({ kind, event }) => [
        kind === 'unassigned' ? { ...event, comment: withoutPictures(event.comment) } : event,
      ],
      breaks: 'audit.all-comments',
    },
    'reassignments are recorded of another entity': {
      recorded: ({ event, kind, task }) => [
        kind === 'reassigned'
          ? { ...event, metadata: { ...event.metadata, entity_id: task.institution_id } }
          : event,
      ],
      breaks: 'audit.all-comments',
      mayBreak: [...comments, recorded],
    },
    'comments to teams are lost in events of reassignments': {
      recorded: ({ event, kind, sent }) => [
        kind === 'reassigned' && sent.assigned_to_type === 'TEAM'
          ? { ...event, comment: '' }
          : event,
      ],
      breaks: 'audit.all-comments',
      mayBreak: [...comments, 'export.pdf.text-intact'],
    },
    'changes of some tasks leave no event': {
      recorded: ({ event, task }) => (isOfSome(task) ? [] : [event]),
      breaks: 'audit.all-recorded',
    },
    'some updates leave their event twice': {
      recorded: ({ event }) => (isOneInThree(event.comment) ? [event, event] : [event]),
      breaks: 'audit.as-often',
    },
    'events of updates of some tasks are given a time three hours ahead': {
      recorded: ({ event, task }) => [
        isOfSome(task) ? { ...event, time: hoursLater(event.time, 3) } : event,
      ],
      breaks: 'audit.every-task ?audit.time',
    },
    'events of updates of some tasks are filed under the assignee': {
      recorded: ({ event, task, sent }) => [
        isOfSome(task)
          ? {
              ...event,
              auditee_id:
                sent.assigned_to_id ?? task.assignment?.assigned_to_id ?? event.auditee_id,
            }
          : event,
      ],
      breaks: 'audit.every-task ?audit.actor',
    },
    'long comments are cut in events': {
      recorded: ({ event }) => [{ ...event, comment: event.comment.slice(0, 255) }],
      breaks: 'audit.all-comments export.text-intact',
    },
    'events name who sent the request before': {
      recorded: ({ event }) => {
        const by = lastActor ?? event.auditee_id
        lastActor = event.auditee_id
        return [{ ...event, auditee_id: by }]
      },
      breaks: [eachActor],
      mayBreak: 'audit.every-task audit.actor*',
    },
    'events of reassignments name who assigned before': {
      recorded: ({ event, task }) => [
        { ...event, auditee_id: task.assignment?.assigned_by_id ?? event.auditee_id },
      ],
      breaks: [eachActor],
      mayBreak: 'audit.every-task audit.actor*',
    },
    'events of unassignments name a user of the service': {
      recorded: ({ event, kind }) => [
        kind === 'unassigned' ? { ...event, auditee_id: nobody } : event,
      ],
      breaks: [eachActor, 'audit.actor'],
      mayBreak: 'audit.every-task',
    },
  }),
]

export const furtherFaults = faultsOf({
  'the comment null is an empty cell of a CSV': {
    cells: (asked) =>
      inCsv(asked) && asked.event.comment === 'null'
        ? asked.cells.map((cell) => (cell === 'null' ? '' : cell))
        : asked.cells,
    breaks: 'audit.all-comments',
  },
})

/** Six digits that come from the first ones. */
const inMicroseconds = (time: string) => `${finer(time).slice(0, 26)}000Z`

/** Times of events in microseconds, as tasks show them, and bounds too; the file shows milliseconds. */
export const microseconds = (
  isUpTo: (time: string, end: string) => boolean,
): Partial<Stated & Open> => ({
  storedTime: ({ time }) => inMicroseconds(time),
  timestampForm: ({ resource, value }) =>
    resource === 'task' ? inMicroseconds(value).replace('000Z', 'Z') : value,
  isFrom: ({ time, start }) => time >= toMicroseconds(start),
  isUpTo: ({ time, end }) => isUpTo(time, toMicroseconds(end)),
})

const exclusiveEnds: Fault[] = [
  ...faultsOf({
    'range_end is exclusive, times are in microseconds, and shown in milliseconds': {
      ...microseconds((time, end) => time < end),
      breaks: 'audit.exact-end ?export.range.* ?export.filter.* ?export.pdf*',
    },
    'range_end is exclusive for events of updates': {
      isUpTo: ({ time, end }) => time < end,
      breaks: 'audit.exact-end ?export.range.* ?export.filter.* ?export.pdf*',
    },
  }),
]

/** The CSV shows all of them. */
const lostInPdf = (what: string, kinds: string[], breaks: string) =>
  fault(`the PDF lacks the comments of ${what}`, {
    cells: (asked) => {
      const { sub_type, comment } = asked.event
      const isLost = inPdf(asked) && kinds.includes(sub_type)
      return isLost ? asked.cells.map((cell) => (cell === comment ? '' : cell)) : asked.cells
    },
    breaks: [breaks],
  })

export const trailFaults: Fault[] = [
  ...exclusiveEnds,
  lostInPdf('assignments', ['assigned', 'reassigned'], 'audit.assign-comment'),
  lostInPdf('unassignments', ['unassigned'], 'audit.unassign-comment'),
  unrecorded('assigning', ['assigned'], ['audit.assign-comment']),
  unrecorded('reassigning', ['reassigned'], ['audit.assign-comment']),
  unrecorded('unassigning', ['unassigned'], ['audit.unassign-comment']),
  unrecorded('any change', ['assigned', 'reassigned', 'unassigned'], comments),
  recordedAs('comments are not recorded', () => ({ comment: '' }), comments),
  recordedAs(
    'the comment of an assignment is not recorded',
    ({ comment }, { kind }) => ({ comment: kind === 'unassigned' ? comment : '' }),
    ['audit.assign-comment'],
  ),
  recordedAs(
    'the comment of an unassignment is not recorded',
    ({ comment }, { kind }) => ({ comment: kind === 'unassigned' ? '' : comment }),
    ['audit.unassign-comment'],
  ),
  recordedAs(
    'comments are recorded in part',
    ({ comment }) => ({ comment: comment.slice(0, 30) }),
    comments,
  ),
  recordedAs(
    'the comment before is recorded',
    (_, { task }) => ({ comment: task.assignment?.assignment_comment ?? '' }),
    ['audit.unassign-comment'],
  ),
  recordedAs(
    'comments are recorded of another entity',
    ({ metadata }, { task }) => ({ metadata: { ...metadata, entity_id: task.institution_id } }),
    comments,
  ),
  {
    ...unrecorded('any change', ['assigned', 'reassigned', 'unassigned'], comments),
    ...throughStore((address) => ({
      type: undefined,
      content: '',
      headers: { location: address },
    })),
    name: 'any change leaves no event, and files are fetched from a store',
  },
  recordedAs('events are of no task and no entity', () => ({ metadata: {} }), [
    recorded,
    ...comments,
  ]),
  ...faultsOf(refusedToo, {
    'the event of an update is written before it is checked': { refusalLeaves: () => ['event'] },
    'an update that is answered 409 leaves its event, which is seen later': {
      refusalLeaves: ({ refused }) => (refused === 'version mismatch' ? ['event'] : []),
      eventDelay: ({ refused }) => (refused ? 60 : 0),
    },
    'events have a number of their own, and a refused update leaves one': {
      refusalLeaves: () => ['event'],
      recorded: ({ event }) => {
        eventNumber += 1
        return [{ ...event, metadata: { ...event.metadata, cache_id: `${eventNumber}` } }]
      },
    },
  }),
  ...faultsOf({
    'answers to updates have no member assignment': {
      answered: ({ after }) => ({ ...after, assignment: undefined as never }),
      breaks: 'assign.answer-is-task',
    },
    'an If-Match that is a year older is accepted': {
      ...takesToo(isYearBefore),
      breaks: 'version.wrong.older ?version.wrong.repeated ?version.wrong.unassign',
    },
  }),
]

export const faults: Fault[] = [...trailFaults, ...ledgerFaults, ...furtherFaults]

type Mailed = Parameters<typeof stated.mailed>[0]

const mailedAs = (
  name: string,
  bend: (right: User[], change: Mailed) => User[],
  breaks: string[],
  mayBreak: string[] = [],
) => fault(name, { mailed: (change) => bend(stated.mailed(change), change), breaks, mayBreak })

const isAscii = (text: string) => /^[\x20-\x7e\s]*$/.test(text)

const toTeam = ({ sent }: Mailed) => sent.assigned_to_type === 'TEAM'

/** The recipients if the change had been the one that it replaces. */
const formerly = (change: Mailed): User[] => {
  const { assignment } = change.task
  return assignment ? stated.mailed({ ...change, sent: assignment }) : []
}

const everybody = ['notify.user', 'notify.team-members', 'notify.reassigned']

const watchedMailFaults: Fault[] = [
  {
    ...mailedAs('users are not mailed', (right, change) => (toTeam(change) ? right : []), [
      'notify.reassigned',
    ]),
    mayBreak: ['notify.user', 'notify.team-members', 'notify.comment'],
  },
  mailedAs('teams are not mailed', (right, change) => (toTeam(change) ? [] : right), [
    'notify.team-members',
    'notify.reassigned',
  ]),
  mailedAs(
    'one member of a team is mailed',
    (right, change) => (toTeam(change) ? right.slice(0, 1) : right),
    ['notify.team-members', 'notify.reassigned'],
  ),
  mailedAs(
    'one member of a team is left out',
    (right, change) => (toTeam(change) ? right.slice(1) : right),
    ['notify.team-members', 'notify.reassigned'],
  ),
  mailedAs(
    'nobody is mailed of the first assignment',
    (right, { kind }) => (kind === 'assigned' ? [] : right),
    ['notify.user', 'notify.team-members'],
  ),
  mailedAs(
    'nobody is mailed of a reassignment',
    (right, { kind }) => (kind === 'reassigned' ? [] : right),
    ['notify.reassigned'],
  ),
  mailedAs(
    'who was assigned before is mailed of a reassignment',
    (right, change) => (change.kind === 'reassigned' ? formerly(change) : right),
    ['notify.reassigned'],
    ['notify.comment'],
  ),
  mailedAs(
    'who assigns is mailed',
    (right, { users, sent }) =>
      right.length > 0 ? users.filter(({ id }) => id === sent.assigned_by_id) : [],
    everybody,
  ),
  mailedAs(
    'nobody is mailed of an assignment with a comment',
    (right, { comment }) => (comment ? [] : right),
    ['notify.reassigned'],
    ['notify.comment'],
  ),
  ...faultsOf('notify.comment', 'mailComment', {
    'mails do not show the comment': () => '',
    'mails to teams do not show the comment': ({ comment, sent }) =>
      sent.assigned_to_type === 'TEAM' ? '' : comment,
    'mails show the comment in part': ({ comment }) => comment.slice(0, 30),
    'mails show the comment before': ({ task }) => task.assignment?.assignment_comment ?? '',
  }),
  ...faultsOf({
    'an unassign with a comment is refused': {
      commentIsTaken: ({ op }) => op !== 'assign.unassign',
      breaks: 'assign.comment.unassign-with',
    },
    'mails are sent before an update is checked': {
      refusalLeaves: () => ['mail'],
      breaks: 'notify.refused',
    },
    'whoever would have been assigned is mailed of a 409': {
      refusalLeaves: ({ refused }) => (refused === 'version mismatch' ? ['mail'] : []),
      mailDelay: ({ refused }) => (refused ? 40 : 0),
      breaks: 'notify.refused',
    },
  }),
]

export const mailFaults = watchedMailFaults.map(alsoFoundBy('notify.all'))

const isTelling = 'notify.comment.as-sent'

const texts = tableOf<[string, (text: string) => string]>([
  ['fill in what a formatter takes for its own', (text) => text.replaceAll(/%\d*\$?[sdif]/g, '')],
  ['fill in names in braces', (text) => text.replaceAll(/\$?\{+\w*\}+/g, '')],
  ['show markup as such', (text) => text.replaceAll(/<[^>]*>/g, '')],
  ['read entities', (text) => text.replaceAll('&amp;', '&')],
  ['are written in Latin-1', (text) => Buffer.from(text, 'latin1').toString('latin1')],
  ['show numbers for what looks like one', (text) => text.replace(/^0+(?=\d+$)/, '')],
]).map(([what, bend]) =>
  fault(`mails ${what}`, {
    mailComment: ({ comment }) => bend(comment),
    breaks: [isTelling],
    mayBreak: 'notify.all',
  }),
)

export const mailLedgerFaults: Fault[] = [
  ...texts,
  mailedAs(
    'who assigns to oneself gets no mail',
    (right, { sent }) => (sent.assigned_by_id === sent.assigned_to_id ? [] : right),
    ['notify.all'],
  ),
  mailedAs(
    'nobody is mailed of the assignments of some tasks',
    (right, { task }) => (isOfSome(task) ? [] : right),
    ['notify.all'],
  ),
  mailedAs(
    'nobody is mailed of a comment with letters that are not Latin',
    (right, { sent }) => (isAscii(sent.assignment_comment ?? '') ? right : []),
    ['notify.all'],
  ),
  mailedAs(
    'nobody is mailed of a long comment',
    (right, { sent }) => ((sent.assignment_comment ?? '').length > 255 ? [] : right),
    ['notify.all'],
  ),
]
