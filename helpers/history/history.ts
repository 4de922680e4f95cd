// The only account of what this run sent about tasks and what came. Questions to it are pure functions.

import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { clock } from '../../engine/time/timers.ts'
import { seenIn } from '../service/answers.ts'
import { commentIn } from '../service/comments.ts'
import { isDescribed, isUnassign, type SentRequest } from '../service/update-request.ts'
import { createSights, type PriorSights, type Sight, type TaskRequest } from './sights.ts'

/** One request about a task. `begun` and `done` count all starts and ends in order. */
export type Op = TaskRequest & {
  begun: number
  /** infinite while it is in flight */
  done: number
  /** by clock.now() */
  sent: number
  ended: number
  /** when it ended, in milliseconds since 1970 */
  at: number
  /** of a read that has ended: it overlapped an update of its task, so it may show either state */
  isBesideUpdate?: boolean
  /** what was known before it ended */
  known?: PriorSights
}

export type History = {
  /** records a request; call the result with the answer, or without one */
  begin(sent: SentRequest): (answer?: Answer, exchange?: Exchange) => void
  onEnded(hear: (op: Op) => void): void
  readonly begun: readonly Op[]
  readonly ended: readonly Op[]
  endedOf(task: string): readonly Op[]
  begunOf(task: string): readonly Op[]
  /** the updates of a task that were sent with this If-Match */
  using(task: string, ifMatch: string | undefined): readonly Op[]
  firstSight(task: string, version: string | undefined): Sight | undefined
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

const ours: Clock = { now: () => clock.now(), date: () => clock.date() }

export function createHistory(clock = ours, sights = createSights()): History {
  let count = 0
  const begun: Op[] = []
  const ended: Op[] = []
  const byTask = new Map<string, { begun: Op[]; ended: Op[]; updating: Set<Op> }>()
  const byIfMatch = new Map<string, Op[]>()
  const bySent = new Map<string, Op[]>()
  const byShown = new Map<string, Op[]>()
  const hearing: ((op: Op) => void)[] = []
  const index = (map: Map<string, Op[]>, key: string | null | undefined, op: Op) => {
    if (typeof key !== 'string') return
    const known = map.get(key.trim())
    if (known) known.push(op)
    else map.set(key.trim(), [op])
  }
  const ofTask = (task: string) => {
    const key = task.toLowerCase()
    const known = byTask.get(key) ?? { begun: [], ended: [], updating: new Set() }
    byTask.set(key, known)
    return known
  }
  const placeOf = (task: string, ifMatch = '') => `${task.toLowerCase()} ${ifMatch}`.trim()
  return {
    begin(sent) {
      count += 1
      const op: Op = {
        begun: count,
        done: Number.POSITIVE_INFINITY,
        sent: clock.now(),
        ended: Number.POSITIVE_INFINITY,
        at: Number.POSITIVE_INFINITY,
        // Last: V8 gives every object that begins with a spread a hidden class of its own.
        ...sent,
      }
      begun.push(op)
      const own = ofTask(sent.task)
      own.begun.push(op)
      if (sent.kind === 'update') {
        own.updating.add(op)
        index(bySent, commentIn(sent.body), op)
        index(byIfMatch, placeOf(sent.task, sent.ifMatch), op)
      }
      return (answer, exchange) => {
        count += 1
        Object.assign(op, { done: count, ended: clock.now(), at: clock.date(), exchange })
        if (answer) Object.assign(op, { answer, shown: seenIn(answer) })
        op.known = sights.see(op)
        own.updating.delete(op)
        if (sent.kind === 'read')
          op.isBesideUpdate = own.updating.size > 0 || hasUpdateSince(own.ended, op)
        ended.push(op)
        own.ended.push(op)
        index(byShown, op.shown?.assignment?.assignment_comment, op)
        for (const hear of hearing) hear(op)
      }
    },
    onEnded: (hear) => void hearing.push(hear),
    begun,
    ended,
    endedOf: (task) => ofTask(task).ended,
    begunOf: (task) => ofTask(task).begun,
    firstSight: sights.of,
    using: (task, ifMatch) => byIfMatch.get(placeOf(task, ifMatch)) ?? [],
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

/** Whether the contract describes the answer to an update; unassigning an unassigned task is open. */
export const isDescribedOp = ({ body, ifMatch, isPlain = false }: TaskRequest): boolean =>
  isPlain && (isDescribed(body, ifMatch) || isUnassign(body))

/** Only a rejected update is known to have no effect. */
export type Fate = 'accepted' | 'refused' | 'unknown'

export const fateOf = (op: Op): Fate =>
  isAcceptedOp(op) ? 'accepted' : op.answer && op.answer.status < 500 ? 'refused' : 'unknown'

export const isBeside = (one: Op, other: Op): boolean =>
  one !== other && one.begun < other.done && other.begun < one.done

/** Whether an update ended after a request began. */
function hasUpdateSince(ended: readonly Op[], { begun }: Op): boolean {
  for (let at = ended.length - 1; at >= 0; at -= 1) {
    const { kind, done } = ended[at] as Op
    if (done < begun) return false
    if (kind === 'update') return true
  }
  return false
}

/** The versions that reads and answers to updates showed before a request began. */
export const versionsBefore = (history: History, { task, begun }: Op): string[] =>
  history.endedOf(task).flatMap(({ shown, done }) => (shown && done < begun ? [shown.version] : []))
