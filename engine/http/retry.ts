import type { Head } from './ask.ts'
import type { Failure } from './failure.ts'

/** An answer, or why none came. */
export type Happening = Head | Pick<Failure, 'message' | 'sent' | 'lasting' | 'silent'>

export type Decision =
  | { next: 'done' }
  | { next: 'retry'; waitMs: number }
  | { next: 'give up'; why: string; fateUnknown: boolean }

export type Situation = {
  /** may be sent twice without harm */
  repeatable: boolean
  /** counted from 1 */
  attempt: number
  /** false: the first answer is given whatever it is */
  retries?: false
  /** true: a service that nobody listens for is given up as soon as any other */
  tellsSoon?: true | undefined
  /** 0 up to 1 */
  random: number
  /** milliseconds, as Date.now() has them */
  now: number
}

const mostAttempts = 3
/** Where nobody listens it is known at once, and it may be a restart: the circuit decides on that. */
const mostWhenUnsent = 6
/** Who says "slow down" is alive: patience pays off. */
const mostWhenTooMany = 8
const longestWaitMs = 10_000
const longestBackoffMs = 2000

/** Decides what follows on one attempt; knows no clock and no chance but those it is given. */
export function decide(happening: Happening, situation: Situation): Decision {
  const { repeatable, attempt, retries, random } = situation
  const giveUp = (why: string, fateUnknown = false): Decision => ({
    next: 'give up',
    why: fateUnknown ? `${why}; it may have been carried out` : why,
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
  const why = `answered ${status}`
  // 503 and 429 are refusals; behind 502 and 504 the service may well have done its work
  if (!repeatable && (status === 502 || status === 504)) return giveUp(why, true)
  const decision = again(status === 429 ? mostWhenTooMany : mostAttempts, why)
  const asked = retryAfterMs(headers['retry-after'], situation.now)
  if (decision.next !== 'retry' || asked === undefined) return decision
  if (asked > longestWaitMs)
    return giveUp(
      `${why} and asks to wait ${Math.ceil(asked / 1000)} s, longer than ${longestWaitMs / 1000} s`,
    )
  // Later than asked, by up to a second: a limit counted by the second would refuse those whom it sent away at
  // its end at the end of the next second too.
  const spread = Math.min(1000, Math.max(100, asked))
  return { next: 'retry', waitMs: asked + Math.round(spread * random) }
}

/** Tells whether a status is no answer to the question, but the advice to ask again. */
export function isTryAgain(status: number): boolean {
  return status === 429 || isGateway(status)
}

/** Tells whether a status speaks of something between us and the service, or of its absence. */
export function isGateway(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}

/** A small source of chance that a seed replays. */
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
  // only what looks like an HTTP date: Date.parse takes "-1" for a year
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
