import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Head } from './ask.ts'
import type { Exchange } from './exchange.ts'
import type { Outgoing } from './outgoing.ts'
import { redactHeaders } from './redaction.ts'

const mostShown = 4096

/** Watches a body go by and keeps of it what a report may show. */
export type Witness = {
  see(chunk: Buffer): void
  readonly bytes: number
  /** what is known of a body that came to its end */
  whole(): Pick<Exchange, 'body' | 'bodyBytes' | 'bodySha256'>
}

/** Opens the watch over one body; `secretive`: it is told by size and hash, however small. */
export function witness(redact: (text: string) => string, secretive: () => boolean): Witness {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  let bytes = 0
  return {
    see(chunk) {
      bytes += chunk.length
      hash.update(chunk)
      if (bytes <= mostShown) kept.push(chunk)
    },
    get bytes() {
      return bytes
    },
    whole() {
      const text = bytes <= mostShown && !secretive() ? textOf(Buffer.concat(kept)) : undefined
      if (text !== undefined) return { body: redact(text), bodyBytes: bytes }
      return { bodyBytes: bytes, bodySha256: hash.digest('hex') }
    },
  }
}

/** One attempt as reports show it; a body that broke off is told by its size alone, for the key may
 * stand at the break and a part of it would not be recognised. */
export function exchangeOf(
  request: Outgoing,
  told: {
    start: string
    milliseconds: number
    attempt: number
    head?: Head
    body?: Pick<Exchange, 'body' | 'bodyBytes' | 'bodySha256'>
    trouble?: string
  },
): Omit<Exchange, 'number'> {
  const { path, base, headers, body } = request.shown
  const { head, trouble } = told
  return {
    start: told.start,
    method: request.options.method,
    path,
    ...(base !== undefined && { base }),
    requestHeaders: headers,
    ...(body !== undefined && { requestBody: shortened(body) }),
    ...(head && {
      status: head.status,
      headers: redactHeaders(head.headers, request.redact, request.redactNames),
    }),
    ...told.body,
    milliseconds: told.milliseconds,
    attempt: told.attempt,
    ...(trouble !== undefined && { trouble: request.redact(trouble) }),
  }
}

function shortened(body: string): string {
  const bytes = Buffer.byteLength(body)
  if (bytes <= mostShown) return body
  return `(${bytes} bytes, SHA-256 ${createHash('sha256').update(body).digest('hex')})`
}

function textOf(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what tells text from the rest
  return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text
}
