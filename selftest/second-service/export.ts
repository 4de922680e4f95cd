// The audit export: reading the query, and writing the events as CSV or as PDF lines.

import type { ArrayFilter, Filters } from './events.ts'
import { ARRAY_FILTERS, isId, matching, record } from './events.ts'
import { pdfOf } from './pdf.ts'
import type { AuditEvent, World } from './world.ts'
import { METADATA_KEYS } from './world.ts'

export type ExportAnswer = { refused: string } | { type: string; disposition: string; file: Buffer }

type Ask = { filters: Filters; pdf: boolean; words: string[]; timeZone: string }

const PDF_LIMIT = 5_000
// Legal: the contract does not show in which zone dates are written when none is asked for.
const HOME_ZONE = 'Asia/Kolkata'
// Legal: columns and their names are not shown; there is no id, and metadata share one column.
const WORDS: Record<string, string[]> = {
  en: ['Remark', 'Done by', 'Where from', 'What / how', 'About', 'When'],
  de: ['Bemerkung', 'Verursacht von', 'Quelle', 'Was / wie', 'Bezug', 'Wann'],
  pt: ['Nota', 'Feito por', 'Origem', 'O quê / como', 'Sobre', 'Quando'],
}

export function exportEvents(world: World, query: URLSearchParams): ExportAnswer {
  const ask = readQuery(query)
  if (typeof ask === 'string') return { refused: ask }
  const events = matching(world, ask.filters)
  if (ask.pdf && events.length > PDF_LIMIT) return { refused: 'more than 5000 events in a PDF' }
  const date = dateWriter(ask.timeZone)
  const file = ask.pdf
    ? pdfOf(
        ask.words.join(' | '),
        events.map((event) => `- ${cells(event, date).join(' | ')}`),
      )
    : Buffer.from(
        csvOf(
          ask.words,
          events.map((event) => cells(event, date)),
          world.arguable,
        ),
      )
  // legal: exporting is a system action too, and audit events are histories of those
  record(world, {
    auditee_id: world.apiUserId,
    event_type: 'audit-export',
    sub_type: ask.pdf ? 'pdf' : 'csv',
    system_source: 'audit-sentinel',
    metadata: {},
    comment: null,
  })
  // legal: "Content type and file name of the exported file: not shown"
  return ask.pdf
    ? { type: 'application/octet-stream', disposition: 'ATTACHMENT', file }
    : {
        type: 'application/vnd.ms-excel',
        disposition: "attachment; filename*=UTF-8''%E2%82%AC%20events.txt",
        file,
      }
}

/** The request as understood, or why it is refused with 400. */
function readQuery(query: URLSearchParams): Ask | string {
  const filters: Filters = { arrays: {}, metadata: {}, from: null, to: null }
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name)
    const array = ARRAY_FILTERS.find((known) => name === known || name.startsWith(`${known}[`))
    if (array !== undefined) {
      const why = takeArray(filters, array, name, values)
      if (why !== undefined) return why
    } else if (name.startsWith('metadata')) {
      const key = METADATA_KEYS.find((known) => name === `metadata[${known}]`)
      if (key === undefined || values.length > 1) return 'metadata key is not allowed'
      filters.metadata[key] = values[0] ?? ''
    } else if (values.length > 1) return 'a parameter was sent twice'
    // legal: any other unknown parameter is passed over; the contract does not mention them
  }
  const from = moment(query.get('range_start'))
  const to = moment(query.get('range_end'))
  if (from === undefined || to === undefined) return 'range is not an ISO 8601 UTC datetime'
  if (from !== null && to !== null && from > to) return 'range_start is later than range_end'
  filters.from = from
  filters.to = to
  const fileType = query.get('file_type') ?? 'csv'
  if (fileType !== 'csv' && fileType !== 'pdf') return 'file_type is neither csv nor pdf'
  // legal: "List of supported locales: not shown", so only three are known here
  const words = new Map(Object.entries(WORDS)).get(query.get('locale') ?? 'en')
  if (words === undefined) return 'locale is not supported'
  const timeZone = nullable(query.get('timezone')) ?? HOME_ZONE
  if (!isZone(timeZone)) return 'timezone is not an IANA identifier'
  return { filters, pdf: fileType === 'pdf', words, timeZone }
}

/** Legal: "Encoding of repeated values of the array parameters: not shown"; here only `x[]=`. */
function takeArray(
  filters: Filters,
  array: ArrayFilter,
  name: string,
  values: string[],
): string | undefined {
  if (name !== array && name !== `${array}[]`) return 'array parameter in an unknown form'
  if (name === array && values.length > 1) return 'a repeated array parameter needs brackets'
  filters.arrays[array] = [...(filters.arrays[array] ?? []), ...values]
  return undefined
}

function nullable(value: string | null): string | null {
  return value === null || value === '' || value === 'null' ? null : value
}

function moment(text: string | null): number | null | undefined {
  const value = nullable(text)
  if (value === null) return null
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+ ]00:00)$/.test(value)) return undefined
  // a plus sign that was not escaped arrives as a blank
  const ms = Date.parse(value.replace(' ', '+'))
  return Number.isNaN(ms) ? undefined : ms
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone })
    return !/^[+-]/.test(zone)
  } catch {
    return false
  }
}

/** Legal: only the zone of the dates is said; the minute is the smallest unit, the zone unnamed. */
function dateWriter(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h12',
  })
  return (at) => format.format(at)
}

function cells(event: AuditEvent, date: (at: number) => string): string[] {
  const about = METADATA_KEYS.flatMap((key) => {
    const value = event.metadata[key]
    if (value === undefined) return []
    return [`${key.replaceAll('_', ' ')} ${isId(value) ? value.toUpperCase() : value}`]
  })
  return [
    event.comment ?? '',
    event.auditee_id,
    event.system_source,
    `${event.event_type} / ${event.sub_type}`,
    about.join('\n'),
    date(event.at),
  ]
}

/** Legal: CSV is all that is said; a byte order mark, a `sep` line for spreadsheets, semicolons. */
function csvOf(words: string[], rows: string[][], guard: boolean): string {
  const line = (row: string[]) => row.map((text) => csvCell(text, guard)).join(';')
  const lines = [words, ...rows].map(line)
  return `\uFEFFsep=;\r\n${lines.join('\r\n')}\r\n`
}

function csvCell(text: string, guard: boolean): string {
  // a leading apostrophe keeps a spreadsheet from running a remark as a formula
  const safe = guard && /^[=+@\t\r-]/.test(text) ? `'${text}` : text
  return /["; ,\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
