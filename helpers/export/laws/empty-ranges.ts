// A range without events holds none, as CSV and as PDF.

import { inTurn } from '../../../engine/clause/law.ts'
import { counted } from '../../../engine/counted.ts'
import { day, instantAt } from '../../../engine/files/dates.ts'
import { describePlace, exactly, rowsFinding } from '../../../engine/findings/file-rows.ts'
import { statusFinding } from '../../../engine/findings/status.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { from } from '../../../engine/origin.ts'
import { type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { keyOf } from '../../contract/metadata-keys.ts'
import { statuses } from '../../contract/statuses.ts'
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
import { placeOf } from '../ask/places.ts'
import { filterBy, type Query, type Span } from '../ask/query.ts'
import { ask, askOnce, type Dialogue } from '../learn/confirmed.ts'
import { noEvents, notYet } from '../learn/spans.ts'
import { dateColumns } from '../learn/time-column.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { problemsOfStrays } from './ranges.ts'

/** Files without events may differ by a line or two, such as one that names the filter. */
const maxLinesApart = 10
/** The lines around the events of a file are never this many. */
const maxFrameLines = 300
const rangesWithoutEvents = (exports: Exports): Span[] => [noEvents, notYet(exports)]

/** No file of these ranges and filters should hold an event. */
export const askEmptyRanges = (exports: Exports, random: Faker) =>
  askOnce(exports, async (port): Promise<EmptyRanges> => {
    const tag = `none-${random.string.alphanumeric(12).toLowerCase()}`
    const filters = [{ filters: { auditee_id: [random.string.uuid()] } }, filterBy(keyOf.tag, tag)]
    const files: CsvExport[] = []
    const spans = rangesWithoutEvents(exports)
    for (const query of [...spans, ...filters])
      files.push(await port.csv(query, { read: maxFrameLines }))
    const [found, filtered] = [files.slice(0, spans.length), files.slice(spans.length)]
    if (!found.some(isUsable)) needCsv(found[0] as CsvExport)
    return { spans, found, filtered }
  })

export type EmptyRanges = { spans: Span[]; found: CsvExport[]; filtered: CsvExport[] }

export function problemsOfEmptyRanges({ spans, found, filtered }: EmptyRanges): Problem[] {
  const frame = Math.min(...[...found, ...filtered].filter(isUsable).map(countOf))
  const all = found.flatMap((file, at) => {
    const count = isUsable(file) ? countOf(file) : 0
    const finding = rowsFinding({
      wrong: 'number',
      place: placeOf(spans[at] as Span),
      wanted: { most: frame },
      got: count,
      unit: 'record',
      to: 'the number of another file without events',
      records: { most: maxLinesApart },
      ...(count < maxFrameLines ? {} : { more: '; the file was read no further' }),
    })
    const isRight = count <= frame + maxLinesApart && count < maxFrameLines
    return problemUnless(isRight, finding, { judged: file, control: filtered })
  })
  const open = `every file has ${frame} records or more, even a file of a time without events; the contract does not say which lines of a file are events`
  premise(all.length > 0 || frame <= maxLinesApart, 'freedom', open)
  return all
}

const countOf = ({ csv }: CsvExport): number => csv?.count ?? 0

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

type EmptyPdf = {
  range: Span
  none: PdfExport
  filtered?: Downloaded
  beside?: { some: PdfExport; rows: number; sizes: [none: PdfSize, some: PdfSize] }
}
type PdfSize = { pages: number; letters: number }

export function askEmptyPdfs(exports: Exports, window: Window, random: Faker) {
  const filter: Query = { filters: { auditee_id: [random.string.uuid()] } }
  return inTurn(rangesWithoutEvents(exports), (range) =>
    askOnce(exports, async (port): Promise<EmptyPdf> => {
      const none = await port.pdf(range)
      if (none.answer.status === statuses.invalidExport)
        return { range, none, filtered: (await port.pdf({ ...range, ...filter })).answer }
      // Another clause judges whether a file without a byte is a PDF.
      if (none.bytes?.length === 0) return { range, none }
      const some = await port.pdf(spanOf(window))
      const sizes: [PdfSize, PdfSize] = [await fetchSize(none), await fetchSize(some)]
      return { range, none, beside: { some, rows: window.rows.length, sizes } }
    }),
  )
}

async function fetchSize(file: PdfExport): Promise<PdfSize> {
  needExport(file)
  const { pages, text = [] } = await needPdf(file, { text: true })
  return { pages, letters: text.reduce((sum, page) => sum + page.length, 0) }
}

export function problemsOfEmptyPdf({ range, none, filtered, beside }: EmptyPdf): Problem[] {
  if (filtered) {
    const refused = `PDFs of ranges without events are rejected with ${statuses.invalidExport}; the contract does not list every invalid export`
    premise(isAccepted(filtered), 'freedom', refused)
    const finding = statusFinding(none.answer, statuses.exported, {
      to: 'to a range without events',
      although: 'the same range with a filter is accepted',
    })
    return [problem(finding, { judged: none, control: filtered })]
  }
  if (!beside) return []
  const { some: control, rows, sizes } = beside
  const [own, theirs] = sizes
  // Lines around events may be long, but not as long as many events; few events do not show the difference.
  const isLess = own.pages < theirs.pages || own.letters < theirs.letters * 0.9
  const open = `the ${describePlace(placeOf(range, 'pdf'))} has as many pages and letters as the PDF of ${counted(rows, 'event')}, and neither has many; the contract does not specify what a PDF shows of events`
  premise(isLess || theirs.letters > 1000 || theirs.pages > 3, 'freedom', open)
  const finding = rowsFinding({
    wrong: 'filled',
    place: placeOf(range, 'pdf'),
    beside: { in: 'pdf' },
    wanted: exactly(0),
    got: rows,
    count: rows,
  })
  return problemUnless(isLess, finding, { judged: none, control })
}

/** The answers to PDFs of ranges without events, if their CSVs are accepted: such a range need not be valid. */
export async function fetchEmptyPdfs(exports: Exports) {
  const fetched = []
  for (const range of rangesWithoutEvents(exports)) {
    const { answer: control } = await exports.csv(range)
    if (!isAccepted(control)) continue
    const { answer } = await exports.pdf(range)
    needDecidable(answer)
    fetched.push({ answer, control })
  }
  const open =
    'CSVs of times without events are rejected too; the contract does not list every invalid export'
  premise(fetched.length > 0, 'freedom', open)
  return fetched
}
