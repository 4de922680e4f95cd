import type { AuditEvent } from '../../../../reference/calls/events.ts'
import { openOfExport } from '../../../../reference/rules/open-export.ts'
import { wordsOf } from '../../../long.ts'
import { inWindow, moved, toMilliseconds, toSeconds } from '../../bent/exports.ts'
import { type Fault, fault, faultsBreaking, faultsNamed } from '../../fault.ts'
import { finer } from '../../variants/export-dates.ts'
import { ignored } from './ignored-ranges.ts'

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
  ...faultsBreaking('export.range.start-inclusive', {
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
  ...faultsNamed({
    'range_end is exclusive': {
      isUpTo: ({ time, end }) => time < end,
      breaks: ['export.range.end-inclusive.exact'],
    },
  }),
  ...(['microseconds', 'seconds'] as const).map((what) =>
    fault(`range_end is exclusive, and times are stored in ${what}`, {
      isUpTo: ({ time, end }) => time < end,
      storedTime: what === 'seconds' ? inSeconds : inMicroseconds,
      breaks: ['export.range.end-inclusive.exact'],
    }),
  ),
  ...faultsBreaking('export.range.end-inclusive.exact', {
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
  ...faultsNamed({
    'both bounds are exclusive': {
      isFrom: ({ time, start }) => time > start,
      isUpTo: ({ time, end }) => time < end,
      breaks: [
        'export.range.start-inclusive',
        'export.range.end-inclusive.exact',
        'export.range.split',
      ],
    },
    'range_end is taken for the beginning of its day': {
      isUpTo: ({ time, end }) => time <= dayOf(end),
      breaks: ['export.range.end-inclusive', 'export.range.split'],
    },
    'both bounds are taken for the beginning of their day': {
      isFrom: ({ time, start }) => time >= dayOf(start),
      isUpTo: ({ time, end }) => time <= dayOf(end),
      breaks: ['export.range.end-inclusive', 'export.range.outside.rows'],
    },
    'events are in from the day after range_start on': {
      isFrom: ({ time, start }) => dayOf(time) > dayOf(start),
      breaks: ['export.range.start-inclusive', 'export.range.split'],
    },
  }),
  ...(['start', 'end'] as const).map((bound) =>
    fault(`range_${bound} is ${bound === 'start' ? 'rounded up' : 'cut'} to the full minute`, {
      ...(bound === 'start'
        ? { isFrom: ({ time, start }) => time >= fullMinute(start, 1) }
        : { isUpTo: ({ time, end }) => time <= fullMinute(end, 0) }),
      breaks: [`export.range.${bound}-inclusive`],
      mayBreak: ['export.range.*', 'export.pdf-matches-csv', 'export.timezone.*'],
    }),
  ),
  ...faultsBreaking('export.range.whole-seconds', {
    'bounds without a fraction of a second are refused': {
      instantFrom: withFraction(() => undefined),
    },
    'bounds are compared as texts when a range is refused': {
      rangeRefusal: ({ query }) =>
        (query.get('range_start') ?? '') > (query.get('range_end') ?? '~') ? 400 : undefined,
    },
    'bounds without a fraction of a second are taken for local time': {
      instantFrom: withFraction((instant) => moved(instant, 120)),
    },
  }),
  ...faultsBreaking('export.range.outside.rows', {
    'both bounds are wider by a millisecond': {
      isFrom: ({ time, start }) => time >= moved(start, -ms),
      isUpTo: ({ time, end }) => time <= moved(end, ms),
    },
    'range_end is exceeded by hours': {
      isUpTo: ({ time, end }) => time <= moved(end, 6 * hours),
      mayBreak: ['export.range.outside', 'export.range.apart'],
    },
    'the year of a date is that of its week': {
      cells: ({ cells }) =>
        cells.map((cell) =>
          cell.replace(/^(\d{4})-12-(?=3[01]T)/, (_, year) => `${Number(year) + 1}-12-`),
        ),
    },
  }),
  ...faultsNamed({
    'ranges are compared by whole days': {
      isFrom: ({ time, start }) => dayOf(time) >= dayOf(start),
      isUpTo: ({ time, end }) => dayOf(time) <= dayOf(end),
      breaks: ['export.range.outside', 'export.range.outside.rows'],
    },
    'range_start is taken for the beginning of its second': {
      isFrom: ({ time, start }) => time.slice(0, 19) >= start.slice(0, 19),
      breaks: ['export.range.apart', 'export.range.outside.rows'],
    },
    'range_end is taken for the end of its second': {
      isUpTo: ({ time, end }) => time.slice(0, 19) <= end.slice(0, 19),
      breaks: ['export.range.apart', 'export.range.outside.rows'],
    },
  }),
]

/** Where bounds are wrong, parts of a range differ from the whole, and very short ones hold others. */
export const inParts = wordsOf(`
  export.range.split.rows export.range.pdf.rows export.few-events.* export.filter.combined.*
  export.deterministic.in-turn audit.time audit.exact-end audit.all-recorded
`)

export const faults: Fault[] = [...bounds, ...ignored]
  .map(({ mayBreak = [], ...fault }) => ({ ...fault, mayBreak: [...mayBreak, ...inParts] }))
  .map(inWindow)
