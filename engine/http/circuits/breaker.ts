import { Trouble } from '../../outcome.ts'
import { orAborted, pause } from '../../time/abort.ts'
import { clock } from '../../time/timers.ts'

const everyMs = 1000
/** Many restarts take as long. */
const firstProbeMs = 15_000
/** How long requests fail at once after that; doubled each time. */
const coolDownMs = 5000
const goneMs = 60_000

/**
 * Spares a service that stopped answering: after `threshold` failures in a row, one probe asks for all
 * requests.
 */
export function openBreaker({
  probe,
  signal: life,
  threshold = 5,
}: {
  probe: () => Promise<boolean>
  signal: AbortSignal
  threshold?: number
}) {
  let failures = 0
  let since = new Date(clock.date())
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
    const began = clock.date()
    do {
      await pause(everyMs, life).catch(() => {})
      // A request that was still under way may have closed it.
      if (!life.aborted && open && (await probe().catch(() => false))) close()
    } while (!life.aborted && open && clock.date() - began < wholeMs)
    const isGone = clock.date() - openedAt >= goneMs
    if (open) quietUntil = isGone ? Number.POSITIVE_INFINITY : clock.date() + quietMs
    quietMs *= 2
    probing = undefined
  }

  return {
    get closed() {
      return !open
    },
    async admit(signal: AbortSignal) {
      signal.throwIfAborted()
      if (!open) return
      if (!probing && (quietUntil === undefined || clock.date() >= quietUntil))
        probing = probeFor(quietUntil === undefined ? firstProbeMs : 0)
      if (probing) await orAborted(probing, signal)
      if (open)
        throw new Trouble(
          `the service stopped responding at ${since.toISOString().slice(11, 19)} UTC (${reason})`,
        )
    },
    succeeded: close,
    failed(why: string) {
      if (failures === 0) since = new Date(clock.date())
      failures++
      reason = why
      if (failures < threshold || open) return
      open = true
      openedAt = clock.date()
    },
  }
}
