import type { AuditEvent } from '../../../reference/calls/events.ts'
import type { Change } from '../../../reference/calls/mail.ts'
import { type Open, open } from '../../../reference/rules/open.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import type { Task, User } from '../../../reference/world/world.ts'
import { throughStore } from '../bent/around.ts'
import { cellsAs, inCsv, inPdf } from '../bent/exports.ts'
import { alsoFoundBy, type Fault, faultsOf } from '../fault.ts'
import { finer } from '../variants/export-dates.ts'
import { isYearBefore, takesToo } from './concurrency.ts'
import { toMicroseconds } from './export/bounds.ts'

const recorded = 'audit.assignment-recorded'
const nobody = '00000000-0000-4000-8000-000000000000'
let eventNumber = 0
let lastActor: string | undefined
const comments = 'audit.assign-comment audit.unassign-comment'
const inAllFiles = '?audit.all-comments ?audit.each-actor ?export*.text-intact'

type Recorded = Change & { event: AuditEvent }

/** The events of these changes are lost. */
const unrecorded = (kinds: readonly Change['kind'][]) => ({
  recorded: ({ kind, event }: Recorded) => (kinds.includes(kind) ? [] : [event]),
})

/** Some members of an event are others. */
const recordedAs = (bend: (change: Recorded) => Partial<AuditEvent>) => ({
  recorded: (change: Recorded) => [{ ...change.event, ...bend(change) }],
})
const commentedAs = (bend: (change: Recorded) => string) =>
  recordedAs((change) => ({ comment: bend(change) }))
/** The same for one kind of change alone. */
const recordedOf = (kind: Change['kind'], bend: (change: Recorded) => Partial<AuditEvent>) =>
  recordedAs((change) => (change.kind === kind ? bend(change) : {}))

/** Those without metadata: two in three, and none of those that are lent first. */
export const isOfSome = ({ custom_metadata: metadata }: Pick<Task, 'custom_metadata'>) =>
  Object.keys(metadata ?? {}).length === 0

let betweenUsers = 0
/** A third of those that are most often alike, and that a comment tells apart. */
const isThirdBetweenUsers = ({ kind, sent, task }: Change) =>
  kind === 'reassigned' &&
  sent.assignment_comment &&
  [sent, task.assignment].every((one) => one?.assigned_to_type === 'USER') &&
  betweenUsers++ % 3 === 0

const withoutPictures = (text: string) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')

/** A UUID of another event. */
const backwards = (id: string) => id.replaceAll(/[\da-f]+/g, (part) => [...part].reverse().join(''))

const hoursLater = (time: string, hours: number) =>
  new Date(Date.parse(time) + hours * 3_600_000).toISOString().replace('Z', '000000Z')

const ofOtherEntity = ({ event: { metadata }, task }: Recorded) => ({
  metadata: { ...metadata, entity_id: task.institution_id },
})

const touchedLater = (hours: number): Partial<Open> => ({
  timestampForm: ({ field, value }) =>
    open.timestampForm({
      resource: 'task',
      field,
      value: field === 'updated_at' ? hoursLater(value, hours) : value,
    }),
})

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
  ...faultsOf('audit.actor', recordedAs, {
    'events of updates name a user of the service, not who assigned': () => ({
      auditee_id: nobody,
    }),
    'events of updates name nobody who caused them': () => ({ auditee_id: '' }),
  }),
  ...faultsOf('audit.time', recordedAs, {
    'events of updates are given a time three hours ahead': ({ event: { time } }) => ({
      time: hoursLater(time, 3),
    }),
    'events of updates are given a time an hour behind': ({ event: { time } }) => ({
      time: hoursLater(time, -1),
    }),
  }),
  ...faultsOf('audit.updated-at', touchedLater, {
    'updated_at is two hours ahead, in the time of a zone, and marked as UTC': 2,
    'updated_at is four and a half hours behind, in the time of a zone': -4.5,
  }),
  ...faultsOf('audit.each-actor ?audit.every-task ?audit.actor*', recordedAs, {
    'events name who sent the request before': ({ event }) => {
      const by = lastActor ?? event.auditee_id
      lastActor = event.auditee_id
      return { auditee_id: by }
    },
    'events of reassignments name who assigned before': ({ event, task }) => ({
      auditee_id: task.assignment?.assigned_by_id ?? event.auditee_id,
    }),
  }),
  ...faultsOf('audit.all-comments export.text-intact', commentedAs, {
    'long comments are cut in events': ({ event: { comment } }) => comment.slice(0, 255),
  }),
  ...faultsOf('audit.classified', {
    'events of unassignments have no subtype': recordedOf('unassigned', () => ({ sub_type: '' })),
    'events of updates have no source': recordedAs(() => ({ system_source: '' })),
  }),
  ...faultsOf({
    'pictures in the comments of unassigns are lost in their events': {
      ...recordedOf('unassigned', ({ event }) => ({ comment: withoutPictures(event.comment) })),
      breaks: 'audit.all-comments',
    },
    'reassignments are recorded of another entity': {
      ...recordedOf('reassigned', ofOtherEntity),
      breaks: `audit.all-comments ?${recorded} ?audit.assign-comment ?audit.unassign-comment`,
    },
    'comments to teams are lost in events of reassignments': {
      ...recordedOf('reassigned', ({ sent }) =>
        sent.assigned_to_type === 'TEAM' ? { comment: '' } : {},
      ),
      breaks: `audit.all-comments ?audit.assign-comment ?audit.unassign-comment
        ?export.pdf.text-intact`,
    },
    'changes of some tasks leave no event': {
      recorded: ({ event, task }) => (isOfSome(task) ? [] : [event]),
      breaks: 'audit.all-recorded',
    },
    'some updates leave their event twice': {
      recorded: ({ event, ...change }) => (isThirdBetweenUsers(change) ? [event, event] : [event]),
      breaks: 'audit.as-often',
    },
    'events of updates of some tasks are given a time three hours ahead': {
      ...recordedAs(({ event, task }) =>
        isOfSome(task) ? { time: hoursLater(event.time, 3) } : {},
      ),
      breaks: 'audit.every-task ?audit.time',
    },
    'events of updates of some tasks are filed under the assignee': {
      ...recordedAs(({ event, task, sent }) => {
        const assignee = sent.assigned_to_id ?? task.assignment?.assigned_to_id
        return isOfSome(task) ? { auditee_id: assignee ?? event.auditee_id } : {}
      }),
      breaks: 'audit.every-task ?audit.actor ?audit.each-actor',
    },
    'events of unassignments name a user of the service': {
      ...recordedOf('unassigned', () => ({ auditee_id: nobody })),
      breaks: 'audit.each-actor audit.actor ?audit.every-task',
    },
  }),
]

