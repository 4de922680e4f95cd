import {
  describeAnswer,
  isAccepted,
  isRefused,
  type JsonObject,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { beside, from } from '../../engine/origin.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import type { Controlled } from '../export/laws/invalid-queries.ts'
import type { History, Op } from '../history/history.ts'
import type { Present } from '../reads/presence.ts'
import {
  type Came,
  lastingMembers,
  type Pair,
  type Resolved,
  type Resource,
} from '../reads/readings.ts'
import { type Refused, saysJson } from '../reads/refusals.ts'
import { malformedKindOf } from '../service/ids.ts'
import type { Operation } from '../service/operations.ts'
import { objectIn } from '../service/update-request.ts'
import { mistakesIn, queryIn } from './looks.ts'
import { type KeyOf, ofGateways, type Seen } from './recorded.ts'
import type { Effect } from './refused-effects.ts'

/** An accepted request without most of its answer, and the lasting members that a read showed. */
export type Shown = Pick<
  Seen,
  'recorder' | 'operation' | 'start' | 'end' | 'key' | 'who' | 'answer'
> & { body?: JsonObject | undefined }

/** A request and the requests around it, as known when it is judged: at once, or at the end of the recording. */
export type Moment = {
  seen: Seen
  /** what its key is; `unknown`: there is none, and the recorder may leave keys out */
  key: KeyOf | 'unknown'
  isWhole: boolean
  body?: JsonObject | undefined
  /** what the last read of its resource before it showed */
  before?: Shown | undefined
  /** the next request like it, of its resource, that shows a key */
  next?: Pick<Seen, 'answer' | 'who'> | undefined
  /** an accepted request of its resource; or else of its operation, or any read */
  control?: Shown | undefined
  /** a read returned its resource, before or after it */
  isKnown: boolean
  /** it got 500, like the same request before, and others were accepted meanwhile */
  persists: boolean
  /** of a read of a task: what the assessment that it names has shown */
  names?: Shown | undefined
  /** of a read of an assessment: the tasks that named it before it was read */
  namedBy: JsonObject[]
  /** of all assessments: how often a read equalled the one just before it, and which ones differed how often */
  pairs: { alike: number; apart: number; ids: ReadonlySet<string> }
  isEnd: boolean
  update?: Update | undefined
}

export type Update = {
  history: History
  op: Op
  /** what of its task ended after it, from there on */
  next: number
  /** what last showed its task before it */
  current: Op | undefined
  /** accepted updates of its task to the same people: with a comment of the same form, and with any */
  like?: Answer | undefined
  likely?: Answer | undefined
  /** what later reads show of it, if it was rejected */
  effect?: Effect | undefined
}

/** Between two reads this close, little changes by itself. */
const atOnceMs = 1000
const leastApart = 4

export const isAtOnce = ({ seen, before }: Pick<Moment, 'seen' | 'before'>): boolean =>
  before?.recorder === seen.recorder && seen.start - before.end < atOnceMs

export const isKeyed = ({ key }: Pick<Moment, 'key'>): boolean =>
  key === 'given' || key === 'unknown'

const isGet = (seen: Seen, resource: Resource | undefined) =>
  seen.method === 'GET' && seen.resource === resource

/** Cases in the reads of a resource that may have a valid key. */
const readsWith =
  <Case>(find: (moment: Moment) => Case | undefined) =>
  (resource: Resource) =>
  (moment: Moment): Case | undefined =>
    isGet(moment.seen, resource) && isKeyed(moment) ? find(moment) : undefined

export const readsOf = (resource: Resource, isWanted: (came: Came) => boolean = () => true) =>
  readsWith(({ seen: { id }, body }) =>
    body && isWanted({ id, body }) ? { id, body } : undefined,
  )(resource)

export const acceptedReads = readsWith(({ seen: { answer } }) =>
  isAccepted(answer) ? answer : undefined,
)

function refusalOf({ seen: { answer }, control, persists }: Moment): Answer | undefined {
  const isSure = (isRefused(answer) && !ofGateways.includes(answer.status)) || persists
  return isSure && control ? beside(answer, { control: control.answer }) : undefined
}

/**
 * The reads of a resource. A 404 counts between two reads that showed it to the same key: it may have been
 * made later, or be hidden from others.
 */
export const presentReads = readsWith((moment): Present | undefined => {
  const { seen, before, next, isKnown, isWhole } = moment
  const { who, recorder } = seen
  if (!isUuid(seen.id)) return undefined
  if (isAccepted(seen.answer)) return isWhole ? { answer: seen.answer } : undefined
  const answer = isKnown ? refusalOf(moment) : undefined
  if (!answer || seen.status !== 404) return answer && { answer }
  const isBetween = before?.recorder === recorder && next && isAccepted(next.answer)
  return who && isBetween && before.who === who && next.who === who
    ? { answer: beside(answer, { control: [before.answer, next.answer] }) }
    : undefined
})

export const unknownReads = readsWith((moment) =>
  isUuid(moment.seen.id) && !moment.isKnown ? refusalOf(moment) : undefined,
)

export const malformedReads = readsWith((moment) => {
  const { id, answer } = moment.seen
  if (isUuid(id)) return undefined
  return isAccepted(answer) && moment.isWhole ? answer : refusalOf(moment)
})

/** The bodies of error responses with a JSON Content-Type; without a resource, of exports. */
export const errorBodies =
  (resource?: Resource) =>
  ({ seen, isWhole }: Moment): Answer | undefined =>
    isWhole && isGet(seen, resource) && saysJson(seen.answer) ? seen.answer : undefined

export const exportErrors = (moment: Moment) => {
  const answer = isKeyed(moment) ? errorBodies()(moment) : undefined
  return answer && { answer }
}

export const refusedReads =
  (resource: Resource, isWanted: (id: string) => boolean = () => true) =>
  (moment: Moment): Refused | undefined => {
    const { seen, key, isWhole, isKnown } = moment
    const { id, answer } = seen
    if (!isWhole || !isGet(seen, resource) || !isWanted(id)) return undefined
    if (key === 'none' && answer.status === 401) return { kind: 'no key', answer }
    const kind = isUuid(id) ? 'unknown id' : malformedKindOf(id)
    return answer.status === 404 && !isKnown && isKeyed(moment) && kind
      ? { kind, answer }
      : undefined
  }

/**
 * A read and the one before it. A version identifies one state. An assessment has none: where two reads in
 * a row never were alike, of several assessments, the last two of them differ for no other reason.
 */
export const pairsOf = (resource: Resource) =>
  readsWith((moment): Pair | undefined => {
    const { before, body, pairs, isEnd } = moment
    if (!before?.body || !body) return undefined
    const again = from(lastingMembers(resource, body), body)
    const isNever = isEnd && pairs.alike === 0 && pairs.apart >= leastApart && pairs.ids.size > 1
    const isSure =
      resource === 'task'
        ? again.updated_at === before.body.updated_at
        : isAlike(again, before.body) || (isNever && isAtOnce(moment))
    // The assignment that a version shows is the matter of another clause.
    const without = (read: JsonObject) => from({ ...read, assignment: null }, read)
    const compared = { again: without(again), control: without(before.body) }
    return isSure ? { what: 'the later of two reads', ...compared } : undefined
  })(resource)

export const isAlike = (one: JsonObject, other: JsonObject): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** A task and the assessment that it names, read in either order. */
export function resolvedReads(moment: Moment): Resolved | undefined {
  const { seen, body, names, namedBy } = moment
  if (!body) return undefined
  if (names?.body) return { answer: names.answer, assessment: names.body, control: [body] }
  if (namedBy.length === 0) return undefined
  return { answer: seen.answer, assessment: body, control: namedBy }
}

export const mistakenExports =
  (clause: string) =>
  ({ seen, key, control }: Moment): Controlled | undefined => {
    const { operation, query, answer, status } = seen
    if (operation !== 'export' || key !== 'given' || control?.operation !== 'export')
      return undefined
    const [mistake, other] = mistakesIn(queryIn(query))
    if (mistake !== clause || other || ofGateways.includes(status) || status >= 500)
      return undefined
    return { what: describeAnswer(answer), answer, control: control.answer }
  }

export type KeyTrial = { answer: Answer; control: Answer }

const trialIn = ({ seen, control }: Moment): KeyTrial | undefined =>
  control?.key === 'given' && control.operation === seen.operation
    ? { answer: seen.answer, control: control.answer }
    : undefined

/**
 * The requests of an operation with such a key. Another refusal than 401 may be for another mistake in the
 * request; a 403 to a text may be a firewall's, and a wrong key may lock a resource.
 */
export const keyTrials =
  (operation: Operation, key: Exclude<KeyOf, 'given'>) =>
  (moment: Moment): KeyTrial | undefined => {
    const { seen, isKnown, next } = moment
    if (seen.operation !== operation || moment.key !== key) return undefined
    const isOpen = isKnown && next !== undefined && isAccepted(next.answer)
    const isForbidden = seen.status === 403 && !objectIn(seen.sent).assignment_comment && isOpen
    const isTelling = isAccepted(seen.answer) || seen.status === 401 || isForbidden
    return isTelling ? trialIn(moment) : undefined
  }

export const lookupTrials =
  (operation: Operation) =>
  (moment: Moment): KeyTrial | undefined => {
    const { seen, isKnown } = moment
    const isLookup = seen.operation === operation && !isKeyed(moment) && !isKnown
    return isLookup && [401, 404].includes(seen.status) ? trialIn(moment) : undefined
  }

export function refusedReadsOfKnown({ seen, before, isWhole }: Moment) {
  const { resource, method, answer } = seen
  if (!resource || method !== 'GET' || seen.status !== 401 || !before?.body || !isWhole)
    return undefined
  const control = { ...before.answer, text: JSON.stringify(before.body) }
  return { resource, answer, control }
}
