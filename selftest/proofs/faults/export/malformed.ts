import { open } from '../../../../reference/rules/open.ts'
import { asDays, inWindow } from '../../bent/export-window.ts'
import type { Fault } from '../../fault.ts'

/** Of bounds alone that no datetime is like, and that a database is handed as they are. */
const failing: Fault[] = (
  [
    ['a day that no month has', (value) => value.startsWith('2025-02-30')],
    ['a quote', (value) => value.includes("'")],
    ['NUL', (value) => value.includes('\0')],
    ['digits alone', (value) => /^\d{15,}$/.test(value)],
  ] satisfies [string, (value: string) => boolean][]
).map(([what, isFailing]) => ({
  name: `a bound of ${what} is answered 500`,
  open: { queryRefusal: (asked) => (isFailing(asked.value) ? 500 : open.queryRefusal(asked)) },
  breaks: ['export.range.malformed'],
}))

const failingPdf: Fault = {
  name: 'a malformed bound is answered 500 where a PDF is asked for',
  open: {
    queryRefusal: (asked) =>
      asked.flaw === 'range form' && asked.query.get('file_type') === 'pdf'
        ? 500
        : open.queryRefusal(asked),
  },
  breaks: ['export.range.malformed'],
}

/** Caught by the clause on bounds that are no datetimes. */
export const faults: Fault[] = [...failing, failingPdf].map(inWindow)

const ofNumbers: Fault = {
  name: 'range_start is exclusive, and times are written as days of a spreadsheet',
  stated: { isFrom: ({ time, start }) => time > start },
  open: { dateForm: asDays },
  breaks: ['export.range.start-inclusive'],
}

/** Times that are numbers are read as times. */
export const faultsOfNumbers: Fault[] = [inWindow(ofNumbers)]
