import { type Mail, mailForm } from '../../../reference/calls/mail.ts'
import { type Open, open } from '../../../reference/rules/open.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { cellsAs, columnsOfPdf, inPdf, isOf } from '../bent/exports.ts'
import { variant, variantsOf } from '../fault.ts'
import { isOfSome, microseconds } from '../faults/audit.ts'

const comments = ['audit.assign-comment', 'audit.unassign-comment']

export const uncommented = variant('comments to an assignee are not taken', {
  commentIsTaken: ({ op }) => op === 'assign.unassign',
  held: (given) => ({ ...given, assignment_comment: null }),
})

const refusingUnknown: Partial<Open> = {
  queryRefusal: (asked) => (asked.flaw === 'unknown value' ? 422 : open.queryRefusal(asked)),
}

export const idleTrail = variant(
  'an unassign of what is unassigned is accepted, and leaves no event',
  {
    recorded: ({ event, kind, task }) =>
      kind === 'unassigned' && task.assignment === null ? [] : [event],
  },
)

export const hiddenTrails = variantsOf({
  'events show who assigned before beside who assigns': {
    recorded: ({ event, task }) => [
      { ...event, metadata: { ...event.metadata, cache_id: task.assignment?.assigned_by_id } },
    ],
  },
  'values that no event has are refused, and events can be seen after an hour': {
    ...refusingUnknown,
    eventDelay: () => 3_600_000,
    events: 0,
  },
  'values that no event has are refused, and events of some tasks can be seen after an hour': {
    ...refusingUnknown,
    eventDelay: ({ task }) => (isOfSome(task) ? 3_600_000 : 0),
    events: 0,
  },
  'files stand at addresses of another kind than http': {
    delivery: ({ file }) => ({
      ...file,
      content: '',
      headers: { location: 's3://exports/events' },
    }),
  },
})

const world = makeWorld(1)
const otherTask = world.tasks[11]?.id

/** A mail that has nothing to do with the service. */
const noise = (mail: Mail): Mail => ({
  ...mail,
  from: { name: 'Canteen', mail: 'menu@example.org' },
  to: [{ name: 'All', mail: 'all@example.org' }],
  subject: 'Lunch',
  text: 'Soup',
  html: '',
})

type Form = Open['mailForm']

/** A mail of plain text alone, and of no subject that names the task. */
const plainly =
  (textOf: (mail: Parameters<Form>[0]) => string): Form =>
  (mail) => ({ ...mailForm(mail), subject: 'A task', text: textOf(mail), html: '' })

/** A mail that tells its reader to look for the rest. */
export const namingNothing = plainly(() => 'Log in')

export const lateMailVariants = variantsOf({
  'mails come after MAIL_WAIT_S and before the end': { mailDelay: () => 300 },
  'mails come after MAIL_WAIT_S, some later than others': {
    mailDelay: ({ kind }) => (kind === 'reassigned' ? 250 : 150),
  },
  'mails come after MAIL_WAIT_S, and say that there is a task, and no more': {
    mailDelay: () => 300,
    mailForm: namingNothing,
    // Where the sequence takes longer, some come in time, and they do not show the comment.
    warns: '?notify.comment',
  },
})

/** Each word by itself, and the signs that markup has as numbers. */
const markedUp = (text: string) =>
  text
    .replaceAll(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/[a-z]+/g, '<b>$&</b>')
    .replaceAll(' ', '&#32;\n')

const digests = new Map<string, Mail>()

/** One mail for all updates of three seconds. */
function inDigest({ mail }: { mail: Mail }): Mail[] {
  const reader = mail.to[0]?.mail ?? ''
  const digest = digests.get(reader)
  const isOpen = digest && mail.time < digest.time && mail.time >= digest.time - 3000
  if (isOpen) digest.text += mail.text
  else digests.set(reader, Object.assign(mail, { time: mail.time + 3000 }))
  return isOpen ? [] : [mail]
}

export const mailVariants = [
  ...variantsOf('mailForm', {
    'mails show the comment, and not the task': plainly(({ comment }) => `“${comment}”`),
    'mails are marked up, and have no plain text': (mail) => ({
      ...mailForm(mail),
      text: '',
      html: `<table><tr><td>${markedUp(mail.comment)}</td></tr></table>`,
    }),
    'mails show the comment of the assignment before as well': (mail) => {
      const { text, ...form } = mailForm(mail)
      return { ...form, text: `${text}\nBefore: ${mail.task.assignment?.assignment_comment}` }
    },
    'mails name other tasks too': (mail) => ({
      ...mailForm(mail),
      text: `${mail.comment}\nYour other tasks: ${otherTask}`,
      html: '',
    }),
  }),
  ...variantsOf('mails', {
    'each mail comes twice': ({ mail }) => [mail, mail],
    'a mail to one member of a team goes to all of it': ({ mail, sent }) => {
      const team = world.teams.find(({ id }) => id === sent.assigned_to_id)
      const members = world.users.filter(({ id }) => team?.memberIds.includes(id))
      return [{ ...mail, to: team ? members : mail.to }]
    },
    'addresses in upper case': ({ mail }) => [
      { ...mail, to: mail.to.map((one) => ({ ...one, mail: one.mail.toUpperCase() })) },
    ],
    'the mailbox is not the service’s alone': ({ mail }) => [noise(mail), mail, noise(mail)],
  }),
  ...variantsOf({
    'mails of three seconds come as one': { mails: inDigest, env: { MAIL_WAIT_S: '20' } },
    'mails come after a while': {
      mailDelay: ({ kind }) => (kind === 'reassigned' ? 400 : 150),
      env: { MAIL_WAIT_S: '20' },
    },
    'mails say that there is a task, and no more': {
      mailForm: namingNothing,
      warns: 'notify.comment',
    },
    'who was assigned, and who assigns, are mailed as well': {
      alsoMailed: ({ task, sent, users }) =>
        users.filter(({ id }) =>
          [sent.assigned_by_id, task.assignment?.assigned_to_id].includes(id),
        ),
    },
    'refused updates are mailed, and the mail says so': {
      refusalLeaves: () => ['mail'],
      mailForm: (mail) => {
        const { text, ...form } = mailForm(mail)
        return { ...form, text: mail.refused ? `Nothing was done: ${mail.refused}\n${text}` : text }
      },
    },
  }),
]

