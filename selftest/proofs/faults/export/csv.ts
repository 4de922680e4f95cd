import type { AuditEvent } from '../../../../reference/calls/events.ts'
import type { Export } from '../../../../reference/calls/export-call.ts'
import { open } from '../../../../reference/rules/open.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import { rawPdf } from '../../../engine/files/raw-pdf.ts'
import { wordsOf } from '../../../long.ts'
import {
  bytesOf,
  cellsAs,
  columnsOfPdf,
  csvAs,
  type ExportWithFile,
  inCsv,
  inPdf,
  inWindow,
  isForeign,
  refusedOver,
  refusing,
  smallLimit,
  twoTimes,
  wrongOffsets,
} from '../../bent/exports.ts'
import { alsoFoundBy, type Fault, fault, faultsOf, tableOf } from '../../fault.ts'

const isOf = { csv: inCsv, pdf: inPdf }

const ofLimit = ['at', 'under', 'narrowed'].map((name) => `export.pdf-limit.${name}`)

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const noPage = [catalog, '<< /Type /Pages /Kids [] /Count 0 >>']
const badPage = [
  catalog,
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>',
  '(none)',
]

const all = [
  ...(['csv', 'pdf'] as const).flatMap((fileType) =>
    [201, 202, 206].map((status) =>
      fault(`a ${fileType} is answered ${status}`, {
        exportStatus: (asked) => (isOf[fileType](asked) ? status : 200),
        breaks: fileType === 'pdf' ? ['export.pdf.status', ...ofLimit] : ['export.csv.status'],
      }),
    ),
  ),
  ...tableOf<[string, 'csv' | 'pdf', string, string]>([
    ['nothing', 'csv', '', 'export.csv.status'],
    ['nothing', 'pdf', '', 'export.pdf.status'],
    ['an error in JSON', 'csv', '{"error": "no"}', 'export.csv.readable'],
    ['an error in JSON', 'pdf', '{"error": "no"}', 'export.pdf.readable'],
    ['a page to log in', 'csv', '<!DOCTYPE html>\n<title>Log in</title>\n', 'export.csv.readable'],
    ['a page to log in', 'pdf', '<!DOCTYPE html>\n<title>Log in</title>\n', 'export.pdf.readable'],
    ['a PDF', 'csv', '%PDF-1.7\n1 0 obj\n', 'export.csv.readable'],
    ['a CSV', 'pdf', 'id,time\r\n1,2\r\n', 'export.pdf.readable'],
    ['the beginning of a PDF', 'pdf', '%PDF-1.7\n1 0 obj\n', 'export.pdf.readable'],
  ]).map(([what, fileType, content, breaks]) =>
    fault(`${what} in place of a ${fileType}`, {
      file: (asked: ExportWithFile) =>
        isOf[fileType](asked) ? { ...asked.file, content } : asked.file,
      disposition: () => undefined,
      breaks: [breaks],
    }),
  ),
  ...tableOf<[string, typeof inCsv, (bytes: Buffer) => string | Buffer]>([
    ['a CSV in JSON', inCsv, (bytes) => JSON.stringify({ data: { file: bytes.toString() } })],
    ['a CSV in a list of JSON', inCsv, (bytes) => JSON.stringify([[bytes.toString()]])],
    ['a PDF in JSON', inPdf, (bytes) => JSON.stringify({ file: bytes.toString('base64') })],
    ['half a PDF', inPdf, (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['a PDF without its end', inPdf, (bytes) => bytes.subarray(0, -8)],
    ['a PDF of unknown objects', inPdf, () => '%PDF-1.7\n%%EOF\n'],
    ['a PDF without a page', inPdf, () => rawPdf(noPage)],
    ['a PDF with a page that is none', inPdf, () => rawPdf(badPage)],
  ]).map(([name, isOf, bent]) =>
    fault(name, {
      file: async (asked: ExportWithFile) =>
        isOf(asked)
          ? { ...asked.file, content: bent(await bytesOf(asked.file)) as never }
          : asked.file,
      breaks: `export.${isOf === inCsv ? 'csv' : 'pdf'}.readable`,
    }),
  ),
]
const isOfCsv = ({ breaks }: Fault) => breaks.some((id) => id.startsWith('export.csv'))

/** Everything that comes instead of a requested file. */
export const inPlaceOfPdf = all.filter((fault) => !isOfCsv(fault))

type Bend = (text: string) => string
const bentTexts: Readonly<Record<string, Bend>> = {
  'UTF-8 is written twice': (text) => Buffer.from(text).toString('latin1'),
  'what a formatter fills in is lost': (text) => text.replaceAll(/%\d*\$?[sdif]/g, ''),
  'names in braces are filled in': (text) => text.replaceAll(/\$?\{+\w*\}+/g, 'x'),
  'a text ends with its first line': (text) => text.replace(/[\r\n].*/s, ''),
  'what looks like a number is one': (text) =>
    /^\d{2,}(e\d+)?$/.test(text) ? String(Number(text)) : text,
  'the sign = is deleted that begins a text': (text) => text.replace(/^=/, ''),
  'the sign + is deleted that begins a text': (text) => text.replace(/^\+/, ''),
  'the sign - is deleted that begins a text': (text) => text.replace(/^-/, ''),
  'the sign @ is deleted that begins a text': (text) => text.replace(/^@/, ''),
}

/** Cells of one type of file are written otherwise: as above, or in a way of its own. */
export const textFaults = (type: keyof typeof isOf, breaks: string, own: typeof bentTexts) =>
  Object.entries({ ...bentTexts, ...own }).map(([what, bend]) =>
    fault(`in the ${type.toUpperCase()} ${what}`, {
      ...cellsAs(isOf[type])(bend),
      breaks,
    }),
  )

/** One of the events, in every second answer to one request. */
const restless = (what: string, member: 'id' | 'auditee_id') => {
  const asked = new Map<string, number>()
  return fault(`every second answer to one request gives an event another ${what}`, {
    rows: ({ events, query, fileType }) => {
      const text = String(query)
      if (fileType === 'pdf') return events
      const times = (asked.get(text) ?? 0) + 1
      asked.set(text, times)
      if (times % 2 === 1) return events
      return events.map((event, at) =>
        at === 7 ? { ...event, [member]: event[member].replace(/^..../, '0bad') } : event,
      )
    },
    breaks: 'export.deterministic ?export.*',
  })
}

const titles = (): Fault[] => {
  let asked = 0
  let latest = 'en'
  return [
    ...faultsOf('export.csv.titles', csvAs, {
      'the titles of every third CSV have capital letters': (text) => {
        asked += 1
        return asked % 3 === 0 ? text.replace(/^.*\r\n/, (titles) => titles.toUpperCase()) : text
      },
      'the titles stand again before every 500 events': (text) => {
        const [titles = '', ...lines] = text.split('\r\n')
        const isAgain = (at: number) => at > 0 && at % 500 === 0
        const all = lines.flatMap((line, at) => (isAgain(at) ? [titles, line] : [line]))
        return [titles, ...all].join('\r\n')
      },
    }),
    ...faultsOf('export.csv.titles', {
      'the columns of every second CSV stand in another order': {
        columns: (of) => {
          const columns = open.columns(of)
          asked += inCsv(of) ? 1 : 0
          return inCsv(of) && asked % 2 === 0 ? columns.toReversed() : columns
        },
      },
      'the titles stay in the language of the request before': {
        range: (of) => {
          latest = of.query.get('locale') ?? latest
          return stated.range(of)
        },
        columnTitle: (title) => open.columnTitle({ ...title, locale: latest }),
      },
    }),
  ].map((fault) => ({ ...fault, mayBreak: ['export.*', 'audit.every-task'] }))
}

/** The lost cells may be those that identify columns; comments of this run are among the texts. */
const learned = `export.filter.* export.metadata.* export.pdf-limit.at audit.all-comments
  export.text-intact`

export const faults: Fault[] = [
  ...all.filter(isOfCsv).map(alsoFoundBy('audit.*')),
  ...[
    ...faultsOf('export.csv.well-formed export.text-intact', 'needsQuotes', {
      'cells with the delimiter stand without quotes': ({ text }) => /["\r\n]/.test(text),
      'no cell stands in quotes': () => false,
    }),
    ...faultsOf('export.csv.well-formed', {
      'quotes in cells are not doubled': { quoted: ({ text }) => `"${text}"` },
      'cells with line breaks stand without quotes': {
        needsQuotes: ({ text, delimiter }) => text.includes(delimiter) || text.includes('"'),
        lineEnding: () => '\n',
      },
      'a row without its last cells': {
        cells: ({ cells, event }) => (event.sub_type === 'viewed' ? cells.slice(0, -2) : cells),
      },
      'NUL in cells': { cells: ({ cells }) => cells.map((cell) => cell.replace(' by ', ' \0 ')) },
    }),
    ...faultsOf({
      'quotes in cells with lines are not doubled': {
        quoted: ({ text }) => (text.includes('\n') ? `"${text}"` : stated.quoted({ text })),
        breaks: 'export.csv.well-formed ?export.text-intact',
      },
      'rows of Latin letters alone are written with one byte a letter': {
        ...csvAs((text) => {
          const isLatin = (line: string) => /^[\0-\xff]*$/.test(line)
          const lines = text.split(/(?<=\r\n)/)
          return Buffer.concat(
            lines.map((line) => Buffer.from(line, isLatin(line) ? 'latin1' : 'utf8')),
          )
        }),
        breaks: 'export.csv.well-formed ?export.*',
      },
    }),
    ...textFaults('csv', 'export.text-intact', {
      'emoji are lost': (text) => text.replaceAll(/\p{Extended_Pictographic}/gu, ''),
      'what is not Latin becomes a question mark': (text) => text.replaceAll(/[^ -ÿ\s]/gu, '?'),
      'a text ends with its two hundredth letter': (text) => text.slice(0, 200),
      'quotes are lost': (text) => text.replaceAll('"', ''),
      'a dollar sign and a number are filled in': (text) => text.replaceAll(/\$\d/g, 'comment'),
      'a line of a text that begins with a quote gets =': (text) => text.replaceAll('\n"', '\n="'),
      'quotes are written as in HTML': (text) => text.replaceAll('"', '&quot;'),
      'a backslash and n are a line break': (text) => text.replaceAll('\\n', '\n'),
      'tabs are spaces': (text) => text.replaceAll('\t', ' '),
      'accents are composed': (text) => text.normalize('NFC'),
      'accents and scripts are stripped': (text) =>
        text.normalize('NFKD').replaceAll(/[^ -~]/g, ''),
    }),
    ...faultsOf(
      'export.text-intact',
      cellsAs((asked) => inCsv(asked) && isForeign(asked)),
      {
        'in the CSV of other languages the commas of a text are semicolons': (cell) =>
          cell.replaceAll(',', ';'),
      },
    ),
  ].map((fault) => ({ ...fault, mayBreak: wordsOf(learned) })),
  restless('id', 'id'),
  restless('user', 'auditee_id'),
  ...['de', 'fr'].map((locale) =>
    fault(`without locale the file is in ${locale}`, {
      defaultLocale: () => locale,
      breaks: 'export.default-locale export.default-locale.pdf ?export.csv.titles',
    }),
  ),
  ...faultsOf('export.default-csv', 'rows', {
    'without file_type an event is missing': ({ events, query }) =>
      query.has('file_type') ? events : events.slice(1),
    'without file_type two events have each other’s users': ({ events, query }) => {
      const other = events.find(({ auditee_id }) => auditee_id !== events[0]?.auditee_id)
      const swapped = new Map([
        [events[0], other],
        [other, events[0]],
      ])
      return events.map((event) => {
        const auditee_id = swapped.get(event)?.auditee_id
        return query.has('file_type') || !auditee_id ? event : { ...event, auditee_id }
      })
    },
  }),
  ...faultsOf('export.default-csv export.no-filter', {
    'without file_type a PDF is given': { defaultFileType: () => 'pdf' },
    'without file_type the request is refused': {
      sizeRefusal: ({ query, ...asked }) => (query.has('file_type') ? refusedOver(asked) : 400),
    },
  }),
  ...faultsOf({
    'without file_type a PDF is given where zone and language are': {
      defaultFileType: ({ query }) =>
        query.has('timezone') && query.has('locale') ? 'pdf' : 'csv',
      breaks: 'export.default-csv',
    },
    'without locale a column has another title': {
      ...csvAs((text, { query }) =>
        query.has('locale') ? text : text.replace(',comment,', ',remark,'),
      ),
      breaks: 'export.default-locale',
    },
    'without locale events of one type are missing': {
      rows: ({ events, query }) =>
        query.has('locale') ? events : events.filter(({ event_type }) => event_type !== 'inquiry'),
      breaks: 'export.default-locale export.locale.same-events ?export.pdf-limit.*',
    },
    'locale=en is refused': { locales: () => ['de'], breaks: 'export.default-locale' },
    'a range is required': {
      ...refusing(({ range: { start, end } }) => start === undefined && end === undefined),
      breaks: 'export.no-filter export.no-filter.rows',
    },
  }),
  ...faultsOf('export.deterministic ?export.* ?audit.*', 'rows', {
    'a row is left out now and then': ({ events }) => {
      const lost = Math.floor(Math.random() * events.length)
      return events.filter((_, at) => at !== lost)
    },
  }),
  ...['file type', 'metadata key', 'range form', 'time zone'].flatMap((flaw) =>
    [undefined, 422, 404, 500].map((status) =>
      fault(`an invalid ${flaw} is ${status ? `answered ${status}` : 'passed over'}`, {
        queryRefusal: (asked) => (asked.flaw === flaw ? status : open.queryRefusal(asked)),
        breaks: [
          `export.invalid.${flaw === 'time zone' ? 'timezone' : flaw.replace(' ', '-')}`,
          ...(flaw === 'range form' && status === 500 ? ['export.range.malformed'] : []),
        ],
      }),
    ),
  ),
  ...faultsOf('export.error-is-json', 'refusalBody', {
    'errors of the export are broken JSON': ({ op, body }) =>
      op === 'export' ? { ...body, text: '{"error":' } : body,
  }),
].map(smallLimit)

export const titled = titles().map(smallLimit)

const isTime = (cell: string) => /^\d{4}-\d\d-\d\dT/.test(cell)

type Shown = { event: AuditEvent }
const sourceAs =
  (text: string) =>
  (cell: string, { event }: Shown) =>
    cell === event.system_source ? text : cell
const describedAs =
  (as: (event: AuditEvent) => string) =>
  (cell: string, { event }: Shown) =>
    cell === event.description ? as(event) : cell

export const marks: Fault[] = [
  ...faultsOf('export.cells-are-values.csv ?export.timezone.readable', cellsAs(inCsv), {
    'every time is Invalid DateTime, in CSVs': (cell) => (isTime(cell) ? 'Invalid DateTime' : cell),
    'times end with a point, in CSVs': (cell) => (isTime(cell) ? cell.replace(/\.\d+/, '.') : cell),
    'the hour after 23 is 24 and more, in CSVs': (cell) => cell.replace(/T0(\d:)/, 'T3$1'),
    'a source is [object Object], in CSVs': sourceAs('[object Object]'),
    'descriptions name undefined and null, in CSVs': describedAs(
      ({ sub_type }) => `${sub_type} by undefined null`,
    ),
    'a placeholder of the description is not filled, in CSVs': describedAs(
      () => 'task {{kind}} by %s',
    ),
  }),
  ...faultsOf('export.cells-are-values.pdf', cellsAs(inPdf), {
    'a source is NaN, in PDFs': sourceAs('NaN'),
    'a source is {{source}}, in PDFs': sourceAs('{{source}}'),
  }),
  // The CSV names who did it.
  ...faultsOf('export.cells-are-values.pdf', {
    'descriptions end with null in PDFs': {
      ...columnsOfPdf('time', 'id', 'description', 'comment'),
      ...cellsAs(inPdf)(
        describedAs(({ description }) => description.replace(/ by .*$/, ' by null')),
      ),
    },
  }),
].map(inWindow)

export const untitled = faultsOf(
  'export.csv.titles ?export.locale* ?export.timezone*',
  (hasTitles: (asked: Export) => boolean) => ({
    ...open,
    headerRow: (asked: Export) => inPdf(asked) || hasTitles(asked),
  }),
  {
    'the row of titles is missing in English alone': ({ locale }) => locale !== 'en',
    'the row of titles is missing in another language alone': ({ locale }) => locale === 'en',
  },
).map(inWindow)

export const besideNumbers = faultsOf({
  'beside milliseconds since 1970 the time zone is ignored': {
    ...twoTimes,
    offset: () => 0,
    breaks: 'export.timezone.formats',
  },
  'beside milliseconds since 1970 the offset of winter is written all year': {
    ...twoTimes,
    offset: wrongOffsets['the offset of winter is written all year'],
    breaks: 'export.timezone.offset',
  },
})
