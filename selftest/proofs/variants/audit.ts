import type { Mail } from '../../../reference/calls/mail.ts'
import { mailForm } from '../../../reference/calls/mail-form.ts'
import { type Open, open } from '../../../reference/rules/open.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import type { Variant } from '../fault.ts'
import { isOfSome } from '../faults/audit.ts'

const comments = ['audit.assign-comment', 'audit.unassign-comment']

/** Comments are kept from before, or they could not be put back. */
export const uncommented: Variant = {
  name: 'comments to an assignee are not taken',
  open: { commentIsTaken: ({ op }) => op === 'assign.unassign' },
  held: (given) => ({ ...given, assignment_comment: null }),
}

const refusingUnknown: Partial<Open> = {
  queryRefusal: (asked) => (asked.flaw === 'unknown value' ? 422 : open.queryRefusal(asked)),
}

export const trailVariants: Variant[] = [
  { name: 'the key may not export', refuses: true, open: { permits: ({ op }) => op !== 'export' } },
  {
    name: 'events can be seen after a while',
    open: { eventDelay: ({ kind }) => (kind === 'unassigned' ? 400 : 150) },
    env: { AUDIT_WAIT_S: '20' },
  },
  {
    name: 'events can be seen after an hour',
    open: { eventDelay: () => 3_600_000 },
    warns: ['audit.assignment-recorded', ...comments],
  },
  {
    name: 'events are stored with their day alone, and no file shows when they were',
    open: {
      storedTime: ({ time }) => `${time.slice(0, 10)}T12:00:00.000000000Z`,
      columns: () => ['id', 'event_type', 'sub_type', 'auditee_id'],
    },
    warns: comments,
  },
  {
    name: 'the file has no column of comments',
    open: { columns: () => ['time', 'id', 'event_type', 'sub_type', 'auditee_id'] },
    warns: comments,
  },
  {
    name: 'the file has two columns and not their names',
    open: { columns: () => ['sub_type', 'comment'], headerRow: () => false },
  },
  {
    name: 'another dialect, with lines before the columns’ names',
    open: {
      delimiter: () => ';',
      byteOrderMark: () => true,
      quotesAnyway: () => true,
      titleLines: () => ['Audit events', 'made just now'],
      columns: () => ['comment', 'metadata', 'time'],
      rowOrder: ({ events }) => events.toReversed(),
    },
  },
  { name: 'no event at first', events: 0 },
  {
    name: 'values that no event has are refused',
    open: refusingUnknown,
    events: 0,
  },
  {
    name: 'events are found by their entity, and not by their task',
    stated: {
      recorded: ({ event }) => [{ ...event, metadata: { entity_id: event.metadata.entity_id } }],
    },
  },
  {
    name: 'other kinds of events',
    open: {
      eventKind: ({ kind }) => ({
        event_type: 'workflow',
        sub_type: `TASK_${kind}`,
        system_source: 'bpm',
      }),
    },
  },
  {
    name: 'refused updates leave events',
    open: { refusalLeaves: () => ['event'] },
  },
  {
    name: 'exports leave events',
    open: { recordsExports: () => true },
  },
  {
    name: 'each change leaves several events',
    stated: {
      recorded: ({ event }) => [{ ...event, comment: '', sub_type: 'updated' }, event],
    },
  },
  {
    name: 'events of other people’s doing come in between',
    open: { trafficInterval: () => 20 },
  },
  {
    name: 'times are stored in seconds',
    open: { storedTime: ({ time }) => `${time.slice(0, 19)}.000000000Z` },
  },
]

/** Beside clauses that unassign what is unassigned. */
export const idleTrail: Variant = {
  name: 'an unassign of what is unassigned is accepted, and leaves no event',
  stated: {
    recorded: ({ event, kind, task }) =>
      kind === 'unassigned' && task.assignment === null ? [] : [event],
  },
}

