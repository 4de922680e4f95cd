import { makeEvents } from '../../../../reference/calls/events.ts'
import { makeWorld } from '../../../../reference/world/world.ts'
import { inPdf, moved } from '../../bent/exports.ts'
import { alsoFoundBy, type Fault, fault, faultsBreaking, faultsNamed } from '../../fault.ts'

const hours = 60

/** A PDF of another range holds too many events, or none. */
const ofOtherPdfs = ['export.pdf.*', 'export.pdf-*']

const fewEvents = makeEvents(makeWorld(1, { events: 5 }))

/** Bounds that are passed over, or filled in, wholly or in PDFs alone. */
export const ignored: Fault[] = [
  ...faultsBreaking(['export.range.outside', 'export.range.outside.rows'], {
    'ranges are ignored': {
      range: () => ({ start: undefined, end: undefined }),
      // Of all events there are more than a PDF holds; and two files that are asked for at once differ by
      // the events of updates between them.
      mayBreak: [
        'export.range.pdf*',
        'export.pdf.status',
        'export.pdf-limit.narrowed',
        'export.deterministic.at-once',
      ],
    },
    'range_start is ignored': {
      range: ({ range }) => ({ ...range, start: undefined }),
      mayBreak: [...ofOtherPdfs, 'export.range.pdf*'],
    },
    'range_end is ignored': {
      range: ({ range }) => ({ ...range, end: undefined }),
      mayBreak: ['export.range.pdf.status'],
    },
  }),
  ...faultsBreaking('export.range.open-ended', {
    'a bound alone is ignored': {
      range: ({ range }) =>
        range.start && range.end ? range : { start: undefined, end: undefined },
    },
    'a range without an end is one of a week': {
      range: ({ range: { start, end } }) => ({
        start,
        end: end ?? (start && moved(start, 7 * 24 * hours)),
      }),
    },
    'a range without a start is one of a week': {
      range: ({ range: { start, end } }) => ({
        start: start ?? (end && moved(end, -7 * 24 * hours)),
        end,
      }),
    },
    'a bound alone is refused': {
      rangeRefusal: ({ range: { start, end } }) =>
        (start === undefined) !== (end === undefined) || (start && end && start > end)
          ? 400
          : undefined,
    },
  }).map(alsoFoundBy('export.filter.one-bound')),
  ...faultsNamed({
    'a file that is always the same': {
      rows: () => fewEvents,
      breaks: ['export.range.outside.rows'],
      mayBreak: ['export.csv.readable', 'audit.*'],
    },
  }),
  ...(['start', 'end'] as const).map((bound) =>
    fault(`range_${bound} is ignored for a PDF`, {
      range: (asked) => (inPdf(asked) ? { ...asked.range, [bound]: undefined } : asked.range),
      breaks: ['export.range.pdf'],
      mayBreak: [...ofOtherPdfs, 'export.range.pdf.*'],
    }),
  ),
  ...[200, 2_500].map((events) =>
    fault(`ranges are ignored for a PDF, and there are ${events} events`, {
      events,
      range: (asked) => (inPdf(asked) ? { start: undefined, end: undefined } : asked.range),
      breaks: ['export.range.pdf'],
      mayBreak: [...ofOtherPdfs, 'export.range.pdf.*'],
    }),
  ),
]
