import type { Reason } from '../calls/call.ts'
import type { AuditEvent } from '../calls/events.ts'
import type { Export } from '../calls/export-call.ts'
import type { Change } from '../calls/mail.ts'
import { type MailForm, mailForm } from '../calls/mail-form.ts'
import type { User, World } from '../world/world.ts'

/** What the contract leaves open of the audit trail and the mails. */
export const openOfTrail = {
  /** Precision of stored event times; `time` has nine fraction digits and a Z. */
  storedTime: ({ time }: AuditEvent): string => `${time.slice(0, 23)}000000Z`,
  /** Type, subtype and source of a change's event. */
  eventKind: ({ kind }: Change): EventKind => ({
    event_type: 'task',
    sub_type: kind,
    system_source: 'task_platform',
  }),
  /** Milliseconds until an event is visible. */
  eventDelay: (_: Change): number => 0,
  /** What a refused update leaves nevertheless. */
  refusalLeaves: (_: Change & { refused: Reason }): ('event' | 'mail')[] => [],
  /** Whether an export is itself recorded as an event. */
  recordsExports: (_: Export): boolean => false,
  /** Milliseconds between events of other people. */
  trafficInterval: (_: World): number => Number.POSITIVE_INFINITY,

  /** Further recipients beside the assignee, and recipients on unassigning. */
  alsoMailed: (_: Change & { users: User[] }): User[] => [],
  /** Sender, subject and text of a mail. */
  mailForm: (mail: Change & { to: User; comment: string }): MailForm => mailForm(mail),
  /** Milliseconds until a mail arrives. */
  mailDelay: (_: Change & { to: User }): number => 0,
}

type EventKind = Pick<AuditEvent, 'event_type' | 'sub_type' | 'system_source'>
