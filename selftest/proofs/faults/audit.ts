import type { AuditEvent } from '../../../reference/calls/events.ts'
import type { Change } from '../../../reference/calls/mail.ts'
import { stated } from '../../../reference/rules/stated.ts'
import type { User } from '../../../reference/world/world.ts'
import type { Fault } from '../fault.ts'

const recorded = 'audit.assignment-recorded'
const comments = ['audit.assign-comment', 'audit.unassign-comment']

const unrecorded = (what: string, kinds: Change['kind'][], breaks: string[]): Fault => ({
  name: `${what} leaves no event`,
  stated: { recorded: ({ kind, event }) => (kinds.includes(kind) ? [] : [event]) },
  breaks: [recorded, ...breaks],
})

const recordedAs = (
  name: string,
  bend: (event: AuditEvent, change: Change) => Partial<AuditEvent>,
  breaks: string[],
): Fault => ({
  name,
  stated: { recorded: ({ event, ...change }) => [{ ...event, ...bend(event, change) }] },
  breaks,
  // Where the file shows other comments of this run.
  mayBreak: ['audit.all-comments', 'export.text-intact', 'export.pdf.text-intact'],
})

/** Told by its id, so that it is always the same ones: some four in ten. */
const isOfSome = (task: { id: string }) => task.id < '7'

/** Told by its last letter, so that it is always the same ones. */
const isOneInFive = (comment: string) => (comment.codePointAt(comment.length - 1) ?? 0) % 5 === 0

const withoutPictures = (text: string) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')

const hoursLater = (time: string, hours: number) =>
  new Date(Date.parse(time) + hours * 3_600_000).toISOString().replace('Z', '000000Z')

/** What shows only where other tasks are changed besides the one that is watched. */
export const ledgerFaults: Fault[] = [
  {
    name: 'changes of some tasks leave no event',
    stated: { recorded: ({ event, task }) => (isOfSome(task) ? [] : [event]) },
    breaks: ['audit.all-recorded'],
  },
  {
    name: 'some updates leave their event twice',
    stated: {
      recorded: ({ event }) => (isOneInFive(event.comment) ? [event, event] : [event]),
    },
    breaks: ['audit.as-often'],
  },
  {
    name: 'pictures in the comments of unassigns are lost in their events',
    stated: {
      recorded: ({ kind, event }) => [
        kind === 'unassigned' ? { ...event, comment: withoutPictures(event.comment) } : event,
      ],
    },
    breaks: ['audit.all-comments'],
  },
  {
    name: 'events of updates are given a time three hours ahead',
    stated: { recorded: ({ event }) => [{ ...event, time: hoursLater(event.time, 3) }] },
    breaks: ['audit.time'],
  },
  {
    name: 'events of updates of some tasks are given a time three hours ahead',
    stated: {
      recorded: ({ event, task }) => [
        isOfSome(task) ? { ...event, time: hoursLater(event.time, 3) } : event,
      ],
    },
    breaks: ['audit.every-task'],
    mayBreak: ['audit.time'],
  },
  {
    name: 'events of updates of some tasks are filed under the assignee',
    stated: {
      recorded: ({ event, task, sent }) => [
        isOfSome(task)
          ? {
              ...event,
              auditee_id:
                sent.assigned_to_id ?? task.assignment?.assigned_to_id ?? event.auditee_id,
            }
          : event,
      ],
    },
    breaks: ['audit.every-task'],
    mayBreak: ['audit.actor'],
  },
  {
    name: 'events of updates are given a time an hour behind',
    stated: { recorded: ({ event }) => [{ ...event, time: hoursLater(event.time, -1) }] },
    breaks: ['audit.time'],
  },
  {
    name: 'long comments are cut in events',
    stated: {
      recorded: ({ event }) => [{ ...event, comment: event.comment.slice(0, 255) }],
    },
    breaks: ['audit.all-comments'],
  },
  {
    name: 'reassignments are recorded of another entity',
    stated: {
      recorded: ({ event, kind, task }) => [
        kind === 'reassigned'
          ? { ...event, metadata: { ...event.metadata, entity_id: task.institution_id } }
          : event,
      ],
    },
    breaks: ['audit.all-comments'],
    mayBreak: [...comments, recorded],
  },
  {
    name: 'comments to teams are lost in events of reassignments',
    stated: {
      recorded: ({ event, kind, sent }) => [
        kind === 'reassigned' && sent.assigned_to_type === 'TEAM'
          ? { ...event, comment: '' }
          : event,
      ],
    },
    breaks: ['audit.all-comments'],
    mayBreak: [...comments, 'export.pdf.text-intact'],
  },
]

export const trailFaults: Fault[] = [
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
  recordedAs('events are of no task and no entity', () => ({ metadata: {} }), [
    recorded,
    ...comments,
  ]),
]

type Mailed = Parameters<typeof stated.mailed>[0]

const mailedAs = (
  name: string,
  bend: (right: User[], change: Mailed) => User[],
  breaks: string[],
): Fault => ({
  name,
  stated: { mailed: (change) => bend(stated.mailed(change), change) },
  breaks,
})

const toTeam = ({ sent }: Mailed) => sent.assigned_to_type === 'TEAM'

/** Who a change would have been told to, had it been the one that is replaced. */
const formerly = (change: Mailed): User[] => {
  const { assignment } = change.task
  return assignment ? stated.mailed({ ...change, sent: assignment }) : []
}

const everybody = ['notify.user', 'notify.team-members', 'notify.reassigned']

const watchedMailFaults: Fault[] = [
  mailedAs('users are not mailed', (right, change) => (toTeam(change) ? right : []), [
    'notify.user',
    'notify.reassigned',
  ]),
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
  {
    ...mailedAs(
      'who was assigned before is mailed of a reassignment',
      (right, change) => (change.kind === 'reassigned' ? formerly(change) : right),
      ['notify.reassigned'],
    ),
    // Who is a member here and was assigned there is mailed all the same, of another comment.
    mayBreak: ['notify.comment'],
  },
  mailedAs(
    'who assigns is mailed',
    (right, { users, sent }) =>
      right.length > 0 ? users.filter(({ id }) => id === sent.assigned_by_id) : [],
    everybody,
  ),
  {
    name: 'mails do not show the comment',
    stated: { mailComment: () => '' },
    breaks: ['notify.comment'],
  },
  {
    name: 'mails to teams do not show the comment',
    stated: {
      mailComment: ({ comment, sent }) => (sent.assigned_to_type === 'TEAM' ? '' : comment),
    },
    breaks: ['notify.comment'],
  },
  {
    name: 'mails show the comment in part',
    stated: { mailComment: ({ comment }) => comment.slice(0, 30) },
    breaks: ['notify.comment'],
  },
  {
    name: 'mails show the comment before',
    stated: { mailComment: ({ task }) => task.assignment?.assignment_comment ?? '' },
    breaks: ['notify.comment'],
  },
]

/** What is wrong with the mails of one task may be seen of others too. */
export const mailFaults = watchedMailFaults.map(
  (fault): Fault => ({ ...fault, mayBreak: [...(fault.mayBreak ?? []), 'notify.all'] }),
)

/** What shows only where other tasks are assigned besides the one that is watched. */
export const mailLedgerFaults: Fault[] = [
  mailedAs(
    'nobody is mailed of the assignments of some tasks',
    (right, { task }) => (task.id < '7' ? [] : right),
    ['notify.all'],
  ),
]

export const faults: Fault[] = [...trailFaults, ...ledgerFaults, ...mailFaults, ...mailLedgerFaults]
