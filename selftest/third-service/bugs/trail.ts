import type { AuditEvent } from '../model.ts'
import { natural, stated } from './bug.ts'

const RECORDED =
  "Assignment and unassignment comments are recorded in the entity's audit record. Audit events can be read through the export operation."
const NOTIFIED =
  'Assigning a task sends an email notification to the assigned user or to the members of the assigned team.'

/** What a change leaves behind in the audit record and in the mailboxes. */
export const trailBugs = [
  stated({
    name: 'unassign-comment-not-recorded',
    breaks: RECORDED,
    does: 'the event of an unassign has no comment',
    warns: 'the fields of an event are not shown (rule R2)',
    hooks: () => ({
      record: (events, { order }) =>
        order.target ? events : events.map((event) => ({ ...event, remark: null })),
    }),
  }),
  stated({
    name: 'change-recorded-under-other-entity',
    breaks: RECORDED,
    does: 'the event of a change carries the institution where the entity belongs',
    warns: 'the fields of an event are not shown (rule R2)',
    hooks: () => ({
      record: (events, { before }) =>
        events.map((event) => ({
          ...event,
          metadata: { ...event.metadata, entity_id: before.institution_id },
        })),
    }),
  }),
  stated({
    name: 'auditee-is-the-assignee',
    breaks: 'Filter by the id of the user who caused the event.',
    does: 'the event of an assignment names the assignee as the one who caused it',
    warns: 'the fields of an event are not shown (rule R2)',
    hooks: () => ({
      record: (events, { order }) =>
        events.map((event) => ({ ...event, causedBy: order.target?.id ?? event.causedBy })),
    }),
  }),
  stated({
    name: 'last-team-member-not-mailed',
    breaks: NOTIFIED,
    does: 'the last member of a team gets no mail',
    hooks: () => ({
      letters: (letters, { order }) =>
        order.target?.type === 'TEAM' ? letters.slice(0, -1) : letters,
    }),
  }),
  stated({
    name: 'reassign-mails-the-old-assignee',
    breaks: NOTIFIED,
    does: 'the mail of a reassign goes to the one who had the task before',
    hooks: () => ({
      letters: (letters, { before: { assignment: old }, order, write }) =>
        old && order.target
          ? write({ id: old.assigned_to_id, type: old.assigned_to_type })
          : letters,
    }),
  }),
  stated({
    name: 'mailed-once-for-each-task',
    breaks: NOTIFIED,
    does: 'who has been mailed of a task is not mailed of it again, when it is assigned to them anew',
    hooks: () => {
      const mailed = new Set<string>()
      return {
        letters: (letters, { before }) =>
          letters.filter((letter) => {
            const key = `${before.id} ${letter.to}`
            const isNew = !mailed.has(key)
            mailed.add(key)
            return isNew
          }),
      }
    },
  }),
  natural({
    name: 'previous-assignee-mailed-too',
    breaks: 'natural: only the new assignee is told that the task is theirs',
    does: 'a reassign mails the old assignee as well',
    hooks: () => ({
      letters: (letters, { before: { assignment: old }, order, write }) =>
        old && order.target
          ? [...letters, ...write({ id: old.assigned_to_id, type: old.assigned_to_type })]
          : letters,
    }),
  }),
  natural({
    name: 'refused-change-recorded',
    breaks: 'natural: an update that is refused with 409 leaves no trace of an assignment',
    does: 'an update refused with 409 is recorded as an assignment',
    hooks: () => ({
      record: (events, { outcome, draft }) => (outcome === 'refused' ? [draft()] : events),
    }),
  }),
  natural({
    name: 'older-comment-overwritten',
    breaks: 'natural: a recorded event stays as it was recorded',
    does: 'a further change of a task puts its comment in place of those recorded before',
    hooks: () => {
      const recorded = new Map<string, AuditEvent[]>()
      return {
        record: (events, { before }) => {
          const known = recorded.get(before.id) ?? []
          for (const { remark } of events) for (const old of known) old.remark = remark
          recorded.set(before.id, [...known, ...events])
          return events
        },
      }
    },
  }),
] as const
