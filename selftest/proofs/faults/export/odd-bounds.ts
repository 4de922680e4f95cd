import { offsetsOf } from '../../../../reference/export/zones.ts'
import { inPdf, inWindow, moved, smallLimit } from '../../bent/exports.ts'
import { type Fault, fault, faultsBreaking, faultsNamed } from '../../fault.ts'
import { inParts as ofParts } from './ranges.ts'

const inParts = ['export.range.split.rows', 'export.range.pdf.rows', 'export.pdf-matches-csv']

/** What shows only where one bound stands alone, or lies where nobody asks. */
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
  ...faultsNamed({
    'both bounds are exclusive, and a range of one instant is refused': {
      isFrom: ({ time, start }) => time > start,
      isUpTo: ({ time, end }) => time < end,
      rangeRefusal: ({ range: { start = '', end = '~' } }) => (start >= end ? 400 : undefined),
      breaks: [
        'export.range.start-inclusive',
        'export.range.end-inclusive.exact',
        'export.range.split',
        'export.range.instant',
      ],
      mayBreak: ofParts,
    },
    'the time zone moves a range that has no start': {
      range: ({ range: { start, end }, zone }) => ({
        start,
        end: start === undefined && end ? moved(end, -offsetsOf(zone)(end)) : end,
      }),
      breaks: ['export.range.open-ended'],
    },
    'an end where the counting of time begins is none': {
      range: ({ range: { start, end } }) => ({
        start,
        end: end && Date.parse(end) === 0 ? undefined : end,
      }),
      breaks: ['export.range.open-ended'],
    },
    'times that take more than 32 bits are in the past': {
      range: ({ range: { start, end } }) => ({ start: in32Bits(start), end: in32Bits(end) }),
      breaks: ['export.range.open-ended', 'export.range.outside.rows'],
    },
  }),
  ...(['day', 'month'] as const).map((what) =>
    fault(`range_end at the midnight that a ${what} begins with takes in the whole ${what}`, {
      isUpTo: ({ time, end }) => time <= wholeFrom(end, what === 'day' ? 10 : 7),
      breaks: ['export.range.outside'],
      mayBreak: inParts,
    }),
  ),
  ...faultsNamed({
    'range_end at midnight takes in the whole day, and the window is a part of one': {
      env: { EXPORT_FROM: '2025-10-20T04:00:00Z', EXPORT_TO: '2025-10-20T22:00:00Z' },
      events: 20_000,
      isUpTo: ({ time, end }) => time <= wholeFrom(end, 10),
      breaks: ['export.range.outside.rows'],
      mayBreak: inParts,
    },
    'range_end on the 31st is taken for the 30th': {
      isUpTo: ({ time, end }) => time <= end.replace(/^(\d{4}-\d\d)-31/, '$1-30'),
      breaks: ['export.range.split'],
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
      breaks: ['export.no-filter.rows'],
    }),
  ),
  ...faultsBreaking('export.no-filter.rows', {
    'without a range a PDF holds the last weeks': {
      range: (asked) => {
        const { start, end } = asked.range
        const isOpen = inPdf(asked) && start === undefined && end === undefined
        return isOpen ? { start: '2025-11-01T00:00:00.000000000Z', end } : asked.range
      },
      mayBreak: ['export.pdf-limit.over.forms'],
    },
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
]

/** Exports without a range that hold a part of the events. */
export const noRange = unbounded.map(smallLimit)
