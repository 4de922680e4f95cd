import type { AuditEvent } from '../../../../reference/calls/events.ts'
import type { Export, Filter } from '../../../../reference/calls/export-call.ts'
import { offsetsOf } from '../../../../reference/export/zones.ts'
import { wordsOf } from '../../../long.ts'
import {
  aroundAChange,
  inCsv,
  inPdf,
  inWindow,
  isFiltered,
  manyEvents,
  moved,
  rowsOf,
  smallLimit,
  toMilliseconds,
  toSeconds,
} from '../../bent/exports.ts'
import { alsoFoundBy, fault, faultsOf, maybe, tableOf } from '../../fault.ts'
import { inParts as ofParts } from './ranges.ts'

const inParts = ['export.range.split.rows', 'export.range.pdf.rows', 'export.pdf-matches-csv']

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

export const oddBounds = [
  ...tableOf([
    [5 * 60, 'behind', 'start'],
    [-5 * 60, 'ahead of', 'end'],
  ]).map(([minutes, side, bound]) =>
    fault(`bounds are taken for the clock of a zone 5 hours ${side} UTC`, {
      isFrom: ({ time, start }) => time >= moved(start, minutes),
      isUpTo: ({ time, end }) => time <= moved(end, minutes),
      breaks: `export.range.${bound}-inclusive export.range.outside.rows ${maybe(ofParts)}`,
    }),
  ),
  ...(['day', 'month'] as const).map((what) =>
    fault(`range_end at the midnight that a ${what} begins with takes in the whole ${what}`, {
      isUpTo: ({ time, end }) => time <= wholeFrom(end, what === 'day' ? 10 : 7),
      breaks: `export.range.outside ${maybe(inParts)}`,
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
      breaks: `export.range.outside.rows ${maybe(inParts)}`,
    },
    'range_end on the 31st is taken for the 30th': {
      isUpTo: ({ time, end }) => time <= end.replace(/^(\d{4}-\d\d)-31/, '$1-30'),
      breaks: `export.range.split ${maybe(inParts)} ?export.range.end-inclusive*`,
    },
  }),
].map(inWindow)

const hasNoRange = ({ range: { start, end } }: Export) => start === undefined && end === undefined
const ofYear = { start: '2025-01-01T00:00:00.000000000Z', end: undefined }

export const noRange = [
  ...[1_200, manyEvents].map((events) =>
    fault(`without a range the file holds a year, and there are ${events} events`, {
      events,
      range: (asked) => (hasNoRange(asked) ? ofYear : asked.range),
      breaks: 'export.no-filter.rows',
    }),
  ),
  ...faultsOf('export.no-filter.rows', {
    'without a range a filtered file holds a year': {
      range: (asked) => (isFiltered(asked) && hasNoRange(asked) ? ofYear : asked.range),
    },
    'without a range the newest events are missing': {
      ...rowsOf(hasNoRange)((events) => events.slice(0, -3)),
    },
  }),
  ...faultsOf('export.no-filter.rows ?export.pdf-limit.over.forms', 'range', {
    'without a range a PDF holds the last weeks': (asked) =>
      inPdf(asked) && hasNoRange(asked)
        ? { start: '2025-11-01T00:00:00.000000000Z', end: undefined }
        : asked.range,
  }),
].map(smallLimit)

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

/** Bounds so wrong are seen by who compares parts with the whole as well. */
const others = wordsOf(
  'audit.exact-end export.range.split export.range.split.* export.range.pdf.rows',
)

export const fineBounds = faultsOf({
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
}).map((fault) => inWindow({ mayBreak: others, ...fault }))

const csvWith = rowsOf(inCsv)

const isLastOf = (count: number, at: number) => (at + 1) % count === 0
const lostAt = (count: number) => (events: AuditEvent[]) =>
  events.filter((_, at) => !isLastOf(count, at))
const twiceAt = (count: number) => (events: AuditEvent[]) =>
  events.flatMap((event, at) => (isLastOf(count, at) ? [event, event] : [event]))
const lostBehind = (text: RegExp) => (events: AuditEvent[]) =>
  events.filter((_, at) => !text.test(events[at - 1]?.comment ?? ''))
const toTheHour = (event: AuditEvent): AuditEvent => ({
  ...event,
  time: `${event.time.slice(0, 13)}:00:00.000000000Z`,
})
const anHourLater = (cell: string) =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell)
    ? new Date(Date.parse(cell) + 3_600_000).toISOString()
    : cell

