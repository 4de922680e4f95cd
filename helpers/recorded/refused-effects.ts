// The effects of rejected updates: a read shows a version that was made while the update was in flight.

import { isAccepted, isRefused } from '../../engine/http/answers.ts'
import { type History, isAcceptedOp, type Op } from '../history/history.ts'
import type { Assignment } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { objectIn, operationOf } from '../service/update-request.ts'

/** The first read of a version that no recorded update made; only the version is new, or the assignment asked for. */
export type Effect = { read: Op; isTouched: boolean }

/** Fewer accepted updates may fit one clock offset by chance. */
const leastMade = 5
/** A single one may be the work of another writer; several are hardly chance. */
const leastCarriedOut = 2
const leastTouched = 3
/** Updates that took longer are not judged: another writer may have come in between. */
const longestMs = 1000

/** Each with its update; none if the recordings show another writer, or a clock that cannot be trusted. */
export function effectsIn(histories: readonly History[]): Map<Op, Effect> {
  const made = histories.flatMap((history) => makingIn(history).map(keyOf))
  const sights = histories.map((history) => sightsIn(history, new Set(made)))
  const found = histories.map((history, at) => effectsOf(sights[at] ?? [], history))
  if (found.some((each) => each === undefined)) return new Map()
  const all = found.flatMap((each) => each ?? [])
  return new Map(
    all.filter(([, { isTouched }]) => {
      const alike = all.filter(([, each]) => each.isTouched === isTouched)
      return alike.length >= (isTouched ? leastTouched : leastCarriedOut)
    }),
  )
}

const makingIn = ({ ended }: History) =>
  ended.filter(({ kind, shown }) => kind === 'update' && shown)
const keyOf = ({ task, shown }: Op) => `${task} ${shown?.version}`.toLowerCase()
const madeAt = ({ shown }: Op) => Date.parse(shown?.version ?? '')

type Sight = { read: Op; former: Op }

/** The reads that show a version first, and what their task showed before; a read may lag behind. */
function sightsIn(history: History, made: ReadonlySet<string>): Sight[] {
  const isNew = (op: Op) =>
    history.firstSight(op.task, op.shown?.version)?.first === op && !made.has(keyOf(op))
  return history.tasks.flatMap((task) => {
    let last: Op | undefined
    return history.endedOf(task).flatMap((op): Sight[] => {
      if (!op.shown) return []
      const former = last
      if (!last || op.kind === 'update' || !(madeAt(op) < madeAt(last))) last = op
      return former && op.kind === 'read' && isNew(op) ? [{ read: op, former }] : []
    })
  })
}

/** How far the service's clock is ahead of the recorder's, as the versions of accepted updates show it. */
function aheadIn(history: History) {
  const made = makingIn(history)
  const least = made.reduce((most, op) => Math.max(most, madeAt(op) - op.ended), -Infinity)
  const most = made.reduce((least, op) => Math.min(least, madeAt(op) - op.sent), Infinity)
  return { least, most, isKnown: made.length >= leastMade && least <= most }
}

/** Undefined if no rejected update explains one of the versions. */
function effectsOf(sights: readonly Sight[], history: History): [Op, Effect][] | undefined {
  const { least, most, isKnown } = aheadIn(history)
  const found: [Op, Effect][] = []
  for (const { read, former } of sights) {
    const at = madeAt(read)
    if (!isKnown || !(at >= madeAt(former))) return undefined
    const isTouched = isSameButSpelling(read.shown?.assignment, former.shown?.assignment)
    const inFlight = history
      .endedOf(read.task)
      .filter(
        ({ kind, sent, ended }) => kind === 'update' && at - most <= ended && at - least >= sent,
      )
    if (inFlight.some(isOpen)) return undefined
    const matching = inFlight.filter(
      (op) =>
        !isAcceptedOp(op) &&
        op.ended - op.sent <= longestMs &&
        op.done < read.begun &&
        !mayHaveLost(op, former) &&
        (isTouched || isAsked(op.body, read.shown?.assignment)),
    )
    if (matching.length === 0) return undefined
    // A clock that is known too roughly decides nothing.
    const by = matching.find(({ sent, ended }) => at - most >= sent && at - least <= ended)
    if (by) found.push([by, { read, isTouched }])
  }
  return found
}

/** Whether its effect, or what it made, is unknown. */
const isOpen = ({ answer, shown }: Op) =>
  !answer || !(isRefused(answer) || (isAccepted(answer) && shown))

/** Unless the version of an update is stale, another writer may have made the same assignment. */
const mayHaveLost = ({ answer, ifMatch }: Op, former: Op) =>
  answer?.status === 409 && (ifMatch === undefined || Date.parse(ifMatch) >= madeAt(former))

/** Whether an assignment has the values that an update sends. */
function isAsked(sent: unknown, now: Assignment | null | undefined): boolean {
  if (operationOf(sent) === 'assign.unassign') return now === null
  const asked = Object.entries(objectIn(sent))
  return (
    asked.length > 0 &&
    asked.every(([name, value]) => (now?.[name as keyof Assignment] ?? null) === (value ?? null))
  )
}
