import { randomUUID } from 'node:crypto'
import type { Reason, Update } from '../calls/call.ts'
import { type AuditEvent, metadataOfTask } from '../calls/events.ts'
import type { Export } from '../calls/export-call.ts'
import type { Change } from '../calls/mail.ts'
import type { Setup } from '../state/setup.ts'
import { timestampAt } from '../world/versions.ts'
import type { User } from '../world/world.ts'

/** Records a change in the audit trail and sends its mails. */
export function announce(
  setup: Setup,
  update: Update,
  refused?: Reason,
  time = timestampAt(setup.clock()),
): void {
  const { op, task, sent } = update
  const given = typeof sent.assignment_comment === 'string' ? sent.assignment_comment : null
  const comment = setup.open.commentAsKept({ ...update, comment: given }) ?? ''
  const kind = op === 'assign.unassign' ? 'unassigned' : task.assignment ? 'reassigned' : 'assigned'
  const change: Change = { ...update, kind, comment, refused }
  const leaves = refused ? setup.open.refusalLeaves({ ...change, refused }) : ['event', 'mail']
  if (leaves.includes('event')) recordChange(setup, change, time)
  if (leaves.includes('mail')) sendMails(setup, change)
}

function recordChange({ stated, open, trail }: Setup, change: Change, time: string): void {
  const { task, sent, kind, comment } = change
  const event: AuditEvent = {
    id: randomUUID(),
    time,
    // A refused update may lack anything.
    auditee_id: String(sent.assigned_by_id).toLowerCase(),
    ...open.eventKind(change),
    description: `task ${kind}`,
    comment,
    metadata: metadataOfTask(task),
  }
  const delay = open.eventDelay(change)
  for (const recorded of stated.recorded({ ...change, event })) trail.record(recorded, delay)
}

function sendMails({ stated, open, world, mailer, clock }: Setup, change: Change): void {
  const { users, teams } = world
  const people = [
    ...stated.mailed({ ...change, users, teams }),
    ...open.alsoMailed({ ...change, users }),
  ]
  const comment = stated.mailComment(change)
  for (const to of people) {
    const { from, subject, text, html } = open.mailForm({ ...change, to, comment })
    // A mailbox has its own clock.
    const time = clock() - open.clockAhead(world) + open.mailDelay({ ...change, to })
    const mail = { from, to: [{ name: to.name, mail: to.mail }], subject, text, html, time }
    for (const sent of stated.mails({ ...change, mail })) mailer(sent)
  }
}

export function recordExport({ open, trail, clock, world }: Setup, asked: Export): void {
  if (!open.recordsExports(asked)) return
  const [user] = world.users as [User]
  trail.record(
    {
      id: randomUUID(),
      time: timestampAt(clock()),
      auditee_id: user.id,
      event_type: 'export',
      sub_type: 'created',
      system_source: 'audit_sentinel',
      description: `${asked.fileType} export`,
      comment: '',
      metadata: {},
    },
    0,
  )
}
