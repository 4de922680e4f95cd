import { isUtf8 } from 'node:buffer'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import type { Recorded, Seen } from '../service/seen.ts'

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
