// Whether events show the comments of the accepted updates of this run, each whole.

import type { CsvReading } from '../../engine/files/csv.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { shown as shownOf } from '../../engine/shown.ts'
import { poll } from '../../engine/time/polling.ts'
import { needCsv } from '../export/ask/exports.ts'
import { type Accepted, changesOf, type Ledger, stepsOf } from '../history/accepted-updates.ts'
import { ownerOfComment } from '../service/comments.ts'
import { type Asked, type Counted, late, openCount, type Recorded } from './all-recorded.ts'

/** How a file breaks its lines is not shown. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** A cell, and the texts in it where it is JSON. */
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

/** Whether a record shows a comment whole, white space apart. */
export function showsWhole(record: readonly string[], comment: string): boolean {
  const texts = lines.get(record) ?? record.flatMap(textsIn).map(inOneLine)
  lines.set(record, texts)
  const wanted = inOneLine(comment)
  return texts.some((text) => text.includes(wanted))
}

type Commented = Accepted & { comment: string }
type Records = CsvReading['records']

const mostAsked = 2

/** The tasks with most of these updates: every transition is among them. */
function busiestOf(updates: readonly Commented[]): string[] {
  const tasks = [...new Set(updates.map(({ task }) => task))]
  const countOf = (task: string) => updates.filter((update) => update.task === task).length
  return tasks.sort((a, b) => countOf(b) - countOf(a)).slice(0, mostAsked)
}

/** Accepted updates with a comment that an event is to show: who changed nothing leaves none. */
function commentedIn(ledger: Ledger, { files }: Recorded): Commented[] {
  const changes = changesOf(ledger)
  return stepsOf(ledger).flatMap(({ update, former }) => {
    const { task, comment, assignment } = update
    const isKept = assignment === null ? former !== null : assignment.assignment_comment === comment
    // An event that is missing itself is judged by itself.
    const isCounted = (files.get(task)?.count ?? -1) >= (changes.get(task) ?? 0)
    return comment && isKept && isCounted && ownerOfComment(comment) ? [{ ...update, comment }] : []
  })
}

type Lost = { update: Commented; problem: Problem }

/**
 * Comments of accepted updates that no event of their task, or else of its entity, shows whole. Events of
 * other things may make up the number of a task before its last one has come: what is lost is looked for again.
 */
export async function problemsOfCommentsRecorded(
  { exports, ledger, lateMs, stop }: Asked,
  recorded: Recorded,
  entityOf: (task: string) => Promise<unknown>,
): Promise<{ problems: Problem[]; shown: number }> {
  const { start, countOf } = await openCount({ exports, ledger })
  const files = new Map<string, Counted>(recorded.files)
  const commented = commentedIn(ledger, recorded)
  const ofEntities = new Map<string, Records>()
  const isIn = (records: Records = [], comment: string) =>
    records.some((record) => showsWhole(record, comment))
  const isOfTask = ({ task, comment }: Commented) => isIn(files.get(task)?.records, comment)
  const isOfEntity = ({ task, comment }: Commented) => isIn(ofEntities.get(task), comment)

  const readEntities = async (tasks: ReadonlySet<string>) => {
    for (const task of tasks) {
      const entity = await entityOf(task)
      if (typeof entity !== 'string') continue
      const found = await exports.csvAnew({ start, metadata: { entity_id: entity } })
      if (isAccepted(found.answer)) ofEntities.set(task, needCsv(found).records)
    }
  }
  const lostOf = (update: Commented, sentence: string): Lost => ({
    update,
    problem: problem(sentence, {
      expected: update.comment,
      got: 'no event that shows it',
      judged: [files.get(update.task)?.records, ofEntities.get(update.task)],
      control: [update.exchange],
      again: { why: late },
    }),
  })
  const lostNow = (): Lost[] => {
    const lost = commented.filter((update) => !isOfTask(update) && !isOfEntity(update))
    // Where the record of an entity shows comments, it shows those of every update.
    const asked = commented.filter(({ task }) => ofEntities.has(task))
    const notOfEntity = asked.some(isOfEntity)
      ? asked.filter((update) => !isOfEntity(update) && !lost.includes(update))
      : []
    return [
      ...lost.map((update) =>
        lostOf(
          update,
          `no event of task ${update.task}, or of its entity, shows the comment ${shownOf(update.comment)} whole`,
        ),
      ),
      ...notOfEntity.map((update) =>
        lostOf(
          update,
          `no event of the entity of task ${update.task} shows the comment ${shownOf(update.comment)}, as they do other comments of this run`,
        ),
      ),
    ]
  }

  const suspects = commented.filter((update) => !isOfTask(update)).map(({ task }) => task)
  await readEntities(new Set([...busiestOf(commented), ...suspects]))
  let lost = lostNow()
  const lookAgain = async () => {
    const tasks = new Set(lost.map(({ update }) => update.task))
    for (const task of tasks) files.set(task, await countOf(task))
    await readEntities(tasks)
    lost = lostNow()
    return lost
  }
  if (lost.length > 0)
    await poll(lookAgain, (left) => left.length === 0, { limitMs: lateMs, stop, firstMs: 100 })
  return { problems: lost.map((each) => each.problem), shown: commented.length - lost.length }
}
