// What libraries for web exports write of the shared list of events, and what of it no reader gets back.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An event in the list that all files of the corpus hold. */
export type ListedEvent = {
  id: string
  time: string
  auditee_id: string
  event_type: string
  sub_type: string
  system_source: string
  task_id: string
  tag: string
  comment: string
}

export const bytesOf = (...path: string[]): Buffer =>
  readFileSync(join(import.meta.dirname, ...path))

/** The shared list of events. */
export const listed: readonly ListedEvent[] = JSON.parse(bytesOf('events.json').toString())

/** How many of them, from the first on, the smaller files hold. */
export const few = 120

export const columns = Object.keys(listed[0] ?? {}) as (keyof ListedEvent)[]

const csvs: Record<string, string> = JSON.parse(bytesOf('csv.json').toString())

/** A CSV of the corpus. */
export type CsvFile = {
  path: string
  bytes: Buffer
  /** the library, which wrote by its defaults or by a common option */
  by: string
  events?: 'all'
  /** its first column numbers the rows */
  numbered?: true
  /** in how many events a column reads differently from the list, and why */
  otherwise?: Partial<Record<keyof ListedEvent, { events: number; why: string }>>
}

// biome-ignore format: one file a line
export const csvFiles: readonly CsvFile[] = (
  [
    ['papaparse', 'papaparse 5.7.1', { events: 'all' }],
    ['papaparse-excel', 'papaparse 5.7.1', { otherwise: { comment: { events: 38, why: 'it writes an apostrophe before = + - and @' } } }],
    ['csv-stringify', 'csv-stringify 6.9.0'],
    ['csv-stringify-quoted', 'csv-stringify 6.9.0'],
    ['json2csv', 'json2csv 5.0.7'],
    ['fast-csv', 'fast-csv 5.0.8'],
    ['python-csv', 'Python 3.11.2', { events: 'all' }],
    ['python-csv-tab', 'Python 3.11.2'],
    ['python-csv-escaped', 'Python 3.11.2'],
    ['python-csv-backslash', 'Python 3.11.2'],
    ['pandas-index', 'pandas 1.5.3', { numbered: true, otherwise: { time: { events: 120, why: 'it writes a space for T, and +00:00' } } }],
    ['commons-csv-default', 'Apache Commons CSV 1.9.0'],
    ['commons-csv-mysql', 'Apache Commons CSV 1.9.0'],
    ['commons-csv-tdf', 'Apache Commons CSV 1.9.0'],
    ['opencsv', 'opencsv 5.2'],
    ['php-fputcsv', 'PHP 8.2'],
    ['php-fputcsv-semicolon', 'PHP 8.2'],
    ['ruby-csv', 'Ruby 3.1'],
    ['perl-csv-xs', 'Text::CSV_XS 1.49'],
  ] satisfies [string, string, Partial<CsvFile>?][]
).map(([name, by, more]) => {
  const path = `${name}.csv`
  return { path, bytes: Buffer.from(csvs[path] ?? ''), by, ...more }
})

/** A PDF of the corpus, and what tells its events apart. */
export type PdfFile = {
  path: string
  /** the version of what wrote the file */
  by: string
  events?: 'all'
  /** a column, or `times`; default: the id; time, if lines break ids with hyphens */
  told?: string
}

export const pdfFiles: readonly PdfFile[] = [
  { path: 'pdf-all/chromium.pdf', by: 'Chromium 156', events: 'all' },
  { path: 'pdf-all/fop.pdf', by: 'Apache FOP 2.8', events: 'all' },
  { path: 'pdf-all/jspdf-autotable.pdf', by: 'jspdf-autotable 5.0.9', events: 'all' },
  { path: 'pdf-all/pdfmake.pdf', by: 'pdfmake 0.2.23', events: 'all' },
  { path: 'pdf-all/prawn.pdf', by: 'Prawn 2.4.0', events: 'all' },
  { path: 'pdf-all/reportlab-table.pdf', by: 'ReportLab 3.6.12', events: 'all' },
  { path: 'pdf-all/tcpdf.pdf', by: 'TCPDF 6.6.2', events: 'all' },
  { path: 'pdf-all/wkhtmltopdf.pdf', by: 'wkhtmltopdf 0.12.6', events: 'all' },
  { path: 'pdf-few/chromium-few.pdf', by: 'Chromium 156' },
  { path: 'pdf-few/chromium-people.pdf', by: 'Chromium 156', told: 'times' },
  { path: 'pdf-few/dompdf.pdf', by: 'Dompdf 2.0.3' },
  { path: 'pdf-few/itext2.pdf', by: 'iText 2.1.7' },
  { path: 'pdf-few/pdfbox.pdf', by: 'Apache PDFBox 1.8.16' },
  { path: 'pdf-few/pdfkit.pdf', by: 'pdfkit 0.20.2' },
  { path: 'pdf-few/pdfmake-wrapped.pdf', by: 'pdfmake 0.2.23' },
  { path: 'pdf-few/react-pdf.pdf', by: '@react-pdf/renderer 4.9.0', told: 'time' },
  { path: 'pdf-few/reportlab-canvas.pdf', by: 'ReportLab 3.6.12' },
  { path: 'pdf-few/weasyprint.pdf', by: 'WeasyPrint 57.2' },
  { path: 'pdf-few/wkhtmltopdf-people.pdf', by: 'wkhtmltopdf 0.12.6', told: 'times' },
]
