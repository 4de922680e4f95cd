import { offsetOf } from '../calendar.ts'
import { Fault } from '../model.ts'
import { natural, stated } from './bug.ts'

/** So many events that a PDF of all of them is over the limit. */
const OVER_LIMIT = 5_200

const ZONE = 'IANA time zone identifier used to format dates in the export.'

/** The CSV and PDF files, their dates and their language. */
export const fileBugs = [
  stated({
    name: 'csv-always-empty',
    breaks:
      'Events can be filtered and exported for offline analysis, reporting or archiving, in CSV or PDF format.',
    does: 'every CSV holds the headings only',
    hooks: () => ({ chosen: (events, { query }) => (query.file === 'csv' ? [] : events) }),
  }),
  stated({
    name: 'pdf-limit-500',
    breaks: 'PDF holds at most 5,000 events per request.',
    does: 'a PDF of more than 500 events is refused by 400',
    hooks: () => ({ pdfLimit: () => 500 }),
  }),
  stated({
    name: 'pdf-over-limit-cut',
    breaks: 'A request over the limit fails with 400.',
    does: 'a PDF over the limit holds the first 5,000 events, and nobody is told',
    events: OVER_LIMIT,
    hooks: () => ({
      chosen: (events, { query }) => (query.file === 'pdf' ? events.slice(0, 5000) : events),
    }),
  }),
  stated({
    name: 'pdf-limit-counted-before-filters',
    breaks: 'Use CSV or split the export with narrower filters. (PDF export size)',
    does: 'the limit of the PDF is held against all events, whichever are asked for',
    events: OVER_LIMIT,
    hooks: () => {
      let count = 0
      return {
        chosen: (events, { all }) => {
          count = all.length
          return events
        },
        pdfLimit: (limit) => (count > limit ? -1 : limit),
      }
    },
  }),
  stated({
    name: 'pdf-limit-reached-is-over',
    breaks: 'PDF holds at most 5,000 events per request.',
    does: 'a PDF of exactly 5,000 events is refused by 400',
    events: OVER_LIMIT,
    hooks: () => ({ pdfLimit: (limit) => limit - 1 }),
  }),
  stated({
    name: 'pdf-limit-one-too-high',
    breaks: 'PDF holds at most 5,000 events per request.',
    does: 'a PDF of 5,001 events is given, one of more is refused',
    events: OVER_LIMIT,
    hooks: () => ({ pdfLimit: (limit) => limit + 1 }),
  }),
  stated({
    name: 'no-file-type-beside-locale-is-pdf',
    breaks: 'file_type | string | `csv` or `pdf`. Default `csv`.',
    does: 'with a locale and without file_type the file is a PDF',
    hooks: () => ({
      query: (query, { call: { query: given } }) =>
        given.has('locale') && !given.has('file_type') ? { ...query, file: 'pdf' } : query,
    }),
  }),
  stated({
    name: 'locale-stays-for-the-next',
    breaks: 'Two-letter ISO language code of a supported language. Default `en`.',
    does: 'an export without locale is in the language of the export before it',
    hooks: () => {
      let locale = 'en'
      return {
        query: (query, { call }) => {
          if (call.query.has('locale')) locale = query.locale
          return { ...query, locale }
        },
      }
    },
  }),
  stated({
    name: 'pdf-with-metadata-is-csv',
    breaks: 'Response: status 200 and a downloadable file in the requested format.',
    does: 'a PDF with a metadata filter comes as CSV',
    hooks: () => ({
      query: (query) =>
        Object.keys(query.metadata).length > 0 ? { ...query, file: 'csv' } : query,
    }),
  }),
  stated({
    name: 'empty-pdf-404',
    breaks: 'Response: status 200 and a downloadable file in the requested format.',
    does: 'a PDF that would hold no event is answered by 404; the CSV is right',
    warns: 'which exports are refused is not shown in full',
    hooks: () => ({
      chosen: (events, { query }) => {
        if (query.file === 'pdf' && events.length === 0)
          throw new Fault(404, 'NO_EVENTS', 'there is nothing to print')
        return events
      },
    }),
  }),
  stated({
    name: 'zone-fixed-to-winter',
    breaks: ZONE,
    does: 'dates in summer are written with the winter offset of the zone',
    warns: 'times in a file are learned (rule R2)',
    hooks: () => ({
      offset: (_minutes, { zone, ms }) =>
        offsetOf(zone, Date.UTC(new Date(ms).getUTCFullYear(), 0, 15)),
    }),
  }),
  stated({
    name: 'pdf-second-page-in-utc',
    breaks: ZONE,
    does: 'from the second page of a PDF on the dates are in UTC',
    warns: 'times in a file are learned (rule R2)',
    hooks: () => ({ zone: (zone, { page }) => (page > 1 ? 'UTC' : zone) }),
  }),
  natural({
    name: 'csv-row-twice-every-250',
    breaks: 'natural: an event is listed once',
    does: 'the CSV is gathered in pages of 250, and the last event of a full page comes twice',
    hooks: () => ({
      chosen: (events, { query }) =>
        query.file === 'pdf'
          ? events
          : events.flatMap((event, at) => (at % 250 === 249 ? [event, event] : [event])),
    }),
  }),
  natural({
    name: 'csv-quotes-not-doubled',
    breaks: 'natural: a CSV file can be read back, whatever a comment holds',
    does: 'quotation marks within a cell are written as they are',
    hooks: () => ({
      cell: (written, { raw }) => (written.startsWith('"') ? `"${raw}"` : written),
    }),
  }),
  natural({
    name: 'pdf-loses-first-of-each-page',
    breaks: 'natural: PDF and CSV of the same request hold the same events',
    does: 'the event that no longer fits on a page of the PDF is skipped',
    hooks: () => ({ firstOnPage: () => false }),
  }),
  natural({
    name: 'other-locale-empties-the-file',
    breaks: 'natural: the locale decides how the file is written, not which events it holds',
    does: 'with a locale other than en no event is found',
    hooks: () => ({ chosen: (events, { query }) => (query.locale === 'en' ? events : []) }),
  }),
] as const
