import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Trouble } from '../outcome.ts'
import { pause } from '../time/abort.ts'
import { openAgent } from './agent.ts'
import type { Answer, Ask, Client, ClientOptions, Head, Recorder, Sink } from './ask.ts'
import { attemptOnce, type Outcome } from './attempt.ts'
import { openBreaker } from './circuits/breaker.ts'
import { type Kind, type Turn, watchSilences } from './circuits/silence.ts'
import type { ClientSettings } from './client-settings.ts'
import type { Exchange } from './exchange.ts'
import { FateUnknown } from './fate-unknown.ts'
import { type Limits, limitsFor } from './limits.ts'
import { createRedaction, type Outgoing, outgoing } from './outgoing.ts'
import { openPace, type Slot } from './pace.ts'
import { decide, isGateway, isTryAgain, seededRandom } from './retry.ts'

export type { Answer, Ask, Client, ClientOptions, Downloaded, Head, Recorder, Sink } from './ask.ts'

type Plan<T> = {
  ask: Ask
  kind: Kind
  limits: Limits
  /** the body of a good answer is not for reports */
  secretive: boolean
  sink: Sink<T>
  record: Recorder
}
type Numbered<T> = Outcome<T> & { exchange: Exchange }
type Sending = { attempt: number; signal: AbortSignal; slot: Slot; turn?: Turn }
type Done<T> = {
  request: Outgoing
  head: Head
  result: T
  outcome: Outcome<unknown>
  exchange: number
  attempts: number
}

/** Opens the one client of a run: pace, patience and circuit are shared by all its clauses. */
export function openClient(settings: ClientSettings, options: ClientOptions = {}): Client {
  const agent = openAgent(settings)
  const pace = openPace(settings)
  const redaction = createRedaction(settings)
  const random = seededRandom(settings.seed)
  const life = new AbortController()
  const { tellsSoon } = options
  const threshold = tellsSoon ? Number.POSITIVE_INFINITY : undefined
  const breaker = openBreaker({ probe, signal: life.signal, threshold })
  const silences = watchSilences()
  const underWay = new Set<AbortController>()
  let requests = 0

  const interrupt = () => endAll(reasonOf(options.stop))
  options.stop?.addEventListener('abort', interrupt, { once: true })
  if (options.stop?.aborted) interrupt()

  function endAll(why: string) {
    life.abort(new Trouble(why))
    for (const one of underWay) one.abort(new Trouble(why))
  }

  function planFor<T>(
    ask: Ask,
    record: Recorder | undefined,
    sink: Sink<T>,
    bulk = false,
  ): Plan<T> {
    const isFile = bulk || ask.exported === true
    const limits = limitsFor(ask, settings, bulk)
    const kind = { name: ask.kind ?? `${ask.method} requests`, isFile }
    const heard = record ?? options.record ?? (() => {})
    return { ask, kind, limits, secretive: isFile, sink, record: heard }
  }

  async function carryOut<T>(plan: Plan<T>, taken?: Slot): Promise<Done<T>> {
    // a short-lived signal for each request: on that of the run listeners would pile up
    const own = new AbortController()
    const given = plan.ask.signal
    const cancel = () => own.abort(new Trouble('the request was cancelled'))
    given?.addEventListener('abort', cancel, { once: true })
    underWay.add(own)
    try {
      if (life.signal.aborted) throw new Trouble(life.signal.reason.message)
      if (given?.aborted) cancel()
      if (plan.ask.behindMs) await pause(plan.ask.behindMs, own.signal)
      return await untilAnswered(plan, own, taken)
    } finally {
      taken?.()
      underWay.delete(own)
      given?.removeEventListener('abort', cancel)
    }
  }

  async function untilAnswered<T>(plan: Plan<T>, own: AbortController, taken?: Slot) {
    const { signal } = own
    const { retries } = plan.ask
    const request = outgoing(plan.ask, settings, redaction)
    const { repeatable, toService } = request
    for (let attempt = 1; ; attempt++) {
      const given = attempt === 1 ? taken : undefined
      const { slot, turn } = await admitted(plan, toService, own, given)
      const outcome = await once(plan, request, { attempt, signal, slot, turn }).finally(slot)
      const { head, failure, thrown } = outcome
      if (failure?.silent) turn.unanswered(failure.message)
      else if (head && !failure) turn.answered()
      else turn.left()
      if (thrown) throw thrown.error
      if (signal.aborted && failure) throw ended(request, signal.reason, failure.sent)

      const said = { repeatable, attempt, retries, tellsSoon }
      const situation = { ...said, random: random(), now: Date.now() }
      const decision = decide(happening(outcome), situation)
      if (toService && head) pace.answered(head.status === 429 && retries !== false)
      const turnedAway = isGateway(head?.status ?? 0) || decision.next === 'give up'
      const unreached = failure ? failure.transport : turnedAway
      if (decision.next === 'retry') {
        if (toService && failure?.transport) breaker.failed(failure.message)
        await pause(decision.waitMs, signal)
        continue
      }
      if (toService && !unreached) breaker.succeeded()
      if (decision.next === 'done' && head)
        return {
          request,
          head,
          result: outcome.result as T,
          outcome,
          exchange: outcome.exchange.number,
          attempts: attempt,
        }
      const why = decision.next === 'give up' ? decision.why : 'no answer'
      if (toService && unreached) breaker.failed(why)
      const trouble = givenUp(request, why, decision.next === 'give up' && decision.fateUnknown)
      trouble.tooMany = head?.status === 429
      trouble.exchange = outcome.exchange.number
      throw trouble
    }
  }

  /** Another address may be as silent as it likes: few requests go there. */
  async function admitted(
    { kind, ask }: Pick<Plan<unknown>, 'kind' | 'ask'>,
    toService: boolean,
    own: AbortController,
    taken?: Slot,
  ) {
    const { signal } = own
    for (;;) {
      if (toService && !taken) await breaker.admit(signal)
      const turn = toService ? await silences.take(kind, (why) => own.abort(why), signal) : noTurn
      try {
        const slot = taken ?? ((await pace.take(1, signal, ask.ahead))[0] as Slot)
        // the circuit may have opened while this one stood in line
        if (taken || breaker.closed || !toService) return { slot, turn }
        slot()
      } catch (error) {
        turn.left()
        throw error
      }
      turn.left()
    }
  }

  async function once<T>(
    { ask, limits, secretive, sink, record }: Plan<T>,
    request: Outgoing,
    { attempt, signal, slot, turn = noTurn }: Sending,
  ): Promise<Numbered<T | undefined>> {
    requests++
    const number = (options.last ?? 0) + requests
    options.onRequest?.()
    const details = { limits, attempt, secretive, sent: slot.sent }
    const outcome = await attemptOnce<T | undefined>(
      ask.via ?? agent,
      request,
      details,
      signal,
      ({ status }) => {
        turn.headed()
        // the words of "try again later" are for the record, not for the reader of an export
        return ask.retries !== false && isTryAgain(status) ? drain : sink
      },
    )
    const exchange: Exchange = { number, ...outcome.exchange }
    record(exchange)
    return { ...outcome, exchange }
  }

  async function probe(): Promise<boolean> {
    const look = planFor({ method: 'GET', path: '' }, undefined, drain)
    const [slot] = (await pace.take(1, life.signal)) as [Slot]
    const request = outgoing(look.ask, settings, redaction)
    const sending = { attempt: 1, signal: life.signal, slot }
    const { head } = await once(look, request, sending).finally(slot)
    return head !== undefined && !isTryAgain(head.status)
  }

  async function ask(asked: Ask, record?: Recorder, taken?: Slot): Promise<Answer> {
    const done = await carryOut(planFor(asked, record, buffer), taken)
    const bytes = done.result
    const text = new TextDecoder().decode(bytes)
    return { ...facts(done), bytes, text, validUtf8: isUtf8(bytes) }
  }

  return {
    ask: (asked, record) => ask(asked, record),
    async download(asked, record, sink) {
      const done = await carryOut(planFor(asked, record, sink, true))
      return { answer: { ...facts(done), bytesRead: done.outcome.bytes }, result: done.result }
    },
    async together(asks, record) {
      await breaker.admit(life.signal)
      const slots = await pace.take(asks.length, life.signal, asks[0]?.ahead)
      return Promise.allSettled(asks.map((one, place) => ask(one, record, slots[place])))
    },
    get requests() {
      return requests
    },
    async close() {
      options.stop?.removeEventListener('abort', interrupt)
      endAll('the client was closed')
      await agent.destroy()
    },
  }
}

