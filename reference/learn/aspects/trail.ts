import type { Operation } from '../../calls/call.ts'
import type { Change } from '../../calls/mail.ts'
import type { User, World } from '../../world/world.ts'
import type { Aspect } from '../aspect.ts'
import { isMembers } from '../seen.ts'

const delays: Record<string, number> = {
  '< 1 s': 0,
  '< 10 s': 1_500,
  '< 1 min': 15_000,
  'a minute or more': 61_000,
}

/** When an update can be seen in the audit trail. */
const events: Aspect = {
  of: ['audit.delay'],
  rules(seen) {
    const span = seen.word('audit.delay', Object.keys(delays))
    const delay = span === undefined ? 0 : (delays[span] ?? 0)
    if (delay > 0) seen.assume(`events can be seen after ${delay / 1000} s`)
    return { open: { eventDelay: () => delay } }
  },
}

/** What an update leaves that is answered 409. */
const ofRefused: Aspect = {
  of: ['audit.refused-not-recorded', 'notify.refused'],
  rules(seen) {
    const event = seen.value('audit.refused-not-recorded')
    const mail = seen.value('notify.refused')
    if (mail === 'somebody')
      seen.unclear(
        'notify.refused',
        'saw a mail to somebody; this service mails who would have been assigned',
      )
    if (event === 'some time later')
      seen.unclear('audit.refused-not-recorded', 'saw an event some time later; here it is at once')
    if (mail === 'somebody, some time later')
      seen.unclear('notify.refused', 'saw a mail some time later; here it is sent at once')
    if (isMembers(event) && event.comment === false)
      seen.unclear('audit.refused-not-recorded', 'saw an event without the comment')
    const leaves: ('event' | 'mail')[] = []
    if (event !== undefined && event !== 'none') leaves.push('event')
    if (mail !== undefined && mail !== 'nobody') leaves.push('mail')
    return {
      open: { refusalLeaves: ({ refused }) => (refused === 'version mismatch' ? leaves : []) },
    }
  },
}

/** Who is mailed beside the assignee. */
const mails: Aspect = {
  of: ['notify.unassigned', 'notify.others'],
  rules(seen, world) {
    const unassigned = seen.word('notify.unassigned', ['nobody', 'who was assigned', 'somebody'])
    const { others, twice } = seen.members('notify.others')
    const told = Array.isArray(others) ? others : []
    return {
      open: {
        alsoMailed: (change) => {
          const before = peopleOf(change.task.assignment?.assigned_to_id, world)
          if (change.kind === 'unassigned') {
            if (unassigned === 'who was assigned') return before
            return unassigned === 'somebody' ? bystander(change, world) : []
          }
          return [
            ...(told.includes('the assignee before') ? before : []),
            ...(told.includes('who assigns') ? peopleOf(change.sent.assigned_by_id, world) : []),
            ...(told.includes('somebody else') ? bystander(change, world) : []),
            ...(twice === 'the assignee' ? peopleOf(change.sent.assigned_to_id, world) : []),
          ]
        },
      },
    }
  },
}

/** A user, or the members of a team. */
function peopleOf(id: string | undefined, { users, teams }: World): User[] {
  const members = teams.find((team) => team.id === id)?.memberIds ?? [id]
  return users.filter((user) => members.includes(user.id))
}

/** A user whom a change does not concern. */
function bystander({ task, sent }: Change, world: World): User[] {
  const concerned = [task.assignment?.assigned_to_id, sent.assigned_to_id, sent.assigned_by_id]
  const people = new Set(concerned.flatMap((id) => peopleOf(id, world)))
  return world.users.filter((user) => !people.has(user)).slice(0, 1)
}

/** What the key may do. */
const permissions: Aspect = {
  of: ['auth.key-permissions'],
  rules(seen) {
    const may = seen.members('auth.key-permissions')
    const denied = new Set(Object.keys(may).filter((op) => may[op] === 'may not'))
    return { open: { permits: ({ op }: { op: Operation }) => !denied.has(op) } }
  },
}

const perSecond = 50

/** Rate limits. */
const rate: Aspect = {
  of: ['limits.rate'],
  rules(seen) {
    const { tooMany, retryAfter } = seen.members('limits.rate')
    if (tooMany !== 'met') return {}
    seen.assume(`the limit is ${perSecond} requests a second`)
    const forms: unknown[] = Array.isArray(retryAfter) ? retryAfter : []
    const wait = () => {
      if (forms.includes('seconds')) return '1'
      return forms.includes('a date') ? new Date(Date.now() + 1000).toUTCString() : undefined
    }
    return { open: { requestsPerSecond: () => perSecond, retryAfter: wait } }
  },
}

export const aspectsOfTrail = [events, ofRefused, mails, permissions, rate]
