export type Happening =
  /** `lasting`: a further attempt would end the same way */
  | { failure: string; sent: boolean | 'unknown'; lasting: boolean; silent?: boolean }
  | { status: number; retryAfter: string | undefined }

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

const mayHaveBeenCarriedOut = 'it may have been carried out'

/** Decides what follows on one attempt; knows no clock and no chance but those it is given. */
export function decide(happening: Happening, situation: Situation): Decision {
  return 'status' in happening
    ? afterAnswer(happening, situation)
    : afterFailure(happening, situation)
}

function afterFailure(
  { failure, sent, lasting, silent = false }: Extract<Happening, { failure: string }>,
  situation: Situation,
): Decision {
  if (!situation.repeatable && sent !== false)
    return { next: 'give up', why: `${failure}; ${mayHaveBeenCarriedOut}`, fateUnknown: true }
  const isPatient = sent === false && !silent && !situation.tellsSoon
  const most = isPatient ? mostWhenUnsent : mostAttempts
  const last = lasting || situation.retries === false || situation.attempt >= most
  if (!last) return { next: 'retry', waitMs: backoff(situation) }
  return { next: 'give up', why: failure + attempts(situation.attempt), fateUnknown: false }
}

function afterAnswer(
  { status, retryAfter }: Extract<Happening, { status: number }>,
  situation: Situation,
): Decision {
  const tooMany = status === 429
  if (!isTryAgain(status) || situation.retries === false) return { next: 'done' }
  // 503 and 429 are refusals; behind 502 and 504 the service may well have done its work
  if (!situation.repeatable && (status === 502 || status === 504))
    return {
      next: 'give up',
      why: `answered ${status}; ${mayHaveBeenCarriedOut}`,
      fateUnknown: true,
    }
  const why = `answered ${status}`
  if (situation.attempt >= (tooMany ? mostWhenTooMany : mostAttempts))
    return { next: 'give up', why: why + attempts(situation.attempt), fateUnknown: false }
  const asked = retryAfterMs(retryAfter, situation.now)
  if (asked === undefined) return { next: 'retry', waitMs: backoff(situation) }
  if (asked > longestWaitMs) {
    const wait = `and asks to wait ${Math.ceil(asked / 1000)} s, longer than ${longestWaitMs / 1000} s`
    return { next: 'give up', why: `${why} ${wait}`, fateUnknown: false }
  }
  // a little later than asked, so that those who were sent away together do not return together
  return { next: 'retry', waitMs: asked + Math.round(100 * situation.random) }
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

function backoff({ attempt, random }: Situation): number {
  return Math.round(Math.min(longestBackoffMs, 200 * 2 ** (attempt - 1)) * (0.75 + random / 2))
}

function attempts(count: number): string {
  return count > 1 ? ` (${count} attempts)` : ''
}
