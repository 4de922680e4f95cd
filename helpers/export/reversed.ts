import { NotDecidable } from '../outcome.ts'
import { hour, instantAt, isoOf, second } from './dates.ts'
import { type CsvExport, type Exports, needCsv } from './exports.ts'
import type { PdfExport } from './pdf-export.ts'
import { farPast, lately, type Span } from './ranges.ts'
import { noEvents } from './window.ts'

/** Ranges with little in them: near and far, short and long. */
const ranges = (): Span[] => {
  const recent = lately()
  return [
    { start: isoOf(instantAt(recent) - 2n * second), end: recent },
    noEvents as Span,
    { start: farPast, end: isoOf(instantAt(farPast) + 24n * 365n * hour) },
  ]
}

/** What the service answers to ranges with their bounds exchanged, which it lets in as they are. */
export async function reversedAnswers(exports: Exports, fileType: 'csv' | 'pdf') {
  const ask = (span: Span): Promise<CsvExport | PdfExport> =>
    fileType === 'pdf' ? exports.pdf(span) : exports.csv(span, { read: 20 })
  const answers: CsvExport['answer'][] = []
  let refused: CsvExport | PdfExport | undefined
  for (const { start, end } of ranges()) {
    const control = await ask({ start, end })
    if (control.answer.status !== 200) {
      refused = control
      continue
    }
    const reversed = await ask({ start: end, end: start })
    if (reversed.answer.status >= 500) needCsv(reversed)
    answers.push(reversed.answer)
  }
  if (answers.length === 0 && refused) needCsv(refused)
  if (answers.length === 0) throw new NotDecidable('no range is let in')
  return answers
}
