// Whether the events of one task, or of one update, show what those of others do.

import type { Some } from '../../engine/clause/law.ts'
import { distinct } from '../../engine/distinct.ts'
import type { CsvReading } from '../../engine/files/csv.ts'
import { instantAt, millisecond, minute } from '../../engine/files/dates.ts'
import { cutTo } from '../../engine/files/shown-instants.ts'
import { from } from '../../engine/origin.ts'
import { type Problem, problemUnless } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { clock } from '../../engine/time/timers.ts'
import {
  type AcceptedUpdate,
  type AssignmentState,
  type Ledger,
  stepsOf,
} from '../history/accepted-updates.ts'
import { premise } from '../service/answers.ts'
import { ownComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import {
  counterOf,
  instantIn,
  isWhole,
  late,
  noComments,
  orders,
  type RecordedDeps,
  settled,
  slackMs,
  type TaskEvents,
} from './recorded.ts'
import { showsWhole } from './traces.ts'

/** What a cell of an event may show of its change. */
type Trait = { what: string; isIn: (cell: string) => boolean }

/** A changed task, and how many of its events show what those of the control task do, in the same columns. */
export type Alike = TaskEvents & { shown: { what: string; events: number }[]; beside: TaskEvents }

/** Waiting longer does not mend a wrong event. */
const longestMs = 10_000

/** Compares tasks while events may still arrive: at first, other events may be counted instead. */
export async function compareTasks(
  asked: RecordedDeps,
  recorded: readonly TaskEvents[],
  settings: Pick<Settings, 'actorId'>,
): Promise<Alike[]> {
  const assigners = assignersIn(asked.ledger, settings.actorId)
  let current = recorded
  const judge = () => comparedWith(asked, current, assigners)
  const look = async () => {
    current = await (await counterOf(asked))()
  }
  const isSettled = ({ others, isPartlyShown }: ReturnType<typeof judge>) =>
    !isPartlyShown && others.every((one) => problemsOfAlike(one).length === 0)
  // An event of the control task takes as long as its others did.
  const limitMs = Math.min(judge().isPartlyShown ? asked.lateMs : asked.limitMs, longestMs)
  const limits = { limitMs, stop: asked.stop, firstMs: 1000, maxMs: 5000, askLate: true }
  const { others, isShown } = await settled(judge, look, isSettled, limits)
  const open =
    'events show neither who assigned nor when; the fields of a stored event are not shown'
  premise(isShown, 'freedom', open)
  return others
}

/**
 * What every event of the control task shows in a column (who assigned, or a time of this run), and the
 * other tasks, some with fewer such events than changes. Other writers' events on the control task do not matter.
 */
function comparedWith(
  { ledger, control }: RecordedDeps,
  tasks: readonly TaskEvents[],
  assigners: readonly string[],
) {
  const lasted = clock.date() - (ledger.updates[0]?.at ?? 0)
  const first = instantAt(tasks[0]?.start ?? '')
  // A file need not show seconds.
  const from = cutTo(first, minute)
  const to = first + BigInt(lasted + 2 * slackMs) * millisecond
  const isOfRun = (instant: bigint | undefined) =>
    instant !== undefined && instant >= from && instant <= to
  const traits: Trait[] = [
    { what: 'the id of who assigned', isIn: (cell) => assigners.some((id) => isSameId(cell, id)) },
    ...orders.map((order) => ({
      what: 'a time of this run',
      isIn: (cell: string) => isOfRun(instantIn(cell, order)),
    })),
  ]
  type Place = Trait & { column: number }
  const countOf = ({ records }: TaskEvents, { column, isIn }: Place) =>
    records.filter((record) => isIn(record[column] ?? '')).length
  const beside = tasks.find(({ task }) => task === control)
  const width = Math.max(0, ...(beside?.records.map(({ length }) => length) ?? []))
  const places = traits.flatMap((trait) =>
    Array.from({ length: width }, (_, column): Place => ({ ...trait, column })),
  )
  const shownBy = places.filter((place) => beside && countOf(beside, place) >= beside.changes)
  const whats = distinct(shownBy.map(({ what }) => what))
  const others = tasks.flatMap((one): Alike[] => {
    // Another clause judges missing events.
    if (!beside || one === beside || !isWhole(one)) return []
    const leastOf = (what: string) =>
      Math.min(...shownBy.flatMap((place) => (place.what === what ? countOf(one, place) : [])))
    return [{ ...one, beside, shown: whats.map((what) => ({ what, events: leastOf(what) })) }]
  })
  const isShown = whats.length > 0
  // The control task has such events, but fewer than changes: more may come.
  const isPartlyShown = !isShown && places.some((place) => beside && countOf(beside, place) > 0)
  return { others, isShown, isPartlyShown }
}

export const problemsOfAlike = ({ task, changes, records, shown, beside }: Alike): Problem[] =>
  shown.flatMap(({ what, events }) => {
    const sentence = `task ${task}: ${changes} changes, and ${events} events that show ${what} where those of task ${beside.task} do`
    const seen = { expected: `${changes} events`, got: `${events} events`, judged: records }
    const control = beside.records
    return problemUnless(events >= changes, sentence, { ...seen, control, again: late })
  })

export const describeAlike = (all: Some<Alike>): string => {
  const [{ shown, beside }] = all
  const what = shown.map((each) => each.what).join(' and ')
  return `${all.length} tasks whose events show ${what}, beside task ${beside.task}`
}

/** The ids in whose name this run assigned. */
const assignersIn = ({ updates }: Ledger, actorId: string | undefined): string[] => {
  const named = updates.map(({ assignment }) => assignment?.assigned_by_id)
  return distinct([actorId, ...named].filter((id) => typeof id === 'string'))
}

/** An accepted update with a comment of its own, and the events that show it. */
type MarkedUpdate = {
  update: AcceptedUpdate
  kind: string
  /** with the next transition: an event may also show the comment before its own */
  way: string
  events: CsvReading['records']
}

/** It, and how many events most updates of its kind leave, such as that of `control`. */
export type Usual = MarkedUpdate & { usual: number; control: AcceptedUpdate | undefined }

/** With fewer updates of a kind, no number is usual. */
const fewestAlike = 3

/** The updates whose events can be compared with others of their kind. */
export function compareUpdates(ledger: Ledger, tasks: readonly TaskEvents[]): Usual[] {
  const marked = markedIn(ledger, tasks)
  premise(marked.length > 0, 'freedom', noComments)
  const compared = marked.flatMap((one): Usual[] => {
    const alike = marked.filter(({ kind }) => kind === one.kind)
    // Compare only updates with the same next transition: it leaves the same traces.
    const others = alike.filter(({ way, update }) => way === one.way && update !== one.update)
    const usual = usualIn(alike.map(({ events }) => events.length))
    if (usual === undefined || others.length === 0) return []
    return [{ ...one, usual, control: others.find((each) => each.events.length === usual)?.update }]
  })
  const few = `${marked.length} updates with a comment of their own, and no three of one kind: let the run make more (TASK_IDS, --clauses)`
  premise(compared.length > 0, 'data', few)
  return compared
}

export function problemsOfUsual({ update, kind, events, usual, control }: Usual): Problem[] {
  const sentence = `events that show the comment ${shown(update.comment)}: ${events.length}; that of most other updates ${kind}: ${usual}`
  const seen = { expected: `events: ${usual}`, got: `events: ${events.length}`, control }
  const again = { why: 'other updates of the kind have to be compared with it' }
  const isUsual = events.length <= usual || !control
  return problemUnless(isUsual, sentence, { ...seen, judged: [update, events], again })
}

/** The number that more than half of them have. */
function usualIn(counts: readonly number[]): number | undefined {
  if (counts.length < fewestAlike) return undefined
  return counts.find((one) => counts.filter((other) => other === one).length * 2 > counts.length)
}

function markedIn({ before, updates }: Ledger, tasks: readonly TaskEvents[]): MarkedUpdate[] {
  return stepsOf({ before, updates }).flatMap(({ update, former, next }) => {
    const { comment, task, assignment } = update
    // An update that was sent twice leaves events of both.
    const isOne = updates.filter((other) => other.comment === comment).length === 1
    if (!comment || !ownComment.test(comment) || !isOne) return []
    const records = tasks.find((one) => one.task === task)?.records
    const events = records?.filter((record) => showsWhole(record, comment)) ?? []
    const kind = describeStep(former, assignment)
    const after = next ? describeStep(assignment, next.assignment) : 'nothing'
    const way = `${kind}, before ${after}`
    return events.length === 0 ? [] : [{ update, kind, way, events: from(events, records) }]
  })
}

function describeStep(former: AssignmentState | undefined, given: AssignmentState): string {
  const isSame = given && former && isSameId(former.assigned_to_id, given.assigned_to_id)
  const to = isSame ? 'the same' : (given?.assigned_to_type ?? 'nobody')
  return `from ${former?.assigned_to_type ?? 'nobody'} to ${to}`
}
