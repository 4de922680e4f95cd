import { type AuditEvent, makeEvents } from '../../../../reference/calls/events.ts'
import { openOfExport } from '../../../../reference/rules/open-export.ts'
import { makeWorld } from '../../../../reference/world/world.ts'
import { inPdf, inWindow, moved, toMilliseconds, toSeconds } from '../../bent/export-window.ts'
import type { Fault } from '../../fault.ts'

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
const ms = 1 / 60_000

/** A PDF of another range holds too many events, or none. */
const ofOtherPdfs = ['export.pdf.*', 'export.pdf-*']

const fewEvents = makeEvents(makeWorld(1, { events: 5 }))

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

const bounds: Fault[] = [
  {
    name: 'range_start is exclusive',
    stated: { isFrom: ({ time, start }) => time > start },
    breaks: ['export.range.start-inclusive'],
  },
  {
    name: 'range_start is exclusive, and taken to the millisecond',
    stated: { isFrom: ({ time, start }) => time > toMilliseconds(start) },
    breaks: ['export.range.start-inclusive'],
  },
  {
    name: 'range_start is exclusive, and refused where it is finer than milliseconds',
    stated: {
      isFrom: ({ time, start }) => time > start,
      rangeRefusal: ({ range: { start = '', end = '~' } }) =>
        start > end || /[1-9]\d*Z$/.test(start.slice(23)) ? 400 : undefined,
    },
    breaks: ['export.range.start-inclusive'],
  },
  {
    name: 'range_end is exclusive',
    stated: { isUpTo: ({ time, end }) => time < end },
    breaks: ['export.range.end-inclusive.exact'],
  },
  ...(['microseconds', 'seconds'] as const).map(
    (what): Fault => ({
      name: `range_end is exclusive, and times are stored in ${what}`,
      stated: { isUpTo: ({ time, end }) => time < end },
      open: { storedTime: what === 'seconds' ? inSeconds : inMicroseconds },
      breaks: ['export.range.end-inclusive.exact'],
    }),
  ),
  {
    name: 'range_end is exclusive, and bounds are cut to milliseconds',
    stated: {
      isFrom: ({ time, start }) => time >= toMilliseconds(start),
      isUpTo: ({ time, end }) => time < toMilliseconds(end),
    },
    breaks: ['export.range.end-inclusive.exact'],
  },
  {
    name: 'range_end is exclusive, and times are stored in microseconds and shown in seconds',
    stated: { isUpTo: ({ time, end }) => time < end },
    open: {
      storedTime: inMicroseconds,
      dateForm: ({ local }) => local.slice(0, 19),
    },
    breaks: ['export.range.end-inclusive.exact'],
  },
  {
    name: 'both bounds are exclusive',
    stated: {
      isFrom: ({ time, start }) => time > start,
      isUpTo: ({ time, end }) => time < end,
    },
    breaks: [
      'export.range.start-inclusive',
      'export.range.end-inclusive.exact',
      'export.range.split',
    ],
  },
  {
    name: 'range_end is taken for the beginning of its day',
    stated: { isUpTo: ({ time, end }) => time <= dayOf(end) },
    breaks: ['export.range.end-inclusive', 'export.range.split'],
  },
  {
    name: 'both bounds are taken for the beginning of their day',
    stated: {
      isFrom: ({ time, start }) => time >= dayOf(start),
      isUpTo: ({ time, end }) => time <= dayOf(end),
    },
    breaks: ['export.range.end-inclusive', 'export.range.outside.rows'],
  },
  {
    name: 'events are in from the day after range_start on',
    stated: { isFrom: ({ time, start }) => dayOf(time) > dayOf(start) },
    breaks: ['export.range.start-inclusive', 'export.range.split'],
  },
  ...(['start', 'end'] as const).map(
    (bound): Fault => ({
      name: `range_${bound} is ${bound === 'start' ? 'rounded up' : 'cut'} to the full minute`,
      stated:
        bound === 'start'
          ? { isFrom: ({ time, start }) => time >= fullMinute(start, 1) }
          : { isUpTo: ({ time, end }) => time <= fullMinute(end, 0) },
      breaks: [`export.range.${bound}-inclusive`],
      mayBreak: ['export.range.*', 'export.pdf-matches-csv', 'export.timezone.*'],
    }),
  ),
  {
    name: 'ranges are compared by whole days',
    stated: {
      isFrom: ({ time, start }) => dayOf(time) >= dayOf(start),
      isUpTo: ({ time, end }) => dayOf(time) <= dayOf(end),
    },
    breaks: ['export.range.outside', 'export.range.outside.rows'],
  },
  {
    name: 'bounds without a fraction of a second are refused',
    open: { instantFrom: withFraction(() => undefined) },
    breaks: ['export.range.whole-seconds'],
  },
  {
    name: 'bounds are compared as texts when a range is refused',
    stated: {
      rangeRefusal: ({ query }) =>
        (query.get('range_start') ?? '') > (query.get('range_end') ?? '~') ? 400 : undefined,
    },
    breaks: ['export.range.whole-seconds'],
  },
  {
    name: 'bounds without a fraction of a second are taken for local time',
    open: { instantFrom: withFraction((instant) => moved(instant, 120)) },
    breaks: ['export.range.whole-seconds'],
  },
  {
    name: 'range_start is taken for the beginning of its second',
    stated: { isFrom: ({ time, start }) => time.slice(0, 19) >= start.slice(0, 19) },
    breaks: ['export.range.apart', 'export.range.outside.rows'],
  },
  {
    name: 'range_end is taken for the end of its second',
    stated: { isUpTo: ({ time, end }) => time.slice(0, 19) <= end.slice(0, 19) },
    breaks: ['export.range.apart', 'export.range.outside.rows'],
  },
  {
    name: 'both bounds are wider by a millisecond',
    stated: {
      isFrom: ({ time, start }) => time >= moved(start, -ms),
      isUpTo: ({ time, end }) => time <= moved(end, ms),
    },
    breaks: ['export.range.outside.rows'],
  },
  {
    name: 'range_end is exceeded by hours',
    stated: { isUpTo: ({ time, end }) => time <= moved(end, 6 * hours) },
    breaks: ['export.range.outside.rows'],
    mayBreak: ['export.range.outside', 'export.range.apart'],
  },
  {
    name: 'the year of a date is that of its week',
    stated: {
      cells: ({ cells }) =>
        cells.map((cell) =>
          cell.replace(/^(\d{4})-12-(?=3[01]T)/, (_, year) => `${Number(year) + 1}-12-`),
        ),
    },
    breaks: ['export.range.outside.rows'],
  },
]

