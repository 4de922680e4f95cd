import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { Trouble } from '../outcome.ts'
import { pause } from '../time/abort.ts'
import { entered } from '../time/entering.ts'
import { clock } from '../time/timers.ts'
import { type Limits, limitsFor, openAgent } from './agent.ts'
import type { Answer, Ask, Client, ClientOptions, Head, Reader, Recorder, Sink } from './ask.ts'
import { attemptOnce } from './attempt.ts'
import { openBreaker } from './circuits/breaker.ts'
import { type Place, watchLoad } from './circuits/load.ts'
import { type Kind, type Turn, watchSilences } from './circuits/silence.ts'
import type { ClientSettings } from './client-settings.ts'
import type { Failure } from './failure.ts'
import { FateUnknown } from './fate-unknown.ts'
import { createRedaction, type Outgoing, outgoing } from './outgoing.ts'
import { openPace, type Slot } from './pace.ts'
import { throughRecord } from './record/through-record.ts'
import { decide, type Happening, isGateway, isTryAgain, seededRandom } from './retry.ts'
import { overSockets } from './transport.ts'

export type { Answer, Ask, Client, ClientOptions, Downloaded, Head, Recorder, Sink } from './ask.ts'

type Plan<T> = {
  ask: Ask
  request: Outgoing
  kind: Kind
  limits: Limits
  keepFiles?: string | undefined
  reader: Reader<T>
  record: Recorder
  own: AbortController
  signal: AbortSignal
}

