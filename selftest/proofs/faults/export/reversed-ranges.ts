import type { Export } from '../../../../reference/calls/export-call.ts'
import { inCsv, inPdf, inWindow } from '../../bent/export-window.ts'
import type { Fault } from '../../fault.ts'

const both = ['export.range.reversed.csv', 'export.range.reversed.pdf']
const dayOf = (time: string) => time.slice(0, 10)
const isReversed = ({ range: { start, end } }: Export) =>
  start !== undefined && end !== undefined && start > end

const reversed: Fault[] = [
  { name: 'reversed ranges are let in', stated: { rangeRefusal: () => undefined }, breaks: both },
  {
    name: 'reversed ranges are answered 422',
    stated: { rangeRefusal: (asked) => (isReversed(asked) ? 422 : undefined) },
    breaks: both,
  },
  {
    name: 'reversed ranges are answered 500 every time',
    stated: { rangeRefusal: (asked) => (isReversed(asked) ? 500 : undefined) },
    breaks: ['export.range.reversed.status'],
  },
  {
    name: 'reversed ranges of a PDF are let in',
    stated: { rangeRefusal: (asked) => (isReversed(asked) && inCsv(asked) ? 400 : undefined) },
    breaks: ['export.range.reversed.pdf'],
  },
  {
    name: 'reversed ranges of a CSV are answered 404',
    stated: {
      rangeRefusal: (asked) => (isReversed(asked) ? (inPdf(asked) ? 400 : 404) : undefined),
    },
    breaks: ['export.range.reversed.csv'],
  },
  {
    name: 'ranges that are reversed within a day are let in',
    stated: {
      rangeRefusal: ({ range: { start = '', end = '' } }) =>
        end !== '' && dayOf(start) > dayOf(end) ? 400 : undefined,
    },
    breaks: both,
  },
  {
    name: 'ranges that are reversed within a second are let in',
    stated: {
      rangeRefusal: ({ range: { start = '', end = '' } }) =>
        end !== '' && start.slice(0, 19) > end.slice(0, 19) ? 400 : undefined,
    },
    breaks: both,
  },
  {
    name: 'reversed ranges are let in where a zone is given',
    stated: {
      rangeRefusal: (asked) =>
        isReversed(asked) && !asked.query.has('timezone') ? 400 : undefined,
    },
    breaks: both,
  },
  {
    name: 'reversed ranges are let in where a filter is given',
    stated: {
      rangeRefusal: (asked) => (isReversed(asked) && asked.filters.length === 0 ? 400 : undefined),
    },
    breaks: both,
  },
  {
    name: 'a range of one instant is refused',
    stated: {
      rangeRefusal: ({ range: { start, end } }) =>
        start !== undefined && end !== undefined && start >= end ? 400 : undefined,
    },
    breaks: ['export.range.instant'],
  },
]

export const faults = reversed.map(inWindow)