/** Beside updates of other clauses: alone they would leave nothing to decide, or one task. */
export const hiddenTrails: Variant[] = [
  {
    name: 'values that no event has are refused, and events can be seen after an hour',
    open: { ...refusingUnknown, eventDelay: () => 3_600_000 },
    events: 0,
  },
  {
    name: 'values that no event has are refused, and events of some tasks can be seen after an hour',
    open: { ...refusingUnknown, eventDelay: ({ task }) => (isOfSome(task) ? 3_600_000 : 0) },
    events: 0,
  },
  {
    name: 'files stand at addresses of another kind than http',
    open: {
      delivery: ({ file }) => ({
        ...file,
        content: '',
        headers: { location: 's3://exports/events' },
      }),
    },
  },
]

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

/** A mail that tells its reader to look for the rest. */
export const namingNothing: Open['mailForm'] = (mail) => ({
  ...mailForm(mail),
  subject: 'A task',
  text: 'Log in',
  html: '',
})

/** Runs that go on for a while after the mails were waited for. */
export const lateMailVariants: Variant[] = [
  {
    name: 'mails come after MAIL_WAIT_S and before the end',
    open: { mailDelay: () => 300 },
  },
  {
    name: 'mails come after MAIL_WAIT_S, some later than others',
    open: { mailDelay: ({ kind }) => (kind === 'reassigned' ? 350 : 200) },
  },
  {
    name: 'mails come after MAIL_WAIT_S, and say that there is a task, and no more',
    open: { mailDelay: () => 300, mailForm: namingNothing },
    // Where the journey takes longer, some come in time, and they do not show the comment.
    mayWarn: ['notify.comment'],
  },
]

export const mailVariants: Variant[] = [
  {
    name: 'mails come after a while',
    open: { mailDelay: ({ kind }) => (kind === 'reassigned' ? 400 : 150) },
    env: { MAIL_WAIT_S: '20' },
  },
  {
    name: 'mails say that there is a task, and no more',
    open: { mailForm: namingNothing },
    warns: ['notify.comment'],
  },
  {
    name: 'mails show the comment, and not the task',
    open: {
      mailForm: (mail) => ({
        ...mailForm(mail),
        subject: 'A task',
        text: `“${mail.comment}”`,
        html: '',
      }),
    },
  },
  {
    name: 'mails are marked up, and have no plain text',
    open: {
      mailForm: (mail) => ({
        ...mailForm(mail),
        text: '',
        html: `<table><tr><td>${mail.comment.replaceAll(/[a-z]+/g, '<b>$&</b>').replaceAll(' ', '&#32;\n')}</td></tr></table>`,
      }),
    },
  },
  {
    name: 'mails show the comment of the assignment before as well',
    open: {
      mailForm: (mail) => {
        const { text, ...form } = mailForm(mail)
        return { ...form, text: `${text}\nBefore: ${mail.task.assignment?.assignment_comment}` }
      },
    },
  },
  {
    name: 'mails name other tasks too',
    open: {
      mailForm: (mail) => ({
        ...mailForm(mail),
        text: `${mail.comment}\nYour other tasks: ${otherTask}`,
        html: '',
      }),
    },
  },
  {
    name: 'who was assigned, and who assigns, are mailed as well',
    open: {
      alsoMailed: ({ task, sent, users }) =>
        users.filter(({ id }) =>
          [sent.assigned_by_id, task.assignment?.assigned_to_id].includes(id),
        ),
    },
  },
  { name: 'each mail comes twice', stated: { mails: ({ mail }) => [mail, mail] } },
  {
    name: 'a mail to one member of a team goes to all of it',
    stated: {
      mails: ({ mail, sent }) => {
        const team = world.teams.find(({ id }) => id === sent.assigned_to_id)
        const members = world.users.filter(({ id }) => team?.memberIds.includes(id))
        return [{ ...mail, to: team ? members : mail.to }]
      },
    },
  },
  {
    name: 'addresses in upper case',
    stated: {
      mails: ({ mail }) => [
        { ...mail, to: mail.to.map((one) => ({ ...one, mail: one.mail.toUpperCase() })) },
      ],
    },
  },
  {
    name: 'the mailbox is not the service’s alone',
    stated: { mails: ({ mail }) => [noise(mail), mail, noise(mail)] },
  },
  { name: 'refused updates are mailed', open: { refusalLeaves: () => ['mail'] } },
]
