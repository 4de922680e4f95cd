// Whether a PDF shows times of day of UTC, however it writes them.

import { isoOf, offsetAt } from '../../../engine/files/dates.ts'
import { shareShown } from '../../../engine/files/entry-text.ts'

/** A title may show a time, and two events may share one. */
export const fewMixed = 3

/** Whether a PDF that writes times in another way than the CSV shows the hours of UTC, and not of the zone. */
export function isClockOfUtc(
  pages: readonly string[],
  instants: readonly (bigint | undefined)[],
  zone = 'UTC',
): boolean {
  const known = instants.filter((instant) => instant !== undefined)
  if (known.length < fewMixed) return false
  const clocks = (of: string) =>
    known.map((instant) => isoOf(instant + offsetAt(of, instant)).slice(11, 19))
  return clockForms.some((form) => {
    const share = (of: string) => shareShown(pages, clocks(of).map(form))
    // The text 11:16 AM holds 1:16 AM, which may be the time in the zone.
    return share('UTC') > 0.9 && share(zone) < 0.2
  })
}

const ofTwelve = (clock: string) => {
  const hours = Number(clock.slice(0, 2))
  return `${hours % 12 || 12}${clock.slice(2)} ${hours < 12 ? 'AM' : 'PM'}`
}

/** How a time of day may be written. */
const clockForms = [
  (clock: string) => clock,
  ofTwelve,
  (clock: string) => ofTwelve(clock).toLowerCase(),
]
