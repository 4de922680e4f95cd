import type { Column } from '../../../reference/calls/export-call.ts'
import type { Open } from '../../../reference/rules/open.ts'
import { openOfExport } from '../../../reference/rules/open-export.ts'
import { type InStore, throughStore } from '../bent/around.ts'
import {
  autumn,
  bytesOf,
  cellsAs,
  columnsOfPdf,
  csvAs,
  inPdf,
  refusedOver,
  refusing,
  smallLimit,
} from '../bent/exports.ts'
import { tableOf, type Variant, variant, variantsOf, withoutComments } from '../fault.ts'

const some = (...columns: Column[]): Partial<Open> => ({ columns: () => columns })

export const quoting = variantsOf({
  'comments quote NaN, undefined and null values, and a tag is {{x}}': {
    label: ({ column, value }) =>
      column === 'comment' && value !== ''
        ? `${value}: shows NaN, "undefined", {{name}} and null values, since 2025-01-01 10:00:00.`
        : column === 'tag' && value === 'vip'
          ? '{{x}}'
          : value,
    valueMatches: ({ filter, value, given }) =>
      filter.name === 'tag' && given === '{{x}}' ? value === 'vip' : value === given,
  },
  'a PDF shows null where a CSV shows nothing': {
    ...columnsOfPdf('time', 'id', 'description', 'comment', 'tag'),
    ...cellsAs(inPdf)((cell) => cell || 'null'),
  },
}).map(smallLimit)

