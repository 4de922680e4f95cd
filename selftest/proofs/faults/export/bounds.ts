import type { AuditEvent } from '../../../../reference/calls/events.ts'
import { offsetsOf } from '../../../../reference/export/zones.ts'
import {
  aroundAChange,
  inCsv,
  inPdf,
  inWindow,
  moved,
  smallLimit,
  toMilliseconds,
  toSeconds,
} from '../../bent/exports.ts'
import { alsoFoundBy, type Fault, fault, faultsOf } from '../../fault.ts'
import { inParts as ofParts } from './ranges.ts'

const inParts = ['export.range.split.rows', 'export.range.pdf.rows', 'export.pdf-matches-csv']

const bounds: Fault[] = [
  ...([5, -5] as const).map((behind) =>
    fault(
      `bounds are taken for the clock of a zone 5 hours ${behind > 0 ? 'behind' : 'ahead of'} UTC`,
      {
        isFrom: ({ time, start }) => time >= moved(start, behind * 60),
        isUpTo: ({ time, end }) => time <= moved(end, behind * 60),
        breaks: [
          behind > 0 ? 'export.range.start-inclusive' : 'export.range.end-inclusive',
          'export.range.outside.rows',
        ],
        mayBreak: ofParts,
      },
    ),
  ),
  ...(['day', 'month'] as const).map((what) =>
    fault(`range_end at the midnight that a ${what} begins with takes in the whole ${what}`, {
      isUpTo: ({ time, end }) => time <= wholeFrom(end, what === 'day' ? 10 : 7),
      breaks: 'export.range.outside',
      mayBreak: inParts,
    }),
  ),
  ...faultsOf('export.range.open-ended', 'range', {
    'the time zone moves a range that has no start': ({ range: { start, end }, zone }) => ({
      start,
      end: start === undefined && end ? moved(end, -offsetsOf(zone)(end)) : end,
    }),
    'an end where the counting of time begins is none': ({ range: { start, end } }) => ({
      start,
      end: end && Date.parse(end) === 0 ? undefined : end,
    }),
  }),
  ...faultsOf({
    'both bounds are exclusive, and a range of one instant is refused': {
      isFrom: ({ time, start }) => time > start,
      isUpTo: ({ time, end }) => time < end,
      rangeRefusal: ({ range: { start = '', end = '~' } }) => (start >= end ? 400 : undefined),
      breaks: `export.range.start-inclusive export.range.end-inclusive.exact export.range.split
        export.range.instant`,
      mayBreak: ofParts,
    },
    'times that take more than 32 bits are in the past': {
      range: ({ range: { start, end } }) => ({ start: in32Bits(start), end: in32Bits(end) }),
      breaks: 'export.range.open-ended export.range.outside.rows',
    },
    'range_end at midnight takes in the whole day, and the window is a part of one': {
      env: { EXPORT_FROM: '2025-10-20T04:00:00Z', EXPORT_TO: '2025-10-20T22:00:00Z' },
      events: 20_000,
      isUpTo: ({ time, end }) => time <= wholeFrom(end, 10),
      breaks: 'export.range.outside.rows',
      mayBreak: inParts,
    },
    'range_end on the 31st is taken for the 30th': {
      isUpTo: ({ time, end }) => time <= end.replace(/^(\d{4}-\d\d)-31/, '$1-30'),
      breaks: 'export.range.split',
      mayBreak: [...inParts, 'export.range.end-inclusive*'],
    },
  }),
]

/** The end of what begins at a midnight: of its day, or of its month where it is the first. */
const wholeFrom = (end: string, length: number) => {
  const isFirst = end.slice(length).replace(/^-01/, '') === 'T00:00:00.000000000Z'
  return isFirst ? `${end.slice(0, length)}~` : end
}

function in32Bits(time: string | undefined): string | undefined {
  if (time === undefined) return undefined
  const seconds = Math.floor(Date.parse(time) / 1000)
  return new Date((seconds | 0) * 1000).toISOString()
}

export const oddBounds = bounds.map(inWindow)

const unbounded: Fault[] = [
  ...[1_200, 6_600].map((events) =>
    fault(`without a range the file holds a year, and there are ${events} events`, {
      events,
      range: ({ range }) =>
        range.start === undefined && range.end === undefined
          ? { start: '2025-01-01T00:00:00.000000000Z', end: undefined }
          : range,
      breaks: 'export.no-filter.rows',
    }),
  ),
  ...faultsOf('export.no-filter.rows', {
    'without a range a filtered file holds a year': {
      range: ({ range, filters }) =>
        filters.length > 0 && range.start === undefined && range.end === undefined
          ? { start: '2025-01-01T00:00:00.000000000Z', end: undefined }
          : range,
    },
    'without a range the newest events are missing': {
      rows: ({ events, range: { start, end } }) =>
        start === undefined && end === undefined ? events.slice(0, -3) : events,
    },
  }),
  ...faultsOf({
    'without a range a PDF holds the last weeks': {
      range: (asked) => {
        const { start, end } = asked.range
        const isOpen = inPdf(asked) && start === undefined && end === undefined
        return isOpen ? { start: '2025-11-01T00:00:00.000000000Z', end } : asked.range
      },
      breaks: 'export.no-filter.rows ?export.pdf-limit.over.forms',
    },
  }),
]

