import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Body, Call, Found, Refusal, Setup } from './call.ts'

const encoders = {
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
}

/** Answers a request that was in order with a resource. */
export function succeed(setup: Setup, call: Call, resource: object): Response {
  const { stated, open } = setup
  const text = stated.answerText({ ...call, resource })
  return answer(setup, call, open.successStatus(call), { type: open.contentType(call), text })
}

/** Answers a request that is refused; `record` is what it asked for. */
export function refuse(setup: Setup, call: Call, refusal: Refusal, record?: Found): Response {
  const { stated, open } = setup
  const body = open.errorBody({ ...call, ...refusal })
  return answer(
    setup,
    call,
    refusal.status,
    stated.refusalBody({ ...call, ...refusal, record, body }),
  )
}

function answer({ open }: Setup, call: Call, status: number, { type, text }: Body): Response {
  const headers = new Headers(open.headers({ ...call, status }))
  if (type !== undefined) headers.set('content-type', type)
  if (text === '' || status === 204 || status === 205 || status === 304) {
    return new Response(null, { status, headers })
  }
  const encoding = open.encoding({ ...call, status })
  const bytes = Buffer.from(text)
  if (encoding === 'identity') return new Response(bytes, { status, headers })
  headers.set('content-encoding', encoding)
  return new Response(encoders[encoding](bytes), { status, headers })
}
