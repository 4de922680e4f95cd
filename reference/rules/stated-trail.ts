import type { AuditEvent } from '../calls/events.ts'
import type { Change, Mail } from '../calls/mail.ts'
import type { Team, User } from '../world/world.ts'

/** What the contract states of the audit trail and the mails. */
export const statedOfTrail = {
  /** Each change of an assignment is recorded once, of its task and entity, with its comment. */
  recorded: ({ event }: Change & { event: AuditEvent }): AuditEvent[] => [event],
  /** Who is mailed: the user, or the members of the team, that a task was assigned to. */
  mailed: ({ kind, sent, users, teams }: Change & { users: User[]; teams: Team[] }): User[] => {
    if (kind === 'unassigned') return []
    const team = teams.find(({ id }) => id === sent.assigned_to_id)
    const ids = sent.assigned_to_type === 'TEAM' ? (team?.memberIds ?? []) : [sent.assigned_to_id]
    return users.filter(({ id }) => ids.includes(id))
  },
  /** The comment is visible to whom the mail goes. */
  mailComment: ({ comment }: Change): string => comment,
  /** One mail for each. */
  mails: ({ mail }: Change & { mail: Mail }): Mail[] => [mail],
}
