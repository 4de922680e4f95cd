import type { AuditEvent } from '../calls/events.ts'
import type { Change, Mail } from '../calls/mail.ts'
import type { Team, User } from '../world/world.ts'

/** What the contract states of the audit trail and the mails. */
export const statedOfTrail = {
  /** Each change of an assignment is recorded once, with its task, entity and comment. */
  recorded: ({ event }: Change & { event: AuditEvent }): AuditEvent[] => [event],
  /** Mails go to the assigned user, or to the members of the assigned team. */
  mailed: ({ kind, sent, users, teams }: Change & { users: User[]; teams: Team[] }): User[] => {
    if (kind === 'unassigned') return []
    const team = teams.find(({ id }) => id === sent.assigned_to_id)
    const ids = sent.assigned_to_type === 'TEAM' ? (team?.memberIds ?? []) : [sent.assigned_to_id]
    return users.filter(({ id }) => ids.includes(id))
  },
  /** The comment is visible to the recipients. */
  mailComment: ({ comment }: Change): string => comment,
  /** One mail for each recipient. */
  mails: ({ mail }: Change & { mail: Mail }): Mail[] => [mail],
}
