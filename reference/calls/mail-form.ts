import type { User } from '../world/world.ts'
import type { Change, Mail } from './mail.ts'

/** The text of the mail about a task. */
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