export const edges = [
  ...[
    ...faultsOf('export.range.split.rows', csvWith, {
      'the last row of each 50 is lost': lostAt(50),
      'the last row of each 50 comes twice': twiceAt(50),
      'the last row of each 100 is lost': lostAt(100),
      'the last row of each 100 comes twice': twiceAt(100),
      'the last row of each 128 is lost': lostAt(128),
      'the last row of each 128 comes twice': twiceAt(128),
      'the first row of the second hundred is that of the first': (events) =>
        events.map((event, at) => (at === 100 ? (events[0] as AuditEvent) : event)),
      'a CSV holds no more than 150 events': (events) => events.slice(0, 150),
      'large files lose a row at each 256': (events) =>
        events.length > 200 ? lostAt(256)(events) : events,
      'the row behind a line break is lost': lostBehind(/[\r\n]/),
      'the row behind quotes is lost': lostBehind(/"/),
    }),
    ...faultsOf('export.range.split.rows', {
      'the last row of each 250 is lost, of CSVs and PDFs': {
        rows: ({ events }) => lostAt(250)(events),
      },
      // Of a trail with fewer events than a PDF may hold, and too many for the window to show it.
      'the last row of each 400 comes twice': { ...csvWith(twiceAt(400)), pdfLimit: 5_000 },
      'the last row of each 1,000 is lost': {
        ...csvWith(lostAt(1_000)),
        events: 2_400,
        pdfLimit: 5_000,
      },
      'the last of each 500 is lost, and the one before it has the same time': {
        ...csvWith((events) => lostAt(500)(events.map(toTheHour))),
        events: 2_400,
        pdfLimit: 5_000,
      },
    }),
    ...faultsOf('export.filter.same-rows', 'cells', {
      'filtered CSVs show all times an hour later': ({ cells, ...asked }) =>
        inCsv(asked) && isFiltered(asked) ? cells.map(anHourLater) : cells,
    }),
    ...faultsOf('export.few-events.csv', csvWith, {
      'a CSV of one event holds none': (events) => (events.length === 1 ? [] : events),
      'a CSV of one event holds none, nor one of two': (events) =>
        events.length < 3 ? [] : events,
      'a CSV of one event holds it twice': (events) =>
        events.length === 1 ? [...events, ...events] : events,
      'of two events a CSV holds the first': (events) =>
        events.length === 2 ? events.slice(0, 1) : events,
    }),
  ].map(alsoFoundBy('export.* audit.*')),
  ...faultsOf('export.few-events.pdf ?export.filter.*', rowsOf(inPdf), {
    'a PDF of one event holds none': (events) => (events.length === 1 ? [] : events),
    'of two events a PDF holds the last': (events) =>
      events.length === 2 ? events.slice(1) : events,
    'of two events a PDF holds the first twice': (events) =>
      events.length === 2 ? [...events.slice(0, 1), ...events] : events,
  }),
].map(smallLimit)

export const lossy = faultsOf(
  'export.range.split.rows ?export.filter.* ?export.metadata.*',
  csvWith,
  { 'every hundredth event is missing from a CSV': lostAt(100) },
).map(smallLimit)

/** A bound counts in plain exports alone. */
const withoutEndBeside = (of: Filter['of']) => ({
  range: ({ range, filters }: Export) =>
    filters.some((filter) => filter.of === of) ? { ...range, end: undefined } : range,
})

/** As many pages as the last one says by its number as text: "9" comes behind "10". */
function pagesByText(events: AuditEvent[], size: number): AuditEvent[] {
  const numbers = Array.from({ length: Math.ceil(events.length / size) }, (_, at) => `${at + 1}`)
  return events.slice(0, Number(numbers.toSorted().at(-1) ?? 0) * size)
}

export const splits = [
  ...faultsOf('export.range.split.filtered ?export.filter.* ?export.metadata.*', {
    'range_end is ignored as soon as metadata is given': withoutEndBeside('metadata'),
    'range_end is ignored as soon as a parameter filters': withoutEndBeside('event'),
  }).map(inWindow),
  ...faultsOf('export.range.split.whole ?export.pdf-limit.* ?export.range.split.rows', csvWith, {
    'pages of a CSV are ordered by their number as text, and the last of 5,712 events are lost': (
      events,
    ) => pagesByText(events, 534),
  }).map((fault) => ({ events: 5_712, ...fault })),
]
