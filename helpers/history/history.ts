// The only account of what this run sent about tasks and what came of it. Questions about it are pure
// functions of the list.

import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { type SeenTask, seenIn } from '../service/read-back.ts'

/** What is known of a request when it is sent. */
export type Sent = {
  kind: 'read' | 'update'
  task: string
  body?: unknown
  ifMatch?: string | undefined
}

/** One request about a task. What `begun` and `done` count is the order of all that began and ended. */
export type Op = Sent & {
  begun: number
  /** infinite while it is under way */
  done: number
  /** by performance.now() */
  sent: number
  ended: number
  /** when it ended, in milliseconds since 1970 */
  at: number
  /** left out: none came, or it is under way */
  answer?: Answer
  exchange?: Exchange | undefined
  /** the version and the assignment that the answer shows */
  shown?: SeenTask | undefined
}

export type History = {
  /** a request is sent; to be given its answer, or nothing where none came */
  begin(sent: Sent): (answer?: Answer, exchange?: Exchange) => void
  /** everything that has begun, in that order */
  readonly begun: readonly Op[]
  /** everything that has ended, in the order in which it did */
  readonly ended: readonly Op[]
  /** the same of one task */
  endedOf(task: string): readonly Op[]
  /** everything that has begun about a task, in that order */
  begunOf(task: string): readonly Op[]
  /** every task that a request was sent about, in lower case */
  readonly tasks: readonly string[]
}

/** Opens the history of a run. */
export function createHistory(): History {
  let count = 0
  const begun: Op[] = []
  const ended: Op[] = []
  const byTask = new Map<string, { begun: Op[]; ended: Op[] }>()
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
        sent: performance.now(),
        ended: Number.POSITIVE_INFINITY,
        at: Number.POSITIVE_INFINITY,
      }
      begun.push(op)
      ofTask(sent.task).begun.push(op)
      return (answer, exchange) => {
        count += 1
        Object.assign(op, { done: count, ended: performance.now(), at: Date.now(), exchange })
        if (answer) Object.assign(op, { answer, shown: seenIn(answer) })
        ended.push(op)
        ofTask(sent.task).ended.push(op)
      }
    },
    begun,
    ended,
    endedOf: (task) => ofTask(task).ended,
    begunOf: (task) => ofTask(task).begun,
    get tasks() {
      return [...byTask.keys()]
    },
  }
}
