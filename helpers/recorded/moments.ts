// A recorded request and those around it, and the cases that clauses see in them.

import { addTo } from '../../engine/grouped.ts'
import {
  acceptedBody,
  describeAnswer,
  isAccepted,
  isRefused,
  type JsonObject,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { beside, from } from '../../engine/origin.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import type { Controlled } from '../export/laws/invalid-queries.ts'
import type { Present } from '../reads/presence.ts'
import { lastingMembers, type Pair, type Resource } from '../reads/readings.ts'
import { saysJson } from '../reads/refusals.ts'
import type { Operation } from '../service/operations.ts'
import { objectIn } from '../service/update-request.ts'
import { mistakesIn, queryIn } from './asked.ts'
import { isKeyed, ofGateways, type Reader, type Seen } from './recorded.ts'
import type { Update } from './updates.ts'

export type Moment = {
  seen: Seen
  /** the last read of its resource before it, and the next request like it that may have a key */
  before: Seen | undefined
  next: Seen | undefined
  /** an accepted request of its resource; or else of its operation, or any read; with a key, if there is one */
  control: Seen | undefined
  /** a read returned its resource, before or after it */
  isKnown: boolean
  /** it got 500, like the same request before, and others were accepted meanwhile */
  persists: boolean
  /** an accepted read of a resource */
  read(resource: Resource, id: unknown): Seen | undefined
  /** pairs of reads of assessments: how many were alike, and which ones differed */
  pairs: { alike: number; apart: string[] }
  /** of all exchanges: no two reads of an assessment at once come later */
  isLastPair: boolean
  update: Update | undefined
}

const isRead = ({ method, resource }: Seen) => method === 'GET' && resource !== undefined
const nameOf = (resource: unknown, id: unknown) => `${resource} ${id}`.toLowerCase()
const likeOf = ({ recorder, operation }: Seen) => `${recorder} ${operation}`
const placeOf = (seen: Seen) => `${likeOf(seen)} ${seen.id.toLowerCase()}`

/** Between two reads this close, little changes by itself. */
const areAtOnce = (one: Seen | undefined, next: Seen) =>
  one?.recorder === next.recorder && next.start - one.end < 1000

/** The moments of these exchanges, in order; each is read again. */
export function* momentsIn(
  all: readonly Seen[],
  readAt: Reader,
  updates: ReadonlyMap<number, Update> = new Map(),
): Generator<Moment> {
  const places = new Map<string, Seen[]>()
  const reads = new Map<string, Seen>()
  const controls = new Map<string, Seen>()
  let lastPair: Seen | undefined
  for (const one of all.filter(isKeyed)) {
    addTo(places, placeOf(one), one)
    // A request that is accepted with a mistake is judged beside one without, and is never a control.
    const isMistaken = !one.resource && mistakesIn(queryIn(one.query)).length > 0
    if (!isAccepted(one.answer) || isMistaken) continue
    const name = nameOf(one.resource, one.id)
    if (one.resource === 'assessment' && areAtOnce(reads.get(name), one)) lastPair = one
    if (isRead(one)) reads.set(name, one)
    const names = [placeOf(one), likeOf(one), isRead(one) ? `${one.recorder}` : '']
    for (const name of names) controls.set(name, controls.get(name) ?? one)
  }
  const counts = new Map<string, number>()
  const last = new Map<string, Seen>()
  const pairs: Moment['pairs'] = { alike: 0, apart: [] }
  const whole = (one?: Seen) => one && readAt(one.number)
  for (const one of all) {
    const seen = whole(one)
    if (!seen) continue
    const { recorder, resource, id, status, number } = seen
    const [place, like, any] = [placeOf(seen), likeOf(seen), `${recorder}`]
    const [count, before, read] = [counts.get(place) ?? 0, last.get(place), last.get(any)]
    const alike = places.get(place) ?? []
    const former = alike[count - 1]
    yield {
      seen,
      get before() {
        return whole(before)
      },
      next: alike[count + Number(isKeyed(seen))],
      control: controls.get(place) ?? controls.get(like) ?? controls.get(any),
      isKnown: !resource || reads.has(nameOf(resource, id)),
      persists: status === 500 && former?.status === 500 && former.start < (read?.start ?? 0),
      read: (...named) => whole(reads.get(nameOf(...named))),
      pairs,
      isLastPair: one === lastPair,
      update: updates.get(number),
    }
    if (!isKeyed(seen)) continue
    counts.set(place, count + 1)
    if (isRead(seen) && isAccepted(seen.answer))
      for (const name of [place, any]) last.set(name, one)
  }
}

const isGet = ({ seen }: Moment, resource: Resource | undefined) =>
  seen.method === 'GET' && seen.resource === resource
const isWhole = ({ body }: Seen) => body !== undefined

/** The refusals of reads that may have a valid key, for a reason of their own. */
function refusalOf({ seen, control, persists }: Moment): Answer | undefined {
  const { answer, status } = seen
  const isSure = isKeyed(seen) && isRefused(answer) && !ofGateways.includes(status)
  return (isSure || persists) && control ? beside(answer, { control: control.answer }) : undefined
}

/**
 * The reads of a resource. A 404 counts between two reads that showed it to the same key: it may have been
 * made later, or be hidden from others.
 */
export const presentReads =
  (resource: Resource) =>
  (moment: Moment): Present | undefined => {
    const { seen, next, isKnown } = moment
    if (!isGet(moment, resource) || !isKeyed(seen) || !isUuid(seen.id)) return undefined
    if (isAccepted(seen.answer)) return isWhole(seen) ? { answer: seen.answer } : undefined
    const answer = isKnown ? refusalOf(moment) : undefined
    if (!answer || seen.status !== 404) return answer && { answer }
    const { before } = moment
    const isBetween = before && next && isAccepted(next.answer)
    return seen.who && isBetween && before.who === seen.who && next.who === seen.who
      ? { answer: beside(answer, { control: [before.answer, next.answer] }) }
      : undefined
  }

export const unknownReads = (resource: Resource) => (moment: Moment) =>
  isGet(moment, resource) && isUuid(moment.seen.id) && !moment.isKnown
    ? refusalOf(moment)
    : undefined

export const malformedReads = (resource: Resource) => (moment: Moment) => {
  const { seen } = moment
  if (!isGet(moment, resource) || isUuid(seen.id)) return undefined
  return isAccepted(seen.answer) && isKeyed(seen) && isWhole(seen) ? seen.answer : refusalOf(moment)
}

/** The bodies of error responses with a JSON Content-Type; without a resource, of exports. */
export const errorBodies = (resource?: Resource) => (moment: Moment) => {
  const { seen } = moment
  const isSo = isGet(moment, resource) && isWhole(seen) && saysJson(seen.answer)
  return isSo && (resource || isKeyed(seen)) ? seen.answer : undefined
}

const leastApart = 4

/**
 * A read and the one before it. A version identifies one state. An assessment has none: where two reads in
 * a row never were alike, of several assessments, the last two differ for no other reason.
 */
export const pairsOf =
  (resource: Resource) =>
  (moment: Moment): Pair | undefined => {
    const { seen, pairs, isLastPair } = moment
    const body = isGet(moment, resource) && isKeyed(seen) ? acceptedBody(seen.answer) : undefined
    const before = body && moment.before
    const former = before && acceptedBody(before.answer)
    if (!body || !former) return undefined
    // The assignment that a version shows is the matter of another clause.
    const lasting = (read: JsonObject): JsonObject =>
      from({ ...lastingMembers(resource, read), assignment: null }, read)
    const [again, control] = [lasting(body), lasting(former)]
    const isAlike = JSON.stringify(again) === JSON.stringify(control)
    if (resource === 'assessment' && isAlike) pairs.alike += 1
    else if (resource === 'assessment' && areAtOnce(before, seen)) pairs.apart.push(seen.id)
    const isNever = isLastPair && pairs.alike === 0 && pairs.apart.length >= leastApart
    const isSure =
      resource === 'task'
        ? again.updated_at === control.updated_at
        : isAlike || (isNever && new Set(pairs.apart).size > 1)
    return isSure ? { what: 'the later of two reads', again, control } : undefined
  }

export const mistakenExports =
  (clause: string) =>
  ({ seen, control }: Moment): Controlled | undefined => {
    const { operation, query, answer, status } = seen
    const isBeside = isKeyed(seen) && control?.operation === 'export'
    if (operation !== 'export' || !isBeside || ofGateways.includes(status)) return undefined
    const [mistake, other] = mistakesIn(queryIn(query))
    return mistake === clause && !other && status < 500
      ? { what: describeAnswer(answer), answer, control: control.answer }
      : undefined
  }

export type KeyTrial = { answer: Answer; control: Answer }

const trialIn = ({ seen, control }: Moment): KeyTrial | undefined =>
  control?.operation === seen.operation
    ? { answer: seen.answer, control: control.answer }
    : undefined

/**
 * The requests of an operation with such a key. Another refusal than 401 may be for another mistake in the
 * request; a 403 to a text may be a firewall's, and a wrong key may lock a resource.
 */
export const keyTrials =
  (operation: Operation, key: 'none' | 'wrong' | 'another case') =>
  (moment: Moment): KeyTrial | undefined => {
    const { seen, isKnown, next } = moment
    if (seen.operation !== operation || seen.key !== key) return undefined
    const isOpen = isKnown && next !== undefined && isAccepted(next.answer)
    const isForbidden = seen.status === 403 && !objectIn(seen.sent).assignment_comment && isOpen
    const isTelling = isAccepted(seen.answer) || seen.status === 401 || isForbidden
    return isTelling ? trialIn(moment) : undefined
  }

export const lookupTrials = (operation: Operation) => (moment: Moment) => {
  const { seen, isKnown } = moment
  const isLookup = seen.operation === operation && !isKeyed(seen) && !isKnown
  return isLookup && [401, 404].includes(seen.status) ? trialIn(moment) : undefined
}

export function refusedReadsOfKnown(moment: Moment) {
  const { resource, status, answer } = moment.seen
  const isWanted = isRead(moment.seen) && status === 401 && isWhole(moment.seen)
  const { before } = isWanted ? moment : {}
  return resource && before?.answer.text ? { resource, answer, control: before.answer } : undefined
}
