// Where a window lies: as the settings say, or where there are enough events and not too many.

import { hourMs, instantAt, isoOf } from '../../../engine/files/dates.ts'
import type { Settings } from '../../settings/table.ts'
import type { Exports } from '../ask/exports.ts'
import { hourBefore, type Span } from './spans.ts'

/** By what a window is searched for. */
export type Searched = { settings: Settings; stop: AbortSignal; pdfLimit: number }

/** Too few tell little of a relation; too many cost time, and are somebody's data. */
const minEvents = 150
const maxEvents = 1500

const spans = [1, 6, 24, 7 * 24, 30 * 24, 120 * 24, 400 * 24, 1500 * 24, 6000 * 24]

/** In the form that the contract shows, however the settings have it. */
const inForm = (time: string) => isoOf(instantAt(time))

/** The settings say, or it ends an hour ago; where clocks disagree, the first that has an event. */
export async function findSpan(
  exports: Exports,
  { settings: { exportFrom, exportTo }, pdfLimit }: Searched,
  empty: number,
  hours: number,
): Promise<Span> {
  const most = Math.min(maxEvents, pdfLimit)
  const ends = exportTo
    ? [inForm(exportTo)]
    : exports.times().map((time) => hourBefore(time - hours * hourMs).end)
  const spans: Span[] = []
  for (const end of ends) {
    const span = exportFrom
      ? await fitting(exports, { start: inForm(exportFrom), end }, { empty, most, pdfLimit })
      : { start: await findStart(exports, end, { empty, most }), end }
    spans.push(span)
    if (ends.length > 1 && ((await exports.csv(span)).csv?.count ?? 0) > empty) return span
  }
  return spans[0] as Span
}

/** A window as it was given; the last part of one with more events than a PDF holds. */
async function fitting(
  exports: Exports,
  given: Span,
  wanted: Wanted & { pdfLimit: number },
): Promise<Span> {
  const { csv } = await exports.csv(given)
  if ((csv?.count ?? 0) - wanted.empty <= wanted.pdfLimit) return given
  const start = await findStart(exports, given.end, wanted)
  return Date.parse(start) > Date.parse(given.start) ? { ...given, start } : given
}

/** How many records a file without events has, and how many events a window is to have at most. */
type Wanted = { empty: number; most: number }

/** Goes back in time until there are enough events, then halves the last step if there are too many. */
async function findStart(exports: Exports, end: string, { empty, most }: Wanted): Promise<string> {
  const least = Math.min(minEvents, most / 2)
  const back = (hours: number) => new Date(Date.parse(end) - hours * hourMs).toISOString()
  const count = async (hours: number) => {
    const { csv } = await exports.csv({ start: back(hours), end }, { read: most + empty + 1 })
    return Math.max(0, (csv?.count ?? 0) - empty)
  }
  let less = 0
  for (const span of spans) {
    const found = await count(span)
    if (found < least && span !== spans.at(-1)) {
      less = span
      continue
    }
    let more = span
    let events = found
    for (let step = 0; events > most && step < 16; step += 1) {
      const middle = (less + more) / 2
      const halved = await count(middle)
      if (halved >= least) {
        more = middle
        events = halved
      } else less = middle
    }
    return back(more)
  }
  return back(spans.at(-1) ?? 24)
}
