import type { Call } from '../calls/call.ts'
import type { AuditEvent } from '../calls/events.ts'
import type { Export, FileType, Filter, Range } from '../calls/export-call.ts'
import { errors } from './errors.ts'

/** What the contract states of the export. */
/** How many events a PDF holds at most, unless a proof lowers it. */
export const pdfLimit = 5_000

export const statedOfExport = {
  // The query

  /** `file_type` defaults to csv. */
  defaultFileType: (_: Call): FileType => 'csv',
  /** The requested zone is used in every request. */
  zone: ({ zone }: Call & { zone: string }): string => zone,
  /** `locale` defaults to en. */
  defaultLocale: (_: Call): string => 'en',
  /** Every filter counts, with all its values. */
  filters: ({ filters }: Export & { events: AuditEvent[] }): Filter[] => filters,
  /** Both bounds count, as instants. */
  range: ({ range }: Export): Range => range,
  /** range_start later than range_end is a bad request; no other relation of bounds is. */
  rangeRefusal: ({ range: { start, end } }: Export): number | undefined =>
    start !== undefined && end !== undefined && start > end ? errors['Bad Request'] : undefined,
  /** A PDF beyond the event limit is a bad request; a CSV has no limit. */
  sizeRefusal: ({ fileType, count, limit }: Export & Size): number | undefined =>
    fileType === 'pdf' && count > limit ? errors['Bad Request'] : undefined,

  // Selection of events

  /** A filter value equals the event's value exactly. */
  valueMatches: ({ value, given }: ForFile & { filter: Filter; value: string; given: string }) =>
    value === given,
  /** An event with any of a filter's values matches it. */
  filterHolds: ({ matches }: ForFile & Tried & { matches: boolean[] }): boolean =>
    matches.some(Boolean),
  /** An event is included if it matches every filter; `held` is in the order of `filters`. */
  filtersHold: ({ held }: ForFile & { filters: Filter[]; held: boolean[] }): boolean =>
    held.every(Boolean),
  /** Events from range_start on are included, that instant too. */
  isFrom: ({ time, start }: ForFile & { time: string; start: string }): boolean => time >= start,
  /** Events up to range_end are included, that instant too. */
  isUpTo: ({ time, end }: ForFile & { time: string; end: string }): boolean => time <= end,
  /** The file holds each of these events once. */
  rows: ({ events }: Export & Size & { events: AuditEvent[] }): AuditEvent[] => events,

  // Form of the file

  /** Dates use the requested zone: its offset in minutes at that instant. */
  offset: ({ offset }: ForFile & { zone: string; instant: string; offset: number }): number =>
    offset,
  /** A row has a cell for each column, and texts are unchanged. */
  cells: ({ cells }: Export & { event: AuditEvent; cells: string[] }): string[] => cells,
  /** A cell with a delimiter, quote or line break is quoted. */
  needsQuotes: ({ text, delimiter }: { text: string; delimiter: string }): boolean =>
    text.includes(delimiter) || /["\r\n]/.test(text),
  /** A quote within quotes is doubled. */
  quoted: ({ text }: { text: string }): string => `"${text.replaceAll('"', '""')}"`,
  /** A PDF has all its pages. */
  pages: <Page>({ pages }: Export & { pages: Page[] }): Page[] => pages,
  /** A file is answered with 200. */
  exportStatus: (_: Export): number => 200,
  /** The body is the file itself, without an envelope. */
  file: ({ file }: Export & { file: ExportFile }): ExportFile | Promise<ExportFile> => file,
}

/** The arguments of rules that run once per event. */
type ForFile = { fileType: FileType }

/** A filter and the event to match. */
type Tried = { filter: Filter; event: AuditEvent }

/** The number of selected events, of all events, and the limit of a PDF. */
type Size = { count: number; total: number; limit: number }

/** The content of an export and its content type. */
export type ExportFile = {
  type: string | undefined
  content: ConstructorParameters<typeof Response>[0]
}