export const variants: Variant[] = [
  ...['text/plain', 'application/octet-stream', undefined, 'application/vnd.ms-excel'].map((type) =>
    variant(`files are of type ${type ?? 'none'}`, { exportContentType: () => type }),
  ),
  ...['inline', 'attachment', undefined, "attachment; filename*=UTF-8''%E2%82%AC%20events"].map(
    (disposition) =>
      variant(`files are disposed of by ${disposition ?? 'nothing'}`, {
        disposition: () => disposition,
      }),
  ),
  ...(['gzip', 'br', 'deflate'] as const).map((encoding) =>
    variant(`files in ${encoding}`, { encoding: () => encoding }),
  ),
  ...variantsOf((answer: InStore) => throughStore(answer), {
    'a Location says where in a store the file is': (address, file) => ({
      ...file,
      content: '',
      headers: { location: address },
    }),
    'a Link says where in a store the file is': (address, file) => ({
      ...file,
      content: '',
      headers: { link: `<${address}>; rel="enclosure"` },
    }),
    'a link in JSON says where in a store the file is': (address) => ({
      type: 'application/json',
      content: JSON.stringify({ status: 'ready', data: { download_url: address } }),
    }),
  }),
  ...variantsOf({
    'a Location says where in the service the file is': {
      disposition: () => undefined,
      delivery: ({ query, file }) =>
        query.has('ticket')
          ? file
          : { ...file, content: '', headers: { location: `export?${query}&ticket=7` } },
      // Its own parameter is known to it.
      queryRefusal: (part) =>
        part.parameter === 'ticket' ? undefined : openOfExport.queryRefusal(part),
    },
    'a link in JSON leads to a store that cannot be reached': {
      delivery: () => ({
        type: 'application/json',
        content: '{"expires_in": 300, "download_url": "http://127.0.0.1:9/7?sig=1"}',
      }),
    },
    'the last line does not end': { endsLastLine: () => false },
    'a byte order mark': { byteOrderMark: () => true },
    'every cell in quotes': { quotesAnyway: () => true },
    'no header': { headerRow: () => false },
    'a title before the header': { titleLines: () => ['Audit events', ''], delimiter: () => ';' },
    'a PDF tells in which language it was asked for, and is in English in each': {
      columnTitle: (asked) => openOfExport.columnTitle({ ...asked, locale: 'en' }),
      label: (asked) => openOfExport.label({ ...asked, locale: 'en' }),
      titleLines: ({ fileType, query, locale }) =>
        fileType === 'pdf' && query.has('locale')
          ? [locale === 'en' ? 'Written for English readers' : 'Meant for somebody else instead']
          : [],
    },
    'a line that tells the time, and one that tells the delimiter': {
      titleLines: ({ fileType }) =>
        fileType === 'csv' ? ['sep=;', `Made at ${performance.now()}`] : [`${performance.now()}`],
      delimiter: () => ';',
    },
    'formulas are guarded': { cellForm: ({ text }) => (/^[=+\-@]/.test(text) ? `'${text}` : text) },
    'UTF-8 that a server declares to be something else': {
      exportContentType: () => 'text/csv; charset=ISO-8859-1',
    },
    'no events': { events: 0 },
    'no events and no header': { events: 0, headerRow: () => false },
    'few events': { events: 40 },
    'as many events as a PDF holds': { events: 300 },
    'events of one day share their time': {
      storedTime: ({ time }) => `${time.slice(0, 10)}T12:00:00.000000000Z`,
    },
    'what is unknown is refused': { queryRefusal: () => 400 },
    'what is invalid is passed over': { queryRefusal: () => undefined, warns: 'export.invalid.*' },
    'what is invalid is answered 422': {
      queryRefusal: ({ flaw }) => (flaw === 'parameter' ? undefined : 422),
      warns: 'export.invalid.*',
    },
    'errors are pages': { errorBody: () => ({ type: 'text/html', text: '<h1>no</h1>' }) },
    'errors are nothing': { errorBody: () => ({ type: undefined, text: '' }) },
    'the key may export no PDF': {
      refuses: true,
      permits: ({ op, query }) => op !== 'export' || query.get('file_type') !== 'pdf',
    },
    'a PDF of more than a year is refused': {
      ...refusing(
        ({ fileType, range: { start = '', end = '~' } }) =>
          fileType === 'pdf' && Number(end.slice(0, 4)) - Number(start.slice(0, 4)) > 1,
      ),
      pdfLimit: 5_000,
    },
    'the given window holds more events than a PDF may': {
      events: 1_200,
      pdfLimit: 400,
      env: { EXPORT_FROM: '2024-06-01T00:00:00Z', EXPORT_TO: '2025-12-31T23:59:59Z' },
    },
    'exports are events': { recordsExports: () => true },
    'others use the service': { trafficInterval: () => 20 },
    'events can be seen after a while': {
      env: { ...autumn, AUDIT_WAIT_S: '5' },
      eventDelay: () => 200,
    },
    'another zone by default': { defaultZone: () => 'Asia/Tokyo' },
    'no event, no header, and nothing that makes events': {
      events: 0,
      env: { READ_ONLY: '1' },
      headerRow: () => false,
      endsLastLine: () => false,
    },
    'no event, and nothing that makes events': { events: 0, env: { READ_ONLY: '1' } },
    'a PDF has a core font, and what that lacks comes as other letters': {
      ...cellsAs(inPdf)((cell) =>
        cell.replaceAll(/[^\0-\xff]/g, (letter) =>
          String.fromCharCode(0x40 + (letter.charCodeAt(0) % 0x20)),
        ),
      ),
      warns: 'export.pdf.text-intact',
    },
    'slow exports': { delay: ({ op }) => (op === 'export' ? 30 : 0) },
    'at most 40 requests a second': { requestsPerSecond: () => 40 },
    'no ids': some('time', 'event_type', 'sub_type', 'comment'),
    'no times': some('event_type', 'id', 'comment'),
    'neither ids nor times': some('event_type', 'sub_type', 'description', 'comment'),
    'no comments': { ...some('id', 'time', 'event_type', 'sub_type'), warns: withoutComments },
    'one column': { ...some('id'), warns: withoutComments },
    'metadata as JSON': some('metadata', 'comment', 'time', 'id'),
    'a PDF of other columns than the CSV': columnsOfPdf('description', 'event_type'),
    'the columns stand in another order where a language is named': {
      columns: (asked) => {
        const columns = openOfExport.columns(asked)
        return asked.query.has('locale') ? columns.toReversed() : columns
      },
      warns: 'export.csv.titles',
    },
    'columns are called otherwise': { columnTitle: ({ column }) => `${column.length}. Spalte` },
    'the newest first': { rowOrder: ({ events }) => events.toReversed() },
    'in no order': { rowOrder: ({ events }) => events.toSorted(() => Math.random() - 0.5) },
    'dates as people write them': {
      columns: () => ['time', 'event_type', 'comment'],
      dateForm: ({ local }) =>
        new Date(`${local.slice(0, 19)}Z`).toLocaleString('en', { timeZone: 'UTC' }),
    },
  }),
  ...[';', '\t', '|'].map((delimiter) =>
    variant(`cells are parted by ${JSON.stringify(delimiter)}`, { delimiter: () => delimiter }),
  ),
  ...['\n', '\r'].map((ending) =>
    variant(`lines end in ${JSON.stringify(ending)}`, { lineEnding: () => ending }),
  ),
  ...tableOf<[string, boolean, string | undefined]>([
    ['by its mark', true, 'text/csv'],
    ['by nothing', false, undefined],
  ]).map(([how, marked, type]) =>
    variant(`UTF-16, told ${how}`, {
      byteOrderMark: () => marked,
      exportContentType: (asked) => (inPdf(asked) ? 'application/pdf' : type),
      ...csvAs((text) => Buffer.from(text, 'utf16le')),
    }),
  ),
  ...variantsOf('pdfLayout', {
    'PDFs that wrap long cells': () => ({ long: 'wrap', page: [842, 595], margin: 24, size: 9 }),
    'PDFs of narrow pages with large letters': () => ({
      long: 'cut',
      page: [595, 842],
      margin: 40,
      size: 12,
    }),
    'PDFs of pages with few rows': () => ({ long: 'wrap', page: [842, 200], margin: 24, size: 8 }),
  }),
  ...variantsOf('file', {
    'PDFs behind an empty line': async ({ file, ...asked }) => {
      if (!inPdf(asked)) return file
      return { ...file, content: Buffer.concat([Buffer.from('\r\n'), await bytesOf(file)]) }
    },
  }),
  ...variantsOf('sizeRefusal', {
    'a CSV has a limit of its own': ({ fileType, count, limit }) =>
      count > (fileType === 'pdf' ? limit : limit * 2) ? 400 : undefined,
    'a CSV has a lower limit than a PDF': (asked) => {
      if (inPdf(asked)) return refusedOver(asked)
      return asked.count > asked.limit - 50 ? 413 : undefined
    },
  }),
].map(smallLimit)
