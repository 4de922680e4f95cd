import { isAccepted, isObject } from '../../engine/http/answers.ts'
import { type Assignment, assignmentShownIn } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { isOfAnotherRun } from '../service/comments.ts'
import type { History, Op } from './history.ts'

/** As an answer shows it, even if malformed: other clauses judge its form. */
export type AssignmentState = Assignment | null

export type AcceptedUpdate = {
  task: string
  assignment: AssignmentState
  /** the comment that was sent, if it is of this run, and no cell is likely to contain it as a word */
  comment?: string
  at: number
  exchange: number
}

export type Ledger = {
  before: ReadonlyMap<string, AssignmentState>
  updates: readonly AcceptedUpdate[]
}

const leastTelling = 4

export const ledgerOf = (history: History): Ledger => ({
  get before() {
    return foundIn(history.ended)
  },
  get updates() {
    return history.ended.flatMap((op) => acceptedIn(op, history.names.run) ?? [])
  },
})

function acceptedIn(
  { kind, task, body: sent, answer, at }: Op,
  run: string,
): AcceptedUpdate | undefined {
  if (kind !== 'update' || !answer) return undefined
  const { update, unassign } = isObject(sent) ? sent : {}
  // The contract does not say which object counts, so whose comment this is.
  const [given = {}, other] = [update, unassign].filter(isObject)
  const comment = other ? undefined : given.assignment_comment
  const assignment = assignmentIn({ answer })
  return assignment === undefined
    ? undefined
    : {
        task,
        assignment,
        ...(isTelling(comment) && !isOfAnotherRun(comment, run) ? { comment } : {}),
        at,
        exchange: answer.exchange,
      }
}

const isTelling = (comment: unknown): comment is string =>
  typeof comment === 'string' && comment.length >= leastTelling

const assignmentIn = ({ answer }: Pick<Op, 'answer'>): AssignmentState | undefined =>
  answer && isAccepted(answer) ? assignmentShownIn(answer) : undefined

function foundIn(ended: readonly Op[]): Map<string, AssignmentState> {
  const found = new Map<string, AssignmentState>()
  const updated = new Set<string>()
  for (const op of ended) {
    if (op.kind === 'update') {
      if (assignmentIn(op) !== undefined) updated.add(op.task)
      continue
    }
    // A read during an update may show that update's result.
    if (op.isBesideUpdate) continue
    const assignment = assignmentIn(op)
    if (assignment !== undefined && !updated.has(op.task)) found.set(op.task, assignment)
  }
  return found
}

export const foundWith = (history: History, task: string): AssignmentState | undefined =>
  foundIn(history.endedOf(task).filter((op) => op.task === task)).get(task)

/** The last accepted read of a task, before a request: a script repeats a breach from there. */
export const lastRead = (history: History, task: string, before?: Op) =>
  history.endedOf(task).findLast(({ kind, done, exchange, answer }) => {
    const isBefore = !before || done < before.begun
    return kind === 'read' && isBefore && exchange && answer && isAccepted(answer)
  })?.exchange

export const sentTo = (history: History, comment: string): string[] =>
  history.sending(comment).map(({ task }) => task)

/** An update that changes nothing may leave no event. */
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

export function stepsOf({ before, updates }: Ledger) {
  return updates.map((update, at) => {
    const isOfTask = ({ task }: AcceptedUpdate) => task === update.task
    const last = updates.slice(0, at).findLast(isOfTask)
    const next = updates.slice(at + 1).find(isOfTask)
    return { update, former: last ? last.assignment : before.get(update.task), next }
  })
}
