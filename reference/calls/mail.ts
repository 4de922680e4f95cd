import type { Reason, Update } from './call.ts'

/** A change of an assignment, carried out or, with a reason, refused. */
export type Change = Update & {
  kind: 'assigned' | 'reassigned' | 'unassigned'
  /** as sent and stored; empty if there was none */
  comment: string
  refused?: Reason
}

/** A mail; a delayed one counts as delivered only from its time on. */
export type Mail = {
  from: { name: string; mail: string }
  to: { name: string; mail: string }[]
  subject: string
  text: string
  html: string
  /** milliseconds since 1970 */
  time: number
}

/** Receives the mails that a service sends. */
export type Mailer = (mail: Mail) => void
