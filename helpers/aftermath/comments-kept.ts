// Whether a service keeps comments as they were sent: only then does the comment of a refused update tell anything.

import { commentIn, ownerOfComment } from '../service/comments.ts'
import type { SeenTask } from '../service/read-back.ts'

/** Counts whether the plain comments of accepted updates are in their answers as they were sent. */
export function createCommentsKept() {
  const counts = { kept: 0, changed: 0 }
  return {
    note(body: unknown, { assignment }: SeenTask): void {
      const comment = commentIn(body)
      if (typeof comment !== 'string' || ownerOfComment(comment) !== 'assign.comment.plain') return
      if (assignment?.assignment_comment === comment) counts.kept += 1
      else counts.changed += 1
    },
    get areKept(): boolean {
      return counts.kept > 0 && counts.changed === 0
    },
  }
}
