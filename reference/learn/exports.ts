import { metadataKeys } from '../calls/events.ts'
import { type Column, locales, parameters } from '../calls/export-call.ts'
import { open } from '../rules/open.ts'
import { type DateShown, offsetText } from '../rules/open-export.ts'
import * as is from './aspect.ts'
import { type Aspect, aspect, one } from './aspect.ts'
import { bodies, kinds } from './reads.ts'

const fields = [...parameters, ...metadataKeys.map((key) => `metadata.${key}` as const)]
/** The title of a column or, without titles, its position from 1 on. */
const place = is.either(is.text, is.count)
const filterColumns = is.object(is.same(fields, is.object({ column: place, form: is.text })))

export const columns: Aspect = aspect(
  {
    'export.columns': is.either(is.list(is.text), is.count),
    'export.filter-columns': filterColumns,
    'export.dates': is.each(is.text),
  },
  (seen, { assume }) => {
    const titles = seen['export.columns'] ?? []
    const places = is.count(titles) ? [...Array(titles + 1).keys()].slice(1) : titles
    if (places.length === 0) return {}
    const shown = Object.entries(seen['export.filter-columns'] ?? {})
    const times = Object.keys(seen['export.dates'] ?? {})
    const found = places.map((place): Column => {
      if (times.includes(String(place))) return 'time'
      const [field, { form = '' } = {}] = shown.find(([, { column }]) => column === place) ?? []
      if (field) return form === 'inside' ? 'metadata' : (field.replace('metadata.', '') as Column)
      return others.find(([, title]) => title.test(String(place).trim()))?.[0] ?? 'description'
    })
    const unknown = found.filter((column) => column === 'description').length
    if (unknown > 1 && !found.includes('comment')) {
      found[found.lastIndexOf('description')] = 'comment'
      assume('the last column without an observed field shows comments')
    }
    if (unknown > 2) assume('the other columns without an observed field show descriptions')
    assume('a PDF has the columns of the reference service')
    return {
      columns: (asked) => (asked.fileType === 'csv' ? found : open.columns(asked)),
      columnTitle: (title) => {
        const there = title.fileType === 'csv' ? places[title.at] : undefined
        // A title of this service has translations.
        const isOwn = there === open.columnTitle({ ...title, locale: 'en' })
        return typeof there === 'string' && !isOwn ? there : open.columnTitle(title)
      },
    }
  },
)

/** The titles of columns that have no filter. */
const others: [Column, RegExp][] = [
  ['id', /^(event[ _]?)?(id|uuid|key|kennung|identifi\w+)$/i],
  ['time', /time|date|when|zeit|datum|created|occurred|recorded/i],
  ['comment', /comment|note|remark|kommentar|commentaire/i],
  ['metadata', /metadata|details|context|payload/i],
]

const field = /\{([^{}]+)\}/g

export const dates: Aspect = one('export.dates', isWritable, (seen, { first, assume }) => {
  const form = first('export.dates', [...new Set(Object.values(seen))]) ?? ''
  assume('a PDF writes dates as a CSV does')
  return {
    dateForm: (date) => form.replace(field, (_, name: string) => writers[name]?.(date) ?? ''),
  }
})

function isWritable(value: unknown): value is Record<string, string> {
  const [form = ''] = is.each(is.text)(value) ? Object.values(value) : []
  const names = [...form.matchAll(field)].map(([, name = '']) => name)
  return names.length > 0 && names.every((name) => Object.hasOwn(writers, name))
}

type Write = (date: DateShown) => string
function part(from: number, to: number): Write {
  return ({ local }) => local.slice(from, to)
}
function short(from: number, to: number): Write {
  return ({ local }) => String(Number(local.slice(from, to)))
}
const hour = ({ local }: DateShown) => Number(local.slice(11, 13))

function name({ local }: DateShown, options: Intl.DateTimeFormatOptions) {
  return new Date(`${local.slice(0, 19)}Z`).toLocaleString('en', { ...options, timeZone: 'UTC' })
}

function since1970({ instant }: DateShown, digits: number) {
  return `${Date.parse(`${instant.slice(0, 19)}Z`) / 1000}${instant.slice(20, 20 + digits)}`
}

const writers: Record<string, Write> = {
  YYYY: part(0, 4),
  YY: part(2, 4),
  MM: part(5, 7),
  M: short(5, 7),
  MMM: (date) => name(date, { month: 'short' }),
  MMMM: (date) => name(date, { month: 'long' }),
  DD: part(8, 10),
  D: short(8, 10),
  ddd: (date) => name(date, { weekday: 'short' }),
  dddd: (date) => name(date, { weekday: 'long' }),
  HH: part(11, 13),
  H: short(11, 13),
  hh: (date) => String(hour(date) % 12 || 12).padStart(2, '0'),
  h: (date) => String(hour(date) % 12 || 12),
  A: (date) => (hour(date) < 12 ? 'AM' : 'PM'),
  a: (date) => (hour(date) < 12 ? 'am' : 'pm'),
  mm: part(14, 16),
  ss: part(17, 19),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ['S'.repeat(n), part(20, 20 + n)])),
  YYYYMMDD: ({ local }) => local.slice(0, 10).replaceAll('-', ''),
  HHmmss: ({ local }) => local.slice(11, 19).replaceAll(':', ''),
  Z: ({ offset }) => (offset === 0 ? 'Z' : offsetText(offset)),
  '+HH:MM': ({ offset }) => offsetText(offset),
  '+HHMM': ({ offset }) => offsetText(offset, ''),
  '+HH': ({ offset }) => offsetText(offset).slice(0, 3),
  zone: ({ zone }) => zone,
  s: (date) => since1970(date, 0),
  ms: (date) => since1970(date, 3),
}