const ignored: Fault[] = [
  {
    name: 'ranges are ignored',
    stated: { range: () => ({ start: undefined, end: undefined }) },
    breaks: ['export.range.outside', 'export.range.outside.rows'],
    // Of all events there are more than a PDF holds.
    // Beside updates of others two files that are asked for at once differ by the events of these.
    mayBreak: [
      'export.range.pdf*',
      'export.pdf.status',
      'export.pdf-limit.narrowed',
      'export.deterministic.at-once',
    ],
  },
  {
    name: 'a file that is always the same',
    stated: { rows: () => fewEvents },
    breaks: ['export.range.outside.rows'],
    mayBreak: ['export.csv.readable', 'audit.*'],
  },
  {
    name: 'range_start is ignored',
    stated: { range: ({ range }) => ({ ...range, start: undefined }) },
    breaks: ['export.range.outside', 'export.range.outside.rows'],
    mayBreak: [...ofOtherPdfs, 'export.range.pdf*'],
  },
  {
    name: 'range_end is ignored',
    stated: { range: ({ range }) => ({ ...range, end: undefined }) },
    breaks: ['export.range.outside', 'export.range.outside.rows'],
    mayBreak: ['export.range.pdf.status'],
  },
  {
    name: 'a bound alone is ignored',
    stated: {
      range: ({ range }) =>
        range.start && range.end ? range : { start: undefined, end: undefined },
    },
    breaks: ['export.range.open-ended'],
    mayBreak: ['export.filter.one-bound'],
  },
  {
    name: 'a range without an end is one of a week',
    stated: {
      range: ({ range: { start, end } }) => ({
        start,
        end: end ?? (start && moved(start, 7 * 24 * hours)),
      }),
    },
    breaks: ['export.range.open-ended'],
    mayBreak: ['export.filter.one-bound'],
  },
  {
    name: 'a range without a start is one of a week',
    stated: {
      range: ({ range: { start, end } }) => ({
        start: start ?? (end && moved(end, -7 * 24 * hours)),
        end,
      }),
    },
    breaks: ['export.range.open-ended'],
    mayBreak: ['export.filter.one-bound'],
  },
  {
    name: 'a bound alone is refused',
    stated: {
      rangeRefusal: ({ range: { start, end } }) =>
        (start === undefined) !== (end === undefined) || (start && end && start > end)
          ? 400
          : undefined,
    },
    breaks: ['export.range.open-ended'],
    mayBreak: ['export.filter.one-bound'],
  },
  ...(['start', 'end'] as const).map(
    (bound): Fault => ({
      name: `range_${bound} is ignored for a PDF`,
      stated: {
        range: (asked) => (inPdf(asked) ? { ...asked.range, [bound]: undefined } : asked.range),
      },
      breaks: ['export.range.pdf'],
      mayBreak: [...ofOtherPdfs, 'export.range.pdf.*'],
    }),
  ),
  ...[200, 2_500].map(
    (events): Fault => ({
      name: `ranges are ignored for a PDF, and there are ${events} events`,
      events,
      stated: {
        range: (asked) => (inPdf(asked) ? { start: undefined, end: undefined } : asked.range),
      },
      breaks: ['export.range.pdf'],
      mayBreak: [...ofOtherPdfs, 'export.range.pdf.*'],
    }),
  ),
]

/** Where bounds are wrong, parts of a range differ from the whole, and very short ones hold others. */
export const inParts = [
  'export.range.split.rows',
  'export.range.pdf.rows',
  'export.few-events.*',
  'export.filter.combined.*',
  'export.deterministic.in-turn',
  'audit.time',
  'audit.all-recorded',
]

export const faults: Fault[] = [...bounds, ...ignored]
  .map(({ mayBreak = [], ...fault }) => ({ ...fault, mayBreak: [...mayBreak, ...inParts] }))
  .map(inWindow)
