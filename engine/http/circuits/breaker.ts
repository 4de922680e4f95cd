import { Trouble } from '../../outcome.ts'
import { orAborted, pause } from '../../time/abort.ts'

export type Breaker = {
  /** lets a request pass, has it wait for a probe, or turns it away with Trouble */
  admit(signal: AbortSignal): Promise<void>
  /** no request has to wait now */
  readonly closed: boolean
  succeeded(): void
  /** an attempt brought no answer */
  failed(why: string): void
}

type Options = {
  /** asks the service once; resolves with whether it answered */
  probe: () => Promise<boolean>
  /** ends the probing */
  signal: AbortSignal
  threshold?: number
  everyMs?: number
  /** how long everybody waits for it: as long as many a restart takes */
  patienceMs?: number
  /** how long requests are turned away after that; twice as long each time */
  coolDownMs?: number
  /** after this long without an answer it is not looked for any more */
  goneMs?: number
}

/**
 * Spares a service that stopped answering, and the reader a report full of timeouts: after so many
 * failures in a row one probe at a time asks for everybody, less and less often.
 */
export function openBreaker(options: Options): Breaker {
  const {
    probe,
    signal: life,
    threshold = 5,
    everyMs = 1000,
    patienceMs = 15_000,
    coolDownMs = 5000,
    goneMs = 60_000,
  } = options
  let failures = 0
  let since = new Date()
  let openedAt = 0
  let quietMs = coolDownMs
  let reason = ''
  let open = false
  let probing: Promise<void> | undefined
  let quietUntil: number | undefined

  function close() {
    failures = 0
    open = false
    quietUntil = undefined
    quietMs = coolDownMs
  }

  async function probeFor(wholeMs: number) {
    const began = Date.now()
    for (let round = 0; open && (round === 0 || Date.now() - began < wholeMs); round++) {
      await pause(everyMs, life).catch(() => {})
      if (life.aborted) break
      // an answer to a request that was still on its way may have closed it meanwhile
      if (open && (await probe().catch(() => false))) close()
    }
    const isGone = Date.now() - openedAt >= goneMs
    if (open) quietUntil = isGone ? Number.POSITIVE_INFINITY : Date.now() + quietMs
    quietMs *= 2
    probing = undefined
  }

  return {
    get closed() {
      return !open
    },
    async admit(signal) {
      signal.throwIfAborted()
      if (!open) return
      if (!probing && (quietUntil === undefined || Date.now() >= quietUntil))
        probing = probeFor(quietUntil === undefined ? patienceMs : 0)
      if (probing) await orAborted(probing, signal)
      if (open)
        throw new Trouble(
          `the service stopped answering at ${since.toISOString().slice(11, 19)} UTC (${reason})`,
        )
    },
    succeeded: close,
    failed(why) {
      if (failures === 0) since = new Date()
      failures++
      reason = why
      if (failures < threshold || open) return
      open = true
      openedAt = Date.now()
    },
  }
}
