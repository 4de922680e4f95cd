// The only account of what this run sent about tasks and what came. Questions to it are pure functions.

import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { commentIn } from '../service/comments.ts'
import { type SeenTask, seenIn } from '../service/read-back.ts'

export type SentRequest = {
  kind: 'read' | 'update'
  task: string
  body?: unknown
  ifMatch?: string | undefined
  /** whether only the body and If-Match differ from a usual request: not its key, type or address */
  isPlain?: boolean
}

/** One request about a task. `begun` and `done` count all starts and ends in order. */
export type Op = SentRequest & {
  begun: number
  /** infinite while it is under way */
  done: number
  /** by performance.now() */
  sent: number
  ended: number
  /** when it ended, in milliseconds since 1970 */
  at: number
  /** left out: there was none, or it is under way */
  answer?: Answer
  exchange?: Exchange | undefined
  shown?: SeenTask | undefined
}

export type History = {
  /** records a request; call the result with the answer, or without one */
  begin(sent: SentRequest): (answer?: Answer, exchange?: Exchange) => void
  onEnded(hear: (op: Op) => void): void
  readonly begun: readonly Op[]
  readonly ended: readonly Op[]
  endedOf(task: string): readonly Op[]
  begunOf(task: string): readonly Op[]
  /** every task that a request was sent about, in lower case */
  readonly tasks: readonly string[]
  sending(comment: string): readonly Op[]
  /** the ended requests whose answer shows this comment */
  showing(comment: string): readonly Op[]
}

/** The clock of a history: of this process, or of a recording. */
export type Clock = {
  now(): number
  /** in milliseconds since 1970 */
  date(): number
}

const ours: Clock = { now: () => performance.now(), date: () => Date.now() }

export function createHistory(clock = ours): History {
  let count = 0
  const begun: Op[] = []
  const ended: Op[] = []
  const byTask = new Map<string, { begun: Op[]; ended: Op[] }>()
  const bySent = new Map<string, Op[]>()
  const byShown = new Map<string, Op[]>()
  const hearing: ((op: Op) => void)[] = []
  const index = (map: Map<string, Op[]>, comment: string | null | undefined, op: Op) => {
    if (typeof comment !== 'string') return
    const known = map.get(comment.trim())
    if (known) known.push(op)
    else map.set(comment.trim(), [op])
  }
  const ofTask = (task: string) => {
    const key = task.toLowerCase()
    const known = byTask.get(key) ?? { begun: [], ended: [] }
    byTask.set(key, known)
    return known
  }
  return {
    begin(sent) {
      count += 1
      const op: Op = {
        ...sent,
        begun: count,
        done: Number.POSITIVE_INFINITY,
        sent: clock.now(),
        ended: Number.POSITIVE_INFINITY,
        at: Number.POSITIVE_INFINITY,
      }
      begun.push(op)
      ofTask(sent.task).begun.push(op)
      if (sent.kind === 'update') index(bySent, commentIn(sent.body), op)
      return (answer, exchange) => {
        count += 1
        Object.assign(op, { done: count, ended: clock.now(), at: clock.date(), exchange })
        if (answer) Object.assign(op, { answer, shown: seenIn(answer) })
        ended.push(op)
        ofTask(sent.task).ended.push(op)
        index(byShown, op.shown?.assignment?.assignment_comment, op)
        for (const hear of hearing) hear(op)
      }
    },
    onEnded: (hear) => void hearing.push(hear),
    begun,
    ended,
    endedOf: (task) => ofTask(task).ended,
    begunOf: (task) => ofTask(task).begun,
    get tasks() {
      return [...byTask.keys()]
    },
    sending: (comment) => bySent.get(comment.trim()) ?? [],
    showing: (comment) => byShown.get(comment.trim()) ?? [],
  }
}

/** Answers a question in one pass over ended requests; later calls continue where the pass stopped. */
export function passing<Passed>(
  start: () => Passed,
  pass: (passed: Passed, op: Op, history: History) => void,
): (history: History) => Passed {
  const kept = new WeakMap<History, { passed: Passed; count: number }>()
  return (history) => {
    const known = kept.get(history) ?? { passed: start(), count: 0 }
    kept.set(history, known)
    for (const op of history.ended.slice(known.count)) pass(known.passed, op, history)
    known.count = history.ended.length
    return known.passed
  }
}

export const isAcceptedOp = ({ answer }: Op): boolean => answer !== undefined && isAccepted(answer)

/** Whether a read overlapped an update of its task: then it may show either state. */
export const isBesideUpdate = (read: Op, ops: readonly Op[]): boolean =>
  ops.some(({ kind, begun, done }) => kind === 'update' && begun < read.done && done > read.begun)

/** The versions that reads and answers to updates showed before a request began. */
export const versionsAmong = (ops: readonly Op[], { begun }: Op): string[] =>
  ops.flatMap(({ shown, done }) => (shown && done < begun ? [shown.version] : []))

export const versionsBefore = (history: History, op: Op): string[] =>
  versionsAmong(history.endedOf(op.task), op)
