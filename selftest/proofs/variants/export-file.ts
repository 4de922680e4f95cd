import type { Column, Export } from '../../../reference/calls/export-call.ts'
import { openOfExport } from '../../../reference/rules/open-export.ts'
import type { ExportFile } from '../../../reference/rules/stated-export.ts'
import { autumn, inPdf, smallLimit } from '../bent/export-window.ts'
import { type InStore, throughStore } from '../bent/file-store.ts'
import { type Variant, withoutComments } from '../fault.ts'

type Asked = Export & { file: ExportFile }
const bytesOf = async ({ content }: ExportFile) =>
  Buffer.from(await new Response(content).arrayBuffer())

const delivered = (name: string, answer: InStore): Variant => ({ name, ...throughStore(answer) })

const deliveries: Variant[] = [
  ...['text/plain', 'application/octet-stream', undefined, 'application/vnd.ms-excel'].map(
    (type): Variant => ({
      name: `files are of type ${type ?? 'none'}`,
      open: { exportContentType: () => type },
    }),
  ),
  ...['inline', 'attachment', undefined, "attachment; filename*=UTF-8''%E2%82%AC%20events"].map(
    (disposition): Variant => ({
      name: `files are disposed of by ${disposition ?? 'nothing'}`,
      open: { disposition: () => disposition },
    }),
  ),
  ...(['gzip', 'br', 'deflate'] as const).map(
    (encoding): Variant => ({ name: `files in ${encoding}`, open: { encoding: () => encoding } }),
  ),
  {
    name: 'a Location says where in the service the file is',
    open: {
      disposition: () => undefined,
      delivery: ({ query, file }) =>
        query.has('ticket')
          ? file
          : { ...file, content: '', headers: { location: `export?${query}&ticket=7` } },
      // Its own parameter is known to it.
      queryRefusal: (part) =>
        part.parameter === 'ticket' ? undefined : openOfExport.queryRefusal(part),
    },
  },
  delivered('a Location says where in a store the file is', (address, file) => ({
    ...file,
    content: '',
    headers: { location: address },
  })),
  delivered('a Link says where in a store the file is', (address, file) => ({
    ...file,
    content: '',
    headers: { link: `<${address}>; rel="enclosure"` },
  })),
  delivered('a link in JSON says where in a store the file is', (address) => ({
    type: 'application/json',
    content: JSON.stringify({ status: 'ready', data: { download_url: address } }),
  })),
  {
    name: 'a link in JSON leads to a store that cannot be reached',
    open: {
      delivery: () => ({
        type: 'application/json',
        content: '{"expires_in": 300, "download_url": "http://127.0.0.1:9/7?sig=1"}',
      }),
    },
  },
]

const utf16: Variant[] = (
  [
    ['by its mark', true, 'text/csv'],
    ['by the content type', false, 'text/csv; charset=utf-16le'],
    ['by nothing', false, undefined],
  ] satisfies [string, boolean, string | undefined][]
).map(([how, marked, type]) => ({
  name: `UTF-16, told ${how}`,
  open: {
    byteOrderMark: () => marked,
    exportContentType: (asked) => (inPdf(asked) ? 'application/pdf' : type),
  },
  stated: {
    file: async (asked: Asked) =>
      inPdf(asked)
        ? asked.file
        : {
            ...asked.file,
            content: Buffer.from((await bytesOf(asked.file)).toString(), 'utf16le') as never,
          },
  },
}))

