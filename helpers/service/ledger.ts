import { isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import type { Assignment } from './answers.ts'
import { isSameButSpelling } from './assignments.ts'

/** As an answer shows it, whatever its form: other clauses judge that. */
export type Shown = Assignment | null

export type Accepted = {
  task: string
  assignment: Shown
  /** what was sent with it as its comment, if anything that a cell does not hold by chance */
  comment?: string
  at: number
  exchange: number
}

/** The accepted updates of a run, each with the assignment that its answer shows, in their order. */
export type Ledger = {
  /** the assignments that reads showed before the first update of each task */
  before: Map<string, Shown>
  updates: Accepted[]
  /** the last read of each task: what is judged afterwards is made again from there */
  reads: Map<string, Exchange>
}

export const emptyLedger = (): Ledger => ({
  before: new Map(),
  updates: [],
  reads: new Map(),
})

const leastTelling = 8

/** Notes an accepted update; the clauses on its answer judge whether that is a Task. */
export function noteAccepted(
  { updates }: Ledger,
  task: string,
  answer: Answer,
  sent?: unknown,
): void {
  const { update, unassign } = isObject(sent) ? sent : {}
  // What is taken of both is not shown, and so is whose comment that is.
  const [given = {}, other] = [update, unassign].filter(isObject)
  const comment = other ? undefined : given.assignment_comment
  const body = isAccepted(answer) ? jsonIn(answer) : undefined
  if (isObject(body) && 'assignment' in body)
    updates.push({
      task,
      assignment: body.assignment as Shown,
      ...(typeof comment === 'string' && comment.length >= leastTelling ? { comment } : {}),
      at: Date.now(),
      exchange: answer.exchange,
    })
}

/** Notes a read of a task, and what it shows where the task was not updated yet. */
export function noteRead(
  { before, updates, reads }: Ledger,
  task: string,
  answer: Answer,
  exchange?: Exchange,
): void {
  if (exchange && isAccepted(answer)) reads.set(task, exchange)
  if (updates.some((update) => update.task === task)) return
  const body = isAccepted(answer) ? jsonIn(answer) : undefined
  if (isObject(body) && 'assignment' in body) before.set(task, body.assignment as Shown)
}

/** How often the assignment of each task changed: an update that changes nothing need not be recorded. */
export function changesOf({ before, updates }: Ledger): Map<string, number> {
  const last = new Map(before)
  const changes = new Map<string, number>()
  for (const { task, assignment } of updates) {
    if (last.has(task) && !isSameButSpelling(last.get(task), assignment))
      changes.set(task, (changes.get(task) ?? 0) + 1)
    last.set(task, assignment)
  }
  return changes
}

/** An update with what its task showed before it and after the next one; undefined: not known, or none. */
export type LedgerStep = { update: Accepted; former: Shown | undefined; next: Accepted | undefined }

/** The accepted updates, each beside its neighbours on the same task. */
export function stepsOf({ before, updates }: Ledger): LedgerStep[] {
  return updates.map((update, at) => {
    const isOfTask = ({ task }: Accepted) => task === update.task
    const last = updates.slice(0, at).findLast(isOfTask)
    const next = updates.slice(at + 1).find(isOfTask)
    return { update, former: last ? last.assignment : before.get(update.task), next }
  })
}
