import type { Call } from '../calls/call.ts'
import type { AuditEvent } from '../calls/events.ts'
import { metadataKeys } from '../calls/events.ts'
import {
  type ArrayEncoding,
  type Column,
  type Export,
  labelIn,
  locales,
  type QueryFlaw,
  titleIn,
} from '../calls/export-call.ts'
import { instantOf } from '../world/versions.ts'
import type { ExportFile } from './stated-export.ts'

/** What the contract leaves open of the export. */
export const openOfExport = {
  // The query

  /** The query as the service reads it: names may be percent-encoded like values. */
  queryText: ({ text }: { text: string }): string => text,
  arrayEncodings: (_: Call & { parameter: string }): ArrayEncoding[] => ['repeat'],
  /** Values that count as absent. */
  isNotGiven: ({ parameter, value }: Call & { parameter: string; value: string }): boolean =>
    nullable.includes(parameter) ? value === '' || value === 'null' : false,
  /** Forms of range bounds; undefined for any other text. */
  instantFrom: ({ value }: Call & { parameter: string; value: string }): string | undefined =>
    instantOf(value),
  /** The status for an invalid query; undefined: ignore the invalid part. */
  queryRefusal: ({
    flaw,
  }: Call & { flaw: QueryFlaw; parameter: string; value: string }): number | undefined =>
    flaw === 'unknown value' || flaw === 'parameter' ? undefined : 400,
  locales: (_: Call): string[] => [...locales],
  supportsZone: (_: Call & { zone: string }): boolean => true,
  defaultZone: (_: Call): string => 'UTC',

  // The file

  exportContentType: ({ fileType }: Export): string | undefined =>
    fileType === 'pdf' ? 'application/pdf' : 'text/csv; charset=utf-8',
  /** The Content-Disposition header, with the file name. */
  disposition: ({ fileType }: Export): string | undefined =>
    `attachment; filename="audit-events.${fileType}"`,
  /** How the file is delivered, with headers; the contract states only a downloadable file. */
  delivery: ({
    file,
  }: Export & { file: ExportFile }): ExportFile & { headers?: Record<string, string> } => file,
  columns: ({ fileType }: Export): Column[] => (fileType === 'pdf' ? pdfColumns : csvColumns),
  columnTitle: ({ column, locale }: Title): string => titleIn(locale, column),
  headerRow: (_: Export): boolean => true,
  /** Title lines, before all others. */
  titleLines: (_: Export): string[] => [],
  /** Total lines, behind all others. */
  closingLines: (_: Export): string[] => [],
  /** Order of rows; given is the order of recording. */
  rowOrder: ({ events }: Export & { events: AuditEvent[] }): AuditEvent[] =>
    events.toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time))),
  /** Form of dates; `local` is the zone's wall clock with nine fraction digits and no zone. */
  dateForm: ({ local, offset }: DateShown): string =>
    `${local.slice(0, 23)}${offset === 0 ? 'Z' : offsetText(offset)}`,
  /** The text of a value in the file's language. */
  label: ({ column, value, locale }: { column: Column; value: string; locale: string }): string =>
    labelIn(locale, column, value),
  /** How a cell is protected from programs that would read it as a formula. */
  cellForm: ({ text }: { column: Column; text: string }): string => text,

  // CSV

  delimiter: (_: Export): string => ',',
  byteOrderMark: (_: Export): boolean => false,
  lineEnding: (_: Export): string => '\r\n',
  /** Whether the last line ends as the others do. */
  endsLastLine: (_: Export): boolean => true,
  /** Whether cells are quoted that need no quotes. */
  quotesAnyway: (_: { text: string }): boolean => false,

  // PDF

  /** Page layout: treatment of long cells, and sizes in points. */
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

/** An offset in minutes as text, such as +02:00. */
function offsetText(offset: number): string {
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0')
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

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

/** Decides the title of a column; `at` is its position. */
type Title = { column: Column; at: number; locale: string; fileType: Export['fileType'] }
