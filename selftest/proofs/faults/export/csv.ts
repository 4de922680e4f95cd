import type { AuditEvent } from '../../../../reference/calls/events.ts'
import type { Export } from '../../../../reference/calls/export-call.ts'
import { offsetsOf } from '../../../../reference/export/zones.ts'
import { open } from '../../../../reference/rules/open.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import type { ExportFile } from '../../../../reference/rules/stated-export.ts'
import { rawPdf } from '../../../engine/files/raw-pdf.ts'
import {
  bytesOf,
  inCsv,
  inPdf,
  inWindow,
  type Rules,
  refusedOver,
  smallLimit,
  twoTimes,
} from '../../bent/exports.ts'
import { type Bent, type Fault, fault, faultsOf, tableOf } from '../../fault.ts'

const isOf = { csv: inCsv, pdf: inPdf }

type ExportWithFile = Export & { file: ExportFile }
const ofLimit = ['at', 'under', 'narrowed'].map((name) => `export.pdf-limit.${name}`)
const statuses: Fault[] = (['csv', 'pdf'] as const).flatMap((fileType) =>
  [201, 202, 206].map((status) =>
    fault(`a ${fileType} is answered ${status}`, {
      exportStatus: (asked) => (isOf[fileType](asked) ? status : 200),
      breaks: fileType === 'pdf' ? ['export.pdf.status', ...ofLimit] : ['export.csv.status'],
    }),
  ),
)

const others = tableOf<[string, 'csv' | 'pdf', string, string]>([
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
)

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const noPage = [catalog, '<< /Type /Pages /Kids [] /Count 0 >>']
const badPage = [
  catalog,
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>',
  '(none)',
]

const wrapped = tableOf<[string, typeof inCsv, (bytes: Buffer) => string | Buffer]>([
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
)

const all = [...statuses, ...others, ...wrapped]
const isOfCsv = ({ breaks }: Fault) => breaks.some((id) => id.startsWith('export.csv'))

/** Everything that comes instead of a requested file. */
export const inPlaceOfCsv = all
  .filter(isOfCsv)
  .map((fault) => ({ ...fault, mayBreak: ['audit.*'] }))
export const inPlaceOfPdf = all.filter((fault) => !isOfCsv(fault))

const forms = [
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
      file: async ({ file, fileType }) => {
        if (fileType === 'pdf') return file
        const lines = String(await bytesOf(file)).split(/(?<=\r\n)/)
        const bytes = lines.map((line) =>
          Buffer.from(line, /^[\0-\xff]*$/.test(line) ? 'latin1' : 'utf8'),
        )
        return { ...file, content: Buffer.concat(bytes) as never }
      },
      breaks: 'export.csv.well-formed ?export.*',
    },
  }),
]

/** What happens to texts, and how. */
type Bend = [what: string, bent: (text: string) => string]

const texts = tableOf<Bend>([
  ['emoji are lost', (text) => text.replaceAll(/\p{Extended_Pictographic}/gu, '')],
  ['what is not Latin becomes a question mark', (text) => text.replaceAll(/[^ -ÿ\s]/gu, '?')],
  ['UTF-8 is written twice', (text) => Buffer.from(text).toString('latin1')],
  ['a text ends with its two hundredth letter', (text) => text.slice(0, 200)],
  ['quotes are lost', (text) => text.replaceAll('"', '')],
  ['a dollar sign and a number are filled in', (text) => text.replaceAll(/\$\d/g, 'comment')],
  ['a line of a text that begins with a quote gets =', (text) => text.replaceAll('\n"', '\n="')],
  ['a text ends with its first line', (text) => text.replace(/[\r\n].*/s, '')],
  ['quotes are written as in HTML', (text) => text.replaceAll('"', '&quot;')],
  ['what a formatter fills in is lost', (text) => text.replaceAll(/%\d*\$?[sdif]/g, '')],
  ['names in braces are filled in', (text) => text.replaceAll(/\$?\{+\w*\}+/g, 'x')],
  ['a backslash and n are a line break', (text) => text.replaceAll('\\n', '\n')],
  ['tabs are spaces', (text) => text.replaceAll('\t', ' ')],
  ['accents are composed', (text) => text.normalize('NFC')],
  [
    'what looks like a number is one',
    (text) => (/^\d{2,}(e\d+)?$/.test(text) ? String(Number(text)) : text),
  ],
  ['accents and scripts are stripped', (text) => text.normalize('NFKD').replaceAll(/[^ -~]/g, '')],
  ...['=', '+', '-', '@'].map(
    (sign): Bend => [
      `the sign ${sign} is deleted that begins a text`,
      (text) => (text.startsWith(sign) ? text.slice(1) : text),
    ],
  ),
]).map(([what, bent]) =>
  fault(`in the CSV ${what}`, {
    cells: (asked) => (inCsv(asked) ? asked.cells.map(bent) : asked.cells),
    breaks: 'export.text-intact',
  }),
)

