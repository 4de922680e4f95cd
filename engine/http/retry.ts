import type { Head } from './ask.ts'
import type { Failure } from './failure.ts'

export type Happening = Head | Pick<Failure, 'message' | 'sent' | 'lasting' | 'silent'>

type Decision =
  | { next: 'done' }
  | { next: 'retry'; waitMs: number }
  | { next: 'give up'; why: string; fateUnknown: boolean }

type Situation = {
  repeatable: boolean
  attempt: number
  retries?: false
  tellsSoon?: true | undefined
  random: number
  now: number
}

const mostAttempts = 3
/** A refused connection shows at once and may be a restart; the breaker decides on that. */
const mostWhenUnsent = 6
/** A service that answers "slow down" is alive: waiting helps. */
const mostWhenTooMany = 8
const longestWaitMs = 10_000
const longestBackoffMs = 2000

export function decide(happening: Happening, situation: Situation): Decision {
  const { repeatable, attempt, retries, random } = situation
  const giveUp = (why: string, fateUnknown = false): Decision => ({
    next: 'give up',
    why: fateUnknown ? `${why}; it may have been accepted` : why,
    fateUnknown,
  })
  const backoff = Math.min(longestBackoffMs, 200 * 2 ** (attempt - 1)) * (0.75 + random / 2)
  const again = (most: number, why: string): Decision =>
    attempt < most
      ? { next: 'retry', waitMs: Math.round(backoff) }
      : giveUp(attempt > 1 ? `${why} (${attempt} attempts)` : why)

  if ('message' in happening) {
    const { message, sent, lasting, silent } = happening
    if (!repeatable && sent !== false) return giveUp(message, true)
    if (lasting || retries === false) return again(0, message)
    const isPatient = sent === false && !silent && !situation.tellsSoon
    return again(isPatient ? mostWhenUnsent : mostAttempts, message)
  }
  const { status, headers } = happening
  if (!isTryAgain(status) || retries === false) return { next: 'done' }
  const why = `responded ${status}`
  // After 503 and 429 the service did nothing. Behind 502 and 504 it may have done the work.
  if (!repeatable && (status === 502 || status === 504)) return giveUp(why, true)
  const decision = again(status === 429 ? mostWhenTooMany : mostAttempts, why)
  const asked = retryAfterMs(headers['retry-after'], situation.now)
  if (decision.next !== 'retry' || asked === undefined) return decision
  if (asked > longestWaitMs)
    return giveUp(
      `${why} and asks to wait ${Math.ceil(asked / 1000)} s, longer than ${longestWaitMs / 1000} s`,
    )
  // Up to a second later than asked: a limit per whole second would reject all retries at once again.
  const spread = Math.min(1000, Math.max(100, asked))
  return { next: 'retry', waitMs: asked + Math.round(spread * random) }
}

export function isTryAgain(status: number): boolean {
  return status === 429 || isGateway(status)
}

/** Whether a status comes from a gateway or means that the service is absent. */
export function isGateway(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}

export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  // Require an HTTP date: Date.parse reads "-1" as a year.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
