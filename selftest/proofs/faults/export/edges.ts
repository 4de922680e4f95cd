import type { AuditEvent } from '../../../../reference/calls/events.ts'
import { inCsv, inPdf, smallLimit } from '../../bent/exports.ts'
import { alsoFoundBy, type Fault, fault, faultsBreaking } from '../../fault.ts'

type Rows = (events: AuditEvent[]) => AuditEvent[]

const bent = (name: string, isMeant: typeof inCsv, rows: Rows) =>
  fault(name, {
    rows: ({ events, ...asked }) => (isMeant(asked) ? rows(events) : events),
    breaks: [],
  })

const each = (count: number) => (at: number) => (at + 1) % count === 0

/** What a maker of files does wrong where one batch ends and the next begins. */
const batches: Fault[] = [
  ...[50, 100, 128].flatMap((count) => [
    bent(`the last row of each ${count} is lost`, inCsv, (events) =>
      events.filter((_, at) => !each(count)(at)),
    ),
    bent(`the last row of each ${count} comes twice`, inCsv, (events) =>
      events.flatMap((event, at) => (each(count)(at) ? [event, event] : [event])),
    ),
  ]),
  // The halves of such a file hold more than the whole: for the limit its events cannot be counted.
  bent(
    'the last row of each 250 is lost, of CSVs and PDFs',
    () => true,
    (events) => events.filter((_, at) => !each(250)(at)),
  ),
  bent('the first row of the second hundred is that of the first', inCsv, (events) =>
    events.map((event, at) => (at === 100 ? (events[0] as AuditEvent) : event)),
  ),
  bent('a CSV holds no more than 150 events', inCsv, (events) => events.slice(0, 150)),
  bent('large files lose a row at each 256', inCsv, (events) =>
    events.length > 200 ? events.filter((_, at) => !each(256)(at)) : events,
  ),
]

const hardCells: Fault[] = [
  bent('the row behind a line break is lost', inCsv, (events) =>
    events.filter((_, at) => !/[\r\n]/.test(events[at - 1]?.comment ?? '')),
  ),
  bent('the row behind quotes is lost', inCsv, (events) =>
    events.filter((_, at) => !/"/.test(events[at - 1]?.comment ?? '')),
  ),
]

const toTheHour = (event: AuditEvent): AuditEvent => ({
  ...event,
  time: `${event.time.slice(0, 13)}:00:00.000000000Z`,
})

/** Of a trail with fewer events than a PDF may hold, and too many for the window to show it. */
const large = [
  bent('the last row of each 400 comes twice', inCsv, (events) =>
    events.flatMap((event, at) => (each(400)(at) ? [event, event] : [event])),
  ),
  {
    ...bent('the last row of each 1,000 is lost', inCsv, (events) =>
      events.filter((_, at) => !each(1_000)(at)),
    ),
    events: 2_400,
  },
  {
    ...bent(
      'the last of each 500 is lost, and the one before it has the same time',
      inCsv,
      (events) => events.map(toTheHour).filter((_, at) => !each(500)(at)),
    ),
    events: 2_400,
  },
].map((fault) => ({ ...fault, pdfLimit: 5_000 }))

const parts = [...batches, ...hardCells, ...large].map((fault) => ({
  ...fault,
  breaks: ['export.range.split.rows'],
}))

/** Filtered files are made another way, and show their events otherwise. */
const filtered = faultsBreaking('export.filter.same-rows', {
  'filtered CSVs show all times an hour later': {
    cells: ({ filters, cells, ...asked }) =>
      inCsv(asked) && filters.length > 0 ? cells.map(anHourLater) : cells,
  },
})

function anHourLater(cell: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell)
    ? new Date(Date.parse(cell) + 3_600_000).toISOString()
    : cell
}

const few: Fault[] = [
  bent('a CSV of one event holds none', inCsv, (events) => (events.length === 1 ? [] : events)),
  bent('a CSV of one event holds none, nor one of two', inCsv, (events) =>
    events.length < 3 ? [] : events,
  ),
  bent('a CSV of one event holds it twice', inCsv, (events) =>
    events.length === 1 ? [...events, ...events] : events,
  ),
  bent('of two events a CSV holds the first', inCsv, (events) =>
    events.length === 2 ? events.slice(0, 1) : events,
  ),
].map((fault) => ({ ...fault, breaks: ['export.few-events.csv'] }))

const fewInPdf: Fault[] = [
  bent('a PDF of one event holds none', inPdf, (events) => (events.length === 1 ? [] : events)),
  bent('of two events a PDF holds the last', inPdf, (events) =>
    events.length === 2 ? events.slice(1) : events,
  ),
  bent('of two events a PDF holds the first twice', inPdf, (events) =>
    events.length === 2 ? [...events.slice(0, 1), ...events] : events,
  ),
].map((fault) => ({ ...fault, breaks: ['export.few-events.pdf'], mayBreak: ['export.filter.*'] }))

/** Caught where files are compared with their parts, and where they hold next to nothing. */
export const faults: Fault[] = [
  ...[...parts, ...filtered, ...few].map(alsoFoundBy('export.*', 'audit.*')),
  ...fewInPdf,
].map(smallLimit)

const fewerInCsv = faultsBreaking('export.range.split.rows', {
  'every hundredth event is missing from a CSV': {
    rows: ({ fileType, events }) =>
      fileType === 'csv' ? events.filter((_, at) => at % 100 !== 99) : events,
    mayBreak: ['export.filter.*', 'export.metadata.*'],
  },
})

/** A CSV that holds fewer events than there are says nothing of how many a PDF may hold. */
export const lossy = fewerInCsv.map(smallLimit)