export const furtherFaults = faultsOf('audit.all-comments', cellsAs(inCsv), {
  'the comment null is an empty cell of a CSV': (cell, { event: { comment } }) =>
    cell === 'null' && comment === 'null' ? '' : cell,
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

/** The CSV shows all of them. */
const lostInPdf = (kinds: readonly string[]) =>
  cellsAs(inPdf)((cell, { event: { sub_type, comment } }) =>
    cell === comment && kinds.includes(sub_type) ? '' : cell,
  )

const everyKind = ['assigned', 'reassigned', 'unassigned'] as const

export const trailFaults: Fault[] = [
  ...faultsOf('audit.exact-end ?export.range.* ?export.filter.* ?export.pdf*', {
    'range_end is exclusive, times are in microseconds, and shown in milliseconds': microseconds(
      (time, end) => time < end,
    ),
    'range_end is exclusive for events of updates': { isUpTo: ({ time, end }) => time < end },
  }),
  ...faultsOf('audit.assign-comment', lostInPdf, {
    'the PDF lacks the comments of assignments': ['assigned', 'reassigned'],
  }),
  ...faultsOf('audit.unassign-comment', lostInPdf, {
    'the PDF lacks the comments of unassignments': ['unassigned'],
  }),
  ...faultsOf(`${recorded} audit.assign-comment`, unrecorded, {
    'assigning leaves no event': ['assigned'] as const,
    'reassigning leaves no event': ['reassigned'] as const,
  }),
  ...faultsOf(`${recorded} audit.unassign-comment`, unrecorded, {
    'unassigning leaves no event': ['unassigned'] as const,
  }),
  ...faultsOf(`${recorded} ${comments}`, {
    'any change leaves no event': unrecorded(everyKind),
    'any change leaves no event, and files are fetched from a store': {
      ...unrecorded(everyKind),
      ...throughStore((location) => ({ type: undefined, content: '', headers: { location } })),
    },
    'events are of no task and no entity': {
      ...recordedAs(() => ({ metadata: {} })),
      mayBreak: 'audit.all-comments audit.each-actor export*.text-intact',
    },
  }),
  ...faultsOf(`${comments} ${inAllFiles}`, recordedAs, {
    'comments are not recorded': () => ({ comment: '' }),
    'comments are recorded in part': ({ event }) => ({ comment: event.comment.slice(0, 30) }),
    'comments are recorded of another entity': ofOtherEntity,
  }),
  ...faultsOf(`audit.assign-comment ${inAllFiles}`, commentedAs, {
    'the comment of an assignment is not recorded': ({ kind, event: { comment } }) =>
      kind === 'unassigned' ? comment : '',
  }),
  ...faultsOf(`audit.unassign-comment ${inAllFiles}`, commentedAs, {
    'the comment of an unassignment is not recorded': ({ kind, event: { comment } }) =>
      kind === 'unassigned' ? '' : comment,
    'the comment before is recorded': ({ task }) => task.assignment?.assignment_comment ?? '',
  }),
  ...faultsOf('audit.refused-not-recorded', {
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
  ...faultsOf('version.wrong.older ?version.wrong.repeated ?version.wrong.unassign', {
    'an If-Match that is a year older is accepted': takesToo(isYearBefore),
  }),
  ...faultsOf('assign.answer-is-task', 'answered', {
    'answers to updates have no member assignment': ({ after: { assignment: _, ...rest } }) =>
      rest as Task,
  }),
]

type Mailed = Parameters<typeof stated.mailed>[0]

/** Others are mailed than those to whom it is due. */
const mailedAs = (bend: (due: User[], change: Mailed) => User[]): Partial<Stated> => ({
  mailed: (change) => bend(stated.mailed(change), change),
})

const isAscii = (text: string) => /^[\x20-\x7e\s]*$/.test(text)

const toTeam = ({ sent }: Mailed) => sent.assigned_to_type === 'TEAM'

/** The recipients if the change had been the one that it replaces. */
const formerly = (change: Mailed): User[] => {
  const { assignment } = change.task
  return assignment ? stated.mailed({ ...change, sent: assignment }) : []
}

export const mailFaults = [
  ...faultsOf('notify.reassigned', mailedAs, {
    'nobody is mailed of a reassignment': (due, { kind }) => (kind === 'reassigned' ? [] : due),
  }),
  ...faultsOf('notify.reassigned ?notify.comment', mailedAs, {
    'nobody is mailed of an assignment with a comment': (due, { comment }) => (comment ? [] : due),
    'who was assigned before is mailed of a reassignment': (due, change) =>
      change.kind === 'reassigned' ? formerly(change) : due,
  }),
  ...faultsOf('notify.reassigned ?notify.user ?notify.team-members ?notify.comment', mailedAs, {
    'users are not mailed': (due, change) => (toTeam(change) ? due : []),
  }),
  ...faultsOf('notify.team-members notify.reassigned', mailedAs, {
    'teams are not mailed': (due, change) => (toTeam(change) ? [] : due),
    'one member of a team is mailed': (due, change) => (toTeam(change) ? due.slice(0, 1) : due),
    'one member of a team is left out': (due, change) => (toTeam(change) ? due.slice(1) : due),
  }),
  ...faultsOf('notify.user notify.team-members', mailedAs, {
    'nobody is mailed of the first assignment': (due, { kind }) => (kind === 'assigned' ? [] : due),
  }),
  ...faultsOf('notify.user notify.team-members notify.reassigned', mailedAs, {
    'who assigns is mailed': (due, { users, sent }) =>
      due.length > 0 ? users.filter(({ id }) => id === sent.assigned_by_id) : [],
  }),
  ...faultsOf('notify.comment', 'mailComment', {
    'mails do not show the comment': () => '',
    'mails to teams do not show the comment': ({ comment, sent }) =>
      sent.assigned_to_type === 'TEAM' ? '' : comment,
    'mails show the comment in part': ({ comment }) => comment.slice(0, 30),
    'mails show the comment before': ({ task }) => task.assignment?.assignment_comment ?? '',
  }),
  ...faultsOf('notify.refused', {
    'mails are sent before an update is checked': { refusalLeaves: () => ['mail'] },
    'whoever would have been assigned is mailed of a 409': {
      refusalLeaves: ({ refused }) => (refused === 'version mismatch' ? ['mail'] : []),
      mailDelay: ({ refused }) => (refused ? 40 : 0),
    },
  }),
  ...faultsOf('assign.comment.unassign-with', 'commentIsTaken', {
    'an unassign with a comment is refused': ({ op }) => op !== 'assign.unassign',
  }),
].map(alsoFoundBy('notify.all'))

export const mailLedgerFaults: Fault[] = [
  ...faultsOf(
    'notify.comment.as-sent ?notify.all',
    (bend: (text: string) => string) => ({ mailComment: ({ comment }) => bend(comment) }),
    {
      'mails fill in what a formatter takes for its own': (text) =>
        text.replaceAll(/%\d*\$?[sdif]/g, ''),
      'mails fill in names in braces': (text) => text.replaceAll(/\$?\{+\w*\}+/g, ''),
      'mails show markup as such': (text) => text.replaceAll(/<[^>]*>/g, ''),
      'mails read entities': (text) => text.replaceAll('&amp;', '&'),
      'mails are written in Latin-1': (text) => Buffer.from(text, 'latin1').toString('latin1'),
      'mails show numbers for what looks like one': (text) => text.replace(/^0+(?=\d+$)/, ''),
    },
  ),
  ...faultsOf('notify.all', mailedAs, {
    'who assigns to oneself gets no mail': (due, { sent }) =>
      sent.assigned_by_id === sent.assigned_to_id ? [] : due,
    'nobody is mailed of the assignments of some tasks': (due, { task }) =>
      isOfSome(task) ? [] : due,
    'nobody is mailed of a comment with letters that are not Latin': (due, { sent }) =>
      isAscii(sent.assignment_comment ?? '') ? due : [],
    'nobody is mailed of a long comment': (due, { sent }) =>
      (sent.assignment_comment ?? '').length > 255 ? [] : due,
  }),
]
