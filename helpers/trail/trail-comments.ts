// Whether the PDF of a task's entity shows the comments that its CSV shows.

import { squeezedCell } from '../../engine/files/entry-text.ts'
import type { PdfReading } from '../../engine/files/pdf.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { poll } from '../../engine/time/polling.ts'
import { type Exports, needPdf } from '../export/ask/exports.ts'
import { pagesToRead } from '../export/judge/pdf-entries.ts'
import { acceptedOf, type Step } from '../updates/step.ts'
import type { Trail } from './event-watch.ts'
import { commentTaken } from './mails.ts'
import { askedOf, type Recording } from './recording.ts'

type Missing = { pdf: PdfReading; missing: string[] }

/** The comments of these updates that the CSV shows and the PDF does not, beside others that it shows. */
export async function problemsOfPdfTrail(
  given: Recording,
  updates: readonly Step[],
): Promise<Problem[]> {
  const { pdf, missing } = await given.exports.once('comments of the trail in a PDF', (inner) =>
    findMissing(inner, given),
  )
  return updates.flatMap((step) => {
    const comment = commentTaken(step)
    if (comment === undefined || !missing.includes(comment)) return []
    const sentence = `the PDF shows other comments of this task, and not ${comment}, which the CSV shows`
    return [
      problem(sentence, {
        expected: comment,
        got: 'not that text',
        judged: pdf,
        control: [given.trail.shownBy.events, acceptedOf(step)],
        again: pagesToRead,
      }),
    ]
  })
}

async function findMissing(exports: Exports, given: Recording): Promise<Missing> {
  const { trail } = given
  const { lateMs, stop } = askedOf(given, exports)
  const comments = trail.updates.flatMap((step) => commentTaken(step) ?? []).filter(trail.shows)
  let asked = 0
  const look = async () => {
    const pdf = await needPdf(await exports.pdfAnew(laterBy(asked, trail)), { text: true })
    asked += 1
    return { pdf, missing: missingIn(pdf.text ?? [], comments) }
  }
  // What a slow file shows is as old as its request.
  const patience = { limitMs: lateMs, stop, firstMs: 100, askLate: true }
  const { last } = await poll(look, ({ missing }) => missing?.length === 0, patience)
  const { pdf, missing } = last
  if (missing) return { pdf, missing }
  throw new NotDecidable(
    'freedom',
    'the PDF of the task shows no comment of this run, or cuts some; which fields a file shows is not shown',
  )
}

/** A file may be kept for some seconds under its whole query. */
function laterBy(milliseconds: number, { query: { start, ...query } }: Trail) {
  return start === undefined
    ? query
    : { ...query, start: new Date(Date.parse(start) + milliseconds).toISOString() }
}

/**
 * The comments that a PDF does not show; undefined where that cannot be told. They are equally long and
 * begin alike, so that cells of one width break them in the same places: where other cells of the row stand
 * in between, what comes behind the last break is in one piece.
 */
export function missingIn(
  pages: readonly string[],
  comments: readonly string[],
): string[] | undefined {
  const lines = pages.flatMap((page) => page.split('\n')).map(squeezedCell)
  const text = lines.join('')
  const wanted = comments.map((comment) => ({ comment, letters: squeezedCell(comment) }))
  const whole = wanted.filter(({ letters }) => text.includes(letters))
  const [first] = whole
  if (!first) return undefined
  const length = Math.min(...whole.map(({ letters }) => endInOneLine(lines, letters)))
  const missing = wanted.filter(({ letters }) => !text.includes(letters.slice(-length)))
  // Lines that are cut at their ends still show how a comment begins.
  const beginning = first.letters.slice(0, first.letters.length * 0.75)
  const shown = whole.reduce((sum, { letters }) => sum + timesIn(text, letters), 0)
  if (missing.length > 0 && timesIn(text, beginning) > shown) return undefined
  return missing.map(({ comment }) => comment)
}

/** How many letters of its end a line shows together. */
function endInOneLine(lines: readonly string[], letters: string): number {
  for (let length = letters.length; length > 1; length -= 1) {
    const end = letters.slice(-length)
    if (lines.some((line) => line.includes(end))) return length
  }
  return 1
}

const timesIn = (text: string, part: string) => text.split(part).length - 1
