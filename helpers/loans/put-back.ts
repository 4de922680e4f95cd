import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { Trouble } from '../../engine/outcome.ts'
import {
  type Assignment,
  isAccepted,
  isObject,
  isRefused,
  jsonIn,
  type Task,
  taskIn,
  told,
} from '../service/answers.ts'
import { shown } from '../service/schema.ts'
import { type Service, unassignBody, updateBody } from '../service/service.ts'
import type { Consumed } from './current-version.ts'
import type { Debt } from './journal.ts'

/** What became of a task that was to be put back. */
export type Ending =
  | { state: 'as found' | 'put back' }
  /** `gone`: nothing is left that could be put back */
  | { state: 'gone' | 'owed'; reason: string }

export type Manner = {
  actor?: string
  /** versions that an update of this run has used up */
  consumed?: Consumed
  settleMs: number
  /**
   * What a read is doubted in until the time to settle is over: a difference may be a lagging read,
   * and where an update's fate is unknown, sameness may be the time before it lands.
   */
  doubt: 'nothing' | 'a difference' | 'everything'
  /** how long to go on after trouble */
  patienceMs?: number
}

/** Whether two assignments name the same assignee with the same comment; the assigner may differ. */
export function sameAssignment(a: Assignment | null, b: Assignment | null): boolean {
  if (a === null || b === null) return a === b
  return (
    String(a.assigned_to_id).toLowerCase() === b.assigned_to_id.toLowerCase() &&
    a.assigned_to_type === b.assigned_to_type &&
    (a.assignment_comment || null) === (b.assignment_comment || null)
  )
}

/** The task of a read as far as it takes to put it back: what is wrong with it is to be replaced. */
function versionedIn(answer: Answer): Task {
  const body = jsonIn(answer)
  if (isObject(body) && typeof body.updated_at === 'string' && 'assignment' in body)
    return body as Task
  return taskIn(answer)
}

/** Says in words what a task was assigned to. */
export const toldAssignment = (before: Assignment | null) =>
  before ? `assigned to ${before.assigned_to_type} ${before.assigned_to_id}` : 'unassigned'

const mostRounds = 4
/** Each costs somebody a mail. */
const mostAccepted = 2
const mostUnclear = 3

/** Puts a task's assignment back as it was found, past other writers, lag and lost answers. */
export async function putBack(
  service: Service,
  { task: id, before }: Pick<Debt, 'task' | 'before'>,
  { actor, consumed = new Set(), settleMs, doubt, patienceMs = 0 }: Manner,
): Promise<Ending> {
  const deadline = performance.now() + patienceMs
  const stale = new Set(consumed)
  let accepted = 0
  let unclear = 0

  /** the task once a read of it is believed; undefined when there is none */
  const look = async (doubted: Manner['doubt']): Promise<Task | undefined> => {
    if (doubted === 'everything') await sleep(settleMs)
    const end = performance.now() + (doubted === 'everything' ? 0 : settleMs)
    let missing = 0
    for (let pause = 20; ; pause = Math.min(pause * 2, 250)) {
      const answer = await service.readTask(id)
      if (isRefused(answer) && answer.status !== 404) throw new Refusal(toldWhole(answer))
      if (answer.status !== 404 && !isAccepted(answer)) throw new Trouble(told(answer))
      const found = answer.status === 404 ? undefined : versionedIn(answer)
      if (!found) missing += 1
      const left = end - performance.now()
      // One 404 may be anybody's on the way.
      if (left <= 0 && missing !== 1) return found
      if (found && !stale.has(found.updated_at)) {
        const same = sameAssignment(found.assignment, before)
        if (doubted === 'nothing' || (doubted === 'a difference' && same)) return found
      }
      await sleep(Math.max(20, Math.min(pause, left)))
    }
  }

  /** one update: whether its answer shows the task as it was found, or why not */
  const update = async (on: Task): Promise<true | string> => {
    if (!actor) throw new Refusal('set ACTOR_ID: putting it back takes a user who assigns')
    const answer = await service.put(id, on.updated_at, bodyOf(actor, before))
    if (isRefused(answer) && answer.status !== 409) throw new Refusal(toldWhole(answer))
    const body = jsonIn(answer)
    const { updated_at, assignment } = (isObject(body) ? body : {}) as Partial<Task>
    // What was used up, or refused right after it was read, is no longer current.
    if (updated_at !== on.updated_at) stale.add(on.updated_at)
    if (!isAccepted(answer)) {
      if (answer.status !== 409) unclear += 1
      return told(answer)
    }
    accepted += 1
    if (updated_at !== on.updated_at) consumed.add(on.updated_at)
    const isBack = assignment !== undefined && sameAssignment(assignment, before)
    return isBack || `${told(answer)}, but the assignment is not what it was`
  }

  let why = ''
  for (let round = 1; ; round += 1) {
    let isOver = round >= mostRounds
    try {
      const current = await look(round === 1 ? doubt : 'a difference')
      if (!current) return { state: 'gone', reason: goneReason(before) }
      if (sameAssignment(current.assignment, before))
        return { state: accepted + unclear > 0 ? 'put back' : 'as found' }
      if (accepted >= mostAccepted || unclear >= mostUnclear) return { state: 'owed', reason: why }
      const done = await update(current)
      if (done === true && doubt === 'nothing') return { state: 'put back' }
      why = done === true ? 'it was put back, but reads do not show it' : done
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
      if (error instanceof Refusal) return { state: 'owed', reason: why }
      // It may have been carried out: only reading tells.
      if (error instanceof FateUnknown) unclear += 1
      else isOver = true
    }
    if (isOver && performance.now() >= deadline) return { state: 'owed', reason: why }
    await sleep(Math.min(25 * 2 ** round, 1000))
  }
}

/** An answer after which trying again is of no use. */
class Refusal extends Error {}

const toldWhole = (answer: Answer) => `${told(answer)}: ${shown(answer.text)}`

const goneReason = (before: Assignment | null) =>
  `the service no longer has it (404), so it cannot be put back; it was ${toldAssignment(before)}`

function bodyOf(actor: string, before: Assignment | null) {
  if (!before) return unassignBody(actor)
  const to = { id: before.assigned_to_id, type: before.assigned_to_type }
  return updateBody(actor, to, before.assignment_comment)
}
