// What the scripts of breaches check, in the terms of this service.

import type { Again } from '../../engine/findings/kind.ts'
import type { Assignee } from './update-request.ts'

export const commentPath = 'assignment.assignment_comment'

type Of = 'read' | undefined

const of = (where: Of) => (where === undefined ? {} : { of: where })

export const again = {
  id: (member: string, id: unknown): Again => ({ signs: [{ member, is: id, anyCase: true }] }),
  value: (member: string, value: unknown): Again => ({
    signs: [{ member, is: value ?? null }],
  }),
  sent: (what: string, value: unknown): Again => {
    if (what === 'assignment') return again.assigned(null)
    if (what !== 'the comment') return again.id(`assignment.${what}`, value)
    return value === undefined ? again.noComment : again.value(commentPath, value)
  },
  noComment: { signs: [{ member: commentPath }] },
  assigned: (to: Assignee | null, where?: Of): Again => ({
    signs: to
      ? [
          { member: 'assignment.assigned_to_id', is: to.id, anyCase: true, ...of(where) },
          { member: 'assignment.assigned_to_type', is: to.type, ...of(where) },
        ]
      : [{ member: 'assignment', is: null, ...of(where) }],
  }),
  persisted: { signs: [{ member: 'assignment', of: 'read', as: 'answer' }] },
  unchanged: { signs: [{ member: 'assignment', of: 'read', as: 'before' }] },
  newVersion: { signs: [{ member: 'updated_at', unlike: 'before' }] },
  kept: (member: string, where?: Of): Again => ({
    signs: [{ member, as: 'before', ...of(where) }],
  }),
} satisfies Record<string, Again | ((...given: never[]) => Again)>
