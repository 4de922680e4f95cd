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
  const made = new Set(histories.flatMap((history) => makingIn(history).map(keyOf)))
  const found = new Map<Op, Effect>()
  for (const history of histories) {
    const ahead = aheadIn(history)
    for (const sight of sightsIn(history, made)) {
      const by = ahead && causeOf(sight, history, ahead)
      if (!by) return new Map()
      if (by.op) found.set(by.op, { read: sight.read, isTouched: sight.isTouched })
    }
  }
  const touched = [...found.values()].filter(({ isTouched }) => isTouched).length
  const isEnough = ([, { isTouched }]: [Op, Effect]) =>
    isTouched ? touched >= leastTouched : found.size - touched >= leastCarriedOut
  return new Map([...found].filter(isEnough))
}

const makingIn = ({ ended }: History) =>
  ended.filter(({ kind, shown }) => kind === 'update' && shown)
const keyOf = ({ task, shown }: Op) => `${task} ${shown?.version}`.toLowerCase()
const madeAt = ({ shown }: Op) => Date.parse(shown?.version ?? '')

type Sight = Effect & { former: Op }

/** The reads that show a version first, and what their task showed before; a read may lag behind. */
function sightsIn(history: History, made: ReadonlySet<string>): Sight[] {
  const isNew = (op: Op) =>
    history.firstSight(op.task, op.shown?.version)?.first === op && !made.has(keyOf(op))
  return history.tasks.flatMap((task) => {
    let last: Op | undefined
    return history.endedOf(task).flatMap((read): Sight[] => {
      const [former, { kind, shown }] = [last, read]
      if (!shown) return []
      if (!former || kind === 'update' || !(madeAt(read) < madeAt(former))) last = read
      const isTouched = isSameButSpelling(shown.assignment, former?.shown?.assignment)
      return former && kind === 'read' && isNew(read) ? [{ read, former, isTouched }] : []
    })
  })
}

type Ahead = { least: number; most: number }

/** How far the service's clock is ahead of the recorder's, as the versions of accepted updates show it. */
function aheadIn(history: History): Ahead | undefined {
  const made = makingIn(history)
  const least = made.reduce((most, op) => Math.max(most, madeAt(op) - op.ended), -Infinity)
  const most = made.reduce((least, op) => Math.min(least, madeAt(op) - op.sent), Infinity)
  return made.length >= leastMade && least <= most ? { least, most } : undefined
}

/** The rejected update that a version is of, as far as the clock shows which; undefined: it may be of no such update. */
function causeOf({ read, former, isTouched }: Sight, history: History, { least, most }: Ahead) {
  const at = madeAt(read)
  if (!(at >= madeAt(former))) return undefined
  const inFlight = history
    .endedOf(read.task)
    .filter((op) => op.kind === 'update' && at - most <= op.ended && at - least >= op.sent)
  if (inFlight.some(isOpen)) return undefined
  const matching = inFlight.filter(
    (op) =>
      !isAcceptedOp(op) &&
      op.ended - op.sent <= longestMs &&
      op.done < read.begun &&
      !mayHaveLost(op, former) &&
      (isTouched || isAsked(op.body, read.shown?.assignment)),
  )
  const op = matching.find(({ sent, ended }) => at - most >= sent && at - least <= ended)
  return matching.length > 0 ? { op } : undefined
}

/** Whether its effect, or what it made, is unknown. */
const isOpen = ({ answer, shown }: Op) =>
  !answer || !(isRefused(answer) || (isAccepted(answer) && shown))

/** Unless the version of an update is stale, another writer may have made the same assignment. */
const mayHaveLost = ({ answer, ifMatch }: Op, former: Op) =>
  answer?.status === 409 && (ifMatch === undefined || Date.parse(ifMatch) >= madeAt(former))

function isAsked(sent: unknown, now: Assignment | null | undefined): boolean {
  if (operationOf(sent) === 'assign.unassign') return now === null
  const asked = Object.entries(objectIn(sent))
  return (
    asked.length > 0 &&
    asked.every(([name, value]) => (now?.[name as keyof Assignment] ?? null) === (value ?? null))
  )
}
