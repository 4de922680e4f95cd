import { offsetsOf } from '../../../../reference/export/zones.ts'
import { open } from '../../../../reference/rules/open.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import { asDays, inCsv, inWindow, refusedOver } from '../../bent/exports.ts'
import { type Fault, fault, tableOf } from '../../fault.ts'
import { numbered, rewritten } from '../../variants/export-records.ts'

/** Of bounds alone that no datetime is like, and that a database is handed as they are. */
const failing = tableOf<[string, (value: string) => boolean]>([
  ['a day that no month has', (value) => value.startsWith('2025-02-30')],
  ['a quote', (value) => value.includes("'")],
  ['NUL', (value) => value.includes('\0')],
  ['digits alone', (value) => /^\d{15,}$/.test(value)],
]).map(([what, isFailing]) =>
  fault(`a bound of ${what} is answered 500`, {
    queryRefusal: (asked) => (isFailing(asked.value) ? 500 : open.queryRefusal(asked)),
    breaks: ['export.range.malformed'],
  }),
)

const failingPdf = fault('a malformed bound is answered 500 where a PDF is asked for', {
  queryRefusal: (asked) =>
    asked.flaw === 'range form' && asked.query.get('file_type') === 'pdf'
      ? 500
      : open.queryRefusal(asked),
  breaks: ['export.range.malformed'],
})

/** Caught by the clause on malformed bounds. */
export const faults: Fault[] = [...failing, failingPdf].map(inWindow)

/** Nothing that is refused beside it tells anything. */
export const refusedCsv: Fault[] = [
  fault('every CSV is answered 422', {
    rangeRefusal: (asked) => (inCsv(asked) ? 422 : stated.rangeRefusal(asked)),
    breaks: ['export.csv.status'],
    mayBreak: ['export.*'],
  }) satisfies Fault,
].map(inWindow)

const ofNumbers = fault(
  'range_start is exclusive, and times are written as days of a spreadsheet',
  {
    isFrom: ({ time, start }) => time > start,
    dateForm: asDays,
    breaks: ['export.range.start-inclusive'],
  },
)

const ofWinter = '2025-01-15T00:00:00.000Z'
const ofSummer = '2025-07-15T00:00:00.000Z'
const shortTrails = tableOf([
  ['the offset of winter is written all year', ofWinter, '2025-08-16', '2025-11-08', '2025-11-24'],
  // It begins a week before the change in spring, 93 days before the window.
  ['the offset of summer is written all year', ofSummer, '2025-03-02', '2025-06-08', '2025-06-24'],
]).map(([what, season, firstDay, from, to]) =>
  fault(`${what}, and the trail begins a hundred days before`, {
    env: { EXPORT_FROM: `${from}T00:00:00Z`, EXPORT_TO: `${to}T00:00:00Z` },
    rows: ({ events }) => events.filter(({ time }) => time >= firstDay),
    offset: ({ zone }) => offsetsOf(zone)(season),
    breaks: ['export.timezone.offset'],
    // A PDF is refused for events that no file shows.
    mayBreak: ['export.timezone.pdf*', 'export.pdf-limit.*'],
  }),
)

const trailing = fault(
  'event_type is ignored, and rows end with a delimiter that the header lacks',
  {
    ...rewritten((lines) => lines.map((line) => `${line},`)),
    filters: ({ filters }) => filters.filter(({ name }) => name !== 'event_type'),
    breaks: ['export.filter.event_type.unknown-value'],
    mayBreak: ['export.filter.*'],
  },
)

const notToldApart = tableOf<[string, Fault['open']]>([
  ['two columns together tell', numbered.open ?? {}],
  ['nothing tells', { columns: () => ['event_type', 'sub_type', 'system_source'] }],
]).map(([what, open]) =>
  fault(`a PDF over the limit is answered 413, and ${what} its events apart`, {
    ...open,
    sizeRefusal: (asked) => refusedOver(asked) && 413,
    breaks: ['export.pdf-limit.over'],
    mayBreak: ['audit.*'],
  }),
)

/** Times that are numbers are read as times; a summer-time mistake shows in a short trail. */
export const faultsOfTimes: Fault[] = [ofNumbers, ...shortTrails].map(inWindow)

/** Records that are wider than their titles are read, and so are events that share their time. */
export const faultsOfRecords: Fault[] = [trailing, ...notToldApart].map(inWindow)
