// How likely a single run notices that another update can come between the version check and the
// write.
import type { Place } from '../../program/stand-in/embedded.ts'
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
function overConnections({ transport, listenTo }: Place, roundTripMs: number): Place {
  if (!transport) throw new Error('connections are counted where no sockets are used')
  let idle: number[] = []
  const open = async () => {
    const now = performance.now()
    idle = idle.filter((since) => since > now - keptMs)
    if (idle.pop() === undefined)
      await new Promise<void>((resolve) => after(2 * roundTripMs, resolve))
  }
  return {
    listenTo,
    transport: {
      ...transport,
      send: async (asked, signal, started) => {
        await open()
        const answer = await transport.send(asked, signal, started)
        idle.push(performance.now())
        return answer
      },
    },
  }
}

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
      stated: {
        betweenCheckAndWrite: () => new Promise<void>((resolve) => after(windowMs, resolve)),
      },
      front: () => overConnections(placeHere(schedule, distant(roundTripMs)), roundTripMs),
    }),
  })),
)
