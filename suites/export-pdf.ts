import { inTurn } from '../engine/clause/law.ts'
import { counted } from '../engine/counted.ts'
import { distinct } from '../engine/distinct.ts'
import { shareShown } from '../engine/files/entry-text.ts'
import { titlesBefore } from '../engine/files/line-frame.ts'
import { lettersOnFullestPage, type PdfReading } from '../engine/files/pdf.ts'
import { cellFinding } from '../engine/findings/cell.ts'
import { malformedFinding } from '../engine/findings/malformed.ts'
import { twinsFinding } from '../engine/findings/twins.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import type { Downloaded } from '../engine/http/client.ts'
import { problemsOfStatus } from '../engine/http/status-problems.ts'
import { from } from '../engine/origin.ts'
import type { Why } from '../engine/outcome.ts'
import { type Problem, problemUnless } from '../engine/problem.ts'
import { clauseOfFiles as clause } from '../helpers/clause.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { fetchEventWaitMs } from '../helpers/event-wait.ts'
import { needDecidable } from '../helpers/export/ask/decidable.ts'
import { needPdf, needReachable } from '../helpers/export/ask/exports.ts'
import { type PdfExport, problemOfFlaw } from '../helpers/export/ask/pdf-export.ts'
import type { Query } from '../helpers/export/ask/query.ts'
import {
  askPdfComments,
  describeComments,
  problemsOfComments,
} from '../helpers/export/laws/comments.ts'
import { problemsOfEventsShown, problemsOfFile } from '../helpers/export/laws/file.ts'
import { askTexts, problemsOfTexts } from '../helpers/export/laws/marks.ts'
import {
  askPdfTimes,
  needEntriesAsRows,
  problemsOfZoned,
} from '../helpers/export/laws/pdf-entries.ts'
import { askFiles, byTwin, byValues } from '../helpers/export/laws/predict.ts'
import { askPlainAfter, problemsOfPlain } from '../helpers/export/laws/reordered.ts'
import {
  acceptedLanguages,
  needZonesWithEffect,
  noLanguage,
} from '../helpers/export/laws/zones-and-locales.ts'
import { fitsPdf, pdfQueryOf } from '../helpers/export/learn/known-events.ts'
import { noOtherSeason } from '../helpers/export/learn/ranges.ts'
import { noEvents } from '../helpers/export/learn/spans.ts'
import { spanOf } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

/** The least difference between two languages: a single word or header may be equal in both. */
const minWords = 2

clause('export.pdf.status', {
  must: 'respond 200 with a file to a PDF export',
  reading: 'the content of the response is the file itself, without JSON around it',
  // The owner of a lost or empty file: other clauses hand theirs to it.
  law: ({ answer }: PdfExport) => problemsOfStatus(answer, statuses.exported),
  of: ([{ answer, bytes }]) => `${describeAnswer(answer)} with ${bytes?.length} bytes`,
})(['exports', 'pdfLimit', 'sample'], async function* ({ exports, pdfLimit, sample }) {
  const found = await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))
  needDecidable(found.answer)
  // Without a window it is unknown whether the PDF would exceed the limit.
  const needed = 'a window of fewer events than a PDF may hold is needed'
  const isSure = fitsPdf(sample, pdfLimit) || found.answer.status !== statuses.invalidExport
  premise(isSure, 'data', `${describeAnswer(found.answer)}; ${needed}`)
  yield found
  needReachable(found)
})

clause('export.pdf.readable', {
  must: 'return a PDF that opens and has at least one page',
  law: ({ answer, flaws }: PdfReading & { answer: Downloaded }) =>
    flaws.map((flaw) => problemOfFlaw(answer, flaw, answer)),
  of: ([{ pages }]) => counted(pages, 'page'),
})(['exports', 'pdfLimit', 'sample'], async ({ exports, pdfLimit, sample }) => {
  const found = await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))
  const { answer, bytes } = found
  needDecidable(answer)
  needReachable(found)
  const hasByte = bytes !== undefined && bytes.length > 0
  premise(hasByte, 'clause', `${describeAnswer(answer)} without a file`, 'export.pdf.status')
  return [{ answer, ...(await found.read({ text: false })) }]
})

/** An empty line or a byte order mark harms no reader. */
const blank = /^(\u00ef\u00bb\u00bf|\s)*$/

function problemsBefore({ answer, before }: { answer: Downloaded; before: string }): Problem[] {
  const flaw = { is: 'text before the PDF', got: before } as const
  return problemUnless(blank.test(before), malformedFinding(flaw, { of: answer }), {
    judged: answer,
  })
}

clause('export.pdf.first-bytes', {
  should: 'return a PDF that begins with %PDF-, apart from empty lines',
  since: '0.2',
  law: problemsBefore,
  of: ([{ before }]) => (before === '' ? '%PDF- first' : 'a PDF behind an empty line'),
})(['exports', 'pdfLimit', 'sample'], async ({ exports, pdfLimit, sample }) => {
  const found = await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))
  const { answer, bytes } = found
  needDecidable(answer)
  needReachable(found)
  const at = bytes?.subarray(0, 1024).indexOf('%PDF-') ?? -1
  premise(at >= 0, 'clause', `${describeAnswer(answer)} without a PDF`, 'export.pdf.readable')
  return [{ answer, before: bytes?.toString('latin1', 0, at) ?? '' }]
})

