// Whether events show the comments of accepted updates: whole in CSV, as far as lines show them in PDF.

import type { CsvReading } from '../../engine/files/csv.ts'
import { squeezedCell } from '../../engine/files/entry-text.ts'
import type { PdfReading } from '../../engine/files/pdf.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { poll } from '../../engine/time/polling.ts'
import { type Exports, needCsv } from '../export/ask/exports.ts'
import { type AcceptedUpdate, type Ledger, stepsOf } from '../history/accepted-updates.ts'
import { ownerOfComment } from '../service/comments.ts'
import { commentTaken } from './mails.ts'
import {
  isWhole,
  late,
  openCount,
  type RecordedDeps,
  settled,
  type TrailEvents,
} from './recorded.ts'
import type { Trail } from './sequence-events.ts'

/** The line breaks of a file are not shown. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

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

const lines = new WeakMap<readonly string[], string[]>()

/** Dates and ids hold texts as short as this. */
const short = 8

/** Whether a record shows a whole comment, ignoring white space; a short one as a word of its own. */
export function showsWhole(record: readonly string[], comment: string): boolean {
  const texts = lines.get(record) ?? record.flatMap(textsIn).map(inOneLine)
  lines.set(record, texts)
  const wanted = inOneLine(comment)
  return wanted.length < short
    ? texts.some((text) => text.split(/[^\w-]+/).includes(wanted))
    : texts.some((text) => text.includes(wanted))
}

type Commented = AcceptedUpdate & { comment: string }

/** Accepted updates with a comment that an event has to show; an update that changed nothing may have no event. */
const commentedIn = (ledger: Ledger, recorded: TrailEvents): Commented[] =>
  stepsOf(ledger).flatMap(({ update, former }) => {
    const { task, comment, assignment } = update
    const isKept = assignment === null ? former !== null : assignment.assignment_comment === comment
    // Another clause judges a missing event.
    const isCounted = recorded.files.has(task) && isWhole(recorded, task)
    return comment && isKept && isCounted && ownerOfComment(comment) ? [{ ...update, comment }] : []
  })

const mostAsked = 2

/** The tasks with most of these updates, so that every transition is among them. */
function busiestOf(updates: readonly Commented[]): string[] {
  const tasks = [...new Set(updates.map(({ task }) => task))]
  const countOf = (task: string) => updates.filter((update) => update.task === task).length
  return tasks.sort((a, b) => countOf(b) - countOf(a)).slice(0, mostAsked)
}

/**
 * The accepted updates whose whole comment an event of their task, or else of its entity, shows. Other
 * events may fill up a task's count before its last one has come, so missing comments are looked for again.
 */
export async function fetchCommented(
  { exports, ledger, lateMs, stop }: RecordedDeps,
  recorded: TrailEvents,
  entityOf: (task: string) => Promise<unknown>,
) {
  const { anew, countOf } = await openCount({ exports, ledger })
  const ofTasks = new Map([...recorded.files].map(([task, { records }]) => [task, records]))
  const ofEntities = new Map<string, CsvReading['records']>()
  const commented = commentedIn(ledger, recorded)
  const isIn = (files: typeof ofEntities, { task, comment }: Commented) =>
    (files.get(task) ?? []).some((record) => showsWhole(record, comment))

  const readEntities = async (tasks: ReadonlySet<string>) => {
    for (const task of tasks) {
      const entity_id = await entityOf(task)
      if (typeof entity_id !== 'string') continue
      const found = await exports.fresh.csv({ start: anew(), metadata: { entity_id } })
      if (isAccepted(found.answer)) ofEntities.set(task, needCsv(found).records)
    }
  }
  /** If the events of an entity show comments, they show those of every update. */
  const lostNow = () => {
    const doEntitiesShow = commented.some((update) => isIn(ofEntities, update))
    return commented.filter(
      (update) =>
        !isIn(ofEntities, update) &&
        (!isIn(ofTasks, update) || (doEntitiesShow && ofEntities.has(update.task))),
    )
  }
  const suspects = commented.filter((update) => !isIn(ofTasks, update)).map(({ task }) => task)
  await readEntities(new Set([...busiestOf(commented), ...suspects]))
  const lookAgain = async (lost: readonly Commented[]) => {
    const tasks = new Set(lost.map(({ task }) => task))
    for (const task of tasks) ofTasks.set(task, (await countOf(task)).records)
    await readEntities(tasks)
  }
  const limits = { limitMs: lateMs, stop, firstMs: 100 }
  const lost = await settled(lostNow, lookAgain, ({ length }) => length === 0, limits)
  const problemsOf = (update: Commented): Problem[] => {
    if (!lost.includes(update)) return []
    const { task, comment, exchange } = update
    const sentence = isIn(ofTasks, update)
      ? `no event of the entity of task ${task} shows the comment ${shown(comment)}, as they do other comments of this run`
      : `no event of task ${task}, or of its entity, shows the comment ${shown(comment)} whole`
    const judged = [ofTasks.get(task), ofEntities.get(task)]
    const seen = { expected: comment, got: 'no event that shows it', judged }
    return [problem(sentence, { ...seen, control: [exchange], again: late })]
  }
  return { commented, isShown: lost.length < commented.length, problemsOf }
}

/** The comments of a sequence that the PDF of its task lacks, beside others that it shows. */
export const missingInPdf = (
  trail: Trail,
  { exports, lateMs, stop }: Pick<RecordedDeps, 'exports' | 'lateMs' | 'stop'>,
): Promise<{ pdf: PdfReading; missing: string[] }> =>
  exports.once('comments of the trail in a PDF', async (inner: Exports) => {
    const comments = trail.updates.flatMap((step) => commentTaken(step) ?? []).filter(trail.shows)
    const { start, ...query } = trail.query
    let asked = Date.parse(start ?? '')
    const look = async () => {
      // A service may cache a file by its whole query: change it.
      const later = start === undefined ? {} : { start: new Date(asked++).toISOString() }
      const pdf = await inner.fresh.pdfFile({ ...query, ...later })
      return { pdf, missing: missingIn(pdf.text ?? [], comments) }
    }
    // A slow file is as old as its request.
    const limits = { limitMs: lateMs, stop, firstMs: 100, askLate: true }
    const { last } = await poll(look, ({ missing }) => missing?.length === 0, limits)
    const { pdf, missing } = last
    if (missing) return { pdf, missing }
    const hidden = 'the PDF of the task shows no comment of this run, or cuts some'
    throw new NotDecidable(
      'freedom',
      `${hidden}; the contract does not say which fields a file contains`,
    )
  })

/**
 * The comments that a PDF lacks; undefined if it may cut them. All have the same length and beginning, so cells
 * of one width break them alike: behind the last break they are in one piece, even with other cells in between.
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
