import { makeEvents } from '../../reference/events.ts'
import type { Export } from '../../reference/export-call.ts'
import { open } from '../../reference/open.ts'
import type { ExportFile } from '../../reference/stated-export.ts'
import { makeWorld } from '../../reference/world.ts'
import type { Fault } from '../bend.ts'
import { smallLimit } from '../export-window.ts'

const inPdf = ({ fileType }: Pick<Export, 'fileType'>) => fileType === 'pdf'
const inCsv = ({ fileType }: Pick<Export, 'fileType'>) => fileType === 'csv'
const isOf = { csv: inCsv, pdf: inPdf }

type Asked = Export & { file: ExportFile }
const bytesOf = async ({ content }: ExportFile) =>
  Buffer.from(await new Response(content).arrayBuffer())

const statuses: Fault[] = (['csv', 'pdf'] as const).flatMap((fileType) =>
  [201, 202, 206].map((status) => ({
    name: `a ${fileType} is answered ${status}`,
    stated: { exportStatus: (asked) => (isOf[fileType](asked) ? status : 200) },
    breaks: [`export.${fileType}.status`],
  })),
)

/** What stands in place of a file, and by which clause it is caught. */
const others: Fault[] = (
  [
    ['nothing', 'csv', '', 'export.csv.status'],
    ['nothing', 'pdf', '', 'export.pdf.status'],
    ['an error in JSON', 'csv', '{"error": "no"}', 'export.csv.readable'],
    ['an error in JSON', 'pdf', '{"error": "no"}', 'export.pdf.readable'],
    ['a page to log in', 'csv', '<!DOCTYPE html>\n<title>Log in</title>\n', 'export.csv.readable'],
    ['a page to log in', 'pdf', '<!DOCTYPE html>\n<title>Log in</title>\n', 'export.pdf.readable'],
    ['a PDF', 'csv', '%PDF-1.7\n1 0 obj\n', 'export.csv.readable'],
    ['a CSV', 'pdf', 'id,time\r\n1,2\r\n', 'export.pdf.readable'],
    ['the beginning of a PDF', 'pdf', '%PDF-1.7\n1 0 obj\n', 'export.pdf.readable'],
  ] satisfies [string, 'csv' | 'pdf', string, string][]
).map(([what, fileType, content, breaks]) => ({
  name: `${what} in place of a ${fileType}`,
  stated: {
    file: (asked: Asked) => (isOf[fileType](asked) ? { ...asked.file, content } : asked.file),
  },
  open: { disposition: () => undefined },
  breaks: [breaks],
}))

/** Files that are not whole, or in an envelope. */
const wrapped: Fault[] = (
  [
    [
      'a CSV in JSON',
      inCsv,
      (bytes) => JSON.stringify({ data: { file: bytes.toString() } }),
      ['export.csv.readable'],
    ],
    [
      'a CSV in a list of JSON',
      inCsv,
      (bytes) => JSON.stringify([[bytes.toString()]]),
      ['export.csv.readable'],
    ],
    [
      'a PDF in JSON',
      inPdf,
      (bytes) => JSON.stringify({ file: bytes.toString('base64') }),
      ['export.pdf.readable'],
    ],
    ['half a PDF', inPdf, (bytes) => bytes.subarray(0, bytes.length / 2), ['export.pdf.readable']],
    ['a PDF without its end', inPdf, (bytes) => bytes.subarray(0, -8), ['export.pdf.readable']],
    ['a PDF of unknown objects', inPdf, () => '%PDF-1.7\n%%EOF\n', ['export.pdf.readable']],
  ] satisfies [string, typeof inCsv, (bytes: Buffer) => string | Buffer, string[]][]
).map(([name, isOf, bent, breaks]) => ({
  name,
  stated: {
    file: async (asked: Asked) =>
      isOf(asked)
        ? { ...asked.file, content: bent(await bytesOf(asked.file)) as never }
        : asked.file,
  },
  breaks,
}))