const texts: Variant[] = [
  ...[';', '\t', '|'].map(
    (delimiter): Variant => ({
      name: `cells are parted by ${JSON.stringify(delimiter)}`,
      open: { delimiter: () => delimiter },
    }),
  ),
  ...['\n', '\r'].map(
    (ending): Variant => ({
      name: `lines end in ${JSON.stringify(ending)}`,
      open: { lineEnding: () => ending },
    }),
  ),
  { name: 'the last line does not end', open: { endsLastLine: () => false } },
  { name: 'a byte order mark', open: { byteOrderMark: () => true } },
  { name: 'every cell in quotes', open: { quotesAnyway: () => true } },
  { name: 'no header', open: { headerRow: () => false } },
  {
    name: 'a title before the header',
    open: { titleLines: () => ['Audit events', ''], delimiter: () => ';' },
  },
  {
    name: 'a PDF tells in which language it was asked for, and is in English in each',
    open: {
      columnTitle: (asked) => openOfExport.columnTitle({ ...asked, locale: 'en' }),
      label: (asked) => openOfExport.label({ ...asked, locale: 'en' }),
      titleLines: ({ fileType, query, locale }) =>
        fileType === 'pdf' && query.has('locale')
          ? [locale === 'en' ? 'Written for English readers' : 'Meant for somebody else instead']
          : [],
    },
  },
  {
    name: 'a line that tells the time, and one that tells the delimiter',
    open: {
      titleLines: ({ fileType }) =>
        fileType === 'csv' ? ['sep=;', `Made at ${performance.now()}`] : [`${performance.now()}`],
      delimiter: () => ';',
    },
  },
  {
    name: 'formulas are guarded',
    open: { cellForm: ({ text }) => (/^[=+\-@]/.test(text) ? `'${text}` : text) },
  },
  ...utf16,
  {
    name: 'UTF-8 that a server declares to be something else',
    open: { exportContentType: () => 'text/csv; charset=ISO-8859-1' },
  },
]

const some = (...columns: Column[]): Variant['open'] => ({ columns: () => columns })

const columns: Variant[] = [
  { name: 'no ids', open: some('time', 'event_type', 'sub_type', 'comment') },
  { name: 'no times', open: some('event_type', 'id', 'comment') },
  { name: 'neither ids nor times', open: some('event_type', 'sub_type', 'description', 'comment') },
  {
    name: 'no comments',
    open: some('id', 'time', 'event_type', 'sub_type'),
    warns: withoutComments,
  },
  { name: 'one column', open: some('id'), warns: withoutComments },
  { name: 'metadata as JSON', open: some('metadata', 'comment', 'time', 'id') },
  {
    name: 'a PDF of other columns than the CSV',
    open: {
      columns: (asked) =>
        inPdf(asked) ? ['description', 'event_type'] : openOfExport.columns(asked),
    },
  },
  {
    name: 'columns are called otherwise',
    open: { columnTitle: ({ column }) => `${column.length}. Spalte` },
  },
  {
    name: 'the newest first',
    open: { rowOrder: ({ events }) => events.toReversed() },
  },
  {
    name: 'in no order',
    open: { rowOrder: ({ events }) => events.toSorted(() => Math.random() - 0.5) },
  },
  {
    name: 'dates as people write them',
    open: {
      columns: () => ['time', 'event_type', 'comment'],
      dateForm: ({ local }) =>
        new Date(`${local.slice(0, 19)}Z`).toLocaleString('en', { timeZone: 'UTC' }),
    },
  },
]

const layouts: Variant[] = [
  {
    name: 'PDFs that wrap long cells',
    open: { pdfLayout: () => ({ long: 'wrap', page: [842, 595], margin: 24, size: 9 }) },
  },
  {
    name: 'PDFs of narrow pages with large letters',
    open: { pdfLayout: () => ({ long: 'cut', page: [595, 842], margin: 40, size: 12 }) },
  },
  {
    name: 'PDFs of pages with few rows',
    open: { pdfLayout: () => ({ long: 'wrap', page: [842, 200], margin: 24, size: 8 }) },
  },
]

