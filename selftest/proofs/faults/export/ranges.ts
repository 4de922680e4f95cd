import { makeEvents } from '../../../../reference/calls/event-maker.ts'
import type { AuditEvent } from '../../../../reference/calls/events.ts'
import type { Export } from '../../../../reference/calls/export-call.ts'
import type { open } from '../../../../reference/rules/open.ts'
import { openOfExport } from '../../../../reference/rules/open-export.ts'
import { makeWorld } from '../../../../reference/world/world.ts'
import { wordsOf } from '../../../long.ts'
import {
  inCsv,
  inPdf,
  inWindow,
  moved,
  noRange,
  refusedOver,
  refusing,
  toMilliseconds,
  toSeconds,
  wrongOffsets,
} from '../../bent/exports.ts'
import { alsoFoundBy, type Fault, fault, faultsOf, maybe, tableOf, where } from '../../fault.ts'
import { finer } from '../../variants/export-dates.ts'
import { numbered, rewritten } from '../../variants/export-records.ts'

/** The full minute of a bound, or the next where it lies within one. */
const fullMinute = (bound: string, after: 0 | 1) => {
  const minute = 60_000
  const at = Date.parse(`${bound.slice(0, 19)}Z`)
  const full = at - (at % minute)
  const isFull = full === at && !/[1-9]/.test(bound.slice(19))
  return new Date(isFull ? full : full + after * minute).toISOString()
}
const dayOf = (time: string) => time.slice(0, 10)
const hours = 60
const week = 7 * 24 * hours
const ms = 1 / 60_000

type Stored = Pick<AuditEvent, 'time'>
/** Six digits that come from the first ones. */
const inMicroseconds = ({ time }: Stored) =>
  `${time.slice(0, 23)}${String((Number(time.slice(17, 23).replace('.', '')) * 7_919) % 1_000).padStart(3, '0')}000Z`
const inSeconds = ({ time }: Stored) => toSeconds(time)

/** What a bound is taken for where it has no fraction. */
const withFraction =
  (bent: (instant: string) => string | undefined): typeof openOfExport.instantFrom =>
  (bound) => {
    const instant = openOfExport.instantFrom(bound)
    return instant === undefined || bound.value.includes('.') ? instant : bent(instant)
  }

export const inParts = wordsOf(`
  export.range.split.* export.range.pdf.rows export.few-events.* export.filter.combined.*
  export.deterministic.in-turn audit.time audit.exact-end audit.all-recorded
`)

/** A PDF of another range holds too many events, or none. */
const ofOtherPdfs = ['export.pdf.*', 'export.pdf-*']

const fewEvents = makeEvents(makeWorld(1), 5)