/** Reads a body for the record alone. */
async function drain(body: Readable): Promise<undefined> {
  for await (const _ of body);
}

const noTurn: Turn = { headed() {}, answered() {}, unanswered() {}, left() {} }

function happening({ head, failure }: Outcome<unknown>) {
  if (failure) {
    const { message, sent, lasting, silent } = failure
    return { failure: message, sent, lasting, silent }
  }
  return { status: head?.status ?? 0, retryAfter: head?.headers['retry-after'] }
}

function facts<T>({ request, head, attempts, outcome, exchange }: Done<T>) {
  const { method } = request.options
  const { milliseconds } = outcome
  const { body } = request.options
  const sent = typeof body === 'string' ? { sent: body } : {}
  return { exchange, method, path: request.shown.path, ...head, ...sent, attempts, milliseconds }
}

function givenUp(request: Outgoing, why: string, fateUnknown: boolean): Trouble {
  const message = `${request.options.method} ${request.shown.path}: ${request.redact(why)}`
  return fateUnknown ? new FateUnknown(message) : new Trouble(message)
}

function ended(request: Outgoing, reason: Trouble, sent: boolean | 'unknown'): Trouble {
  if (request.repeatable || sent === false) return reason
  return givenUp(request, `${reason.message}; it may have been carried out`, true)
}

/** The run says why it ends where it can. */
const reasonOf = (stop: AbortSignal | undefined): string =>
  stop?.reason instanceof Trouble ? stop.reason.message : 'the run was interrupted'
