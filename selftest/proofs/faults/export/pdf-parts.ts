import type { Export } from '../../../../reference/calls/export-call.ts'
import { offsetsOf } from '../../../../reference/export/zones.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import { wordsOf } from '../../../long.ts'
import { inPdf, inWindow, moved } from '../../bent/exports.ts'
import { alsoFoundBy, type Fault, fault, tableOf } from '../../fault.ts'

type Bound = string | undefined

/** Bounds of a PDF that are taken for something coarser, or for nothing. */
const ranges = tableOf<[string, (range: Export['range']) => Export['range']]>([
  ['range_start is cut to the minute', ({ start, end }) => ({ start: cut(start, 17), end })],
  ['range_start is cut to the hour', ({ start, end }) => ({ start: cut(start, 14), end })],
  ['range_start is cut to the day', ({ start, end }) => ({ start: cut(start, 11), end })],
  ['range_end is the end of its minute', ({ start, end }) => ({ start, end: filled(end, 17) })],
  ['range_end is the end of its day', ({ start, end }) => ({ start, end: filled(end, 11) })],
  [
    'range_start is a day earlier',
    ({ start, end }) => ({ start: start && moved(start, -24 * 60), end }),
  ],
  ['range_end is a day later', ({ start, end }) => ({ start, end: end && moved(end, 24 * 60) })],
  [
    'the range begins a day late',
    ({ start, end }) => ({ start: start && moved(start, 24 * 60), end }),
  ],
]).map(([what, bent]) =>
  fault(`in a PDF ${what}`, {
    range: (asked) => (inPdf(asked) ? bent(asked.range) : asked.range),
    breaks: ['export.range.pdf.rows'],
    mayBreak: wordsOf(`
      export.range.pdf export.range.pdf.status export.pdf* export.filter.* export.timezone.pdf
      export.locale.pdf
    `),
  }),
)

const zero = '0000-01-01T00:00:00.000000000Z'
const nines = '9999-12-31T23:59:59.999999999Z'
const cut = (time: Bound, length: number): Bound =>
  time && time.slice(0, length) + zero.slice(length)
const filled = (time: Bound, length: number): Bound =>
  time && time.slice(0, length) + nines.slice(length)

/** Offsets that are wrong in PDFs alone. */
const zones = tableOf<
  [string, (shown: { zone: string; instant: string; offset: number }) => number]
>([
  [
    'the offset of winter is written all year',
    ({ zone }) => offsetsOf(zone)('2025-01-15T00:00:00.000Z'),
  ],
  [
    'the offset of summer is written all year',
    ({ zone }) => offsetsOf(zone)('2025-07-15T00:00:00.000Z'),
  ],
  ['offsets are subtracted', ({ offset }) => -offset],
  ['offsets are whole hours', ({ offset }) => Math.trunc(offset / 60) * 60],
  [
    'the offset of the other season is written',
    ({ zone, instant }) => offsetsOf(zone)(moved(instant, 182 * 24 * 60)),
  ],
]).map(([what, bent]) =>
  fault(`in a PDF ${what}`, {
    offset: (shown) => (inPdf(shown) ? bent(shown) : shown.offset),
    breaks: ['export.timezone.pdf.seasons'],
    mayBreak: ['export.timezone.pdf'],
  }),
)

/** A PDF shows it in every zone and language, and so no zone or language is to blame. */
export const twiceInPdf: Fault[] = [
  fault('every PDF begins with its first event and the same again', {
    rows: ({ events, ...asked }) => (inPdf(asked) ? [...events.slice(0, 1), ...events] : events),
    breaks: ['export.pdf-matches-csv'],
    mayBreak: ['export.range.pdf.rows', 'export.filter.*', 'export.few-events.pdf'],
  }) satisfies Fault,
].map(inWindow)

const refusedEmpty = fault('a PDF that would hold no event is answered 404', {
  sizeRefusal: (asked) => (inPdf(asked) && asked.count === 0 ? 404 : stated.sizeRefusal(asked)),
  breaks: ['export.range.pdf.status'],
})

/** Caught by clauses on parts of a PDF. */
export const rangeFaultsOfPdf = [...ranges, refusedEmpty]
  .map(alsoFoundBy('export.few-events.pdf', 'export.filter.combined.pdf'))
  .map(inWindow)
export const zoneFaultsOfPdf = zones.map(inWindow)
