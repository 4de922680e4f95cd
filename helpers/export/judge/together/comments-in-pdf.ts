// Comments of this run in a PDF: what its maker takes for a formula, a tag or the end of a text is lost.

import { squeezedCell } from '../../../../engine/files/entry-text.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { shown } from '../../../../engine/shown.ts'
import { poll } from '../../../../engine/time/polling.ts'
import type { JourneyView } from '../../../updates/journey.ts'
import type { Step } from '../../../updates/step.ts'
import { type Exports, needPdf } from '../../ask/exports.ts'
import { acceptedComments, leftMs, queryOfTraces } from '../comments-shown.ts'
import { pagesToRead } from '../pdf-entries.ts'
import { standsBroken } from './broken-cells.ts'

/** Of each kind of comment, without white space, what a PDF that shows comments shows of it. */
const shownOf: Record<string, (comment: string) => string> = {
  quotes: (comment) => comment,
  newlines: (comment) => comment,
  emoji: beforeScripts,
  'non-latin': beforeScripts,
}

/** The part before the first letter that a font may lack. */
function beforeScripts(comment: string): string {
  return /^[!-~]*/.exec(comment)?.[0] ?? ''
}

/** A cell may show an event as JSON: letters that stand there as codes are read, and signs stay as they are. */
const withoutCodes = (text: string): string =>
  text
    .replaceAll(/\\u(?!0022|005c)[0-9a-f]{4}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(2), 16)),
    )
    .replaceAll('\\/', '/')

const inJson = (comment: string): string => squeezedCell(JSON.stringify(comment))

/** A kind of comment that a text does not show as it was sent, and whether it shows it otherwise. */
type Lost = { name: string; isThere: boolean }

function lostIn(text: string, comments: ReadonlyMap<string, string>): Lost[] {
  const others = [...comments.values()].map(squeezedCell)
  return [...comments].flatMap(([name, comment]): Lost[] => {
    const part = shownOf[name]?.(squeezedCell(comment))
    if (part === undefined) return []
    const isLost = ![part, inJson(comment)].some((form) => standsBroken(text, form, others))
    if (name === 'non-latin' && areMarksShown(text, comment)) return [{ name, isThere: true }]
    const isWithout = name === 'non-latin' && isNoScriptShown(text, comment)
    return isLost || isWithout ? [{ name, isThere: false }] : []
  })
}

const nonLatinWords = /[^\0-\u024f]{4,}/g

const wordsOf = (comment: string): readonly string[] => comment.match(nonLatinWords) ?? []

/**
 * Which letters the font of a PDF has is not shown: of a script that it lacks, boxes are drawn. But a file
 * that shows no script but Latin shows none of the comment.
 */
const isNoScriptShown = (text: string, comment: string): boolean =>
  wordsOf(comment).every((word) => !text.includes(word))

/** Whether question marks stand in place of its letters: that is another text. */
function areMarksShown(text: string, comment: string): boolean {
  const words = wordsOf(comment)
  // Each letter of it, and the commas between them, as they are where letters are replaced one by one.
  const pattern = squeezedCell(comment)
    .split(new RegExp(`(${words.join('|')})`))
    .map((part) => (words.includes(part) ? `(?:${part}|[?\u00bf]{${part.length},})` : quoted(part)))
    .join('')
  return !text.includes(squeezedCell(comment)) && new RegExp(pattern).test(text)
}

const quoted = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** What ends the comment by which it is known that the PDF shows comments, and in full. */
const endOf = (comment: string): string => squeezedCell(comment.slice(comment.lastIndexOf(',')))

/**
 * Whether a text shows that end: a narrow cell may break it, first of all behind the comma. Other comments
 * have its signs, or the word that they all begin with, before the letters that it ends with.
 */
function showsEnd(text: string, end: string, comments: ReadonlyMap<string, string>): boolean {
  if (text.includes(end)) return true
  const [unique = ''] = comments.get('long')?.split(' ') ?? []
  const apart = unique === '' ? text : text.replaceAll(`${unique}Contract`, 'Contract')
  const others = [...comments.values(), 'Contract'].map(squeezedCell)
  return standsBroken(apart, end.slice(1), others)
}

/**
 * Comments of this run that the PDF shows otherwise than they were sent. Where it shows none after
 * `eventWaitMs`, it is not waited for; one that is missing beside others may still come.
 */
export async function problemsOfPdfComments(
  exports: Exports,
  journey: JourneyView,
  { eventWaitMs, waitMs, stop }: { eventWaitMs: number; waitMs: number; stop: AbortSignal },
): Promise<Problem[]> {
  const steps = await acceptedComments(journey)
  const quotes = steps.get('quotes')
  const mark = quotes && endOf(quotes.sent.comment ?? '')
  if (!mark)
    throw new NotDecidable('clause', 'no comment with quotes was accepted', 'assign.comment.quotes')
  const sent = new Map([...steps].map(([name, step]) => [name, step.sent.comment ?? '']))
  const query = queryOfTraces([...steps.values()][0] as Step)
  const look = async () => {
    const askedAt = performance.now()
    const pdf = await needPdf(await exports.fresh.pdf(query), { text: true })
    const text = withoutCodes(squeezedCell((pdf.text ?? []).join('\n')))
    const lost = lostIn(text, sent)
    return { pdf, lost, askedAt, isShown: showsEnd(text, mark, sent) }
  }
  const all = [...steps.values()]
  const givenUpAt = performance.now() + leftMs(all, eventWaitMs)
  const limitMs = leftMs(all, waitMs)
  // What a slow file shows is as old as its request.
  const patience = { limitMs, stop, firstMs: 100, maxMs: 2000, askLate: true }
  const { last } = await poll(
    look,
    ({ isShown, lost, askedAt }) =>
      isShown ? lost.every(({ isThere }) => isThere) : askedAt >= givenUpAt,
    patience,
  )
  if (!last.isShown)
    throw new NotDecidable(
      'freedom',
      `the PDF of the task showed no whole comment of this run in the time that its events take; which fields a file shows is not shown`,
    )
  const changed = last.lost.flatMap(({ name }) => steps.get(name) ?? [])
  return changed.map((step) =>
    problem(
      `${shown(step.sent.comment ?? '')} was sent; the PDF shows other comments of this task, and not this text`,
      {
        expected: step.sent.comment ?? '',
        got: 'not that text',
        judged: last.pdf,
        control: step.answer,
        again: pagesToRead,
      },
    ),
  )
}
