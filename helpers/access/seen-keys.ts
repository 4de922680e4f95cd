// The cases of keys in recorded traffic.

import { isAccepted } from '../../engine/http/answers.ts'
import type { Operation } from '../service/operations.ts'
import { isKeyed, isRead, isWhole, type Moment } from '../service/seen.ts'
import { objectIn } from '../service/update-request.ts'

const trialIn = ({ seen, control }: Moment) =>
  control?.operation === seen.operation
    ? { answer: seen.answer, control: control.answer }
    : undefined

/**
 * The requests of an operation with such a key. Another refusal than 401 may be for another mistake in the
 * request; a 403 to a text may be a firewall's, and a wrong key may lock a resource.
 */
export const keyTrials =
  (operation: Operation, key: 'none' | 'wrong' | 'another case') => (moment: Moment) => {
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