/** Opens the one client of a run: all clauses share its pace, limits and circuits. */
export function openClient(settings: ClientSettings, options: ClientOptions = {}): Client {
  const transport = settings.transport ?? overSockets(openAgent(settings))
  const pace = openPace(settings)
  const redaction = createRedaction(settings)
  const random = seededRandom(settings.seed)
  const life = new AbortController()
  const { tellsSoon, stop } = options
  const threshold = tellsSoon ? Number.POSITIVE_INFINITY : undefined
  const breaker = openBreaker({ probe, signal: life.signal, threshold })
  const silences = watchSilences()
  const load = watchLoad()
  let requests = 0

  const interrupt = () => life.abort(new Trouble(reasonOf(stop)))
  stop?.addEventListener('abort', interrupt, { once: true })
  if (stop?.aborted) interrupt()

  function planFor<T>(ask: Ask, record: Recorder | undefined, reader: Reader<T>, bulk = false) {
    const own = new AbortController()
    const isFile = bulk || ask.exported === true
    return {
      ask,
      request: outgoing(ask, settings, redaction),
      kind: { name: ask.kind ?? `${ask.method} requests`, isFile },
      limits: limitsFor(ask, settings, bulk),
      keepFiles: settings.keepFiles,
      reader,
      record: record ?? options.record ?? (() => {}),
      own,
      signal: AbortSignal.any([life.signal, own.signal]),
    }
  }

  async function untilAnswered<T>(plan: Plan<T>, taken?: Slot) {
    const { request, signal, ask } = plan
    const { retries } = ask
    const { repeatable, toService } = request
    signal.throwIfAborted()
    if (ask.behindMs) await pause(ask.behindMs, signal)
    let alone = false
    for (let attempt = 1; ; attempt++) {
      const ready = clock.now()
      const { slot, turn, place } = await admitted(plan, attempt === 1 ? taken : undefined, alone)
      const heldMs = Math.round(clock.now() - ready)
      const outcome = await once(plan, attempt, slot, turn, heldMs).finally(slot)
      const { head, failure, thrown, number } = outcome
      if (failure?.silent) place?.(Number.POSITIVE_INFINITY)
      else place?.(head && head.status < 300 ? outcome.milliseconds : undefined)
      // A service may work on one request at a time: then only a timeout of one that was alone
      // counts.
      const mayQueue = plan.kind.isFile || !head
      const isCrowded = failure?.silent === true && place?.isAlone === false && mayQueue
      const hung = failure?.silent ? `${plan.kind.name}: ` : ''
      alone ||= isCrowded
      if (failure?.silent && !isCrowded) turn?.unanswered(failure.message)
      else if (failure) turn?.left()
      else turn?.answered()
      if (thrown) throw thrown.error

      const told = { repeatable, attempt, retries, tellsSoon }
      const happening = failure ? toldOf(failure, isCrowded) : (head as Head)
      const decision = decide(happening, { ...told, random: random(), now: clock.date() })
      const givesUp = decision.next === 'give up'
      if (failure && signal.aborted)
        throw givesUp && decision.fateUnknown ? givenUp(request, decision) : signal.reason
      if (toService && head) pace.answered(head.status === 429 && retries !== false)
      if (decision.next === 'retry') {
        if (toService && failure?.transport) breaker.failed(`${hung}${failure.message}`)
        await pause(decision.waitMs, signal)
        continue
      }
      const isReached = failure ? !failure.transport : !isGateway((head as Head).status) && !givesUp
      if (toService && isReached) breaker.succeeded()
      if (givesUp) {
        if (toService && !isReached) breaker.failed(`${hung}${decision.why}`)
        const { status } = head ?? {}
        throw Object.assign(givenUp(request, decision), {
          status,
          exchange: number,
          cause: failure,
        })
      }
      const { method, body } = request.options
      const { milliseconds, bytes, result } = outcome
      const asked = { exchange: number, method, path: request.shown.path }
      const sent = typeof body === 'string' ? { sent: body } : {}
      const facts = { ...asked, ...(head as Head), ...sent, attempts: attempt, milliseconds }
      return { facts, bytesRead: bytes, result: result as T }
    }
  }

  /** Requests to another address are few: its silence does not count. */
  async function admitted(
    { kind, ask, request, own, limits, signal }: Plan<unknown>,
    taken: Slot | undefined,
    alone: boolean,
  ) {
    const { toService } = request
    const { answerMs } = limits
    for (;;) {
      if (toService && !taken) await breaker.admit(signal)
      const end = (why: Trouble) => own.abort(why)
      const turn = toService ? await silences.take(kind, end, signal) : undefined
      let place: Place | undefined
      try {
        if (toService && !taken) place = await load.take(kind, answerMs, signal, alone)
        const slot = taken ?? ((await pace.take(1, signal, ask.ahead))[0] as Slot)
        if (taken || breaker.closed || !toService) return { slot, turn, place }
        slot()
      } catch (error) {
        place?.()
        turn?.left()
        throw error
      }
      place?.()
      turn?.left()
    }
  }

  async function once<T>(plan: Plan<T>, attempt: number, slot: Slot, turn?: Turn, heldMs = 0) {
    requests++
    const number = (options.last ?? 0) + requests
    options.onRequest?.()
    const way = throughRecord(plan.ask.via ? overSockets(plan.ask.via) : transport, plan.request)
    const outcome = await attemptOnce<T | undefined>(way, plan, attempt, slot.sent, (status) => {
      turn?.headed()
      // The text of "try again later" is for the record, not for the reader of an export.
      return plan.ask.retries !== false && isTryAgain(status) ? drain : plan.reader
    })
    if (outcome.head) options.onAnswer?.(plan.kind.name)
    plan.record({ number, ...outcome.exchange, ...(heldMs > 0 && { heldMs }) })
    return { ...outcome, number }
  }

  async function probe(): Promise<boolean> {
    const look = planFor({ method: 'GET', path: '' }, undefined, drain)
    const [slot] = (await pace.take(1, life.signal)) as [Slot]
    const { head, failure } = await once(look, 1, slot).finally(slot)
    // An answer that begins and never ends does not count.
    return head !== undefined && !failure && !isTryAgain(head.status)
  }

  async function ask(asked: Ask, record?: Recorder, taken?: Slot): Promise<Answer> {
    try {
      const { facts, result: bytes } = await untilAnswered(planFor(asked, record, whole), taken)
      return { ...facts, bytes, text: new TextDecoder().decode(bytes), validUtf8: isUtf8(bytes) }
    } finally {
      taken?.()
    }
  }

  return {
    ask: (asked, record) => ask(asked, record),
    async download<T>(asked: Ask, record: Recorder | undefined, sink: Sink<T>) {
      const reader: Reader<T> = (body, head) =>
        sink(
          Readable.from(body, { objectMode: false }).on('error', () => {}),
          head,
        )
      const done = await untilAnswered(planFor(asked, record, reader, true))
      return { answer: { ...done.facts, bytesRead: done.bytesRead }, result: done.result }
    },
    async together(asks, record) {
      await breaker.admit(life.signal)
      const [plan] = asks.map((one) => planFor(one, record, whole))
      const most = plan ? load.most(plan.kind, plan.limits.answerMs) : 0
      const slots = await pace.take(
        Math.min(asks.length, Math.max(2, most)),
        life.signal,
        asks[0]?.ahead,
      )
      return Promise.allSettled(asks.map((one, place) => ask(one, record, slots[place])))
    },
    get requests() {
      return requests
    },
    async close() {
      stop?.removeEventListener('abort', interrupt)
      life.abort(new Trouble('the client was closed'))
      await entered('closed', () => transport.close())
    },
  }
}

/** Alone, a request that others delayed may be answered in time. */
const toldOf = ({ message, sent, silent, lasting }: Failure, isCrowded: boolean): Happening => ({
  ...{ message, sent, silent },
  lasting: lasting && !isCrowded,
})

/** A Node stream in between would take as long as the rest of an attempt. */
async function whole(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function drain(body: AsyncIterable<Buffer>): Promise<undefined> {
  for await (const _ of body);
}

function givenUp(
  { options, shown, redact }: Outgoing,
  { why, fateUnknown }: { why: string; fateUnknown: boolean },
): Trouble {
  const message = `${options.method} ${shown.path}: ${redact(why)}`
  return fateUnknown ? new FateUnknown(message) : new Trouble(message)
}

const reasonOf = (stop: AbortSignal | undefined): string =>
  stop?.reason instanceof Trouble ? stop.reason.message : 'the run was interrupted'
