import type { Call } from '../calls/call.ts'
import type { AuditEvent } from '../calls/events.ts'
import { metadataKeys } from '../calls/events.ts'
import type { ArrayEncoding, Column, Export, QueryFlaw } from '../calls/export-call.ts'
import { labelIn, titleIn, words } from '../calls/locales.ts'
import { instantOf } from '../world/versions.ts'
import type { ExportFile } from './stated-export.ts'

/** What the contract leaves open of the export. */
export const openOfExport = {
  // What is asked for

  /** What is read of a query: names may be percent-encoded in it as values are. */
  queryText: ({ text }: { text: string }): string => text,
  /** Encodings of array parameters that are understood. */
  arrayEncodings: (_: Call & { parameter: string }): ArrayEncoding[] => ['repeat'],
  /** Values that count as none given. */
  isNotGiven: ({ parameter, value }: Call & { parameter: string; value: string }): boolean =>
    nullable.includes(parameter) ? value === '' || value === 'null' : false,
  /** Forms of range bounds; undefined for a text that is none. */
  instantFrom: ({ value }: Call & { parameter: string; value: string }): string | undefined =>
    instantOf(value),
  /** The status for an invalid query; undefined: the part at fault is passed over. */
  queryRefusal: ({ flaw }: Call & QueryPart): number | undefined =>
    flaw === 'unknown value' || flaw === 'parameter' ? undefined : 400,
  /** The status for a CSV of so many events; undefined: it is given. */
  csvRefusal: (_: Export & { count: number; total: number }): number | undefined => undefined,
  /** Supported locales. */
  locales: (_: Call): string[] => Object.keys(words),
  /** Supported time zones, of those that there are. */
  supportsZone: (_: Call & { zone: string }): boolean => true,
  /** The time zone when none is given. */
  defaultZone: (_: Call): string => 'UTC',

  // The file

  /** Content type of an exported file. */
  exportContentType: ({ fileType }: Export): string | undefined =>
    fileType === 'pdf' ? 'application/pdf' : 'text/csv; charset=utf-8',
  /** File name of an exported file, and how it is told. */
  disposition: ({ fileType }: Export): string | undefined =>
    `attachment; filename="audit-events.${fileType}"`,
  /** How the file is handed over, with headers of that; the contract says only that it is one. */
  delivery: ({
    file,
  }: Export & { file: ExportFile }): ExportFile & { headers?: Record<string, string> } => file,
  /** Columns and their order. */
  columns: ({ fileType }: Export): Column[] => (fileType === 'pdf' ? pdfColumns : csvColumns),
  /** Names of columns. */
  columnTitle: ({ column, locale }: Title): string => titleIn(locale, column),
  /** Whether the columns' names are written. */
  headerRow: (_: Export): boolean => true,
  /** Lines before all others. */
  titleLines: (_: Export): string[] => [],
  /** Lines of a CSV behind all others. */
  closingLines: (_: Export): string[] => [],
  /** Order of rows; given is the order in which the events were recorded. */
  rowOrder: ({ events }: Export & { events: AuditEvent[] }): AuditEvent[] =>
    events.toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time))),
  /** Form of dates; `local` is the zone's wall clock, with nine fraction digits and no zone. */
  dateForm: ({ local, offset }: DateShown): string => `${local.slice(0, 23)}${suffix(offset)}`,
  /** What is shown of values, in the file's language. */
  label: ({ column, value, locale }: { column: Column; value: string; locale: string }): string =>
    labelIn(locale, column, value),
  /** How a cell's text is made safe, or is not, for programs that take it for a formula. */
  cellForm: ({ text }: { column: Column; text: string }): string => text,

  // CSV

  /** The delimiter. */
  delimiter: (_: Export): string => ',',
  /** Whether the file begins with a byte order mark. */
  byteOrderMark: (_: Export): boolean => false,
  /** The line ending. */
  lineEnding: (_: Export): string => '\r\n',
  /** Whether the last line ends as the others do. */
  endsLastLine: (_: Export): boolean => true,
  /** Whether cells stand in quotes that need none. */
  quotesAnyway: (_: { text: string }): boolean => false,

  // PDF

  /** Page layout: what becomes of long cells, and sizes in points. */
  pdfLayout: (_: Export): PdfLayout => ({ long: 'cut', page: [842, 595], margin: 24, size: 6 }),
}

const nullable = ['range_start', 'range_end', 'timezone']

const csvColumns: Column[] = [
  'id',
  'time',
  'auditee_id',
  'event_type',
  'sub_type',
  'system_source',
  'description',
  'comment',
  ...metadataKeys,
]

const pdfColumns: Column[] = ['time', 'id', 'event_type', 'sub_type', 'system_source', 'comment']

const suffix = (offset: number): string => {
  if (offset === 0) return 'Z'
  const minutes = Math.abs(offset)
  const two = (n: number) => String(Math.trunc(n)).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

type QueryPart = { flaw: QueryFlaw; parameter: string; value: string }

export type DateShown = {
  /** canonical, in UTC */
  instant: string
  local: string
  /** minutes */
  offset: number
  zone: string
  locale: string
}

export type PdfLayout = {
  long: 'cut' | 'wrap'
  page: [width: number, height: number]
  margin: number
  size: number
}

/** What the head of a column goes by; `at` is its place among the columns. */
type Title = { column: Column; at: number; locale: string; fileType: Export['fileType'] }
