import type { Call } from '../calls/call.ts'
import type { AuditEvent } from '../calls/events.ts'
import type { Export, FileType, Filter, Range } from '../calls/export-call.ts'

/** What the contract states of the export. */
export const statedOfExport = {
  // What is asked for

  /** `file_type` is csv when none is given. */
  defaultFileType: (_: Call): FileType => 'csv',
  /** The zone asked for counts, whatever else is asked for. */
  zone: ({ zone }: Call & { zone: string }): string => zone,
  /** `locale` is en when none is given. */
  defaultLocale: (_: Call): string => 'en',
  /** Every filter given counts, with every value of it. */
  filters: ({ filters }: Export & { events: AuditEvent[] }): Filter[] => filters,
  /** Both bounds count, as the instants they were given as. */
  range: ({ range }: Export): Range => range,
  /** range_start later than range_end is answered 400, and nothing else about bounds is. */
  rangeRefusal: ({ range: { start, end } }: Export): number | undefined =>
    start !== undefined && end !== undefined && start > end ? 400 : undefined,
  /** A PDF of more events than the limit is answered 400; a CSV has no such limit. */
  sizeRefusal: ({ fileType, count, limit }: Export & Size): number | undefined =>
    fileType === 'pdf' && count > limit ? 400 : undefined,

  // Which events are in

  /** A filter's value is the event's value, whole and exact. */
  valueMatches: ({ value, given }: ForFile & { filter: Filter; value: string; given: string }) =>
    value === given,
  /** An event with any of a filter's values passes it. */
  filterHolds: ({ matches }: ForFile & Tried & { matches: boolean[] }): boolean =>
    matches.some(Boolean),
  /** An event is in when it passes every filter; `held` goes by the order of `filters`. */
  filtersHold: ({ held }: ForFile & { filters: Filter[]; held: boolean[] }): boolean =>
    held.every(Boolean),
  /** Events from range_start on are in, that instant too. */
  isFrom: ({ time, start }: ForFile & { time: string; start: string }): boolean => time >= start,
  /** Events up to range_end are in, that instant too. */
  isUpTo: ({ time, end }: ForFile & { time: string; end: string }): boolean => time <= end,
  /** The file holds all of these events, each once. */
  rows: ({ events }: Export & Size & { events: AuditEvent[] }): AuditEvent[] => events,

  // How they are written

  /** Dates are written in the zone asked for: its offset in minutes at that instant. */
  offset: ({ offset }: ForFile & { zone: string; instant: string; offset: number }): number =>
    offset,
  /** A row has one cell for each column, and texts come out as they went in. */
  cells: ({ cells }: Export & { event: AuditEvent; cells: string[] }): string[] => cells,
  /** A cell with the delimiter, a quote or a line break in it stands in quotes. */
  needsQuotes: ({ text, delimiter }: { text: string; delimiter: string }): boolean =>
    text.includes(delimiter) || /["\r\n]/.test(text),
  /** A quote within quotes is doubled. */
  quoted: ({ text }: { text: string }): string => `"${text.replaceAll('"', '""')}"`,
  /** A PDF has all of its pages. */
  pages: <Page>({ pages }: Export & { pages: Page[] }): Page[] => pages,
  /** A file is answered with 200. */
  exportStatus: (_: Export): number => 200,
  /** The answer's content is the file itself, in no envelope. */
  file: ({ file }: Export & { file: ExportFile }): ExportFile | Promise<ExportFile> => file,
}

/** What rules are told that are asked for every event. */
type ForFile = { fileType: FileType }

/** A filter that is asked of an event. */
type Tried = { filter: Filter; event: AuditEvent }

/** How many events were chosen, of how many, and the most that a PDF holds. */
type Size = { count: number; total: number; limit: number }

/** The content of an export and the content type it goes by. */
export type ExportFile = {
  type: string | undefined
  content: ConstructorParameters<typeof Response>[0]
}