export const faults: Fault[] = [
  ...(['microseconds', 'seconds'] as const).map((what) =>
    fault(`range_end is exclusive, and times are stored in ${what}`, {
      isUpTo: ({ time, end }) => time < end,
      storedTime: what === 'seconds' ? inSeconds : inMicroseconds,
      breaks: 'export.range.end-inclusive.exact',
    }),
  ),
  ...(['start', 'end'] as const).map((bound) =>
    fault(`range_${bound} is ${bound === 'start' ? 'rounded up' : 'cut'} to the full minute`, {
      ...(bound === 'start'
        ? { isFrom: ({ time, start }) => time >= fullMinute(start, 1) }
        : { isUpTo: ({ time, end }) => time <= fullMinute(end, 0) }),
      breaks: [`export.range.${bound}-inclusive`],
      mayBreak: 'export.range.* export.pdf-matches-csv export.timezone.*',
    }),
  ),
  ...faultsOf('export.range.whole-seconds', 'instantFrom', {
    'bounds without a fraction of a second are refused': withFraction(() => undefined),
    'bounds without a fraction of a second are taken for local time': withFraction((instant) =>
      moved(instant, 120),
    ),
  }),
  ...faultsOf('export.range.start-inclusive', {
    'range_start is exclusive': { isFrom: ({ time, start }) => time > start },
    'range_start is exclusive, and taken to the millisecond': {
      isFrom: ({ time, start }) => time > toMilliseconds(start),
    },
    'range_start is exclusive, and refused where it is finer than milliseconds': {
      isFrom: ({ time, start }) => time > start,
      rangeRefusal: ({ range: { start = '', end = '~' } }) =>
        start > end || /[1-9]\d*Z$/.test(start.slice(23)) ? 400 : undefined,
    },
  }),
  ...faultsOf('export.range.end-inclusive.exact', {
    'range_end is exclusive': { isUpTo: ({ time, end }) => time < end },
    'range_end is exclusive, and times are stored in nanoseconds': {
      isUpTo: ({ time, end }) => time < end,
      storedTime: ({ time }) => finer(time),
    },
    'range_end is exclusive, and bounds are cut to milliseconds': {
      isFrom: ({ time, start }) => time >= toMilliseconds(start),
      isUpTo: ({ time, end }) => time < toMilliseconds(end),
    },
    'range_end is exclusive, and times are stored in microseconds and shown in seconds': {
      isUpTo: ({ time, end }) => time < end,
      storedTime: inMicroseconds,
      dateForm: ({ local }) => local.slice(0, 19),
    },
  }),
  ...faultsOf('export.range.outside.rows', {
    'both bounds are wider by a millisecond': {
      isFrom: ({ time, start }) => time >= moved(start, -ms),
      isUpTo: ({ time, end }) => time <= moved(end, ms),
    },
    'the year of a date is that of its week': {
      cells: ({ cells }) =>
        cells.map((cell) =>
          cell.replace(/^(\d{4})-12-(?=3[01]T)/, (_, year) => `${Number(year) + 1}-12-`),
        ),
    },
  }),
  ...faultsOf('export.range.outside.rows ?export.range.outside ?export.range.apart', {
    'range_end is exceeded by hours': { isUpTo: ({ time, end }) => time <= moved(end, 6 * hours) },
  }),
  ...faultsOf(
    `export.range.outside export.range.outside.rows ?export.range.pdf* ?export.pdf.status
        ?export.pdf-limit.narrowed ?export.deterministic.at-once`,
    { 'ranges are ignored': { range: () => noRange } },
  ),
  ...faultsOf('export.range.outside export.range.outside.rows ?export.range.pdf.status', {
    'range_end is ignored': { range: ({ range }) => ({ ...range, end: undefined }) },
  }),
  ...faultsOf('export.range.outside.rows ?export.csv.readable ?audit.*', {
    'a file that is always the same': { rows: () => fewEvents },
  }),
  ...faultsOf({
    'both bounds are exclusive': {
      isFrom: ({ time, start }) => time > start,
      isUpTo: ({ time, end }) => time < end,
      breaks: 'export.range.start-inclusive export.range.end-inclusive.exact export.range.split',
    },
    'range_end is taken for the beginning of its day': {
      isUpTo: ({ time, end }) => time <= dayOf(end),
      breaks: 'export.range.end-inclusive export.range.split',
    },
    'both bounds are taken for the beginning of their day': {
      isFrom: ({ time, start }) => time >= dayOf(start),
      isUpTo: ({ time, end }) => time <= dayOf(end),
      breaks: 'export.range.end-inclusive export.range.outside.rows',
    },
    'events are in from the day after range_start on': {
      isFrom: ({ time, start }) => dayOf(time) > dayOf(start),
      breaks: 'export.range.start-inclusive export.range.split',
    },
    'bounds are compared as texts when a range is refused': {
      rangeRefusal: ({ query }) =>
        (query.get('range_start') ?? '') > (query.get('range_end') ?? '~') ? 400 : undefined,
      breaks: 'export.range.whole-seconds',
    },
    'ranges are compared by whole days': {
      isFrom: ({ time, start }) => dayOf(time) >= dayOf(start),
      isUpTo: ({ time, end }) => dayOf(time) <= dayOf(end),
      breaks: 'export.range.outside export.range.outside.rows',
    },
    'range_start is taken for the beginning of its second': {
      isFrom: ({ time, start }) => time.slice(0, 19) >= start.slice(0, 19),
      breaks: 'export.range.apart export.range.outside.rows',
    },
    'range_end is taken for the end of its second': {
      isUpTo: ({ time, end }) => time.slice(0, 19) <= end.slice(0, 19),
      breaks: 'export.range.apart export.range.outside.rows',
    },
    'range_start is ignored': {
      range: ({ range }) => ({ ...range, start: undefined }),
      breaks: ['export.range.outside', 'export.range.outside.rows'],
      mayBreak: [...ofOtherPdfs, 'export.range.pdf*'],
    },
  }),
  ...faultsOf('export.range.open-ended', {
    'a bound alone is ignored': {
      range: ({ range }) => (range.start && range.end ? range : noRange),
    },
    'a range without an end is one of a week': {
      range: ({ range: { start, end = start && moved(start, week) } }) => ({ start, end }),
    },
    'a range without a start is one of a week': {
      range: ({ range: { end, start = end && moved(end, -week) } }) => ({ start, end }),
    },
    'a bound alone is refused': {
      ...refusing(({ range: { start, end } }) => (start === undefined) !== (end === undefined)),
    },
  }).map(alsoFoundBy('export.filter.one-bound')),
  ...(['start', 'end'] as const).map((bound) =>
    fault(`range_${bound} is ignored for a PDF`, {
      range: (asked) => (inPdf(asked) ? { ...asked.range, [bound]: undefined } : asked.range),
      breaks: `export.range.pdf ${maybe(ofOtherPdfs)} ?export.range.pdf.*`,
    }),
  ),
  ...[200, 2_500].map((events) =>
    fault(`ranges are ignored for a PDF, and there are ${events} events`, {
      events,
      range: (asked) => (inPdf(asked) ? noRange : asked.range),
      breaks: `export.range.pdf ${maybe(ofOtherPdfs)} ?export.range.pdf.*`,
    }),
  ),
]
  .map(({ mayBreak = [], ...fault }) => ({ ...fault, mayBreak: [...mayBreak, ...inParts] }))
  .map(inWindow)
