import { isUtf8 } from 'node:buffer'
import { isRefused } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { configured, keyForms } from '../../engine/http/redaction.ts'
import { unescaped } from '../../engine/unescaped.ts'
import type { Resource } from '../service/judge.ts'
import type { Operation } from '../service/operations.ts'
import { operationOf } from '../service/update-request.ts'

export type Recorded = {
  number: number
  /** which recording it belongs to: clocks of different recordings are not compared */
  recorder: number
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

export type KeyOf = 'given' | 'none' | 'wrong' | 'another case'

export type Seen = Recorded & {
  operation: Operation
  resource?: Resource
  id: string
  query: string
  /** what the body of the request says; undefined: it is not JSON, or not there */
  sent: unknown
  answer: Answer
  key: KeyOf
  /** whose key it is, if known: the contract does not say what another key may see */
  who: string | undefined
}

/** Statuses that a gateway may give to any request. */
export const ofGateways = [401, 403, 408, 413, 414, 421, 429, 431, 451]

export const isPlainRefusal = ({ answer }: Pick<Seen, 'answer'>) =>
  isRefused(answer) && !ofGateways.includes(answer.status)

const places: [RegExp, string][] = [
  [/^\/tasks\/([^/?]+)$/, 'GET'],
  [/^\/tasks\/([^/?]+)\/update-assignment$/, 'PUT'],
  [/^\/assessments\/([^/?]+)$/, 'GET'],
  [/^\/audit-sentinel\/events\/export$/, 'GET'],
]

/** Where a path with one of the four operations begins, and so what its base ends with; undefined: it has none. */
export function baseEndIn(method: string, pathname: string): number | undefined {
  const at = pathname.search(
    /\/(tasks|assessments)\/[^/]+(\/update-assignment)?$|\/audit-sentinel\//,
  )
  const rest = pathname.slice(at)
  return at >= 0 && places.some(([form, verb]) => verb === method && form.test(rest))
    ? at
    : undefined
}

/** A recorded exchange as what it asks for; undefined: it is not one of the four operations. */
export function seenAs(recorded: Recorded, wrongKeys: readonly string[]): Seen | undefined {
  const [pathname = '', ...rest] = recorded.path.split('?')
  const at = places.findIndex(([form, verb]) => verb === recorded.method && form.test(pathname))
  if (at < 0) return undefined
  const [, id = ''] = (places[at] as [RegExp, string])[0].exec(pathname) ?? []
  const sent = parsed(recorded.requestBody)
  const operation = (['task.read', operationOf(sent), 'assessment.read', 'export'] as const)[at]
  return {
    operation: operation as Operation,
    ...(at < 3 ? { resource: at === 2 ? 'assessment' : 'task' } : {}),
    id: unescaped(id),
    query: rest.join('?'),
    sent,
    answer: answerOf(recorded, at === 3),
    key: keyOf(recorded.requestHeaders, wrongKeys),
    who: whoseKey(recorded.requestHeaders),
    ...recorded,
  }
}

const nothing = Buffer.alloc(0)

/** the text of a file is not kept */
function answerOf({ number, method, path, ...one }: Recorded, isFile: boolean): Answer {
  const { status, headers, body = nothing, requestBody, start, end } = one
  const isKept = !isFile || status >= 300
  return {
    exchange: number,
    method,
    path,
    status,
    headers,
    bytes: nothing,
    text: isKept ? new TextDecoder().decode(body) : '',
    validUtf8: isKept && isUtf8(body),
    ...(requestBody === undefined ? {} : { sent: requestBody }),
    attempts: 1,
    milliseconds: end - start,
  }
}

export const headOf = ({ sent: _, ...head }: Answer): Answer => ({ ...head, text: '', headers: {} })

export function exchangeOf({ start, end, requestBody, body, ...kept }: Recorded): Exchange {
  const isFile = kept.path.startsWith('/audit-sentinel/')
  const text = body && !isFile && body.length <= 4096 && isUtf8(body) ? body.toString() : undefined
  const { number, method, path, requestHeaders, status, headers } = kept
  return {
    ...{ number, method, path, requestHeaders, status, headers },
    start: new Date(start).toISOString(),
    ...(requestBody === undefined ? {} : { requestBody: requestBody.slice(0, 4096) }),
    ...(text === undefined ? {} : { body: text }),
    ...(body ? { bodyBytes: body.length } : {}),
    milliseconds: end - start,
    attempt: 1,
  }
}

/** What the key of a request is: any key may be valid, unless it is known to be invalid. */
function keyOf({ apikey }: Record<string, string>, wrongKeys: readonly string[]): KeyOf {
  if (apikey === undefined) return 'none'
  if (apikey === keyForms.otherCase) return 'another case'
  const isWrong = ['', keyForms.shorter, keyForms.unknown, ...wrongKeys].includes(apikey)
  return isWrong ? 'wrong' : 'given'
}

/** Recorders write the same text in place of every key; this suite uses this one. */
const whoseKey = ({ apikey }: Record<string, string>): string | undefined =>
  apikey === configured || !/^([([<*]|redacted|xxx)/i.test(apikey ?? '(') ? apikey : undefined

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
