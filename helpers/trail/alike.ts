// Whether the events of one task, or of one update, show what those of others do.

import { distinct } from '../../engine/distinct.ts'
import type { CsvReading } from '../../engine/files/csv.ts'
import { instantAt, millisecond, minute } from '../../engine/files/dates.ts'
import { cutTo } from '../../engine/files/shown-instants.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { clock } from '../../engine/time/timers.ts'
import {
  type AcceptedUpdate,
  type AssignmentState,
  changesOf,
  type Ledger,
  stepsOf,
} from '../history/accepted-updates.ts'
import { ownComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { showsWhole } from './comments.ts'
import {
  instantIn,
  isWhole,
  late,
  openCount,
  orders,
  type RecordedDeps,
  settled,
  slackMs,
  type TrailEvents,
} from './recorded.ts'

type Trait = { what: string; isIn: (cell: string) => boolean }

/** Waiting longer does not mend a wrong event. */
const longestMs = 10_000

type How = { control: string; assigners: readonly string[] }

/** Like compareTasks, while events may still arrive: at first, other events may be counted instead. */
export async function compareTasksInTime(asked: RecordedDeps, recorded: TrailEvents, how: How) {
  let current = recorded
  const judge = () => compareTasks(asked.ledger, current, how)
  const look = async () => {
    const { countOf } = await openCount(asked)
    const changes = changesOf(asked.ledger)
    const counts = [...changes.keys()].map(async (task) => [task, await countOf(task)] as const)
    current = { ...recorded, changes, files: new Map(await Promise.all(counts)) }
  }
  const isSettled = ({ others, problemsOf, isPartlyShown }: ReturnType<typeof judge>) =>
    !isPartlyShown && others.every((task) => problemsOf(task).length === 0)
  // An event of the control task takes as long as its others did.
  const limitMs = Math.min(judge().isPartlyShown ? asked.lateMs : asked.limitMs, longestMs)
  const limits = { limitMs, stop: asked.stop, firstMs: 1000, maxMs: 5000, askLate: true }
  return settled(judge, look, isSettled, limits)
}

/**
 * What every event of the control task shows in a column (who assigned, or a time of this run), and the
 * other tasks with fewer such events than changes. Other writers' events on the control task do not matter.
 */
function compareTasks(ledger: Ledger, recorded: TrailEvents, { control, assigners }: How) {
  const { changes, files, start } = recorded
  const lasted = clock.date() - (ledger.updates[0]?.at ?? 0)
  const first = instantAt(start)
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
  const countOf = (task: string, { column, isIn }: Place) =>
    files.get(task)?.records.filter((record) => isIn(record[column] ?? '')).length ?? 0
  const width = Math.max(0, ...(files.get(control)?.records.map(({ length }) => length) ?? []))
  const places = traits.flatMap((trait) =>
    Array.from({ length: width }, (_, column): Place => ({ ...trait, column })),
  )
  const ofControl = changes.get(control) ?? Number.POSITIVE_INFINITY
  const shownBy = places.filter((place) => countOf(control, place) >= ofControl)
  const others = [...changes.keys()].filter((task) => task !== control && isWhole(recorded, task))
  const problemsOf = (task: string): Problem[] => {
    const wanted = changes.get(task) ?? 0
    const short = shownBy.filter((place) => countOf(task, place) < wanted)
    return distinct(short.map(({ what }) => what)).map((what) => {
      const places = short.filter((one) => one.what === what)
      const least = Math.min(...places.map((place) => countOf(task, place)))
      const sentence = `task ${task}: ${wanted} changes, and ${least} events that show ${what} where those of task ${control} do`
      return problem(sentence, {
        expected: `${wanted} events`,
        got: `${least} events`,
        judged: files.get(task)?.records,
        control: files.get(control)?.records,
        again: late,
      })
    })
  }
  const what = distinct(shownBy.map((place) => place.what))
  // The control task has such events, but fewer than changes: more may come.
  const isPartlyShown = what.length === 0 && places.some((place) => countOf(control, place) > 0)
  return { others, what, problemsOf, isPartlyShown }
}

export const assignersIn = ({ updates }: Ledger, actorId: string | undefined): string[] => {
  const named = updates.map(({ assignment }) => assignment?.assigned_by_id)
  return distinct([actorId, ...named].filter((id) => typeof id === 'string'))
}

type MarkedUpdate = {
  update: AcceptedUpdate
  kind: string
  /** with the next transition: an event may also show the comment before its own */
  way: string
  events: CsvReading['records']
}

/** With fewer updates of a kind, no number is usual. */
const fewestAlike = 3

/** The updates whose events can be compared with others of their kind, and how many show events. */
export function compareUpdates(ledger: Ledger, { files }: Pick<TrailEvents, 'files'>) {
  const marked = markedIn(ledger, files)
  const alikeOf = ({ kind }: MarkedUpdate) => marked.filter((one) => one.kind === kind)
  // Compare only updates with the same next transition: it leaves the same traces.
  const othersOf = (one: MarkedUpdate) =>
    alikeOf(one).filter(({ way, update }) => way === one.way && update !== one.update)
  const usualOf = (one: MarkedUpdate) => usualIn(alikeOf(one).map(({ events }) => events.length))
  const compared = marked.filter((one) => usualOf(one) !== undefined && othersOf(one).length > 0)
  const problemsOf = (one: MarkedUpdate): Problem[] => {
    const { update, kind, events } = one
    const usual = usualOf(one) ?? events.length
    const control = othersOf(one).find((other) => other.events.length === usual)?.update.exchange
    if (events.length <= usual || !control) return []
    const sentence = `events that show the comment ${shown(update.comment)}: ${events.length}; that of most other updates ${kind}: ${usual}`
    const judged = [update.exchange, events]
    const seen = { expected: `events: ${usual}`, got: `events: ${events.length}`, judged, control }
    const again = { why: 'other updates of the kind have to be compared with it' }
    return [problem(sentence, { ...seen, again })]
  }
  return { compared, shown: marked.length, problemsOf }
}

function usualIn(counts: readonly number[]): number | undefined {
  if (counts.length < fewestAlike) return undefined
  return counts.find((one) => counts.filter((other) => other === one).length * 2 > counts.length)
}

/** The updates whose events show a unique comment. */
function markedIn(ledger: Ledger, files: TrailEvents['files']): MarkedUpdate[] {
  return stepsOf(ledger).flatMap(({ update, former, next }) => {
    const { comment, task, assignment } = update
    // An update that was sent twice leaves events of both.
    const isOne = ledger.updates.filter((other) => other.comment === comment).length === 1
    if (!comment || !ownComment.test(comment) || !isOne) return []
    const records = files.get(task)?.records ?? []
    const events = records.filter((record) => showsWhole(record, comment))
    const kind = describeStep(former, assignment)
    const after = next ? describeStep(assignment, next.assignment) : 'nothing'
    return events.length === 0 ? [] : [{ update, kind, way: `${kind}, before ${after}`, events }]
  })
}

function describeStep(former: AssignmentState | undefined, given: AssignmentState): string {
  const isSame = given && former && isSameId(former.assigned_to_id, given.assigned_to_id)
  const to = isSame ? 'the same' : (given?.assigned_to_type ?? 'nobody')
  return `from ${former?.assigned_to_type ?? 'nobody'} to ${to}`
}
