// PDFs of ranges without events.

import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problemUnless } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { needDecidable } from '../ask/decidable.ts'
import { type Exports, needExport, needPdf } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import type { Query } from '../ask/query.ts'
import { noEvents, notYet, type Span } from '../learn/spans.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { ask, type Dialogue, heldOnce } from './dialogue.ts'

/** PDFs of ranges without events hold as much as that of the window. */
export function heldEmptyRangePdfs(exports: Exports, window: Window, random: Faker) {
  const filter: Query = { filters: { auditee_id: [random.string.uuid()] } }
  const pdf = (query: Query) => ask(({ port }) => port.pdf(query))
  const spans = [noEvents, notYet(exports)]
  function* problemsOfFiles(): Dialogue<Problem[]> {
    const some = yield* pdf(spanOf(window))
    const all: Problem[] = []
    let decided = false
    let unclear: Span | undefined
    for (const range of spans) {
      const none = yield* pdf(range)
      if (none.answer.status === 400) {
        // It was refused as too large, although the range has no events, and with a filter too.
        const { answer } = yield* pdf({ ...range, ...filter })
        const seen = { expected: '200', got: '400', judged: none, control: answer }
        const sentence = `${describeAnswer(none.answer)}, and with a filter 200`
        all.push(...problemUnless(!isAccepted(answer), sentence, seen))
        continue
      }
      if (none.bytes?.length === 0) {
        // It holds no event; whether it is a PDF is judged where it arrives.
        decided = true
        continue
      }
      needExport(none)
      if (!isAccepted(some.answer)) continue
      const isAsMuch = yield* ask(() => holdsAsMuch(none, some))
      if (isAsMuch !== undefined) decided = true
      else unclear = range
      const sentence = `the PDF from ${range.start} to ${range.end} holds as much as that of ${window.rows.length} events`
      all.push(
        ...problemUnless(!isAsMuch, sentence, {
          expected: 'a PDF without events',
          got: `as much as ${window.rows.length} events take`,
          judged: none,
          control: some,
        }),
      )
    }
    if (!decided && all.length === 0) {
      needExport(some)
      if (!unclear) throw new NotDecidable('freedom', noneGiven)
      throw new NotDecidable(
        'freedom',
        `the PDF from ${unclear.start} to ${unclear.end} has as many pages and letters as that of ${window.rows.length} events, and neither has many; what a PDF shows of events is not shown`,
      )
    }
    return all
  }
  return heldOnce(exports, problemsOfFiles)
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
  const [first, ...more] = fetched
  if (first) return [first, ...more] as const
  throw new NotDecidable(
    'freedom',
    'CSVs of times without events are refused too; which requests are invalid is not shown in full',
  )
}

const noneGiven =
  'PDFs of times without events are answered 400; which requests are invalid is not shown in full'

/** Lines around events may be long, but not as long as many events; few events do not show the difference. */
async function holdsAsMuch(none: PdfExport, some: PdfExport): Promise<boolean | undefined> {
  const pages = async (file: PdfExport) => (await needPdf(file, { text: false })).pages
  if ((await pages(none)) < (await pages(some))) return false
  const letters = async (file: PdfExport) => {
    const { text = [] } = await needPdf(file, { text: true })
    return text.reduce((sum, page) => sum + page.length, 0)
  }
  const lettersOfSome = await letters(some)
  if ((await letters(none)) < lettersOfSome * 0.9) return false
  return lettersOfSome > 1000 || (await pages(some)) > 3 ? true : undefined
}
