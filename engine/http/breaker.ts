import { Trouble } from '../outcome.ts'
import { orAborted, pause } from '../time/abort.ts'

export type Breaker = {
  /** lets a request pass, has it wait for a probe, or turns it away with Trouble */
  admit(signal: AbortSignal): Promise<void>
  /** no request has to wait now */
  readonly closed: boolean
  succeeded(): void
  /** a request was given up for want of an answer */
  failed(why: string): void
}

type Options = {
  /** asks the service once; resolves with whether it answered */
  probe: () => Promise<boolean>
  /** ends the probing */
  signal: AbortSignal
  threshold?: number
  rounds?: number
  everyMs?: number
  coolDownMs?: number
}

/**
 * Spares a service that stopped answering, and the reader a report full of timeouts: after so many
 * failures in a row one probe at a time asks for everybody.
 */
export function openBreaker(options: Options): Breaker {
  const {
    probe,
    signal: life,
    threshold = 5,
    rounds = 3,
    everyMs = 1000,
    coolDownMs = 5000,
  } = options
  let failures = 0
  let since = new Date()
  let reason = ''
  let open = false
  let probing: Promise<void> | undefined
  let quietUntil: number | undefined

  function close() {
    failures = 0
    open = false
    quietUntil = undefined
  }

  async function probeFor(times: number) {
    for (let round = 0; round < times && open; round++) {
      await pause(everyMs, life).catch(() => {})
      if (life.aborted) break
      // an answer to a request that was still on its way may have closed it meanwhile
      if (open && (await probe().catch(() => false))) close()
    }
    if (open) quietUntil = Date.now() + coolDownMs
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
        probing = probeFor(quietUntil === undefined ? rounds : 1)
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
      if (failures >= threshold) open = true
    },
  }
}
