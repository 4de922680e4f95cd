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
  const answers = [answer]
  const place = answer.status === 200 && placeOfFile(answer, beginningOf(first.result))
  const store = place && otherStoreIn(place.address)
  let at = place && addressIn(place.address, first)
  if (!place || !(store || at)) return { answer, answers, result: first.result, met }

  const { told } = place
  const names = `${describeAnswer(answer)}: ${told} names`
  const unreachable = (sentence: string) => ({ answer, answers, told, met, unreachable: sentence })
  if (store) return unreachable(`${names} an address of ${store}, which is not fetched from here`)
  const nameOf = (url: URL) => `${names} ${url.origin}${url.pathname}`
  let last = first
  for (let hop = 0; at && hop < maxHops; hop += 1) {
    const found: Fetched<T> | 'unreachable' = await service.downloadFrom(at, sink)
    if (found === 'unreachable')
      return unreachable(`${nameOf(at)}, which cannot be reached from here`)
    last = found
    answers.push(found.answer)
    at = nextAddress(found, beginningOf)
  }
  const { status } = last.answer
  const sentence = `${nameOf(last.address)}, which responded ${status}`
  if (status === 429 || status >= 500) throw new Trouble(sentence)
  const found = isAccepted(last.answer) ? { result: last.result } : { lost: sentence }
  return { answer, answers, told, met: last.met, ...found }
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
