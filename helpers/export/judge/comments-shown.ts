import { isAccepted } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { shown } from '../../../engine/shown.ts'
import { poll } from '../../../engine/time/polling.ts'
import { taskIn } from '../../service/answers.ts'
import { comments } from '../../updates/comment-kinds.ts'
import type { JourneyView } from '../../updates/journey.ts'
import type { Step } from '../../updates/step.ts'
import { type Exports, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { unlessUndecided } from '../learn/ranges.ts'

const tellingKinds = ['non-latin', 'emoji', 'quotes', 'newlines', 'long']
/** The events of one task within some minutes: more are those of somebody else. */
const maxRecords = 5_000
const earlierMs = 300_000
/** A language that most services have beside English; one that is refused tells nothing. */
const locale = 'de'
/** Exported cells are personal data: no more of one is kept than shows the difference. */
const maxCell = 200

/**
 * Comments of this run that the CSV shows otherwise than they were sent. A file need not show
 * comments: where none comes within the time to wait, that is not decided.
 */
export async function problemsOfComments(
  exports: Exports,
  journey: JourneyView,
  { waitMs, stop }: { waitMs: number; stop: AbortSignal },
): Promise<Problem[]> {
  const steps = await acceptedComments(journey)
  const sent = [...steps.values()].map(({ sent: { comment } }) => comment ?? '')
  const wanted = tellingKinds.flatMap((name) => {
    const step = steps.get(name)
    const comment = step?.sent.comment ?? ''
    // A long one that the task itself shows cut is the matter of assign.comment.long.
    const isStored = name !== 'long' || (step && shownIn(step) === comment)
    return comment && isStored ? [comment] : []
  })
  if (wanted.length === 0)
    throw new NotDecidable(
      'clause',
      'no comment with such text was accepted',
      'assign.comment.non-latin',
      'assign.comment.emoji',
      'assign.comment.quotes',
    )
  const query = queryOfTraces([...steps.values()][0] as Step)
  const mark = wanted[0]?.split(' ').at(-1) ?? ''

  const lookIn = async (shown: Pick<Query, 'locale'>) => {
    const csv = needCsv(await exports.fresh.csv({ ...query, ...shown }, { read: maxRecords }))
    const { records } = csv
    const cells = records.flat().filter((cell) => cell.includes(mark))
    const strange = cells.filter((cell) => !sent.some((comment) => holds(cell, comment)))
    const isIntact = (comment: string) => cells.some((cell) => holds(cell, comment))
    const changed = wanted.flatMap((comment) => {
      const cell =
        strange.find((each) => mostSimilar(each, sent) === comment) ??
        // What tells the comments of this run from others stands in the last line.
        (cells.length > 0 ? firstLineOf(comment, records) : undefined)
      return isIntact(comment) || cell === undefined ? [] : [{ comment, cell }]
    })
    return { csv, changed, found: wanted.filter(isIntact).length + changed.length }
  }
  const patience = { limitMs: leftMs([...steps.values()], waitMs), stop, firstMs: 100, maxMs: 2000 }
  const { last } = await poll(
    () => lookIn({}),
    ({ found }) => found === wanted.length,
    patience,
  )
  if (last.found === 0)
    throw new NotDecidable(
      'freedom',
      `the CSV of the task showed no comment of this run in the time that its events take; which fields a file shows is not shown`,
    )
  const sentIn = (comment: string) =>
    [...steps.values()].find((step) => step.sent.comment === comment)?.answer
  // No language has other words for what somebody wrote.
  const { csv, changed } =
    last.changed.length > 0 ? last : ((await lookIn({ locale }).catch(unlessUndecided)) ?? last)
  const where = csv === last.csv ? '' : ` in ${locale}`
  return changed.map(({ comment, cell }) =>
    problem(`${describeChange(comment, cell)}${where}`, {
      expected: comment,
      got: cell.slice(0, maxCell),
      judged: csv,
      again: { why: 'an update with this comment has to be in the audit trail' },
      control: sentIn(comment),
    }),
  )
}

const shownIn = ({ answer }: Step): string | null | undefined =>
  taskIn(answer).assignment?.assignment_comment

/** Of a text that is longer than a sentence shows, how much of it comes. */
function describeChange(comment: string, cell: string): string {
  const sentence = `${shown(comment)} was sent, but`
  if (comment.length <= maxCell) return `${sentence} ${shown(cell)} is shown`
  let length = comment.length
  while (!cell.includes(comment.slice(0, length))) length -= 1
  return `${sentence} only the first ${length} of its ${comment.length} characters are shown`
}

/** What is left of the time in which the events of updates have to come, and enough to look twice. */
export function leftMs(updates: readonly Step[], waitMs: number): number {
  const sent = updates.flatMap(({ evidence }) => evidence.map(({ start }) => Date.parse(start)))
  return Math.min(waitMs, Math.max(2000, Math.max(...sent) + waitMs - Date.now()))
}

/** A cell that shows of a comment its first line and no more. */
const firstLineOf = (comment: string, records: readonly string[][]): string | undefined => {
  const [first, ...more] = comment.split('\n')
  return more.length > 0 ? records.flat().find((cell) => cell.trim() === first) : undefined
}

/** The steps of the journey whose comment was accepted, by the kind of comment. */
export async function acceptedComments(journey: JourneyView): Promise<Map<string, Step>> {
  const steps = new Map<string, Step>()
  let why: unknown
  for (const name of Object.keys(comments)) {
    try {
      const step = await journey.step('comments', name)
      if (isAccepted(step.answer)) steps.set(name, step)
    } catch (error) {
      why ??= error
    }
  }
  if (steps.size === 0 && why !== undefined) throw why
  return steps
}

/** Asks for the events of the task since it was changed, by the service's own clock. */
export function queryOfTraces({ before, answer }: Step): Query {
  const changed = Date.parse(taskIn(answer).updated_at)
  const start = Number.isNaN(changed) ? undefined : new Date(changed - earlierMs).toISOString()
  return { metadata: { task_id: before.id }, start }
}

/** Whether a cell shows a comment: as it is, or as a text in JSON. */
export function holds(cell: string, comment: string): boolean {
  // Files end their lines in one way, in cells as well.
  if (cell.replaceAll(/\r\n?/g, '\n').includes(comment)) return true
  if (!/^\s*[[{"]/.test(cell)) return false
  try {
    return JSON.stringify(JSON.parse(cell)).includes(JSON.stringify(comment).slice(1, -1))
  } catch {
    return false
  }
}

/** The comment that a cell is a part of, or else has the most letters in common with. */
const mostSimilar = (cell: string, all: string[]): string | undefined =>
  all.find((comment) => comment.includes(cell.trim())) ??
  all.toSorted((a, b) => similarity(cell, b) - similarity(cell, a))[0]

function similarity(cell: string, comment: string): number {
  const letters = [...cell]
  let common = 0
  for (const letter of comment) {
    const at = letters.indexOf(letter)
    if (at < 0) continue
    letters.splice(at, 1)
    common += 1
  }
  return (2 * common) / (cell.length + comment.length)
}