const sizes: Variant[] = [
  { name: 'no events', events: 0 },
  { name: 'no events and no header', events: 0, open: { headerRow: () => false } },
  { name: 'few events', events: 40 },
  { name: 'as many events as a PDF holds', events: 300 },
  {
    name: 'events of one day share their time',
    open: { storedTime: ({ time }) => `${time.slice(0, 10)}T12:00:00.000000000Z` },
  },
  {
    name: 'a CSV has a limit of its own',
    stated: {
      sizeRefusal: ({ fileType, count, limit }) =>
        count > (fileType === 'pdf' ? limit : limit * 2) ? 400 : undefined,
    },
  },
  {
    name: 'a CSV has a lower limit than a PDF',
    stated: {
      sizeRefusal: ({ fileType, count, limit }) =>
        count > (fileType === 'pdf' ? limit : limit - 50) ? 413 : undefined,
    },
  },
]

const queries: Variant[] = [
  {
    name: 'what is unknown is refused',
    open: { queryRefusal: () => 400 },
  },
  {
    name: 'what is invalid is passed over',
    open: { queryRefusal: () => undefined },
    warns: ['export.invalid.*'],
  },
  {
    name: 'what is invalid is answered 422',
    open: { queryRefusal: ({ flaw }) => (flaw === 'parameter' ? undefined : 422) },
    warns: ['export.invalid.*'],
  },
  {
    name: 'errors are pages',
    open: { errorBody: () => ({ type: 'text/html', text: '<h1>no</h1>' }) },
    warns: ['task.read.error-is-json', 'assessment.read.error-is-json'],
  },
  { name: 'errors are nothing', open: { errorBody: () => ({ type: undefined, text: '' }) } },
]

const manners: Variant[] = [
  {
    name: 'the key may export no PDF',
    refuses: true,
    open: { permits: ({ op, query }) => op !== 'export' || query.get('file_type') !== 'pdf' },
  },
  {
    name: 'a PDF of more than a year is refused',
    stated: {
      rangeRefusal: ({ fileType, range: { start = '', end = '~' } }) =>
        start > end ||
        (fileType === 'pdf' && Number(end.slice(0, 4)) - Number(start.slice(0, 4)) > 1)
          ? 400
          : undefined,
    },
    pdfLimit: 5_000,
  },
  {
    name: 'the given window holds more events than a PDF may',
    events: 1_200,
    pdfLimit: 400,
    env: { EXPORT_FROM: '2024-06-01T00:00:00Z', EXPORT_TO: '2025-12-31T23:59:59Z' },
  },
  { name: 'exports are events', open: { recordsExports: () => true } },
  { name: 'others use the service', open: { trafficInterval: () => 20 } },
  {
    name: 'events can be seen after a while',
    env: { ...autumn, AUDIT_WAIT_S: '5' },
    open: { eventDelay: () => 200 },
  },
  { name: 'another zone by default', open: { defaultZone: () => 'Asia/Tokyo' } },
  {
    name: 'no event, no header, and nothing that makes events',
    events: 0,
    env: { READ_ONLY: '1' },
    open: { headerRow: () => false, endsLastLine: () => false },
  },
  { name: 'no event, and nothing that makes events', events: 0, env: { READ_ONLY: '1' } },
  { name: 'slow exports', open: { delay: ({ op }) => (op === 'export' ? 30 : 0) } },
  { name: 'at most 40 requests a second', open: { requestsPerSecond: () => 40 } },
]

/** What people write may look as if a program had failed. */
export const quoting: Variant[] = [
  {
    name: 'comments quote NaN, undefined and null values, and a tag is {{x}}',
    open: {
      label: ({ column, value }) =>
        column === 'comment' && value !== ''
          ? `${value}: shows NaN, "undefined", {{name}} and null values, since 2025-01-01 10:00:00.`
          : column === 'tag' && value === 'vip'
            ? '{{x}}'
            : value,
    },
    stated: {
      valueMatches: ({ filter, value, given }) =>
        filter.name === 'tag' && given === '{{x}}' ? value === 'vip' : value === given,
    },
    warns: ['export.text-intact', 'audit.*-comment'],
  } satisfies Variant,
].map(smallLimit)

export const variants: Variant[] = [
  ...deliveries,
  ...texts,
  ...columns,
  ...layouts,
  ...sizes,
  ...queries,
  ...manners,
].map(smallLimit)