const isOfCsv = ({ breaks }: Fault) => breaks.some((id) => id.startsWith('export.csv'))

const forms: Fault[] = [
  {
    name: 'quotes in cells are not doubled',
    stated: { quoted: ({ text }) => `"${text}"` },
    breaks: ['export.csv.well-formed'],
  },
  {
    name: 'cells with the delimiter stand without quotes',
    stated: { needsQuotes: ({ text }) => /["\r\n]/.test(text) },
    breaks: ['export.csv.well-formed', 'export.text-intact'],
  },
  {
    name: 'cells with line breaks stand without quotes',
    stated: {
      needsQuotes: ({ text, delimiter }) => text.includes(delimiter) || text.includes('"'),
    },
    // Where lines end in two letters, one of them alone may stand in a cell.
    open: { lineEnding: () => '\n' },
    breaks: ['export.csv.well-formed'],
  },
  {
    name: 'no cell stands in quotes',
    stated: { needsQuotes: () => false },
    breaks: ['export.csv.well-formed', 'export.text-intact'],
  },
  {
    name: 'a row without its last cells',
    stated: {
      cells: ({ cells, event }) => (event.sub_type === 'viewed' ? cells.slice(0, -2) : cells),
    },
    breaks: ['export.csv.well-formed'],
  },
  {
    name: 'NUL in cells',
    stated: { cells: ({ cells }) => cells.map((cell) => cell.replace(' by ', ' \0 ')) },
    breaks: ['export.csv.well-formed'],
  },
]

const texts: Fault[] = (
  [
    ['emoji are lost', (text) => text.replaceAll(/\p{Extended_Pictographic}/gu, '')],
    ['what is not Latin becomes a question mark', (text) => text.replaceAll(/[^ -ÿ\s]/gu, '?')],
    ['UTF-8 is written twice', (text) => Buffer.from(text).toString('latin1')],
    ['quotes are lost', (text) => text.replaceAll('"', '')],
    ['quotes are written as in HTML', (text) => text.replaceAll('"', '&quot;')],
    [
      'accents and scripts are stripped',
      (text) => text.normalize('NFKD').replaceAll(/[^ -~]/g, ''),
    ],
  ] satisfies [string, (text: string) => string][]
).map(([what, bent]) => ({
  name: `in the CSV ${what}`,
  stated: { cells: (asked) => (inCsv(asked) ? asked.cells.map(bent) : asked.cells) },
  breaks: ['export.text-intact'],
}))

const defaults: Fault[] = [
  {
    name: 'without file_type a PDF is given',
    stated: { defaultFileType: () => 'pdf' },
    // Of everything there are too many events for one.
    breaks: ['export.default-csv', 'export.no-filter'],
  },
  {
    name: 'without file_type an event is missing',
    stated: { rows: ({ events, query }) => (query.has('file_type') ? events : events.slice(1)) },
    breaks: ['export.default-csv'],
  },
  {
    name: 'without file_type the request is refused',
    stated: {
      sizeRefusal: ({ query, ...asked }) => (query.has('file_type') ? refusedOver(asked) : 400),
    },
    breaks: ['export.default-csv', 'export.no-filter'],
  },
  ...['de', 'fr'].map(
    (locale): Fault => ({
      name: `without locale the file is in ${locale}`,
      stated: { defaultLocale: () => locale },
      breaks: ['export.default-locale'],
    }),
  ),
  {
    name: 'without locale events of one type are missing',
    stated: {
      rows: ({ events, query }) =>
        query.has('locale') ? events : events.filter(({ event_type }) => event_type !== 'inquiry'),
    },
    breaks: ['export.default-locale'],
    mayBreak: ['export.pdf-limit.*'],
  },
  {
    name: 'locale=en is refused',
    open: { locales: () => ['de'] },
    breaks: ['export.default-locale'],
  },
  {
    name: 'a range is required',
    stated: {
      rangeRefusal: ({ range: { start, end } }) =>
        start === undefined && end === undefined ? 400 : undefined,
    },
    breaks: ['export.no-filter'],
  },
]

const refusedOver = ({ fileType, count, limit }: Pick<Export, 'fileType'> & Size) =>
  fileType === 'pdf' && count > limit ? 400 : undefined

type Size = { count: number; limit: number }

const all = makeEvents(makeWorld(1, { events: 1_200 }))

/** How many events a range holds, whatever is filtered. */
const countIn = ({ range: { start = '0', end = '9' } }: Export) =>
  all.filter(({ time }) => time >= start && time <= end).length

const chance: Fault[] = [
  {
    name: 'a row is left out now and then',
    stated: {
      rows: ({ events }) => {
        const lost = Math.floor(Math.random() * events.length)
        return events.filter((_, at) => at !== lost)
      },
    },
    breaks: ['export.deterministic'],
    mayBreak: ['export.pdf-matches-csv', 'export.pdf-limit.*', 'export.default-*'],
  },
]

const pdfs: Fault[] = [
  {
    name: 'a PDF without text',
    stated: { pages: ({ pages }) => pages.map(() => [] as never) },
    breaks: ['export.pdf.text'],
  },
  {
    name: 'the last page is lost',
    stated: { pages: ({ pages }) => (pages.length > 1 ? pages.slice(0, -1) : pages) },
    open: { pdfLayout: () => ({ long: 'cut', page: [842, 595], margin: 24, size: 5 }) },
    breaks: ['export.pdf-matches-csv'],
  },
  {
    name: 'a page comes twice',
    stated: { pages: ({ pages }) => [...pages, ...pages.slice(0, 1)] },
    breaks: ['export.pdf-matches-csv'],
  },
  {
    name: 'the PDF lacks an event',
    stated: { rows: (asked) => (inPdf(asked) ? asked.events.slice(1) : asked.events) },
    breaks: ['export.pdf-matches-csv'],
  },
  {
    name: 'the first row of each further page is lost',
    stated: {
      pages: ({ pages }) =>
        pages.map((page, at) => (at === 0 ? page : ((page as never[]).slice(1) as typeof page))),
    },
    breaks: ['export.pdf-matches-csv'],
  },
  {
    name: 'the PDF lacks events at the very bounds of its range',
    stated: {
      isUpTo: ({ fileType, time, end }) => (fileType === 'pdf' ? time < end : time <= end),
    },
    breaks: ['export.pdf-matches-csv'],
  },
  {
    name: 'the PDF has an event twice',
    stated: {
      rows: (asked) =>
        inPdf(asked) ? [...asked.events, ...asked.events.slice(0, 1)] : asked.events,
    },
    breaks: ['export.pdf-matches-csv'],
  },
]

const limits: Fault[] = [
  {
    name: 'the limit is one lower',
    stated: { sizeRefusal: (asked) => refusedOver({ ...asked, limit: asked.limit - 1 }) },
    breaks: ['export.pdf-limit.at'],
  },
  {
    name: 'the limit is a tenth lower',
    stated: { sizeRefusal: (asked) => refusedOver({ ...asked, limit: asked.limit * 0.9 }) },
    breaks: ['export.pdf-limit.at'],
  },
  {
    name: 'the limit is one higher',
    stated: { sizeRefusal: (asked) => refusedOver({ ...asked, limit: asked.limit + 1 }) },
    breaks: ['export.pdf-limit.over'],
  },
  {
    name: 'there is no limit',
    stated: { sizeRefusal: () => undefined },
    breaks: ['export.pdf-limit.over'],
  },
  {
    name: 'a PDF over the limit is cut',
    stated: {
      sizeRefusal: () => undefined,
      rows: (asked) => (inPdf(asked) ? asked.events.slice(0, asked.limit) : asked.events),
    },
    breaks: ['export.pdf-limit.over'],
  },
  ...[413, 422].map(
    (status): Fault => ({
      name: `a PDF over the limit is answered ${status}`,
      stated: { sizeRefusal: (asked) => refusedOver(asked) && status },
      breaks: ['export.pdf-limit.over'],
    }),
  ),
  {
    name: 'a PDF at the limit lacks an event',
    stated: {
      rows: (asked) =>
        inPdf(asked) && asked.count === asked.limit ? asked.events.slice(1) : asked.events,
    },
    breaks: ['export.pdf-limit.complete'],
  },
  {
    name: 'a PDF at the limit does not open',
    stated: {
      pages: ({ pages }) => pages,
      file: async (asked) => {
        const bytes = inPdf(asked) ? await bytesOf(asked.file) : undefined
        if (!bytes) return asked.file
        const content = (bytes.length > 40_000 ? bytes.subarray(0, 20_000) : bytes) as never
        return { ...asked.file, content }
      },
    },
    breaks: ['export.pdf-limit.at'],
  },
  {
    name: 'all events count, and not those chosen',
    stated: { sizeRefusal: (asked) => refusedOver({ ...asked, count: asked.total }) },
    breaks: ['export.pdf.status', 'export.pdf-limit.narrowed'],
  },
  {
    name: 'what is filtered out counts for the limit',
    stated: {
      sizeRefusal: (asked) => refusedOver({ ...asked, count: countIn(asked) }),
    },
    breaks: ['export.pdf-limit.narrowed'],
  },
  {
    name: 'a row is lost at each 250',
    stated: { rows: ({ events }) => events.filter((_, at) => (at + 1) % 250 !== 0) },
    breaks: ['export.pdf-limit.at'],
  },
  {
    name: 'a CSV is cut where a PDF has to be',
    stated: {
      rows: (asked) => (inCsv(asked) ? asked.events.slice(0, asked.limit) : asked.events),
    },
    breaks: ['export.pdf-limit.csv-free'],
  },
]

const flaws = {
  'file type': 'file-type',
  'metadata key': 'metadata-key',
  'range form': 'range-form',
  'time zone': 'timezone',
} as const

const invalid: Fault[] = Object.entries(flaws).flatMap(([flaw, name]) =>
  [undefined, 422, 404].map((status) => ({
    name: `an invalid ${flaw} is ${status ? `answered ${status}` : 'passed over'}`,
    open: { queryRefusal: (asked) => (asked.flaw === flaw ? status : open.queryRefusal(asked)) },
    breaks: [`export.invalid.${name}`],
  })),
)

const bodies: Fault[] = [
  {
    name: 'errors of the export are broken JSON',
    stated: {
      refusalBody: ({ op, body }) => (op === 'export' ? { ...body, text: '{"error":' } : body),
    },
    breaks: ['export.error-is-json'],
  },
]

/** Caught by clauses on the CSV, and on what both files have in common. */
export const csvFaults: Fault[] = [
  ...statuses.filter(isOfCsv),
  ...others.filter(isOfCsv),
  ...wrapped.filter(isOfCsv),
  ...forms,
  ...texts,
  ...defaults,
  ...chance,
  ...invalid,
  ...bodies,
].map(smallLimit)

/** Caught by clauses on the PDF. */
export const pdfFaults: Fault[] = [
  ...[...statuses, ...others, ...wrapped].filter((fault) => !isOfCsv(fault)),
  ...pdfs,
  ...limits,
].map(smallLimit)

/** The same by the number that the contract names. */
export const realLimit: Fault[] = [
  {
    name: 'the limit is 5,001',
    events: 6_600,
    stated: { sizeRefusal: (asked) => refusedOver({ ...asked, limit: 5_001 }) },
    breaks: ['export.pdf-limit.over'],
  },
]

export const faults: Fault[] = [...csvFaults, ...pdfFaults, ...realLimit]
