// Ranges that clauses request on any service, and the place of the window.

import type { CsvReading } from '../../../engine/files/csv.ts'
import { day, hourMs, instantAt, isoOf, second } from '../../../engine/files/dates.ts'
import { clock } from '../../../engine/time/timers.ts'
import type { Settings } from '../../settings/table.ts'
import { type Exports, isRejected } from '../ask/exports.ts'
import { type Clock, hourBefore, type Span } from '../ask/query.ts'

/** A file of this range shows the structure without events. */
export const noEvents: Span = {
  start: '1971-01-01T00:00:00.000Z',
  end: '1971-01-01T00:00:01.000Z',
}

/** Bounds beyond all events of the audit trail. */
export const farPast = '1971-01-01T00:00:00.000Z'
export const farFuture = ({ times }: Clock): string => {
  const now = instantAt(new Date(Math.max(clock.date(), ...times())).toISOString())
  return isoOf(((now + 3n * 366n * day) / day) * day)
}

export const notYet = (clock: Clock): Span => {
  const start = farFuture(clock)
  return { start, end: isoOf(instantAt(start) + second) }
}

export type Searched = { settings: Settings; stop: AbortSignal; pdfLimit: number }

/** Fewer say little about a relation; more cost time and are personal data. */
const minEvents = 150
const maxEvents = 1500

/** Hours before the end of a window. */
const lengths = [24, 7 * 24, 60 * 24, 400 * 24, 1500 * 24, 6000 * 24]

/** In the form of the contract, however the settings write it. */
const inForm = (time: string) => isoOf(instantAt(time))

/** As configured, or ending an hour ago; if clocks disagree, the first that has an event. */
export async function findSpan(
  exports: Exports,
  { settings: { exportFrom, exportTo }, pdfLimit }: Searched,
  { empty, hoursEarlier }: { empty: number; hoursEarlier: number },
): Promise<Span> {
  const most = Math.min(maxEvents, pdfLimit)
  const ends = exportTo
    ? [inForm(exportTo)]
    : exports.times().map((time) => hourBefore(time - hoursEarlier * hourMs).end)
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

/** The range as given; the last part of it if it has more events than a PDF holds, or is rejected. */
async function fitting(exports: Exports, given: Span, wanted: Wanted & { pdfLimit: number }) {
  const events = await countIn(exports, given, { empty: wanted.empty })
  if (events <= wanted.pdfLimit) return given
  const start = await findStart(exports, given.end, wanted)
  return Date.parse(start) > Date.parse(given.start) ? { ...given, start } : given
}

/** The number of records in a file without events, and the most events in a window. */
type Wanted = { empty: number; most: number }

/** A CSV may have a limit of its own, in events or in time: a rejected range is too long for a window. */
const tooMany = Number.POSITIVE_INFINITY

/** The number of events in the CSV of a range, read up to `read` records. */
async function countIn(
  exports: Exports,
  span: Span,
  { empty, read }: { empty: number; read?: number },
): Promise<number> {
  const file = await exports.csv(span, { read })
  return isRejected(file) ? tooMany : Math.max(0, (file.csv?.count ?? 0) - empty)
}

/** Goes back in time until there are enough events, then halves the last step if there are too many. */
async function findStart(exports: Exports, end: string, { empty, most }: Wanted): Promise<string> {
  const least = Math.min(minEvents, most / 2)
  const startOf = (hours: number) => new Date(Date.parse(end) - hours * hourMs).toISOString()
  const countOf = (hours: number) =>
    countIn(exports, { start: startOf(hours), end }, { empty, read: most + empty + 1 })
  let tooShort = 0
  let enough = 0
  let events = 0
  for (const hours of lengths) {
    tooShort = enough
    enough = hours
    events = await countOf(hours)
    if (events >= least) break
  }
  for (let step = 0; events > most && step < mostHalvings; step += 1) {
    const middle = (tooShort + enough) / 2
    const eventsOfMiddle = await countOf(middle)
    if (eventsOfMiddle >= least) {
      enough = middle
      events = eventsOfMiddle
    } else tooShort = middle
  }
  return startOf(events === tooMany && tooShort > 0 ? tooShort : enough)
}

const mostHalvings = 16

/** The end of the range with some, but not all, of its events; the last that was tried, if none has. */
export async function fetchPart(
  exports: Exports,
  { start, end }: Span,
  { empty, whole }: { empty: number; whole: number },
): Promise<CsvReading> {
  const length = Date.parse(end) - Date.parse(start)
  let tooEarly = 0
  let tooLate = 1
  for (let step = 1; ; step += 1) {
    const share = (tooEarly + tooLate) / 2
    const middle = new Date(Date.parse(start) + length * share).toISOString()
    const part = await exports.csvFile({ start: middle, end })
    const isPart = part.count > empty && part.count < whole
    if (isPart || step === mostDivisions) return part
    if (part.count < whole) tooLate = share
    else tooEarly = share
  }
}

const mostDivisions = 4
