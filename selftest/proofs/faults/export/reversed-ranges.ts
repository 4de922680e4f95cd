import type { Export } from '../../../../reference/calls/export-call.ts'
import { inCsv, inPdf, inWindow } from '../../bent/exports.ts'
import { faultsBreaking, faultsNamed } from '../../fault.ts'

const both = ['export.range.reversed.csv', 'export.range.reversed.pdf']
const dayOf = (time: string) => time.slice(0, 10)
const isReversed = ({ range: { start, end } }: Export) =>
  start !== undefined && end !== undefined && start > end

const reversed = [
  ...faultsBreaking(both, {
    'reversed ranges are let in': { rangeRefusal: () => undefined },
    'reversed ranges are answered 422': {
      rangeRefusal: (asked) => (isReversed(asked) ? 422 : undefined),
    },
    'ranges that are reversed within a day are let in': {
      rangeRefusal: ({ range: { start = '', end = '' } }) =>
        end !== '' && dayOf(start) > dayOf(end) ? 400 : undefined,
    },
    'ranges that are reversed within a second are let in': {
      rangeRefusal: ({ range: { start = '', end = '' } }) =>
        end !== '' && start.slice(0, 19) > end.slice(0, 19) ? 400 : undefined,
    },
    'reversed ranges are let in where a zone is given': {
      rangeRefusal: (asked) =>
        isReversed(asked) && !asked.query.has('timezone') ? 400 : undefined,
    },
    'reversed ranges are let in where a filter is given': {
      rangeRefusal: (asked) => (isReversed(asked) && asked.filters.length === 0 ? 400 : undefined),
    },
  }),
  ...faultsNamed({
    'reversed ranges are answered 500 every time': {
      rangeRefusal: (asked) => (isReversed(asked) ? 500 : undefined),
      breaks: ['export.range.reversed.status'],
    },
    'reversed ranges of a PDF are let in': {
      rangeRefusal: (asked) => (isReversed(asked) && inCsv(asked) ? 400 : undefined),
      breaks: ['export.range.reversed.pdf'],
    },
    'reversed ranges of a CSV are answered 404': {
      rangeRefusal: (asked) => (isReversed(asked) ? (inPdf(asked) ? 400 : 404) : undefined),
      breaks: ['export.range.reversed.csv'],
    },
    'a range of one instant is refused': {
      rangeRefusal: ({ range: { start, end } }) =>
        start !== undefined && end !== undefined && start >= end ? 400 : undefined,
      breaks: ['export.range.instant'],
    },
  }),
]

export const faults = reversed.map(inWindow)