const contentType = is.like(/^none$|^[!-~]+\/[ -~]+$/)
const separated = ['comma', 'pipe', 'semicolon', 'space'] as const
const encodings = is.list(is.word('repeat', 'brackets', 'indices', 'json', ...separated))
const arrays = is.object(is.same(['one', 'several'], encodings))
const languages = is.list(is.word(...locales))
const byLanguage = is.each(is.either(is.refusal, is.word('as in English')))
const rows = is.object({ by: is.json, order: is.word('ascending', 'descending') })
const status = is.object({ status: is.either(is.refusal, is.success) })
const handedOver = (content: 'text' | 'PDF') =>
  is.object({ status: is.word(200), content: is.word(content), disposition: is.headerText })

export const exports: Aspect[] = [
  one('export.array-encoding', arrays, ({ one = [], several }, { note }) => {
    if (several?.length === 0)
      note('export.array-encoding', 'saw no form in which several values are understood')
    const understood = [...new Set([...one, ...(several ?? [])])]
    // Repeated names are also read where a separator is.
    const hasSeparator = separated.some((each) => understood.includes(each))
    const read = understood.filter((each) => !hasSeparator || each !== 'repeat')
    return read.length === 0 ? {} : { arrayEncodings: () => read }
  }),
  aspect(
    {
      'export.error-body': bodies,
      'export.unknown-parameter': status,
      'export.locale-unsupported': byLanguage,
    },
    (seen, { first }) => {
      const ofLanguages = [...new Set(Object.values(seen['export.locale-unsupported'] ?? {}))]
      const answers: Record<string, unknown> = {
        parameter: seen['export.unknown-parameter']?.status,
        locale: first('export.locale-unsupported', ofLanguages),
      }
      for (const [name, answer] of Object.entries(seen['export.error-body'] ?? {}))
        answers[kinds[name] ?? name] = answer === 'accepted' ? answer : answer.status
      return {
        queryRefusal: (call) => {
          const answer = answers[call.flaw]
          if (answer === undefined) return open.queryRefusal(call)
          return is.refusal(answer) ? answer : undefined
        },
      }
    },
  ),
  one('export.locales-that-change-the-file', languages, (changing) => ({
    locales: () => ['en', ...changing],
  })),
  aspect(is.same(['export.csv-content-type', 'export.pdf-content-type'], contentType), (seen) => ({
    exportContentType: (asked) => {
      const type = seen[`export.${asked.fileType}-content-type`] ?? open.exportContentType(asked)
      return type === 'none' ? undefined : type
    },
  })),
  aspect(
    {
      'export.delivery': is.object({ csv: handedOver('text'), pdf: handedOver('PDF') }),
      'export.file-name': is.object(is.same(['csv', 'pdf'], is.headerText)),
    },
    (seen) => ({
      disposition: (asked) => {
        const { disposition } = seen['export.delivery']?.[asked.fileType] ?? {}
        const name = seen['export.file-name']?.[asked.fileType]
        if (disposition === undefined && name === undefined) return open.disposition(asked)
        if (disposition === 'none') return undefined
        const type = disposition ?? 'attachment'
        return name === undefined || name === 'none' ? type : `${type}; filename="${name}"`
      },
    }),
  ),
  one('export.bom', is.object({ byteOrderMark: is.flag, encoding: is.word('utf-8') }), (seen) => ({
    byteOrderMark: () => seen.byteOrderMark ?? false,
  })),
  one('export.delimiter', is.like(/^[^\w\s"]$|^\t$/), (delimiter) => ({
    delimiter: () => delimiter,
  })),
  one('export.line-ending', is.word('\r\n', '\n', '\r', 'none'), (ending) =>
    ending === 'none' ? {} : { lineEnding: () => ending },
  ),
  one(
    'export.header-row',
    is.object({ header: is.flag, linesBeforeRows: is.count, linesBehindRows: is.count }),
    ({ header = true, linesBeforeRows = 1, linesBehindRows = 0 }) => {
      const before = linesBeforeRows - (header ? 1 : 0)
      return {
        headerRow: () => header,
        titleLines: ({ fileType }) => (fileType === 'csv' ? lines('Audit events', before) : []),
        closingLines: () => lines('End of the audit events', linesBehindRows),
      }
    },
  ),
  one('export.row-order', rows, ({ order }) =>
    order === 'descending' ? { rowOrder: (asked) => open.rowOrder(asked).toReversed() } : {},
  ),
]

const lines = (text: string, count: number) =>
  Array.from({ length: Math.max(0, count) }, (_, at) => (at === 0 ? text : `${text} (${at + 1})`))