clause('export.cells-are-values.pdf', {
  should: 'write values in a PDF, never failure markers such as NaN, undefined or Invalid Date',
  reading: 'text of the CSV of the same events, and text that the run sent, may occur in the PDF',
  law: problemsOfTexts,
  of: ([{ pdf }]) => `the text of ${counted(pdf.pages, 'page')}`,
})(['session', 'exports', 'window'], async ({ session, exports, window }) => [
  await askTexts(exports, window, session.history),
])

type Lettered = {
  found: PdfExport
  letters: number
  rows: number
  control: PdfExport
  without: number
}

function problemsOfLetters({ found, letters, rows, control, without }: Lettered) {
  const although = `the CSV has ${counted(rows, 'event')}`
  const finding = malformedFinding(
    { is: 'no text', letters, without },
    { of: found.answer, although },
  )
  return problemUnless(letters > without, finding, { judged: found, control })
}

clause('export.pdf.text', {
  should: 'return a PDF with text if there are events',
  law: problemsOfLetters,
  of: ([{ letters, without }]) => `${letters} letters on a page, and ${without} without events`,
})(['exports', 'window'], async ({ exports, window }) => {
  const lettersIn = async (found: PdfExport) =>
    lettersOnFullestPage(await needPdf(found, { text: true }))
  const found = await exports.pdf(spanOf(window))
  const letters = await lettersIn(found)
  const none = await exports.pdf(noEvents)
  const without = none.bytes ? await lettersIn(none) : 0
  return [{ found, letters, rows: window.rows.length, control: none, without }]
})

clause('export.pdf.text-intact', {
  should: 'return comments unchanged in a PDF, including special characters, tags and every line',
  reading:
    'a font may lack a script and show boxes for it, but not for all scripts; a ? is another text',
  law: problemsOfComments,
  of: describeComments,
})(
  ['session', 'settings', 'exports', 'sequence'],
  async ({ session, settings, exports, sequence }) => {
    const eventWaitMs = await fetchEventWaitMs(session)
    const { stop, waits } = session
    const waitMs = settings.auditWaitS * 1000
    const times = { eventWaitMs, waitMs, stop, waiting: waits.events }
    return [await askPdfComments(exports, sequence, times)]
  },
)

const none: Why = ['freedom', noLanguage]

type TitledPdf = { locale: string; english: Titled; other: Titled }
type Titled = { titles: string[]; pdf: PdfReading }

function problemsOfTitles({ locale, english, other }: TitledPdf): Problem[] {
  const titles = english.titles.flatMap((title, at) => {
    const own = other.titles[at] ?? ''
    // A short header occurs in any text, and part of another header is found in it.
    const isTelling = Math.min(title.trim().length, own.trim().length) >= 4
    const isApart = !title.includes(own) && !own.includes(title)
    const isFound = shareShown(english.pdf.text ?? [], [title]) === 1
    return isTelling && isApart && isFound ? [{ title, own }] : []
  })
  premise(
    titles.length >= minWords,
    'freedom',
    'no translated column header of the CSV is found in the PDF; the contract does not specify what a PDF shows or which languages are supported',
  )
  const share = (words: string[]) => shareShown(other.pdf.text ?? [], words)
  const isEnglish = share(titles.map(({ title }) => title)) === 1
  const [{ title, own } = { title: '', own: '' }] = titles
  const finding = twinsFinding({
    things: 'column headers',
    wanted: 'alike',
    one: { name: `the PDF with locale=${locale}`, has: [title] },
    other: { name: 'the CSV with it', has: [own] },
    lookedFor: own,
  })
  const isRight = !isEnglish || share(titles.map((each) => each.own)) > 0
  return problemUnless(isRight, finding, { judged: other.pdf })
}

clause('export.locale.pdf.titles', {
  should: 'write the column headers of a PDF in the same language as those of the CSV',
  law: problemsOfTitles,
  none,
  of: (all) => `column headers as in the CSV: ${all.map(({ locale }) => locale).join(', ')}`,
})(['exports', 'window'], async ({ exports, window }) => {
  const look = async (query: Query) => {
    const { records } = await exports.csvFile({ ...spanOf(window), ...query })
    const titles = titlesBefore(window.shape, records) ?? []
    const pdf = await exports.pdfFile({ ...spanOf(window), ...query })
    return from({ titles, pdf }, records, pdf)
  }
  const ask = async (locale: string) => {
    const [english, other] = [await look({}), await look({ locale })]
    return { locale, english, other }
  }
  return inTurn(await acceptedLanguages(exports, spanOf(window), 2), ask)
})

