import { placeOfFile } from '../../../engine/files/content.ts'
import { type UnservedFinding, unservedFinding } from '../../../engine/findings/unserved.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded, Sink } from '../../../engine/http/client.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { statuses } from '../../contract/statuses.ts'
import { sentenceOf } from '../../findings/kinds.ts'
import type { Fetched } from '../../service/downloads.ts'
import type { Service } from '../../service/service.ts'

export type Delivered<T> = {
  answer: Downloaded
  /** the answers on the way to the file; the first is the service's own */
  answers: Downloaded[]
  /** left out if the named address gave no file */
  result?: T
  told?: string
  unreachable?: string
  lost?: UnservedFinding
  met: Fetched<unknown>['met']
}

/** An address may redirect, as a store's does. */
const maxHops = 3

export async function fetchDelivered<T>(
  service: Service,
  query: string,
  sink: Sink<T>,
  beginningOf: (result: T) => string,
): Promise<Delivered<T>> {
  const first = await service.download(query, sink)
  const { answer } = first
  const place = answer.status === statuses.exported ? placeIn(first, beginningOf) : undefined
  if (!place) return { answer, answers: [answer], result: first.result, met: first.met }

  const answers = [answer]
  let last = first
  const delivered = (rest: Partial<Delivered<T>>): Delivered<T> => {
    return { answer, answers, told: place.told, met: last.met, ...rest }
  }
  const nameOf = ({ origin, pathname, protocol }: URL) =>
    isWeb(protocol) ? origin + pathname : `an address of ${protocol}`
  let next: URL | undefined = place.url
  for (let hop = 0; next && hop < maxHops; hop += 1) {
    const unreachable = `${describeAnswer(answer)}: ${place.told} names ${nameOf(next)}, which cannot be reached from here`
    if (!isWeb(next.protocol)) return delivered({ unreachable })
    const found: Fetched<T> | 'unreachable' = await service.downloadFrom(next, sink)
    if (found === 'unreachable') return delivered({ unreachable })
    last = found
    answers.push(found.answer)
    next = placeIn(found, beginningOf)?.url
  }
  const { status } = last.answer
  const named = { by: place.told, address: nameOf(last.address), status }
  const lost = unservedFinding({ lacks: 'file', of: answer, named })
  if (status === 429 || status >= 500) throw new Trouble(sentenceOf(lost))
  return delivered(isAccepted(last.answer) ? { result: last.result } : { lost })
}

const isWeb = (protocol: string) => /^https?:$/.test(protocol)

/** The address of the file that an answer names, other than its own, or one of a store that http does not reach. */
function placeIn<T>({ answer, result, address }: Fetched<T>, beginningOf: (result: T) => string) {
  const { status, headers } = answer
  const isMoved = status >= 300 && status < 400
  const place = isMoved
    ? { told: 'a Location header', address: headers.location ?? '' }
    : status === statuses.exported && placeOfFile(answer, beginningOf(result))
  if (!place || place.address === '' || !URL.canParse(place.address, address.href)) return undefined
  const url = new URL(place.address, address)
  url.hash = ''
  const isOfStore = /^[a-z][a-z\d+.-]*:\/\//i.test(place.address)
  if (!isWeb(url.protocol)) return isOfStore ? { told: place.told, url } : undefined
  return url.href === address.href ? undefined : { told: place.told, url }
}
