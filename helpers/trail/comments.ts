// Accepted updates with comments, and what events show of these.

import { caseOrWhy, type Unasked } from '../../engine/clause/law.ts'
import type { CsvReading } from '../../engine/files/csv.ts'
import { nearestText } from '../../engine/files/entry-text.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { from } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { shown } from '../../engine/shown.ts'
import { poll } from '../../engine/time/polling.ts'
import { pagesToRead } from '../export/ask/breaches.ts'
import { needCsv } from '../export/ask/exports.ts'
import { type AcceptedUpdate, type Ledger, stepsOf } from '../history/accepted-updates.ts'
import { premise } from '../service/answers.ts'
import { ownerOfComment } from '../service/comments.ts'
import { acceptedOf, type Step } from '../updates/step.ts'
import { commentTaken } from './mails.ts'
import {
  isWhole,
  late,
  noComments,
  once,
  openCount,
  type RecordedDeps,
  settled,
  type TaskEvents,
} from './recorded.ts'
import type { Trail } from './sequence-events.ts'
import { missingIn, showsWhole, type Trace } from './traces.ts'

/** The comment of an update in a file, by default as an event. */
const traceOf = (
  expected: string,
  isFound: boolean,
  what: string,
  seen: Pick<Trace, 'judged' | 'control'> & Partial<Trace>,
): Trace => ({ isFound, what, expected, got: 'no event that shows it', ...late, ...seen })

type Commented = AcceptedUpdate & { comment: string }

/** Accepted updates with a comment that an event has to show; an update that changed nothing may have no event. */
const commentedIn = (ledger: Ledger, tasks: readonly TaskEvents[]): Commented[] =>
  stepsOf(ledger).flatMap(({ update, former }) => {
    const { task, comment, assignment } = update
    const isKept = assignment === null ? former !== null : assignment.assignment_comment === comment
    // Another clause judges a missing event.
    const isCounted = tasks.some((one) => one.task === task && isWhole(one))
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
 * The accepted updates whose whole comment an event of their task, or else of its entity, has to show. Other
 * events may fill up a task's count before its last one has come, so missing comments are looked for again.
 */
export async function askCommented(
  { exports, ledger, lateMs, stop }: RecordedDeps,
  tasks: readonly TaskEvents[],
  entityOf: (task: string) => Promise<unknown>,
): Promise<Trace[]> {
  const { anew, countOf } = await openCount({ exports, ledger })
  const ofTasks = new Map(tasks.map(({ task, records }) => [task, records]))
  const ofEntities = new Map<string, CsvReading['records']>()
  const commented = commentedIn(ledger, tasks)
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
  premise(lost.length < commented.length, 'freedom', noComments)
  return commented.map((update) => {
    const { task, comment } = update
    const what = isIn(ofTasks, update)
      ? `no event of the entity of task ${task} shows the comment ${shown(comment)}, as they do other comments of this run`
      : `no event of task ${task}, or of its entity, shows the comment ${shown(comment)} whole`
    const judged = from([], ofTasks.get(task), ofEntities.get(task))
    return traceOf(comment, !lost.includes(update), what, { judged, control: update })
  })
}

/** Whether the CSV of a sequence shows the comments of these updates. */
export const shownInCsv = (steps: readonly Step[], trail: Trail): Trace[] =>
  steps.flatMap((step) => {
    const comment = commentTaken(step)
    if (comment === undefined) return []
    const what = `no event of the entity shows within ${trail.waitS} s the comment ${comment}`
    const seen = { judged: from([], trail.shownBy.events), control: acceptedOf(step) }
    return [traceOf(comment, trail.shows(comment), what, seen)]
  })

/** Whether the PDF does, of those that the CSV shows, beside others that it shows. */
export async function askInPdf(
  steps: readonly Step[],
  trail: Trail,
  askedFor: () => RecordedDeps,
): Promise<(Trace | Unasked)[]> {
  const find = async () => {
    const look = (asked: RecordedDeps) => fetchPdf(trail, asked)
    const { pdf, missing } = await once(askedFor(), 'comments of the trail in a PDF', look)
    return steps.flatMap((step): Trace[] => {
      const comment = commentTaken(step)
      if (comment === undefined || !trail.shows(comment)) return []
      const what = `the PDF shows other comments of this task, and not ${comment}, which the CSV shows`
      const got = nearestText(pdf.text ?? [], comment) ?? 'a PDF without this text'
      const control = from([], trail.shownBy.events, acceptedOf(step))
      const seen = { judged: pdf, control, got, ...pagesToRead }
      return [traceOf(comment, !missing.includes(comment), what, seen)]
    })
  }
  const found = await caseOrWhy(find())
  return Array.isArray(found) ? found : [found]
}

async function fetchPdf(trail: Trail, { exports, lateMs, stop }: RecordedDeps) {
  const comments = trail.updates.flatMap((step) => commentTaken(step) ?? []).filter(trail.shows)
  const { start, ...query } = trail.query
  let asked = Date.parse(start ?? '')
  const look = async () => {
    // A service may cache a file by its whole query: change it.
    const later = start === undefined ? {} : { start: new Date(asked++).toISOString() }
    const pdf = await exports.fresh.pdfFile({ ...query, ...later })
    return { pdf, missing: missingIn(pdf.text ?? [], comments) }
  }
  // A slow file is as old as its request.
  const limits = { limitMs: lateMs, stop, firstMs: 100, askLate: true }
  const { pdf, missing } = (await poll(look, ({ missing }) => missing?.length === 0, limits)).last
  if (missing) return { pdf, missing }
  const hidden = 'the PDF of the task shows no comment of this run, or cuts some'
  throw new NotDecidable('freedom', `${hidden}; which fields a file shows is not shown`)
}