clause('export.timezone.pdf.seasons', {
  should:
    'write each time in a PDF with the offset of the time zone on that date, in summer and winter',
  law: problemsOfZoned,
  of: (all) =>
    `${all[0].timezone}, at ${all.map(({ start = '' }) => start.slice(0, 10)).join(' and ')}`,
})(['ranges'], async function* ({ ranges }) {
  const { exports } = ranges
  const { spans, isBoth, date } = await ranges.seasons()
  const [timezone = ''] = await needZonesWithEffect(exports, await ranges.window(), spans[0])
  yield* inTurn(spans, (span) => askPdfTimes(ranges, { ...span, timezone }))
  premise(isBoth, 'data', `PDFs have the right offset around ${date}, but ${noOtherSeason}`)
})

clause('export.locale.pdf', {
  should: 'include the same events in a PDF in every language',
  law: problemsOfFile(problemsOfEventsShown),
  none,
  of: (all) => `as the CSV in ${all.map(({ request }) => request.locale).join(', ')}`,
})(['pdfIdentity', 'ranges'], async ({ pdfIdentity: identity, ranges }) => {
  const { exports } = ranges
  const window = await ranges.window()
  await needEntriesAsRows(exports, window)
  const locales = await acceptedLanguages(exports, await ranges.few(), 2)
  const pdfs = locales.map((locale) => ({ values: [], fileType: 'pdf', locale }) as const)
  return askFiles({ exports, window, identity }, pdfs, byTwin)
})

clause('export.default-locale.pdf', {
  must: 'return a PDF without locale in English, even directly after a PDF in another language',
  law: problemsOfPlain,
  none,
  of: ([{ what }]) => `words as with locale=en, directly after ${what}`,
})(['exports', 'ranges'], async ({ exports, ranges }) => {
  const few = await ranges.few()
  return inTurn(await acceptedLanguages(exports, few, 1), (locale) => {
    const queries = [{ ...few, locale: 'en' }, { ...few, locale }, few] as const
    return askPlainAfter(exports, 'language', `a PDF with locale=${locale}`, queries)
  })
})

type Columns = { titles: readonly string[]; rows: string[][]; pdf: PdfReading }

/** A cell may be cut or broken; this much of an id is not found by chance. */
const telling = 8
const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

function problemsOfEmpty({ titles, rows, pdf }: Columns): Problem[] {
  const text = (pdf.text ?? []).map((page) => page.toLowerCase())
  const isTitled = (title: string) => title.length >= telling && shareShown(text, [title]) === 1
  const titled = [...titles.entries()].flatMap(([at, title]) => {
    const cells = rows.map((row) => row[at] ?? '')
    return isTitled(title.trim().toLowerCase()) && cells.every((cell) => isId.test(cell))
      ? [{ title, cells }]
      : []
  })
  const none =
    'the PDF has no column header of a column of ids; the contract does not specify what a PDF shows'
  premise(titled.length > 0 && rows.length >= minRows, 'freedom', none)
  const shareOf = (cells: string[], part: (cell: string) => string) =>
    shareShown(text, distinct(cells.map((cell) => part(cell.toLowerCase()))))
  return titled.flatMap(({ title, cells }) =>
    problemUnless(
      shareOf(cells, (cell) => cell.slice(0, telling)) > 0 ||
        shareOf(cells, (cell) => cell.slice(-telling)) > 0 ||
        shareOf(cells, (cell) => cell.slice(0, telling / 2)) > 1 / 3,
      cellFinding(
        {
          place: { in: 'pdf' },
          column: title,
          although: 'it has this column header',
        },
        {
          wrong: 'missing',
          values: 'values',
          wanted: cells[0] ?? '',
          count: { of: cells.length, all: cells.length },
        },
      ),
      { judged: pdf, control: rows },
    ),
  )
}

const minRows = 10

clause('export.pdf.values', {
  should: 'write the ids of events in each column of a PDF that has a header for them',
  since: '0.2',
  law: problemsOfEmpty,
  of: ([{ rows }]) => `the ids of ${counted(rows.length, 'event')}, below their column headers`,
})(['exports', 'window'], async ({ exports, window }) => {
  const pdf = await exports.pdfFile(spanOf(window))
  return [from({ titles: window.header ?? [], rows: window.rows, pdf }, pdf)]
})

clause('export.pdf-matches-csv', {
  should: 'include every event of the CSV exactly once in the PDF',
  law: problemsOfFile(problemsOfEventsShown),
  of: ([{ window }]) => `PDFs, of ${window.rows.length} events and of a part of them`,
})(
  ['exports', 'window', 'pdfIdentity', 'ranges'],
  async ({ exports, window, pdfIdentity: identity, ranges }) => {
    // A PDF may omit events at the very bounds.
    const [start = window.start, ...others] = await ranges.cuts()
    const bounds = { start, end: others.at(-1) ?? start }
    const pdf = { values: [], fileType: 'pdf' } as const
    return askFiles({ exports, window, identity }, [pdf, { ...pdf, bounds }], byValues)
  },
)
