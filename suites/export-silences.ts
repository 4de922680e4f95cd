import { contentOf } from '../engine/files/content.ts'
import { headersShown } from '../engine/http/shapes.ts'
import { clausesOf } from '../helpers/clause.ts'
import { needDecidable } from '../helpers/export/ask/decidable.ts'
import {
  contentTypeOf,
  dateFormsOf,
  dispositionOf,
  formulaStarts,
  orderOf,
} from '../helpers/export/laws/file-facts.ts'
import {
  describeDateOnlyBounds,
  describeNullBounds,
  describeOffsetBounds,
} from '../helpers/export/laws/range-forms.ts'
import { describeLocale, languages } from '../helpers/export/laws/zones-and-locales.ts'
import { fetchSample, firstRecords, pdfQueryOf } from '../helpers/export/learn/known-events.ts'
import { spanOf } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

const clause = clausesOf({ section: 'Export audit events', operation: 'export' })

clause('export.delivery', {
  observe: 'how a file is handed over: in the content of the answer, or elsewhere',
})(async ({ exports, sample, pdfLimit }) => {
  const csv = await fetchSample(exports, sample)
  const pdf = await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))
  needDecidable(csv.answer)
  needDecidable(pdf.answer)
  const described = ({ answer, told }: typeof csv | typeof pdf, beginning = '') => ({
    status: answer.status,
    content: told ?? contentOf(beginning),
    disposition: dispositionOf(answer)?.type ?? 'none',
  })
  const beginning = pdf.bytes?.toString('utf8', 0, 2048)
  return { csv: described(csv, csv.csv?.beginning), pdf: described(pdf, beginning) }
})

clause('export.csv-content-type', {
  observe: 'the content type of a CSV',
})(async ({ exports, sample }) => {
  const { answer } = await fetchSample(exports, sample)
  needDecidable(answer)
  return contentTypeOf(answer)
})

clause('export.pdf-content-type', {
  observe: 'the content type of a PDF',
})(async ({ exports, sample, pdfLimit }) => {
  const { answer } = await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))
  needDecidable(answer)
  return contentTypeOf(answer)
})

clause('export.file-name', {
  observe: 'what files are called',
})(async ({ exports, sample, pdfLimit }) => {
  const csv = await fetchSample(exports, sample)
  const pdf = await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))
  return {
    csv: dispositionOf(csv.answer)?.name ?? 'none',
    pdf: dispositionOf(pdf.answer)?.name ?? 'none',
  }
})

clause('export.headers', {
  observe: 'which headers a file comes with',
})(async ({ exports, sample, pdfLimit }) => {
  const csv = await fetchSample(exports, sample)
  const pdf = await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))
  needDecidable(csv.answer)
  needDecidable(pdf.answer)
  return { csv: headersShown([csv.answer]), pdf: headersShown([pdf.answer]) }
})

clause('export.header-row', {
  observe: 'whether the columns of a CSV are named, and in which line',
})(async ({ window }) => ({
  header: window.header !== undefined,
  linesBeforeRows: window.lines.before,
  linesBehindRows: window.lines.behind,
}))

clause('export.columns', {
  observe: 'the columns of a CSV: their names, or else how many there are',
})(async ({ window: { header, rows } }) => header ?? rows[0]?.length ?? 0)

clause('export.delimiter', {
  observe: 'what stands between the cells of a CSV',
})(async ({ exports, window }) => (await exports.csvFile(spanOf(window))).dialect.delimiter)

clause('export.bom', {
  observe: 'whether a CSV begins with a byte order mark, and its encoding',
})(async ({ exports, window }) => {
  const { dialect, encoding } = await exports.csvFile(spanOf(window))
  return { byteOrderMark: dialect.byteOrderMark, encoding }
})

clause('export.line-ending', {
  observe: 'how the lines of a CSV end',
})(async ({ exports, window }) => (await exports.csvFile(spanOf(window))).dialect.lineEnding)

clause('export.row-order', {
  observe: 'by which column the rows of a CSV are in order',
})(async ({ window }) => orderOf(window))

clause('export.dates', {
  observe: 'how a CSV writes when an event was',
})(async ({ ranges, window }) => dateFormsOf(await ranges.times(), window))

clause('export.formula-cells', {
  observe: 'how cells are written that a spreadsheet takes for formulas',
  varies: 'the events of the window',
})(async ({ window }) => {
  const starts = formulaStarts(window.rows)
  premise(starts.length > 0, 'data', 'no cell begins like a formula')
  return starts
})

clause('export.csv-size-limit', {
  observe: 'whether a CSV of everything is given',
  section: 'Limits',
})(async ({ exports }) => {
  const { answer } = await exports.csv({ fileType: null }, firstRecords)
  needDecidable(answer)
  return { status: answer.status }
})

clause('export.range.offset-form', {
  observe: 'what bounds with an offset in place of Z are taken for',
})(async ({ ranges }) => describeOffsetBounds(ranges))

clause('export.range.date-only', {
  observe: 'what bounds without a time of day are taken for',
})(async ({ ranges }) => describeDateOnlyBounds(ranges))

clause('export.range.null', {
  observe: 'what bounds that are null or empty are taken for',
})(async ({ ranges }) => describeNullBounds(ranges))

clause('export.locale-unsupported', {
  observe: 'what becomes of a locale that is not supported',
})(async ({ ranges }) => {
  const span = await ranges.few()
  return {
    'no language (zz)': await describeLocale(ranges.exports, span, 'zz'),
    'Latin (la)': await describeLocale(ranges.exports, span, 'la'),
    'no code (xyz)': await describeLocale(ranges.exports, span, 'xyz'),
  }
})

clause('export.locales-that-change-the-file', {
  observe: 'in which of the usual languages the file is another',
})(async ({ ranges }) => {
  const span = await ranges.few()
  const showing: string[] = []
  for (const locale of languages)
    if ((await describeLocale(ranges.exports, span, locale)) === 'another file')
      showing.push(locale)
  return showing
})