const isReversed = ({ range: { start, end } }: Export) =>
  start !== undefined && end !== undefined && start > end

export const reversedRanges = [
  ...faultsOf(['export.range.reversed.csv', 'export.range.reversed.pdf'], 'rangeRefusal', {
    'reversed ranges are let in': () => undefined,
    'reversed ranges are answered 422': (asked) => (isReversed(asked) ? 422 : undefined),
    'ranges that are reversed within a day are let in': ({ range: { start = '', end = '' } }) =>
      end !== '' && dayOf(start) > dayOf(end) ? 400 : undefined,
    'ranges that are reversed within a second are let in': ({ range: { start = '', end = '' } }) =>
      end !== '' && start.slice(0, 19) > end.slice(0, 19) ? 400 : undefined,
    'reversed ranges are let in where a zone is given': (asked) =>
      isReversed(asked) && !asked.query.has('timezone') ? 400 : undefined,
    'reversed ranges are let in where a filter is given': (asked) =>
      isReversed(asked) && asked.filters.length === 0 ? 400 : undefined,
  }),
  ...faultsOf({
    'reversed ranges are answered 500 every time': {
      rangeRefusal: (asked) => (isReversed(asked) ? 500 : undefined),
      breaks: 'export.range.reversed.status',
    },
    'reversed ranges of a PDF are let in': {
      rangeRefusal: (asked) => (isReversed(asked) && inCsv(asked) ? 400 : undefined),
      breaks: 'export.range.reversed.pdf',
    },
    'reversed ranges of a CSV are answered 404': {
      rangeRefusal: (asked) => (isReversed(asked) ? (inPdf(asked) ? 400 : 404) : undefined),
      breaks: 'export.range.reversed.csv',
    },
    'a range of one instant is refused': {
      rangeRefusal: ({ range: { start, end } }) =>
        start !== undefined && end !== undefined && start >= end ? 400 : undefined,
      breaks: 'export.range.instant',
    },
  }),
].map(inWindow)

type Part = Parameters<typeof open.queryRefusal>[0]

const failing = (isMeant: (part: Part) => boolean) => where(isMeant, { queryRefusal: () => 500 })

export const malformed = faultsOf('export.range.malformed', failing, {
  'a bound of a day that no month has is answered 500': ({ value }) =>
    value.startsWith('2025-02-30'),
  'a bound of a quote is answered 500': ({ value }) => value.includes("'"),
  'a bound of NUL is answered 500': ({ value }) => value.includes('\0'),
  'a bound of digits alone is answered 500': ({ value }) => /^\d{15,}$/.test(value),
  'a malformed bound is answered 500 where a PDF is asked for': ({ flaw, query }) =>
    flaw === 'range form' && query.get('file_type') === 'pdf',
}).map(inWindow)

export const refusedCsv = faultsOf('export.csv.status ?export.*', {
  'every CSV is answered 422': refusing(inCsv, 422),
}).map(inWindow)

export const faultsOfTimes: Fault[] = [
  ...tableOf([
    ['the offset of winter is written all year', '2025-08-16', '2025-11-08', '2025-11-24'],
    ['the offset of summer is written all year', '2025-03-02', '2025-06-08', '2025-06-24'],
  ]).map(([what, firstDay, from, to]) =>
    fault(`${what}, and the trail begins a hundred days before`, {
      env: { EXPORT_FROM: `${from}T00:00:00Z`, EXPORT_TO: `${to}T00:00:00Z` },
      rows: ({ events }) => events.filter(({ time }) => time >= firstDay),
      offset: wrongOffsets[what],
      breaks: 'export.timezone.offset ?export.timezone.pdf* ?export.pdf-limit.*',
    }),
  ),
].map(inWindow)

export const faultsOfRecords: Fault[] = [
  fault('event_type is ignored, and rows end with a delimiter that the header lacks', {
    ...rewritten((lines) => lines.map((line) => `${line},`)),
    filters: ({ filters }) => filters.filter(({ name }) => name !== 'event_type'),
    breaks: 'export.filter.event_type.unknown-value ?export.filter.*',
  }),
  ...tableOf<[string, Fault['open']]>([
    ['two columns together tell', numbered.open ?? {}],
    ['nothing tells', { columns: () => ['event_type', 'sub_type', 'system_source'] }],
  ]).map(([what, open]) =>
    fault(`a PDF over the limit is answered 413, and ${what} its events apart`, {
      ...open,
      sizeRefusal: (asked) => refusedOver(asked) && 413,
      breaks: 'export.pdf-limit.over ?audit.*',
    }),
  ),
].map(inWindow)
