// How likely a single run notices that another update can come between the version check and the
// write.
import { onTheWay } from '../proofs/bent/around.ts'
import { after } from '../simulated/time.ts'
import { placeHere, type TravelMs } from '../simulated/transport.ts'
import type { Target } from './targets.ts'

const roundTripsMs = [1, 20, 100]
const windowsMs = [0.1, 1, 5, 20, 50]

/** Simultaneous requests leave one after another, this far apart on a loopback. */
const apartMs = 0.15
/** A connection is closed after this idle time. */
const keptMs = 4_000

/** Half the round trip plus a random delay: most are short, a few are long. */
function distant(roundTripMs: number): TravelMs {
  const meanMs = 0.1 + 0.02 * roundTripMs
  let left = 0
  return (part, random) => {
    // The body of an update comes with its head.
    if (part === 'body') return 0
    const wayMs = roundTripMs / 2 - meanMs * Math.log(1 - random())
    if (part === 'answer') return wayMs
    const now = performance.now()
    left = Math.max(now, left + apartMs)
    return left - now + wayMs
  }
}

/** Each request under way has its own connection, which takes two round trips to open. */
const overConnections = (roundTripMs: number) =>
  onTheWay((send) => {
    let idle: number[] = []
    return async (asked, signal, started) => {
      const now = performance.now()
      idle = idle.filter((since) => since > now - keptMs)
      if (idle.pop() === undefined) await passing(2 * roundTripMs)
      const answer = await send(asked, signal, started)
      idle.push(performance.now())
      return answer
    }
  })

const passing = (ms: number) => new Promise<void>((resolve) => after(ms, resolve))

/** The clauses that send updates at once. */
const ableToNotice = ['version.one-winner', 'version.history']

/** A service with this gap between check and write, at this distance: one for each cell of the table. */
export const cells: Target[] = windowsMs.flatMap((windowMs) =>
  roundTripsMs.map((roundTripMs) => ({
    name: `a window of ${windowMs} ms at a round trip of ${roundTripMs} ms`,
    by: ableToNotice,
    breaks: ableToNotice,
    bent: (schedule) => ({
      events: 100,
      stated: { betweenCheckAndWrite: () => passing(windowMs) },
      front: () => overConnections(roundTripMs)(placeHere(schedule, distant(roundTripMs))),
    }),
  })),
)
