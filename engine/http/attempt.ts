import type { Readable } from 'node:stream'
import { NotDecidable } from '../outcome.ts'
import { orAborted } from '../time/abort.ts'
import { clock, type Timer } from '../time/timers.ts'
import type { Limits } from './agent.ts'
import type { Head, Reader } from './ask.ts'
import { decode, tooLarge } from './decoding.ts'
import type { Exchange } from './exchange.ts'
import { Failure, failureOf, type Stage, span } from './failure.ts'
import type { Outgoing } from './outgoing.ts'
import { exchangeOf, witness } from './recording.ts'
import type { Transport } from './transport.ts'

type Outcome<T> = {
  exchange: Omit<Exchange, 'number'>
  milliseconds: number
  bytes: number
  head?: Head
  failure?: Failure
  thrown?: { error: unknown }
  result?: T
}

/** Sends a request once and reads its answer. Returns what goes wrong instead of throwing. */
export async function attemptOnce<T>(
  way: Transport,
  plan: {
    request: Outgoing
    limits: Limits
    kind: { isFile: boolean }
    keepFiles?: string | undefined
    signal: AbortSignal
  },
  attempt: number,
  sent: () => void,
  readerFor: (status: number) => Reader<T>,
): Promise<Outcome<T>> {
  const { request: asked, limits } = plan
  const start = clock.iso()
  const began = clock.now()
  let stage: Stage = 'connecting'
  let head: Head | undefined
  // Exported rows are personal data; the text of an error response is not.
  const isFile = () => plan.kind.isFile && (head?.status ?? 0) < 300
  const seen = witness(asked.redact, isFile, plan.keepFiles)
  const limit = openLimit(limits, () => stage, plan.signal)
  const ending = limit.signal
  const outcome: Pick<Outcome<T>, 'failure' | 'thrown' | 'result'> = {}

  async function* pieces(body: Readable, coding?: string) {
    try {
      yield* decode(limit.watch(body), coding, limits.maxBytes, seen.see)
    } catch (error) {
      // A reader may not notice that its source failed, and would wait forever.
      limit.end(error instanceof NotDecidable ? error : failureOf(error, stage, false))
      throw error
    }
  }

  let body: Readable | undefined
  try {
    const answer = await orAborted(
      way.send(asked.options, ending, () => {
        // If the attempt ended while connecting, nothing is written.
        if (ending.aborted) return
        stage = 'asked'
        sent()
        limit.awaitAnswer()
      }),
      ending,
    )
    stage = 'answering'
    // Its reader gets the error; before there is a reader, the error must not go uncaught.
    body = answer.body.on('error', () => {})
    head = { status: answer.statusCode, headers: joined(answer.headers) }
    const decoded = pieces(body, head.headers['content-encoding'])
    outcome.result = await orAborted(readerFor(head.status)(decoded, head), ending)
    ending.throwIfAborted()
  } catch (error) {
    const cause = ending.aborted ? ending.reason : error
    if (cause instanceof NotDecidable) outcome.thrown = { error: cause }
    else if (ending.aborted || !head) outcome.failure = failureOf(cause, stage, asked.proxied)
    else outcome.thrown = { error }
  }
  limit.close()
  body?.destroy()
  if (outcome.failure || outcome.thrown) seen.drop()
  const milliseconds = Math.round(clock.now() - began)
  const trouble =
    outcome.failure?.message ?? (outcome.thrown ? 'the body was not read to its end' : undefined)
  return {
    ...outcome,
    ...(head && { head }),
    milliseconds,
    bytes: seen.bytes,
    exchange: exchangeOf(asked, {
      start,
      milliseconds,
      attempt,
      ...(head && { head, ...(trouble ? { bodyBytes: seen.bytes } : seen.whole()) }),
      ...(trouble !== undefined && { trouble }),
    }),
  }
}

function openLimit(limits: Limits, stage: () => Stage, signal: AbortSignal) {
  const controller = new AbortController()
  // AbortSignal.any does the same, and takes several times as long.
  const pass = () => controller.abort(signal.reason)
  if (signal.aborted) pass()
  signal.addEventListener('abort', pass, { once: true })
  const late = (sentence: string, lasting = false) =>
    controller.abort(new Failure(sentence, stage(), { silent: true, lasting }))
  let total: Timer | undefined
  let phase: Timer | undefined
  let trickle: Timer | undefined
  const within = (ms: number, then: () => void) => {
    clock.clear(phase)
    phase = clock.setTimeout(then, ms)
  }
  const stop = () => {
    for (const timer of [total, phase, trickle]) clock.clear(timer)
  }
  within(limits.connectMs, () => late(`no connection within ${span(limits.connectMs)}`))

  return {
    signal: controller.signal,
    end: (failure: Failure | NotDecidable) => controller.abort(failure),
    close() {
      stop()
      signal.removeEventListener('abort', pass)
    },
    awaitAnswer() {
      const { answerMs, answerLimit, totalMs } = limits
      total = clock.setTimeout(
        () => late(`no full response within ${span(totalMs)}`, true),
        totalMs,
      )
      within(answerMs, () => {
        if (!answerLimit) return late(`no response within ${span(answerMs)}`)
        const what = stage() === 'answering' ? 'no byte of the body' : 'no response'
        late(`${what} within ${span(answerMs)}, the limit that ${answerLimit} sets`, true)
      })
    },
    /** The clock stops while the reader is busy. */
    async *watch(body: Readable): AsyncGenerator<Buffer> {
      const { idleMs, least, maxBytes } = limits
      const awaitMore = () =>
        within(idleMs, () => late(`nothing more of the body came within ${span(idleMs)}`))
      let received = 0
      // A file may be generated while it is sent: after the head, still wait for its first byte.
      if (!limits.answerLimit) awaitMore()
      try {
        for await (const chunk of body) {
          clock.clear(phase)
          if (least && !trickle)
            trickle = clock.setTimeout(() => {
              const bytes = received + body.readableLength
              if (bytes < least.bytes)
                late(`only ${bytes} bytes of the body came in ${span(least.ms)}`, true)
            }, least.ms)
          received += chunk.length
          if (received > maxBytes) throw tooLarge(maxBytes)
          yield chunk
          awaitMore()
        }
      } catch (error) {
        if (error instanceof NotDecidable) throw error
        const isTooLarge = (error as NodeJS.ErrnoException).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
        throw isTooLarge ? tooLarge(maxBytes) : failureOf(error, stage(), false)
      } finally {
        stop()
      }
    },
  }
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
}
