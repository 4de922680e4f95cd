import { stated } from '../../../reference/rules/stated.ts'
import type { User } from '../../../reference/world/world.ts'
import { alsoFoundBy, type Fault, fault, faultsBreaking, faultsNamed, tableOf } from '../fault.ts'
import { isOfSome } from './audit.ts'

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
    // Some users are members too: where mails are slow, one to a team may be taken for theirs, and the team lacks one.
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
    // A member here who was assigned there still gets a mail, with another comment.
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
  ...faultsBreaking('notify.comment', {
    'mails do not show the comment': { mailComment: () => '' },
    'mails to teams do not show the comment': {
      mailComment: ({ comment, sent }) => (sent.assigned_to_type === 'TEAM' ? '' : comment),
    },
    'mails show the comment in part': { mailComment: ({ comment }) => comment.slice(0, 30) },
    'mails show the comment before': {
      mailComment: ({ task }) => task.assignment?.assignment_comment ?? '',
    },
  }),
  ...faultsNamed({
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

/** What is wrong with the mails of one task may be seen of others too. */
export const mailFaults = watchedMailFaults.map(alsoFoundBy('notify.all'))

const isTelling = 'notify.comment.as-sent'

/** What mails do to texts that programs take for their own. */
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

/** What shows only where other tasks are assigned besides the one that is watched. */
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
