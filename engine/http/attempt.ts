import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { Trouble } from '../outcome.ts'
import { orAborted } from '../time/abort.ts'
import type { Head, Sink } from './ask.ts'
import { decode } from './decoding.ts'
import type { Exchange } from './exchange.ts'
import { Failure } from './failure.ts'
import type { Outgoing } from './outgoing.ts'
import { exchangeOf, witness } from './recording.ts'
import { type Limits, send } from './wire.ts'

export type Outcome<T> = {
  exchange: Omit<Exchange, 'number'>
  milliseconds: number
  bytes: number
  head?: Head
  /** why there is no result */
  failure?: Failure
  /** what the reader of the body threw by itself */
  thrown?: { error: unknown }
  result?: T
}

/** Sends a request once and reads its answer into a sink; what goes wrong is told, not thrown. */
export async function attemptOnce<T>(
  way: Dispatcher,
  request: Outgoing,
  plan: {
    limits: Limits
    attempt: number
    secretive: boolean
    /** called once it is given to a connection */
    sent?: () => void
  },
  signal: AbortSignal,
  sinkFor: (head: Head) => Sink<T>,
): Promise<Outcome<T>> {
  const start = new Date().toISOString()
  const began = performance.now()
  let head: Head | undefined
  // exported rows are personal data; the words of a refusal are not
  const seen = witness(request.redact, () => plan.secretive && (head?.status ?? 0) < 300)
  const outcome: Pick<Outcome<T>, 'failure' | 'thrown' | 'result'> = {}
  try {
    const opened = await send(way, request, plan.limits, signal, plan.sent)
    head = opened.head
    const encoding = head.headers['content-encoding']
    const body = decode(opened.body, encoding, plan.limits.maxBytes, seen.see)
    Object.assign(outcome, await readInto(body, head, sinkFor(head), signal))
    // the generators of the decoder may be waiting for the next piece: ended at its source
    opened.body.destroy()
  } catch (error) {
    outcome.failure = asFailure(error)
  }
  const milliseconds = Math.round(performance.now() - began)
  const trouble =
    outcome.failure?.message ?? (outcome.thrown ? 'the body was not read to its end' : undefined)
  return {
    ...outcome,
    ...(head && { head }),
    milliseconds,
    bytes: seen.bytes,
    exchange: exchangeOf(request, {
      start,
      milliseconds,
      attempt: plan.attempt,
      ...(head && { head, body: trouble ? { bodyBytes: seen.bytes } : seen.whole() }),
      ...(trouble !== undefined && { trouble }),
    }),
  }
}

async function readInto<T>(
  body: Readable,
  head: Head,
  sink: Sink<T>,
  signal: AbortSignal,
): Promise<Pick<Outcome<T>, 'failure' | 'thrown' | 'result'>> {
  // a sink need not notice that its source failed, and some wait for ever then
  let cause: Error | undefined
  const broken = new Promise<never>((_, reject) => {
    body.once('error', (error) => {
      // a reader that leaves early destroys the stream with this one: no failure
      if (error.name === 'AbortError') return
      cause = error
      reject(error)
    })
  })
  try {
    const result = await orAborted(Promise.race([sink(body, head), broken]), signal)
    return cause ? { failure: asFailure(cause) } : { result }
  } catch (error) {
    cause ??= signal.aborted ? signal.reason : undefined
    return cause ? { failure: asFailure(cause) } : { thrown: { error } }
  } finally {
    body.destroy()
  }
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof Trouble)) return new Failure(`failed (${message})`, 'answering')
  // what the decoder says of the body: it is as it is, and came as it was sent
  return new Failure(message, 'answering', { lasting: true, transport: false })
}
