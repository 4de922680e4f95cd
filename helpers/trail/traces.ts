import { type Case, caseOf } from '../../engine/clause/case.ts'
import { squeezedCell } from '../../engine/files/entry-text.ts'
import type { Finding } from '../../engine/findings/finding.ts'
import type { Origin } from '../../engine/origin.ts'
import { type Problem, problemUnless } from '../../engine/problem.ts'

/** Something that has to show where updates leave traces; `finding`: what is wrong if it does not. */
export type Trace<Of extends Finding = Finding> = {
  isFound: boolean
  finding: Of
  judged: Origin
  control?: Origin
}

export const caseOfTrace = <Kind extends Trace>(trace: Kind): Case<Kind> =>
  caseOf(trace, { judged: trace.judged, control: trace.control })

export const problemsOfTrace = ({ isFound, finding, judged, control }: Trace): Problem[] =>
  problemUnless(isFound, finding, { judged, control })

/** The contract does not specify the line breaks of a file. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** Of a mail, only the words count. */
export const wordsOf = (text: string): string => inOneLine(text.toLowerCase()).trim()

function textsIn(cell: string): string[] {
  const texts = [cell]
  if (!/^\s*[[{"]/.test(cell)) return texts
  try {
    JSON.parse(cell, (_, value) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
  } catch {}
  return texts
}

/** A cache: many texts are looked for in the same record. */
const lines = new WeakMap<readonly string[], string[]>()

/** Dates and ids contain texts as short as this. */
const short = 8

/** Whether a record shows a whole text, ignoring white space; a short one as a word of its own. */
export function showsWhole(record: readonly string[], wanted: string): boolean {
  const texts = lines.get(record) ?? record.flatMap(textsIn).map(inOneLine)
  lines.set(record, texts)
  const text = inOneLine(wanted)
  return text.length < short
    ? texts.some((each) => each.split(/[^\w-]+/).includes(text))
    : texts.some((each) => each.includes(text))
}

/**
 * The comments that a PDF lacks; undefined if it may cut them. All have the same length and beginning, so cells
 * of one width break them alike: after the last break they are in one piece, even with other cells in between.
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
  // Lines that are cut still show how a comment begins.
  const beginning = first.letters.slice(0, first.letters.length * 0.75)
  const shown = whole.reduce((sum, { letters }) => sum + timesIn(text, letters), 0)
  if (missing.length > 0 && timesIn(text, beginning) > shown) return undefined
  return missing.map(({ comment }) => comment)
}

function endInOneLine(lines: readonly string[], letters: string): number {
  for (let length = letters.length; length > 1; length -= 1) {
    const end = letters.slice(-length)
    if (lines.some((line) => line.includes(end))) return length
  }
  return 1
}

const timesIn = (text: string, part: string) => text.split(part).length - 1
