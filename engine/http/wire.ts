import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Head } from './ask.ts'
import { megabytes } from './decoding.ts'
import { Failure, failureOf, type Stage, span } from './failure.ts'
import type { Outgoing } from './outgoing.ts'

export type Limits = {
  connectMs: number
  /** from the request on its connection to the head of the answer, or to a file's first byte */
  answerMs: number
  /** the setting that gives this limit, of files: who runs into it is not asked again, and is told its name */
  answerLimit?: string
  /** between two pieces of the body */
  idleMs: number
  /** for all of it; what trickles for ever ends here */
  totalMs: number
  /** what a body brings at least in a time after its first byte; left out: as little as it likes */
  least?: { bytes: number; ms: number }
  /** of the body as it is sent, and again of the decoded one */
  maxBytes: number
}

type Handler = Dispatcher.DispatchHandler

/** What is read ahead of a slow reader: few files are longer. */
const mostAhead = 32 * 1024 * 1024

/**
 * Whether the connection ends with this answer. It is not held up then: undici 7 fails with
 * `assert(!this.paused)` where a connection ends while it waits.
 */
const isLast = (headers: Record<string, string | string[] | undefined>): boolean =>
  /\bclose\b/i.test(String(headers.connection)) ||
  (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)

/**
 * Sends one request and gives the head of its answer and the body as it comes, still coded. A
 * handler of our own instead of `undici.request`: it tells whether the request was given to a
 * connection, and it can be left while undici still waits for one, which a signal cannot do there.
 */
export function send(
  way: Dispatcher,
  request: Outgoing,
  limits: Limits,
  signal: AbortSignal,
  sent = () => {},
): Promise<{ head: Head; body: Readable }> {
  return new Promise((resolve, reject) => {
    let stage: Stage = 'connecting'
    let over = false
    let received = 0
    let controller: Dispatcher.DispatchController | undefined
    let body: Readable | undefined
    let closes = false
    let phase: NodeJS.Timeout | undefined

    let trickle: NodeJS.Timeout | undefined
    const late = (sentence: string, lasting?: true) =>
      end(
        new Failure(sentence, stage, {
          silent: true,
          lasting,
        }),
      )
    // What trickles would trickle again.
    const total = setTimeout(
      () => late(`not answered in full within ${span(limits.totalMs)}`, true),
      limits.totalMs,
    )
    const interrupted = () => end(new Failure(signal.reason.message, stage, { lasting: true }))

    function within(ms: number, message: string) {
      clearTimeout(phase)
      phase = setTimeout(() => late(`${message} ${span(ms)}`), ms)
    }

    function waiting({ answerMs, answerLimit }: Limits) {
      if (!answerLimit) return within(answerMs, 'no answer within')
      const set = `within ${span(answerMs)}, the limit that ${answerLimit} sets`
      clearTimeout(phase)
      phase = setTimeout(
        () => late(body ? `no byte of the body ${set}` : `no answer ${set}`, true),
        answerMs,
      )
    }

    function settle() {
      over = true
      clearTimeout(total)
      clearTimeout(phase)
      clearTimeout(trickle)
      signal.removeEventListener('abort', interrupted)
    }

    function end(failure: Failure) {
      if (over) return
      settle()
      controller?.abort(failure)
      if (body) body.destroy(failure)
      else reject(failure)
    }

    /** A reader that is slow itself has read more by then. */
    function watchTrickle({ least }: Limits) {
      if (!least || trickle) return
      trickle = setTimeout(() => {
        if (received < least.bytes)
          late(`only ${received} bytes of the body came in ${span(least.ms)}`, true)
      }, least.ms)
    }

    function arriving() {
      // A file that is made while it is sent: its head comes at once, its first byte is still waited for.
      if (limits.answerLimit && received === 0) return
      within(limits.idleMs, 'nothing more of the body came within')
    }

    const handler: Handler = {
      onRequestStart(started) {
        controller = started
        // ended while the connection was made: nothing is written then
        if (over) return started.abort(new Error('ended before it was sent'))
        stage = 'asked'
        sent()
        waiting(limits)
      },
      onResponseStart(_, status, headers) {
        if (over || status < 200) return
        stage = 'answering'
        closes = isLast(headers)
        body = new Readable({
          highWaterMark: 256 * 1024,
          read() {
            if (!controller?.paused || over) return
            arriving()
            controller.resume()
          },
          destroy(error, done) {
            if (!over) {
              settle()
              controller?.abort(error ?? new Error('not read to its end'))
            }
            done(error)
          },
        })
        // whoever reads it hears of an error; nobody yet must not mean an uncaught one
        body.on('error', () => {})
        arriving()
        resolve({ head: { status, headers: joined(headers) }, body })
      },
      onResponseData(_, chunk) {
        if (over || !body) return
        watchTrickle(limits)
        received += chunk.length
        if (received > limits.maxBytes) return end(tooLarge(limits.maxBytes))
        arriving()
        if (body.push(chunk) || closes || body.readableLength < mostAhead) return
        // the reader is slow now, not the service
        clearTimeout(phase)
        controller?.pause()
      },
      onResponseEnd() {
        if (over) return
        settle()
        body?.push(null)
      },
      onResponseError(_, error) {
        end(failureOf(error, stage, request.proxied))
      },
    }

    if (signal.aborted) return interrupted()
    signal.addEventListener('abort', interrupted, { once: true })
    within(limits.connectMs, 'no connection within')
    try {
      way.dispatch({ ...request.options, headersTimeout: 0, bodyTimeout: 0 }, handler)
    } catch (error) {
      end(failureOf(error, stage, request.proxied))
    }
  })
}

/** The failure of an answer that goes over the limit. */
export function tooLarge(limit: number): Failure {
  const kind = { lasting: true, transport: false } as const
  return new Failure(`the answer is larger than ${megabytes(limit)}`, 'answering', kind)
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