export const noRange = unbounded.map(smallLimit)

type Stored = Pick<AuditEvent, 'time'>

export const toMicroseconds = (time: string) => `${time.slice(0, 26)}000Z`
const inSeconds = ({ local }: { local: string }) => local.slice(0, 19)

/** A few events of whole seconds among those of milliseconds. */
export const someInSeconds = ({ time }: Stored) =>
  Number(time.slice(14, 16)) % 4 === 0 ? toSeconds(time) : toMilliseconds(time)

const canonical = (time: string) => time.replace('Z', '.000000000Z')

/** The first and the last events of the window lie where it begins and ends. */
export const onTheEdges = ({ time }: Stored) => {
  if (time.startsWith('2025-10-10T0')) return canonical(aroundAChange.EXPORT_FROM)
  return time.startsWith('2025-11-09T2') ? canonical(aroundAChange.EXPORT_TO) : time
}

const finest = faultsOf({
  'range_end is exclusive, bounds are cut to microseconds, and times shown in seconds': {
    isFrom: ({ time, start }) => time >= toMicroseconds(start),
    isUpTo: ({ time, end }) => time < toMicroseconds(end),
    dateForm: inSeconds,
    breaks: 'export.range.end-inclusive.exact',
  },
  'range_end loses its milliseconds, and times are shown in seconds': {
    isUpTo: ({ time, end }) => time <= toSeconds(end),
    dateForm: inSeconds,
    storedTime: someInSeconds,
    breaks: 'export.range.end-inclusive.exact',
  },
  'range_start loses its milliseconds, and times are shown in seconds': {
    isFrom: ({ time, start }) => time >= toSeconds(start),
    dateForm: inSeconds,
    breaks: 'export.range.apart',
  },
  'range_end is that of its second, and times are shown in seconds': {
    isUpTo: ({ time, end }) => time <= `${end.slice(0, 20)}999999999Z`,
    dateForm: inSeconds,
    breaks: 'export.range.apart',
  },
  'range_end is two milliseconds later, and events lie on the edges of the window': {
    isUpTo: ({ time, end }) => time <= moved(end, 2 / 60_000),
    storedTime: onTheEdges,
    breaks: 'export.range.apart export.range.outside.rows',
  },
  'reversed ranges of less than a second are let in, and times are shown in seconds': {
    rangeRefusal: ({ range: { start = '', end = '' } }) =>
      end !== '' && start.slice(0, 19) > end.slice(0, 19) ? 400 : undefined,
    dateForm: inSeconds,
    breaks: 'export.range.reversed.csv export.range.reversed.pdf',
  },
})

/** Bounds so wrong are seen by who compares parts with the whole as well. */
const others = [
  'audit.exact-end',
  'export.range.split',
  'export.range.split.rows',
  'export.range.pdf.rows',
]

export const fineBounds = finest.map((fault) => inWindow({ mayBreak: others, ...fault }))

type Rows = (events: AuditEvent[]) => AuditEvent[]

const bent = (name: string, isMeant: typeof inCsv, rows: Rows) =>
  fault(name, {
    rows: ({ events, ...asked }) => (isMeant(asked) ? rows(events) : events),
    breaks: [],
  })

const each = (count: number) => (at: number) => (at + 1) % count === 0

const batches: Fault[] = [
  ...[50, 100, 128].flatMap((count) => [
    bent(`the last row of each ${count} is lost`, inCsv, (events) =>
      events.filter((_, at) => !each(count)(at)),
    ),
    bent(`the last row of each ${count} comes twice`, inCsv, (events) =>
      events.flatMap((event, at) => (each(count)(at) ? [event, event] : [event])),
    ),
  ]),
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

const filtered = faultsOf({
  'filtered CSVs show all times an hour later': {
    cells: ({ filters, cells, ...asked }) =>
      inCsv(asked) && filters.length > 0 ? cells.map(anHourLater) : cells,
    breaks: 'export.filter.same-rows',
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

export const edges: Fault[] = [
  ...[...parts, ...filtered, ...few].map(alsoFoundBy('export.* audit.*')),
  ...fewInPdf,
].map(smallLimit)

const fewerInCsv = faultsOf({
  'every hundredth event is missing from a CSV': {
    rows: ({ fileType, events }) =>
      fileType === 'csv' ? events.filter((_, at) => at % 100 !== 99) : events,
    breaks: 'export.range.split.rows ?export.filter.* ?export.metadata.*',
  },
})

export const lossy = fewerInCsv.map(smallLimit)
