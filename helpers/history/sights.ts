// The first sight of each version of a task: a version changes with the task, so it has one assignment.

import { acceptedBody, type JsonObject } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import type { SeenTask } from '../service/answers.ts'
import { isChanged, otherFields } from '../service/other-fields.ts'
import type { SentRequest } from '../service/update-request.ts'

export type TaskRequest = SentRequest & {
  /** undefined: there was none, or it is in flight */
  answer?: Answer
  exchange?: Exchange | undefined
  shown?: SeenTask | undefined
}

export type Sight = SeenTask & {
  /** the request that showed it first */
  first: TaskRequest
  /** two updates got this version: a read may show either */
  isReused?: boolean
  kept?: Kept | undefined
}

/** Other fields as they were before the update that made a version, or as a read first showed them (`by`). */
type Kept = { fields: JsonObject; by: TaskRequest; isOfUpdate: boolean }

/** What was known before a request: about the version that it shows, and about its If-Match. */
export type PriorSights = { same?: Sight | undefined; used?: Sight | undefined }

/** By task and version; recordings of one service share it. */
export type Sights = {
  of(task: string, version: string | undefined): Sight | undefined
  /** notes what a request shows, and returns what was known before */
  see(op: TaskRequest): PriorSights
}

export function createSights(): Sights {
  const all = new Map<string, Sight>()
  const keyOf = (task: string, version = '') => `${task.toLowerCase()} ${version}`
  const of: Sights['of'] = (task, version) => all.get(keyOf(task, version))
  return {
    of,
    see(op) {
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

/** Whether an accepted update left the version. */
export const isReuse = ({ kind, shown, ifMatch }: TaskRequest): boolean =>
  kind === 'update' && shown !== undefined && shown.version === ifMatch

/** What the fields of an answer are compared with; the first sight of a version by a read defines it. */
const comparedWith = (op: TaskRequest, { same, used }: PriorSights): Kept | undefined => {
  if (op.kind === 'read') return same?.kept?.isOfUpdate ? same.kept : undefined
  return isReuse(op) ? undefined : used?.kept
}

const fieldsIn = ({ answer }: TaskRequest): JsonObject => {
  const task = (answer && acceptedBody(answer)) ?? {}
  return Object.fromEntries(
    otherFields.flatMap((field) => (field in task ? [[field, task[field]]] : [])),
  )
}

/** The earlier exchanges that a request is compared with. */
export const earlierOf = ({ known = {}, ...op }: TaskRequest & { known?: PriorSights }) =>
  [known.same?.first, known.used?.first, comparedWith(op, known)?.by].map((each) => each?.exchange)

/** The other fields that a request shows changed, with the value and the exchange of before. */
export function changedBy(op: TaskRequest, known: PriorSights) {
  const before = comparedWith(op, known)
  const now = before ? fieldsIn(op) : {}
  return Object.keys(now).flatMap((field) => {
    const [was, is] = [before?.fields[field], now[field]]
    return before && field in before.fields && isChanged(field, was, is)
      ? [{ field, was, is, control: before.by.answer }]
      : []
  })
}

/** A change is reported once: later answers are compared with the new value. */
function keptBy(op: TaskRequest, known: PriorSights): Kept | undefined {
  const before = comparedWith(op, known)
  if (before) {
    const now = Object.fromEntries(changedBy(op, known).map(({ field, is }) => [field, is]))
    return { fields: { ...before.fields, ...now }, by: before.by, isOfUpdate: true }
  }
  if (known.same?.kept || op.kind === 'update') return known.same?.kept
  return { fields: fieldsIn(op), by: op, isOfUpdate: false }
}
