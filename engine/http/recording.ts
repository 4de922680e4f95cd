import { isUtf8 } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chance } from '../time/timers.ts'
import type { Head } from './ask.ts'
import type { Exchange } from './exchange.ts'
import type { Outgoing } from './outgoing.ts'
import { type Redactor, redactHeaders } from './redaction.ts'

const mostShown = 4096

type Body = Pick<Exchange, 'body' | 'bodyBytes' | 'bodySha256'>

export function witness(redact: Redactor, secretive: () => boolean, keepFiles?: string) {
  const draft = keepFiles === undefined ? undefined : join(keepFiles, `${chance.uuid()}.draft`)
  let handle: number | undefined
  const close = () => {
    if (handle !== undefined) closeSync(handle)
    handle = undefined
  }
  // Hash lazily: most bodies are shown whole, and hashing each doubles the cost.
  let hash: Hash | undefined
  const kept: Buffer[] = []
  let bytes = 0
  return {
    see(chunk: Buffer) {
      bytes += chunk.length
      if (bytes <= mostShown) kept.push(chunk)
      else {
        hash ??= digestOf(kept)
        hash.update(chunk)
      }
      if (draft === undefined || !secretive()) return
      handle ??= openSync(draft, 'wx', 0o600)
      writeSync(handle, chunk)
    },
    get bytes() {
      return bytes
    },
    whole(): Body {
      const text = bytes <= mostShown && !secretive() ? textOf(Buffer.concat(kept)) : undefined
      if (text !== undefined) return { body: redact(text), bodyBytes: bytes }
      const bodySha256 = (hash ?? digestOf(kept)).digest('hex')
      if (draft !== undefined && handle !== undefined) {
        close()
        renameSync(draft, join(dirname(draft), bodySha256))
      }
      return { bodyBytes: bytes, bodySha256 }
    },
    drop() {
      if (draft === undefined || handle === undefined) return
      close()
      rmSync(draft, { force: true })
    },
  }
}

export const digestOf = (pieces: readonly Buffer[]): Hash =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256'))

/** Without the body of an answer that broke off: a part of the key at the break would not be recognised. */
export function exchangeOf(
  { options, shown: { path, base, headers, body }, redact, redactNames }: Outgoing,
  {
    start,
    head,
    trouble,
    milliseconds,
    attempt,
    ...seen
  }: Pick<Exchange, 'start' | 'milliseconds' | 'attempt' | 'trouble'> & Body & { head?: Head },
): Omit<Exchange, 'number'> {
  return {
    start,
    method: options.method,
    path,
    ...(base !== undefined && { base }),
    requestHeaders: headers,
    ...(body !== undefined && { requestBody: shortened(body) }),
    ...(head && {
      status: head.status,
      headers: redactHeaders(head.headers, redact, redactNames),
    }),
    ...seen,
    milliseconds,
    attempt,
    ...(trouble !== undefined && { trouble: redact(trouble) }),
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they distinguish binary data from text
  return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text
}
