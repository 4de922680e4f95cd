// Updates that were answered 409, of whichever clause: one that asked for what its task shows later, in a
// version that no accepted update made, may have been carried out all the same.

import { isObject } from '../../engine/http/answers.ts'
import type { SeenTask } from '../service/read-back.ts'
import { operationOf } from '../service/update-request.ts'

/** An update that was answered 409, and when it was sent, by performance.now(). */
export type Mismatch = { task: string; at: number }

export function createMismatches() {
  /** by task, and by whom the update was to assign it to */
  const asked = new Map<string, Mismatch>()
  const late = new Set<Mismatch>()
  const keyOf = (task: string, to: unknown) => `${task} ${to ?? ''}`.toLowerCase()
  return {
    /** the first that asks for it: what is watched for as long shows later ones too */
    note(task: string, body: unknown, at: number): void {
      const to = assigneeIn(body)
      const key = keyOf(task, to)
      if (to !== undefined && !asked.has(key)) asked.set(key, { task, at })
    },
    /** a read shows a version that no accepted update made */
    shown(task: string, assignment: SeenTask['assignment']): void {
      const of = asked.get(keyOf(task, assignment?.assigned_to_id))
      if (of) late.add(of)
    },
    /** those whose task was shown as they asked */
    get late(): readonly Mismatch[] {
      return [...late]
    },
  }
}

/** Whom an update assigns to; null: it unassigns. */
function assigneeIn(body: unknown): unknown {
  if (operationOf(body) === 'assign.unassign') return null
  const update = isObject(body) ? body.update : undefined
  return isObject(update) ? update.assigned_to_id : undefined
}
