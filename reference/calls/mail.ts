import type { User } from '../world/world.ts'
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

export type Mailer = (mail: Mail) => void

export function mailForm({
  task,
  kind,
  to,
  comment,
}: Change & { to: User; comment: string }): Pick<Mail, 'from' | 'subject' | 'text' | 'html'> {
  const name = task.name ?? task.c_name
  const lines = [`Hello ${to.name},`, `a task was ${kind}: ${name}`, `Task ${task.id}`]
  if (comment !== '') lines.push(comment)
  return {
    from: { name: 'Workflow', mail: 'no-reply@workflow.example.com' },
    subject: `Task ${kind}: ${name}`,
    text: `${lines.join('\n\n')}\n`,
    html: lines.map((line) => `<p>${escaped(line)}</p>`).join('\n'),
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')
