import type { Some } from '../engine/clause/law.ts'
import { contentOf } from '../engine/files/content.ts'
import type { CsvReading } from '../engine/files/csv.ts'
import { headersShown } from '../engine/http/shapes.ts'
import type { Observation } from '../engine/observation.ts'
import { from } from '../engine/origin.ts'
import { clauseOfFiles as clause } from '../helpers/clause.ts'
import { fileTypes } from '../helpers/contract/parameters.ts'
import { needDecidable } from '../helpers/export/ask/decidable.ts'
import type { CsvExport } from '../helpers/export/ask/exports.ts'
import type { PdfExport } from '../helpers/export/ask/pdf-export.ts'
import {
  askNoBounds,
  contentTypeOf,
  dateFormsOf,
  dispositionOf,
  fetchDateOnlyBounds,
  fetchOffsetBounds,
  formulaStarts,
  meaningOf,
  meaningsOf,
  orderOf,
  statusOf,
} from '../helpers/export/laws/file-facts.ts'
import {
  askLocalized,
  effectOfLocale,
  type Localized,
  languages,
} from '../helpers/export/laws/zones-and-locales.ts'
import { fetchSample, firstRecords, pdfQueryOf } from '../helpers/export/learn/known-events.ts'
import { spanOf, type Window } from '../helpers/export/learn/window.ts'
import type { Givens } from '../helpers/givens.ts'

type File = CsvExport | PdfExport

const lookAtBoth =
  (look: (file: File) => Observation) =>
  (both: Some<File>): Observation =>
    Object.fromEntries(both.map((file, at) => [fileTypes[at], look(file)]))

const fetchBoth = async ({
  exports,
  pdfLimit,
  sample,
}: Pick<Givens, 'exports' | 'pdfLimit' | 'sample'>) => [
  await fetchSample(exports, sample),
  await exports.pdf(pdfQueryOf(exports, sample, pdfLimit)),
]

clause('export.delivery', {
  observe: 'how a file is delivered: in the content of the response, or elsewhere',
  look: lookAtBoth(({ answer, told, ...file }) => {
    needDecidable(answer)
    const bytes = 'bytes' in file ? file.bytes?.toString('utf8', 0, 2048) : undefined
    const beginning = bytes ?? ('csv' in file ? file.csv?.beginning : '')
    return {
      status: answer.status,
      content: told ?? contentOf(beginning ?? ''),
      disposition: dispositionOf(answer)?.type ?? 'none',
    }
  }),
})(['exports', 'pdfLimit', 'sample'], fetchBoth)

clause('export.file-name', {
  observe: 'the file names of exports',
  look: lookAtBoth(({ answer }) => dispositionOf(answer)?.name ?? 'none'),
})(['exports', 'pdfLimit', 'sample'], fetchBoth)

clause('export.headers', {
  observe: 'which headers an export response has',
  look: lookAtBoth(({ answer }) => {
    needDecidable(answer)
    return headersShown([answer])
  }),
})(['exports', 'pdfLimit', 'sample'], fetchBoth)

clause('export.csv-content-type', {
  observe: 'the Content-Type of a CSV',
  look: contentTypeOf,
})(['exports', 'sample'], async ({ exports, sample }) => [
  (await fetchSample(exports, sample)).answer,
])

clause('export.pdf-content-type', {
  observe: 'the Content-Type of a PDF',
  look: contentTypeOf,
})(['exports', 'pdfLimit', 'sample'], async ({ exports, pdfLimit, sample }) => [
  (await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))).answer,
])

clause('export.header-row', {
  observe: 'whether a CSV has column headers, and how many lines stand before and after its rows',
  look: ([{ header, lines }]: Some<Window>) => ({
    header: header !== undefined,
    linesBeforeRows: lines.before,
    linesBehindRows: lines.behind,
  }),
})(['window'], ({ window }) => [window])

clause('export.columns', {
  observe: 'the column headers of a CSV or, without headers, the number of columns',
  look: ([{ header, rows }]: Some<Window>) => header ?? rows[0]?.length ?? 0,
})(['window'], ({ window }) => [window])

const fetchWhole = async ({ exports, window }: Pick<Givens, 'exports' | 'window'>) => [
  await exports.csvFile(spanOf(window)),
]

clause('export.delimiter', {
  observe: 'the delimiter between the cells of a CSV',
  look: ([{ dialect }]: Some<CsvReading>) => dialect.delimiter,
})(['exports', 'window'], fetchWhole)

clause('export.bom', {
  observe: 'whether a CSV begins with a byte order mark, and its encoding',
  look: ([{ dialect, encoding }]: Some<CsvReading>) => ({
    byteOrderMark: dialect.byteOrderMark,
    encoding,
  }),
})(['exports', 'window'], fetchWhole)

clause('export.line-ending', {
  observe: 'the line endings of a CSV',
  look: ([{ dialect }]: Some<CsvReading>) => dialect.lineEnding,
})(['exports', 'window'], fetchWhole)

clause('export.row-order', {
  observe: 'by which column the rows of a CSV are sorted',
  look: orderOf,
})(['window'], ({ window }) => [window])

clause('export.dates', {
  observe: 'the format of event times in a CSV',
  look: dateFormsOf,
})(['window', 'ranges'], async ({ window, ranges }) => [{ times: await ranges.times(), window }])

clause('export.formula-cells', {
  observe: 'how cells begin that a spreadsheet could interpret as formulas',
  varies: 'the events of the window',
  look: (all: Some<{ start: string }>) => all.map(({ start }) => start),
  none: ['data', 'no cell begins like a formula'],
})(['window'], ({ window }) => formulaStarts(window.rows).map((start) => from({ start }, window)))

clause('export.csv-size-limit', {
  observe: 'the status of the response to a CSV export of all events',
  section: 'Limits',
  look: statusOf,
})(['exports'], async ({ exports }) => {
  const { answer } = await exports.csv({ fileType: null }, firstRecords)
  needDecidable(answer)
  return [answer]
})

clause('export.range.offset-form', {
  observe: 'how range bounds with an offset instead of Z are interpreted',
  look: meaningOf,
})(['ranges'], async ({ ranges }) => [await fetchOffsetBounds(ranges)])

clause('export.range.date-only', {
  observe: 'how range bounds without a time of day are interpreted',
  look: meaningOf,
})(['ranges'], async ({ ranges }) => [await fetchDateOnlyBounds(ranges)])

clause('export.range.null', {
  observe: 'how null or empty range bounds are interpreted',
  look: meaningsOf,
})(['ranges'], ({ ranges }) => askNoBounds(ranges))

const unsupported = new Map([
  ['zz', 'no language (zz)'],
  ['la', 'Latin (la)'],
  ['xyz', 'no code (xyz)'],
])

clause('export.locale-unsupported', {
  observe: 'how a locale that is not supported is handled',
  look: (all: Some<Localized>) =>
    Object.fromEntries(all.map((one) => [unsupported.get(one.locale), effectOfLocale(one)])),
})(['ranges'], ({ ranges }) => askLocalized(ranges, [...unsupported.keys()]))

clause('export.locales-that-change-the-file', {
  observe: 'which common languages change the file',
  look: (all: Some<Localized>) =>
    all.filter((one) => effectOfLocale(one) === 'another file').map(({ locale }) => locale),
})(['ranges'], ({ ranges }) => askLocalized(ranges, languages))
