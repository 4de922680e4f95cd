import { eventMaker, eventsBeyond, makeEvents } from '../calls/event-maker.ts'
import type { AuditEvent } from '../calls/events.ts'
import type { Mailer } from '../calls/mail.ts'
import type { Open } from '../rules/open.ts'
import type { Stated } from '../rules/stated.ts'
import type { Store } from '../world/store.ts'
import type { World } from '../world/world.ts'

type Trail = ReturnType<typeof createTrail>

/** Keeps the events of a world. The initial ones are generated on first use. */
export function createTrail({ world, events, open, clock, pdfLimit }: Ground) {
  const started = clock()
  const count = world.eventCount ?? eventsBeyond(pdfLimit)
  const recorded: { event: AuditEvent; since: number }[] = []
  const stored = (event: AuditEvent) => ({ ...event, time: open.storedTime(event) })
  let seeded: AuditEvent[] | undefined
  let makeLive: ReturnType<typeof eventMaker> | undefined
  let live = 0

  // Traffic is generated on demand: no timer outlives a test.
  const catchUp = () => {
    const interval = open.trafficInterval(world)
    makeLive ??= eventMaker(world, 1)
    for (; started + (live + 1) * interval <= clock(); live++) {
      const time = started + (live + 1) * interval
      recorded.push({ event: stored(makeLive(() => time)), since: time })
    }
  }

  return {
    /** all events that are visible by now, in the order of recording */
    events(): AuditEvent[] {
      seeded ??= (events ?? makeEvents(world, count)).map(stored)
      catchUp()
      const now = clock()
      const seen = recorded.filter(({ since }) => since <= now).map(({ event }) => event)
      return [...seeded, ...seen]
    },
    /** adds an event that is visible after this many milliseconds */
    record(event: AuditEvent, delay: number) {
      recorded.push({ event: stored(event), since: clock() + delay })
    },
  }
}

type Ground = {
  world: World
  events?: AuditEvent[]
  open: Open
  clock: () => number
  pdfLimit: number
}

/** Everything a request needs: the world, the two tables of rules, the state, the clock. */
export type Setup = {
  world: World
  stated: Stated
  open: Open
  store: Store
  trail: Trail
  /** receives the mails about assignments */
  mailer: Mailer
  /** the most events in a PDF */
  pdfLimit: number
  /** milliseconds since 1970, with fractions */
  clock: () => number
}
