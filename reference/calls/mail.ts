import type { Reason, Update } from './call.ts'

/** A change of an assignment, carried out or, with a reason, refused. */
export type Change = Update & {
  kind: 'assigned' | 'reassigned' | 'unassigned'
  /** as sent and kept; empty where there was none */
  comment: string
  refused?: Reason
}

/** A mail on its way; where it is delayed, it counts as delivered only from its time on. */
export type Mail = {
  from: { name: string; mail: string }
  to: { name: string; mail: string }[]
  subject: string
  text: string
  html: string
  /** milliseconds since 1970 */
  time: number
}

/** Takes the mails that a service sends. */
export type Mailer = (mail: Mail) => void