const inOtherLanguages = fault(
  'in the CSV of other languages the commas of a text are semicolons',
  {
    cells: (asked) =>
      inCsv(asked) && asked.locale !== 'en'
        ? asked.cells.map((cell) => cell.replaceAll(',', ';'))
        : asked.cells,
    breaks: 'export.text-intact',
  },
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
    breaks: 'export.deterministic',
    mayBreak: 'export.*',
  })
}

const defaults: Fault[] = [
  ...['de', 'fr'].map((locale) =>
    fault(`without locale the file is in ${locale}`, {
      defaultLocale: () => locale,
      breaks: 'export.default-locale export.default-locale.pdf',
      mayBreak: 'export.csv.titles',
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
  ...faultsOf({
    'without file_type a PDF is given where zone and language are': {
      defaultFileType: ({ query }) =>
        query.has('timezone') && query.has('locale') ? 'pdf' : 'csv',
      breaks: 'export.default-csv',
    },
    'without file_type a PDF is given': {
      defaultFileType: () => 'pdf',
      breaks: 'export.default-csv export.no-filter',
    },
    'without file_type the request is refused': {
      sizeRefusal: ({ query, ...asked }) => (query.has('file_type') ? refusedOver(asked) : 400),
      breaks: 'export.default-csv export.no-filter',
    },
    'without locale a column has another title': {
      file: async ({ file, query, ...asked }) => {
        if (query.has('locale') || !inCsv(asked)) return file
        const text = String(await bytesOf(file))
        return { ...file, content: text.replace(',comment,', ',remark,') }
      },
      breaks: 'export.default-locale',
    },
    'without locale events of one type are missing': {
      rows: ({ events, query }) =>
        query.has('locale') ? events : events.filter(({ event_type }) => event_type !== 'inquiry'),
      breaks: 'export.default-locale export.locale.same-events ?export.pdf-limit.*',
    },
    'locale=en is refused': { locales: () => ['de'], breaks: 'export.default-locale' },
    'a range is required': {
      rangeRefusal: (asked) =>
        asked.range.start === undefined && asked.range.end === undefined
          ? 400
          : stated.rangeRefusal(asked),
      breaks: 'export.no-filter export.no-filter.rows',
    },
  }),
]

const chance = faultsOf({
  'a row is left out now and then': {
    rows: ({ events }) => {
      const lost = Math.floor(Math.random() * events.length)
      return events.filter((_, at) => at !== lost)
    },
    breaks: 'export.deterministic ?export.* ?audit.*',
  },
})

const flaws = {
  'file type': 'file-type',
  'metadata key': 'metadata-key',
  'range form': 'range-form',
  'time zone': 'timezone',
} as const

const invalid: Fault[] = Object.entries(flaws).flatMap(([flaw, name]) =>
  [undefined, 422, 404, 500].map((status) =>
    fault(`an invalid ${flaw} is ${status ? `answered ${status}` : 'passed over'}`, {
      queryRefusal: (asked) => (asked.flaw === flaw ? status : open.queryRefusal(asked)),
      breaks: [
        `export.invalid.${name}`,
        ...(flaw === 'range form' && status === 500 ? ['export.range.malformed'] : []),
      ],
    }),
  ),
)

const bodies = faultsOf({
  'errors of the export are broken JSON': {
    refusalBody: ({ op, body }) => (op === 'export' ? { ...body, text: '{"error":' } : body),
    breaks: 'export.error-is-json',
  },
})

const titles = (): Fault[] => {
  let asked = 0
  let latest = 'en'
  return [
    ...faultsOf('export.csv.titles', 'file', {
      'the titles of every third CSV have capital letters': async ({ file, ...of }) => {
        asked += 1
        if (!inCsv(of) || asked % 3 !== 0) return file
        const [titles = '', ...lines] = String(await bytesOf(file)).split('\r\n')
        return { ...file, content: [titles.toUpperCase(), ...lines].join('\r\n') }
      },
      'the titles stand again before every 500 events': async ({ file, ...of }) => {
        if (!inCsv(of)) return file
        const [titles = '', ...lines] = String(await bytesOf(file)).split('\r\n')
        const isAgain = (at: number) => at > 0 && at % 500 === 0
        const all = lines.flatMap((line, at) => (isAgain(at) ? [titles, line] : [line]))
        return { ...file, content: [titles, ...all].join('\r\n') }
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

/** The lost cells may be those that identify columns. */
const learned = ['export.filter.*', 'export.metadata.*', 'export.pdf-limit.at']

/** Comments of this run are among the texts. */
const ofComments = ['audit.all-comments', 'export.text-intact']

export const faults: Fault[] = [
  ...inPlaceOfCsv,
  ...[...forms, ...texts, inOtherLanguages].map((fault) => ({
    ...fault,
    mayBreak: [...learned, ...ofComments],
  })),
  restless('id', 'id'),
  restless('user', 'auditee_id'),
  ...defaults,
  ...chance,
  ...invalid,
  ...bodies,
].map(smallLimit)

export const titled = titles().map(smallLimit)

type Cells = Export & { event: AuditEvent; cells: string[] }

const isTime = (cell: string) => /^\d{4}-\d\d-\d\dT/.test(cell)

/** What stands in place of some cells of a file. */
const cellsAs = (as: (cell: string, asked: Cells) => string): Bent['stated'] => ({
  cells: (asked) => asked.cells.map((cell) => as(cell, asked)),
})

const ofCsv = tableOf<[string, (cell: string, asked: Cells) => string]>([
  ['every time is Invalid DateTime', (cell) => (isTime(cell) ? 'Invalid DateTime' : cell)],
  ['times end with a point', (cell) => (isTime(cell) ? cell.replace(/\.\d+/, '.') : cell)],
  ['the hour after 23 is 24 and more', (cell) => cell.replace(/T0(\d:)/, 'T3$1')],
  [
    'a source is [object Object]',
    (cell, { event }) => (cell === event.system_source ? '[object Object]' : cell),
  ],
  [
    'descriptions name undefined and null',
    (cell, { event }) =>
      cell === event.description ? `${event.sub_type} by undefined null` : cell,
  ],
  [
    'a placeholder of the description is not filled',
    (cell, { event }) => (cell === event.description ? 'task {{kind}} by %s' : cell),
  ],
]).map(([what, as]) =>
  fault(`${what}, in CSVs`, {
    ...cellsAs((cell, asked) => (inCsv(asked) ? as(cell, asked) : cell)),
    breaks: 'export.cells-are-values.csv',
    mayBreak: 'export.timezone.readable',
  }),
)

const ofPdf = tableOf<[string, (cell: string, asked: Cells) => string]>([
  ['a source is NaN', (cell, { event }) => (cell === event.system_source ? 'NaN' : cell)],
  [
    'a source is {{source}}',
    (cell, { event }) => (cell === event.system_source ? '{{source}}' : cell),
  ],
]).map(([what, as]) =>
  fault(`${what}, in PDFs`, {
    ...cellsAs((cell, asked) => (inPdf(asked) ? as(cell, asked) : cell)),
    breaks: 'export.cells-are-values.pdf',
  }),
)

/** The CSV names who did it. */
const nullInPdf = fault('descriptions end with null in PDFs', {
  columns: (asked) =>
    inPdf(asked) ? ['time', 'id', 'description', 'comment'] : open.columns(asked),
  ...cellsAs((cell, asked) =>
    inPdf(asked) && cell === asked.event.description ? cell.replace(/ by .*$/, ' by null') : cell,
  ),
  breaks: 'export.cells-are-values.pdf',
})

export const marks: Fault[] = [...ofCsv, ...ofPdf, nullInPdf].map(inWindow)

export const untitled = tableOf<[string, (asked: Export) => boolean]>([
  ['English alone', ({ locale }) => locale !== 'en'],
  ['another language alone', ({ locale }) => locale === 'en'],
]).map(([where, headerRow]) =>
  inWindow(
    fault(`the row of titles is missing in ${where}`, {
      ...open,
      headerRow: (asked) => inPdf(asked) || headerRow(asked),
      breaks: 'export.csv.titles',
      mayBreak: 'export.locale* export.timezone*',
    }),
  ),
)

export const besideNumbers = tableOf<[string, NonNullable<Rules['offset']>, string]>([
  ['the time zone is ignored', () => 0, 'export.timezone.formats'],
  [
    'the offset of winter is written all year',
    ({ zone }) => offsetsOf(zone)('2025-01-15T00:00:00.000Z'),
    'export.timezone.offset',
  ],
]).map(([what, offset, id]) =>
  fault(`beside milliseconds since 1970 ${what}`, {
    ...twoTimes.stated,
    offset,
    ...twoTimes.open,
    breaks: [id],
  }),
)
