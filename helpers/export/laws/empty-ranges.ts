import { inTurn } from '../../../engine/clause/law.ts'
import { day, instantAt } from '../../../engine/files/dates.ts'
import { rowText } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { from } from '../../../engine/origin.ts'
import { type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { premise } from '../../service/answers.ts'
import { needDecidable } from '../ask/decidable.ts'
import {
  type CsvExport,
  type Exports,
  isUsable,
  needCsv,
  needExport,
  needPdf,
} from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import type { Query } from '../ask/query.ts'
import { ask, askOnce, type Dialogue, heldOnce } from '../learn/confirmed.ts'
import { noEvents, notYet, type Span } from '../learn/spans.ts'
import { dateColumns } from '../learn/time-column.ts'
import { spanOf, type Window } from '../learn/window.ts'

/** Files without events may differ by a line or two, such as one that names the filter. */
const maxLinesApart = 10
/** The lines around the events of a file are never this many. */
const maxFrameLines = 300
const rangesWithoutEvents = (exports: Exports): Span[] => [noEvents, notYet(exports)]

/**
 * Records that are in files of ranges without events and not in files of filters without matches. Both
 * should hold no events.
 */
export function heldEmptyRanges(exports: Exports, random: Faker) {
  const tag = `none-${random.string.alphanumeric(12).toLowerCase()}`
  const filters: Query[] = [
    { filters: { auditee_id: [random.string.uuid()] } },
    { metadata: { tag } },
  ]
  const spans = rangesWithoutEvents(exports)
  function* problemsOfFiles(): Dialogue<Problem[]> {
    const files: CsvExport[] = []
    for (const query of [...spans, ...filters])
      files.push(yield* ask(({ port }) => port.csv(query, { read: maxFrameLines })))
    const [found, filtered] = [files.slice(0, spans.length), files.slice(spans.length)]
    if (!found.some(isUsable)) needCsv(found[0] as CsvExport)
    const frame = Math.min(...files.filter(isUsable).map(countOf))
    const all = found.flatMap((file, at) => {
      const count = isUsable(file) ? countOf(file) : 0
      if (count <= frame + maxLinesApart && count < maxFrameLines) return []
      const year = spans[at]?.start.slice(0, 4)
      return problem(
        `${count} or more records in a file for one second of the year ${year}, which has no events`,
        {
          expected: `${frame} records, as where nothing passes a filter`,
          got: `${count} records`,
          judged: file,
          control: filtered,
        },
      )
    })
    const open = `every file has ${frame} records or more, also where no event is to be expected; the contract does not say which lines of a file are events`
    premise(all.length > 0 || frame <= maxLinesApart, 'freedom', open)
    return all
  }
  return heldOnce(exports, problemsOfFiles)
}

const countOf = ({ csv }: CsvExport): number => csv?.count ?? 0

export const problemsOfStrays = (
  rows: string[][],
  strays: readonly string[][],
  { start, end }: Span,
) =>
  problemUnless(
    strays.length === 0,
    `${strays.length} of ${rows.length} rows are outside ${start} to ${end}`,
    {
      expected: `times from ${start} to ${end}`,
      got: `${strays.length} rows with other times`,
      judged: rows,
      decides: { 'an event of another time': rowText(strays[0] ?? []) },
    },
  )

/** Files of ranges without events show other times in their rows. */
export function* problemsOfEmptyRangeDates(exports: Exports): Dialogue<Problem[]> {
  const problems: Problem[] = []
  for (const range of yield* ask(async () => rangesWithoutEvents(exports))) {
    const { csv } = yield* ask(({ port }) => port.csv(range, { read: maxFrameLines }))
    const rows = from((csv?.records ?? []).slice(1), csv?.records)
    const [column] = dateColumns(rows)
    const at = instantAt(range.start)
    const isNear = (time: bigint) => time > at - 2n * day && time < at + 2n * day
    // Lines before the events may also name the range.
    if (column && rows.length > 2 && !column.times.some(isNear))
      problems.push(...problemsOfStrays(rows, rows, range))
  }
  return problems
}

/** The PDF of a range without events: refused, and with a filter too; or beside that of the window. */
type EmptyPdf = {
  range: Span
  none: PdfExport
  filtered?: Downloaded
  beside?: { some: PdfExport; rows: number; sizes: [none: PdfSize, some: PdfSize] }
}
type PdfSize = { pages: number; letters: number }

export function askEmptyPdfs(exports: Exports, window: Window, random: Faker) {
  const filter: Query = { filters: { auditee_id: [random.string.uuid()] } }
  return inTurn([noEvents, notYet(exports)], (range) =>
    askOnce(exports, async (port): Promise<EmptyPdf> => {
      const none = await port.pdf(range)
      if (none.answer.status === 400)
        return { range, none, filtered: (await port.pdf({ ...range, ...filter })).answer }
      // Another clause judges whether a file without a byte is a PDF.
      if (none.bytes?.length === 0) return { range, none }
      needExport(none)
      const some = await port.pdf(spanOf(window))
      needExport(some)
      const sizes: [PdfSize, PdfSize] = [await fetchSize(none), await fetchSize(some)]
      return { range, none, beside: { some, rows: window.rows.length, sizes } }
    }),
  )
}

async function fetchSize(file: PdfExport): Promise<PdfSize> {
  const { pages, text = [] } = await needPdf(file, { text: true })
  return { pages, letters: text.reduce((sum, page) => sum + page.length, 0) }
}

/** It holds as much as that of the window, or is refused as too large. */
export function problemsOfEmptyPdf({ range, none, filtered, beside }: EmptyPdf): Problem[] {
  if (filtered) {
    const refused =
      'PDFs of ranges without events are rejected with 400; the contract does not list every invalid export'
    premise(isAccepted(filtered), 'freedom', refused)
    const seen = { expected: '200', got: '400', judged: none, control: filtered }
    return [problem(`${describeAnswer(none.answer)}, and with a filter 200`, seen)]
  }
  if (!beside) return []
  const {
    some,
    rows,
    sizes: [own, theirs],
  } = beside
  // Lines around events may be long, but not as long as many events; few events do not show the difference.
  const isLess = own.pages < theirs.pages || own.letters < theirs.letters * 0.9
  const where = `the PDF from ${range.start} to ${range.end}`
  const open = `${where} has as many pages and letters as that of ${rows} events, and neither has many; the contract does not specify what a PDF shows of events`
  premise(isLess || theirs.letters > 1000 || theirs.pages > 3, 'freedom', open)
  return problemUnless(isLess, `${where} contains as much as the PDF of ${rows} events`, {
    expected: 'a PDF without events',
    got: `as much as ${rows} events take`,
    judged: none,
    control: some,
  })
}

/**
 * The answers to PDFs of ranges without events, each with its CSV as control: if that is refused too, such
 * a range need not be valid.
 */
export async function fetchEmptyPdfs(exports: Exports) {
  const fetched = []
  for (const range of [noEvents, notYet(exports)]) {
    const csv = await exports.csv(range)
    if (!isAccepted(csv.answer)) continue
    const { answer } = await exports.pdf(range)
    needDecidable(answer)
    fetched.push({ answer, control: csv.answer })
  }
  const open =
    'CSVs of times without events are rejected too; the contract does not list every invalid export'
  premise(fetched.length > 0, 'freedom', open)
  return fetched
}
