// How breaches of an answer are shown once more: JavaScript that a script of reporting/repeat runs, of
// the answer `a` and its body `b`, the task before it `o` and the task as a read shows it afterwards `t`.

import type { Again } from '../../engine/problem.ts'
import type { Assignee } from './update-request.ts'

const json = (value: unknown) => JSON.stringify(value)

export const commentPath = 'assignment.assignment_comment'

export const again = {
  /** a member is this id, in any letter case */
  id: (path: string, id: unknown, of: 'b' | 't' = 'b'): Again => ({
    holds: `eq(at(${of}, ${json(path)}), ${json(id)})`,
  }),
  /** a member is this very value */
  value: (path: string, value: unknown): Again => ({
    holds: `JSON.stringify(at(b, ${json(path)}) ?? null) === JSON.stringify(${json(value ?? null)})`,
  }),
  noComment: { holds: `!at(b, ${json(commentPath)})` },
  /** the assignment is to this one, or null */
  assigned: (to: Assignee | null, of: 'b' | 't'): Again => ({
    holds: to
      ? `eq(at(${of}, "assignment.assigned_to_id"), ${json(to.id)}) && at(${of}, "assignment.assigned_to_type") === ${json(to.type)}`
      : `${of}.assignment === null`,
  }),
  /** a read shows the assignment of the answer */
  persisted: { holds: 'same(t.assignment, b.assignment)' },
  /** a read shows the assignment as it was */
  unchanged: { holds: 'same(t.assignment, o.assignment)' },
  /** the update is accepted, or a read shows the assignment as it was */
  acceptedOrUnchanged: { holds: 'a.status < 300 || same(t.assignment, o.assignment)' },
  newVersion: { holds: 'b.updated_at !== o.updated_at' },
  /** a member is as it was, in the answer or in a read */
  kept: (field: string, of: 'b' | 't'): Again => ({
    holds: `JSON.stringify(${of}[${json(field)}]) === JSON.stringify(o[${json(field)}])`,
  }),
  json: { holds: 'b !== undefined' },
} satisfies Record<string, Again | ((...given: never[]) => Again)>