/** As long as a sentence on an assignment is: one on an unassignment is two letters longer. */
const mostInLine = 'assigned: Contract test, please ignore 0123456789 (0)'.length

export const trailVariants = [
  ...variantsOf('recorded', {
    'events are found by their entity, and not by their task': ({ event }) => [
      { ...event, metadata: { entity_id: event.metadata.entity_id } },
    ],
    'each change leaves several events': ({ event }) => [
      { ...event, comment: '', sub_type: 'updated' },
      event,
    ],
    'each change leaves an event of its task and one of its entity': ({ event, task }) => [
      event,
      { ...event, id: task.data_version.toString(), event_type: 'entity' },
    ],
  }),
  ...variantsOf({
    'the key may not export': { refuses: true, permits: ({ op }) => op !== 'export' },
    'events can be seen after a while': {
      eventDelay: ({ kind }) => (kind === 'unassigned' ? 400 : 150),
      env: { AUDIT_WAIT_S: '20' },
    },
    'events can be seen after an hour': {
      eventDelay: () => 3_600_000,
      warns: ['audit.assignment-recorded', ...comments],
    },
    'events are stored with their day alone, and no file shows when they were': {
      storedTime: ({ time }) => `${time.slice(0, 10)}T12:00:00.000000000Z`,
      columns: () => ['id', 'event_type', 'sub_type', 'auditee_id'],
      warns: comments,
    },
    'the file has no column of comments': {
      columns: () => ['time', 'id', 'event_type', 'sub_type', 'auditee_id'],
      warns: comments,
    },
    'the file has two columns and not their names': {
      columns: () => ['sub_type', 'comment'],
      headerRow: () => false,
    },
    'another dialect, with lines before the columns’ names': {
      delimiter: () => ';',
      byteOrderMark: () => true,
      quotesAnyway: () => true,
      titleLines: () => ['Audit events', 'made just now'],
      columns: () => ['comment', 'metadata', 'time'],
      rowOrder: ({ events }) => events.toReversed(),
    },
    'times are in microseconds, and shown in milliseconds': microseconds(
      (time, end) => time <= end,
    ),
    'no event at first': { events: 0 },
    'values that no event has are refused': { ...refusingUnknown, events: 0 },
    'other kinds of events': {
      eventKind: ({ kind }) => ({
        event_type: 'workflow',
        sub_type: `TASK_${kind}`,
        system_source: 'bpm',
      }),
    },
    'refused updates leave events of another subtype': {
      refusalLeaves: () => ['event'],
      eventKind: (change) => ({
        ...open.eventKind(change),
        sub_type: change.refused ? 'refused' : change.kind,
      }),
    },
    'refused updates leave events whose text says why': {
      refusalLeaves: () => ['event'],
      recorded: ({ event, refused }) => [
        refused ? { ...event, description: `${event.description}: ${refused}` } : event,
      ],
    },
    'exports leave events': { recordsExports: () => true },
    'each change leaves two events of different types, and no file shows types': {
      recorded: ({ event }) => [event, { ...event, id: `${event.id}-2`, event_type: 'entity' }],
      columns: () => ['id', 'time', 'auditee_id', 'comment'],
    },
    'events of other people’s doing come in between': { trafficInterval: () => 20 },
    'times are stored in seconds': { storedTime: ({ time }) => `${time.slice(0, 19)}.000000000Z` },
    'the PDF has no column of comments': columnsOfPdf('time', 'id', 'event_type', 'sub_type'),
    'the PDF cuts comments after thirty letters': cellsAs(inPdf)((cell, { event }) =>
      cell === event.comment ? `${cell.slice(0, 30)}…` : cell,
    ),
    'the PDF has a sentence for each event, and cuts those that are longer than others': {
      cells: (asked) => {
        const { sub_type, comment, id } = asked.event
        const sentence = `${sub_type}: ${comment}`.slice(0, mostInLine)
        return inPdf(asked) ? [id, sentence] : stated.cells(asked)
      },
      ...columnsOfPdf('id', 'comment'),
    },
    'the PDF breaks comments, and beside some of them the kinds of their events': {
      ...columnsOfPdf('sub_type', 'comment'),
      // On lines of eighteen letters a whole trail would fill thousands of pages.
      pdfLayout: (asked) =>
        [isOf('entity_id'), isOf('task_id')].some((is) => asked.filters.some(is))
          ? { long: 'wrap', page: [125, 595], margin: 24, size: 6 }
          : open.pdfLayout(asked),
    },
    'the PDF shows events half a second after the CSV': {
      env: { AUDIT_WAIT_S: '5' },
      rows: (asked) =>
        asked.events.filter(
          ({ time }) => !inPdf(asked) || Date.parse(`${time.slice(0, 23)}Z`) < Date.now() - 500,
        ),
    },
  }),
]
