// The file of an export: in the answer itself, or at an address that it names.

import { placeOfFile } from '../../../engine/files/content.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded, Sink } from '../../../engine/http/client.ts'
import { Trouble } from '../../../engine/outcome.ts'
import type { Fetched } from '../../service/downloads.ts'
import type { Service } from '../../service/service.ts'

export type Delivered<T> = {
  answer: Downloaded
  /** the answers on the way to the file; the first is the service's own */
  answers: Downloaded[]
  /** left out if the named address gave no file */
  result?: T
  /** how the answer names the address of its file */
  told?: string
  /** why the file is unreachable from here, which breaks no sentence */
  unreachable?: string
  /** there is no file at its address */
  lost?: string
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
  const { answer, met } = first
  const place = answer.status === 200 && placeOfFile(answer, beginningOf(first.result))
  const address = place && addressIn(place.address, first)
  const answers = [answer]
  const store = place && otherStoreIn(place.address)
  if (store) {
    const unreachable = `${describeAnswer(answer)}: ${place.told} names an address of ${store}, which is not fetched from here`
    return { answer, answers, told: place.told, met, unreachable }
  }
  if (!place || !address) return { answer, answers, result: first.result, met }

  const { told } = place
  const from = (url: URL) => `${describeAnswer(answer)}: ${told} names ${url.origin}${url.pathname}`
  let at: URL | undefined = address
  let last: Fetched<T> = first
  for (let hop = 0; at && hop < maxHops; hop += 1) {
    const found: Fetched<T> | 'unreachable' = await service.downloadFrom(at, sink)
    if (found === 'unreachable')
      return {
        answer,
        answers,
        told,
        met,
        unreachable: `${from(at)}, which cannot be reached from here`,
      }
    last = found
    answers.push(found.answer)
    at = nextAddress(found, beginningOf)
  }
  const { status } = last.answer
  if (status === 429 || status >= 500)
    throw new Trouble(`${from(last.address)}, which answered ${status}`)
  if (!isAccepted(last.answer))
    return {
      answer,
      answers,
      told,
      met: last.met,
      lost: `${from(last.address)}, which answered ${status}`,
    }
  return { answer, answers, told, result: last.result, met: last.met }
}

function nextAddress<T>(found: Fetched<T>, beginningOf: (result: T) => string): URL | undefined {
  const { status, headers } = found.answer
  if (status >= 300 && status < 400) return addressIn(headers.location ?? '', found)
  const place = status === 200 && placeOfFile(found.answer, beginningOf(found.result))
  return place ? addressIn(place.address, found) : undefined
}

/** The scheme of an address that http cannot fetch, such as s3. */
const otherStoreIn = (text: string): string | undefined =>
  /^(?!https?:)([a-z][a-z\d+.-]*:)\/\//i.exec(text)?.[1]

/** An address to fetch a file from; an answer may also name its own address. */
function addressIn(text: string, { address }: Fetched<unknown>): URL | undefined {
  if (text === '' || !URL.canParse(text, address.href)) return undefined
  const url = new URL(text, address)
  url.hash = ''
  return /^https?:$/.test(url.protocol) && url.href !== address.href ? url : undefined
}
