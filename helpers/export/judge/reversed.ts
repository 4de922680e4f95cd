import { hour, instantAt, isoOf, second } from '../../../engine/files/dates.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type CsvExport, needCsv } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import { farPast, lately, type Ranges, type Span, unlessUndecided } from '../learn/ranges.ts'
import { noEvents } from '../learn/window.ts'

/** Ranges with little in them: near and far, short and long. */
const spans = (): Span[] => {
  const recent = lately()
  return [
    { start: isoOf(instantAt(recent) - 2n * second), end: recent },
    noEvents as Span,
    { start: farPast, end: isoOf(instantAt(farPast) + 24n * 365n * hour) },
  ]
}

/** What the service answers to ranges with their bounds exchanged, which it lets in as they are. */
export async function reversedAnswers({ exports, few }: Ranges, fileType: 'csv' | 'pdf') {
  const ask = (span: Span): Promise<CsvExport | PdfExport> =>
    fileType === 'pdf' ? exports.pdf(span) : exports.csv(span, { read: 20 })
  const answers: CsvExport['answer'][] = []
  let refused: CsvExport | PdfExport | undefined
  const judge = async ({ start, end }: Span) => {
    const control = await ask({ start, end })
    if (control.answer.status !== 200) {
      refused = control
      return
    }
    const reversed = await ask({ start: end, end: start })
    if (reversed.answer.status >= 500) needCsv(reversed)
    answers.push(reversed.answer)
  }
  for (const span of spans()) await judge(span)
  // Files without events may be refused.
  const some = answers.length === 0 ? await few().catch(unlessUndecided) : undefined
  if (some) await judge(some)
  if (answers.length === 0 && refused) needCsv(refused)
  if (answers.length === 0) throw new NotDecidable('no range is let in')
  return answers
}
