// What was asked of the service, and what came. Questions to this account are pure functions.

import { acceptedBody, isAccepted, type JsonObject } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { clock } from '../../engine/time/timers.ts'
import { type SeenTask, seenIn } from '../service/answers.ts'
import { commentIn, createNames } from '../service/comments.ts'
import { isChanged, otherFields } from '../service/other-fields.ts'
import { isDescribed, isUnassign, type SentRequest } from '../service/update-request.ts'

/** `begun` and `done` count all starts and ends in order. */
export type Op = SentRequest & {
  begun: number
  done: number
  sent: number
  ended: number
  /** when it ended, in milliseconds since 1970 */
  at: number
  /** of a read that has ended: it overlapped an update of its task, so it may show either state */
  isBesideUpdate?: boolean
  /** undefined: no answer, or in flight */
  answer?: Answer
  exchange?: Exchange | undefined
  shown?: SeenTask | undefined
  known?: PriorSights
}

export type History = ReturnType<typeof createHistory>

export function createHistory() {
  const sights = createSights()
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
    names: createNames(),
    begin(sent: SentRequest) {
      count += 1
      const op: Op = {
        begun: count,
        done: Number.POSITIVE_INFINITY,
        sent: clock.now(),
        ended: Number.POSITIVE_INFINITY,
        at: Number.POSITIVE_INFINITY,
        // At the end: V8 gives every object that begins with a spread a hidden class of its own.
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
      return (answer?: Answer, exchange?: Exchange) => {
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
    onEnded: (hear: (op: Op) => void) => void hearing.push(hear),
    begun: begun as readonly Op[],
    ended: ended as readonly Op[],
    endedOf: (task: string): readonly Op[] => ofTask(task).ended,
    begunOf: (task: string): readonly Op[] => ofTask(task).begun,
    firstSight: sights.of,
    using: (task: string, ifMatch?: string): readonly Op[] =>
      byIfMatch.get(placeOf(task, ifMatch)) ?? [],
    get tasks() {
      return [...byTask.keys()]
    },
    sending: (comment: string): readonly Op[] => bySent.get(comment.trim()) ?? [],
    showing: (comment: string): readonly Op[] => byShown.get(comment.trim()) ?? [],
  }
}

export const isAcceptedOp = ({ answer }: Op): boolean => answer !== undefined && isAccepted(answer)

/** The contract does not say what unassigning an unassigned task does. */
export const isDescribedOp = ({ body, ifMatch, isPlain = false }: Op): boolean =>
  isPlain && (isDescribed(body, ifMatch) || isUnassign(body))

/** Only a rejected update is known to have no effect. */
export type Fate = 'accepted' | 'refused' | 'unknown'

export const fateOf = (op: Op): Fate =>
  isAcceptedOp(op) ? 'accepted' : op.answer && op.answer.status < 500 ? 'refused' : 'unknown'

function hasUpdateSince(ended: readonly Op[], { begun }: Op): boolean {
  for (let at = ended.length - 1; at >= 0; at -= 1) {
    const { kind, done } = ended[at] as Op
    if (done < begun) return false
    if (kind === 'update') return true
  }
  return false
}

export const versionsBefore = (history: History, { task, begun }: Op): string[] =>
  history.endedOf(task).flatMap(({ shown, done }) => (shown && done < begun ? [shown.version] : []))

type Sight = SeenTask & {
  first: Op
  /** two updates got this version: a read may show either */
  isReused?: boolean
  kept?: Kept | undefined
}

/** Other fields as they were before the update that made a version, or as a read first showed them (`by`). */
type Kept = { fields: JsonObject; by: Op; isOfUpdate: boolean }

export type PriorSights = { same?: Sight | undefined; used?: Sight | undefined }

function createSights() {
  const all = new Map<string, Sight>()
  const keyOf = (task: string, version = '') => `${task.toLowerCase()} ${version}`
  const of = (task: string, version?: string): Sight | undefined => all.get(keyOf(task, version))
  return {
    of,
    see(op: Op): PriorSights {
      const { task, shown, ifMatch } = op
      const known = { same: shown && of(task, shown.version), used: of(task, ifMatch) }
      if (!shown) return known
      const { same = { ...shown, first: op } } = known
      const now = isReuse(op) ? { ...shown, first: op, isReused: true } : same
      all.set(keyOf(task, shown.version), { ...now, kept: keptBy(op, known) })
      return known
    },
  }
}

export const isReuse = ({ kind, shown, ifMatch }: Op): boolean =>
  kind === 'update' && shown !== undefined && shown.version === ifMatch

/** What the fields of an answer are compared with; the first sight of a version by a read defines it. */
const comparedWith = (op: Op, { same, used }: PriorSights): Kept | undefined => {
  if (op.kind === 'read') return same?.kept?.isOfUpdate ? same.kept : undefined
  return isReuse(op) ? undefined : used?.kept
}

const fieldsIn = ({ answer }: Op): JsonObject => {
  const task = (answer && acceptedBody(answer)) ?? {}
  return Object.fromEntries(
    otherFields.flatMap((field) => (field in task ? [[field, task[field]]] : [])),
  )
}

export function earlierOf(op: Op): (Exchange | undefined)[] {
  const { known = {} } = op
  const { same, used } = known
  return [same?.first, used?.first, comparedWith(op, known)?.by].map((each) => each?.exchange)
}

export function changedBy(op: Op, known: PriorSights) {
  const before = comparedWith(op, known)
  const now = before ? fieldsIn(op) : {}
  return Object.keys(now).flatMap((field) => {
    const [was, is] = [before?.fields[field], now[field]]
    return before && field in before.fields && isChanged(field, was, is)
      ? [{ field, was, is, control: before.by.answer }]
      : []
  })
}

/** A change is reported once: later answers are compared with the one that showed it. */
function keptBy(op: Op, known: PriorSights): Kept | undefined {
  const before = comparedWith(op, known)
  if (before)
    return changedBy(op, known).length > 0
      ? { fields: fieldsIn(op), by: op, isOfUpdate: true }
      : { ...before, isOfUpdate: true }
  if (known.same?.kept || op.kind === 'update') return known.same?.kept
  return { fields: fieldsIn(op), by: op, isOfUpdate: false }
}
