// The cases of reads in recorded traffic.

import { acceptedBody, isAccepted, isRefused, type JsonObject } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { beside, from } from '../../engine/origin.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { areAtOnce, isKeyed, isWhole, type Moment, ofGateways } from '../service/seen.ts'
import type { Present } from './presence.ts'
import { lastingMembers, type Pair, type Resource } from './readings.ts'
import { saysJson } from './refusals.ts'

const isGet = ({ seen }: Moment, resource: Resource | undefined) =>
  seen.method === 'GET' && seen.resource === resource

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
    const former = before && before.who === seen.who ? acceptedBody(before.answer) : undefined
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
