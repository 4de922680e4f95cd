import { isUtf8 } from 'node:buffer'
import { isRefused } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { configured, keyForms } from '../../engine/http/redaction.ts'
import { unescaped } from '../../engine/unescaped.ts'
import type { Resource } from './judge.ts'
import type { Operation } from './operations.ts'
import { operationOf } from './update-request.ts'

export type Recorded = {
  number: number
  /** which recording it belongs to: clocks of different recordings are not compared */
  recorder: number
  /** no request of the recording shows a key: all may have one */
  leavesKeysOut?: boolean
  start: number
  end: number
  method: string
  path: string
  requestHeaders: Record<string, string>
  requestBody?: string
  status: number
  headers: Record<string, string>
  /** left out: the recording has only a part of it */
  body?: Buffer
}

export type Seen = Recorded & {
  operation: Operation
  resource: Resource | undefined
  id: string
  query: string
  /** what the body of the request says */
  sent: unknown
  answer: Answer
  /** `given`: it may be valid, as none is known to be invalid, or the recorder may leave keys out */
  key: 'given' | 'none' | 'wrong' | 'another case'
  /** an answer from a cache, or a redirect, does not show the current state */
  isAnswered: boolean
  /** whose key it is, if known: the contract does not say what another key may see */
  who: string | undefined
}

export const notShown = 'not decided by this traffic'

/** Reads an exchange of a recording by its number. */
export type Reader = (number: number) => Seen | undefined

/** A recorded request and those around it, in which clauses see their cases. */
export type Moment = {
  seen: Seen
  /** of a read: the last accepted one of its resource in its recording */
  before: Seen | undefined
  /** the next request of its operation and id that may have a key, without its body */
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
}

/** Any key may be valid, unless it is known to be invalid. */
export const isKeyed = ({ key }: Pick<Seen, 'key'>) => key === 'given'

/** Statuses that a gateway may give to any request. */
export const ofGateways = [401, 403, 408, 413, 414, 421, 429, 431, 451]

export const isPlainRefusal = ({ answer }: Pick<Seen, 'answer'>) =>
  isRefused(answer) && !ofGateways.includes(answer.status)

export const isRead = ({ method, resource }: Seen) => method === 'GET' && resource !== undefined
export const isWhole = ({ body }: Seen) => body !== undefined
/** Between two reads this close, little changes by itself. */
export const areAtOnce = (one: Seen | undefined, next: Seen) =>
  one?.recorder === next.recorder && next.start - one.end < 1000

const places = [
  [/\/tasks\/([^/?]+)$/, 'GET', 'task'],
  [/\/tasks\/([^/?]+)\/update-assignment$/, 'PUT', 'task'],
  [/\/assessments\/([^/?]+)$/, 'GET', 'assessment'],
  [/\/audit-sentinel\/events\/export$/, 'GET', undefined],
] as const

/** Where a path with one of the four operations begins, and so what its base ends with; undefined: it has none. */
export function baseEndIn(method: string, pathname: string): number | undefined {
  const found = places.find(([form, verb]) => verb === method && form.test(pathname))
  return found && pathname.search(found[0])
}

/** A recorded exchange as what it asks for; undefined: it is not one of the four operations. */
export function seenAs(recorded: Recorded, wrongKeys: readonly string[]): Seen | undefined {
  const { number, method, path, status, headers, body, requestBody, requestHeaders } = recorded
  const [pathname = '', ...rest] = path.split('?')
  const place = places.find(([form, verb]) => verb === method && pathname.search(form) === 0)
  if (!place) return undefined
  const [form, , resource] = place
  const sent = requestBody === undefined ? undefined : parsed(requestBody)
  const ofRead = resource ? (`${resource}.read` as const) : 'export'
  // The text of an accepted export is not kept.
  const text = resource || status >= 300 ? body : undefined
  const answer: Answer = {
    ...{ exchange: number, method, path, status, headers, bytes: Buffer.alloc(0) },
    ...{ text: new TextDecoder().decode(text), validUtf8: text !== undefined && isUtf8(text) },
    ...{ sent: requestBody, attempts: 1, milliseconds: recorded.end - recorded.start },
  }
  const isCached =
    Number(headers.age) > 0 ||
    ['x-cache', 'cf-cache-status', 'cache-status'].some((name) =>
      /\bhit\b/i.test(headers[name] ?? ''),
    )
  const { apikey } = requestHeaders
  // Recorders write the same text in place of every key; this suite writes `configured`.
  const isHidden =
    apikey !== configured && /^([([{<*$•-]|redacted|removed|masked|hidden|xxx)/i.test(apikey ?? '(')
  return {
    operation: method === 'PUT' ? operationOf(sent) : ofRead,
    ...{ resource, id: unescaped(form.exec(pathname)?.[1] ?? ''), query: rest.join('?'), sent },
    isAnswered: !isCached && status >= 200 && (status < 300 || status >= 400),
    ...{ answer, key: keyOf(recorded, wrongKeys), who: isHidden ? undefined : apikey },
    ...recorded,
  }
}

/** What is kept of an answer, and of an exchange, until the whole recording is known. */
export const headOf = (answer: Answer): Answer => ({ ...answer, sent: '', text: '', headers: {} })
export const briefOf = ({ body: _, requestBody: __, ...seen }: Seen): Seen => {
  const nothing = { sent: undefined, requestHeaders: {}, headers: {} }
  return { ...seen, ...nothing, answer: headOf(seen.answer) }
}

export function exchangeOf({ start, end, requestBody, body, ...kept }: Recorded): Exchange {
  const isFile = kept.path.startsWith('/audit-sentinel/')
  const text = body && !isFile && body.length <= 4096 && isUtf8(body) ? body.toString() : undefined
  const { recorder: _, ...shown } = kept
  return {
    ...shown,
    start: new Date(start).toISOString(),
    ...(requestBody === undefined ? {} : { requestBody: requestBody.slice(0, 4096) }),
    ...(text === undefined ? {} : { body: text }),
    ...(body ? { bodyBytes: body.length } : {}),
    milliseconds: end - start,
    attempt: 1,
  }
}

function keyOf({ requestHeaders: headers, leavesKeysOut }: Recorded, wrongKeys: readonly string[]) {
  const { apikey } = headers
  if (apikey === keyForms.otherCase) return 'another case'
  const isWrong = ['', keyForms.shorter, keyForms.unknown, ...wrongKeys].includes(apikey ?? 'none')
  if (apikey !== undefined) return isWrong ? 'wrong' : 'given'
  // The recorder keeps headers, and no gateway identifies the caller in another way.
  const isKept = ['user-agent', 'host', ':authority'].some((name) => name in headers)
  const isElsewhere = leavesKeysOut || 'authorization' in headers || 'cookie' in headers
  return isKept && !isElsewhere ? 'none' : 'given'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
