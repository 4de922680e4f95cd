import { isDeepStrictEqual } from 'node:util'
import { isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'

/** The accepted updates of a run, each with the assignment that its answer shows, in their order. */
export type Ledger = { task: string; assignment: unknown; at: number }[]

/** Notes an accepted update; the clauses on its answer judge whether that is a Task. */
export function noteAccepted(ledger: Ledger, task: string, answer: Answer): void {
  const body = isAccepted(answer) ? jsonIn(answer) : undefined
  if (isObject(body) && 'assignment' in body)
    ledger.push({ task, assignment: body.assignment, at: Date.now() })
}

/**
 * How often the assignment of each task is known to have changed. What it was before the first update
 * is not in the ledger, and an update that changes nothing need not be recorded.
 */
export function changesOf(ledger: Ledger): Map<string, number> {
  const last = new Map<string, unknown>()
  const changes = new Map<string, number>()
  for (const { task, assignment } of ledger) {
    if (last.has(task) && !isDeepStrictEqual(last.get(task), assignment))
      changes.set(task, (changes.get(task) ?? 0) + 1)
    last.set(task, assignment)
  }
  return changes
}
