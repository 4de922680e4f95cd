import { eventMaker, makeEvents } from '../../../reference/calls/event-maker.ts'
import { type Open, open } from '../../../reference/rules/open.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import type { Variant } from '../fault.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

// The events that a world begins with, as they are made.
const first = Date.parse('2024-06-01T00:00:00Z')
const last = Date.parse('2025-12-31T23:59:59Z')

const world = makeWorld(1)
const made = new Set(makeEvents(world, 1_200).map(({ id }) => id))

/** What others do while the run goes on. */
const makeTraffic = eventMaker(world, 1)
const traffic = new Set(Array.from({ length: 2_000 }, () => makeTraffic(() => 0).id))

const millisecondsOf = (time: string) => Date.parse(`${time.slice(0, 23)}Z`)

/** A service by whose clock it is another time, all of whose events are of its last weeks. */
const clockAhead = (milliseconds: number): Partial<Open> => {
  const now = () => Date.now() + milliseconds
  const begun = now()
  return {
    clockAhead: () => milliseconds,
    storedTime: (event) => {
      const time = millisecondsOf(event.time)
      if (!made.has(event.id)) return open.storedTime(event)
      const moved = begun - ((last - time) / (last - first)) * 20 * dayMs
      return `${new Date(moved).toISOString().slice(0, 23)}000000Z`
    },
    headers: () => ({ date: new Date(now()).toUTCString() }),
  }
}

/** A bound later than its own time is invalid. */
const withoutFuture = (milliseconds: number): Partial<Open> => ({
  ...clockAhead(milliseconds),
  instantFrom: (given) => {
    const instant = open.instantFrom(given)
    const isAhead = instant && millisecondsOf(instant) > Date.now() + milliseconds + 1000
    return isAhead ? undefined : instant
  },
})

const year = 365 * dayMs

/** Events of others are recorded with times of the hours before. */
const withLateEvents = (milliseconds: number): Partial<Open> => {
  const ahead = clockAhead(milliseconds)
  return {
    ...ahead,
    trafficInterval: () => 150,
    storedTime: (event) => {
      const stored = ahead?.storedTime?.(event) ?? event.time
      const earlier = (Number.parseInt(event.id.slice(0, 2), 16) % 48) * hourMs
      return traffic.has(event.id)
        ? `${new Date(millisecondsOf(stored) - earlier).toISOString().slice(0, 23)}000000Z`
        : stored
    },
  }
}

/** How far the clock is off in words, as the notice has it. */
export type ClockVariant = Variant & { says: string }

const clocks = (
  all: Readonly<Record<string, [says: string, open: Variant['open']]>>,
  env?: Record<string, string>,
): ClockVariant[] =>
  Object.entries(all).map(([name, [says, open]]) => ({
    name: `the clock is ${name}`,
    open,
    says,
    ...(env && { env }),
  }))

const unlikeDate = 'ours by the updated_at of an update, but equal to ours by the header Date'
const ours = (says: string) => `the service's clock is ${says} ours`

export const variants = clocks({
  'three hours behind, and what is to come is refused': [
    ours('3 hours behind'),
    withoutFuture(-3 * hourMs),
  ],
  'three hours behind, and the header Date is not': [
    `3 hours behind ${unlikeDate}`,
    { ...withoutFuture(-3 * hourMs), headers: () => ({}) },
  ],
  'a year ahead': [ours('365 days ahead of'), clockAhead(year)],
  'a year ahead, and the header Date is not': [
    `365 days ahead of ${unlikeDate}`,
    { ...clockAhead(year), headers: () => ({}) },
  ],
  'a year behind': [ours('365 days behind'), clockAhead(-year)],
  'a day behind': [ours('1 day behind'), clockAhead(-dayMs)],
  'a day ahead': [ours('1 day ahead of'), clockAhead(dayMs)],
  'an hour behind': [ours('1 hour behind'), clockAhead(-hourMs)],
  'an hour ahead': [ours('1 hour ahead of'), clockAhead(hourMs)],
})

export const judges = ['export.*', 'audit.*', 'assign.unassigned-to-user']
export const usual = { events: 1_200, pdfLimit: 700 }

/** Clocks that are off beside events that are recorded late, into ranges that were closed before. */
export const late = clocks(
  {
    'a year behind, and events come late': [ours('365 days behind'), withLateEvents(-year)],
    'a day ahead, and events come late': [ours('1 day ahead of'), withLateEvents(dayMs)],
    'an hour behind, and events come late': [ours('1 hour behind'), withLateEvents(-hourMs)],
    'an hour ahead, and events come late': [ours('1 hour ahead of'), withLateEvents(hourMs)],
  },
  // As long as it is set for a service: in less, no event need have come.
  { SETTLE_MS: '2000' },
)

export const lateJudges = ['export.*']
