import {
  describeAnswer,
  isAccepted,
  isObject,
  isRefused,
  jsonIn,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { Trouble } from '../../engine/outcome.ts'
import { shown } from '../../engine/shown.ts'
import { pause } from '../../engine/time/abort.ts'
import { poll } from '../../engine/time/polling.ts'
import { type Assignment, type Task, taskIn } from '../service/answers.ts'
import { describeAssignment, isSameButAssigner, putBackTo } from '../service/assignments.ts'
import type { Service } from '../service/service.ts'
import { unassignBody, updateBody } from '../service/update-request.ts'
import type { UsedVersions } from './current-version.ts'
import type { Debt } from './journal.ts'

/** What became of a task that was to be put back. */
export type Ending =
  | { state: 'as found' | 'put back' }
  /** `gone`: nothing is left that could be put back */
  | { state: 'gone' | 'owed'; reason: string }

export type Manner = {
  actor?: string
  /** versions that an update of this run has used up */
  used?: UsedVersions
  settleMs: number
  /** ends the waiting: what is then not known to be put back is owed */
  stop: AbortSignal
  /**
   * What a read is doubted in until the time to settle is over: a difference may be a lagging read,
   * and where an update's fate is unknown, sameness may be the time before it lands.
   */
  doubt: 'nothing' | 'a difference' | 'everything'
  /** how long to go on after trouble */
  patienceMs?: number
}

/** The task of a read as far as it takes to put it back: what is wrong with it is to be replaced. */
function versionedIn(answer: Answer): Task {
  const body = jsonIn(answer)
  if (isObject(body) && typeof body.updated_at === 'string' && 'assignment' in body)
    return body as Task
  return taskIn(answer)
}

const maxRounds = 4
/** Each costs somebody a mail. */
const maxAccepted = 2
const maxUnclear = 3

/** Puts a task's assignment back as it was found, past other writers, lag and lost answers. */
export async function putBack(
  service: Service,
  { task: id, before }: Pick<Debt, 'task' | 'before'>,
  { actor, used = new Set(), settleMs, stop, doubt, patienceMs = 0 }: Manner,
): Promise<Ending> {
  const deadline = performance.now() + patienceMs
  const stale = new Set(used)
  let accepted = 0
  let unclear = 0

  /** the task once a read of it is believed; undefined when there is none */
  const look = async (doubted: Manner['doubt']): Promise<Task | undefined> => {
    if (doubted === 'everything') await pause(settleMs, stop)
    let missing = 0
    const read = async () => {
      const answer = await service.readTask(id)
      if (isRefused(answer) && answer.status !== 404) throw new Refusal(describeWhole(answer))
      if (answer.status !== 404 && !isAccepted(answer)) throw new Trouble(describeAnswer(answer))
      if (answer.status !== 404) return versionedIn(answer)
      missing += 1
      return undefined
    }
    const isBelieved = (found: Task | undefined) => {
      if (!found || stale.has(found.updated_at) || doubted === 'everything') return false
      return doubted === 'nothing' || isSameButAssigner(putBackTo(found.assignment), before)
    }
    const limitMs = doubted === 'everything' ? 0 : settleMs
    const { last } = await poll(read, isBelieved, { limitMs, stop, maxMs: 250 })
    if (last || missing > 1) return last
    // One 404 may be anybody's on the way.
    await pause(20, stop)
    return read()
  }

  /** one update: whether its answer shows the task as it was found, or why not */
  const update = async (on: Task): Promise<true | string> => {
    if (!actor) throw new Refusal('set ACTOR_ID: putting it back takes a user who assigns')
    const answer = await service.put(id, on.updated_at, bodyOf(actor, before))
    if (isRefused(answer) && answer.status !== 409) throw new Refusal(describeWhole(answer))
    const body = jsonIn(answer)
    const { updated_at, assignment } = (isObject(body) ? body : {}) as Partial<Task>
    // What was used up, or refused right after it was read, is no longer current.
    if (updated_at !== on.updated_at) stale.add(on.updated_at)
    if (!isAccepted(answer)) {
      if (answer.status !== 409) unclear += 1
      return describeAnswer(answer)
    }
    accepted += 1
    if (updated_at !== on.updated_at) used.add(on.updated_at)
    const isBack = assignment !== undefined && isSameButAssigner(putBackTo(assignment), before)
    return isBack || `${describeAnswer(answer)}, but the assignment is not what it was`
  }

  let why = ''
  for (let round = 1; ; round += 1) {
    let isOver = round >= maxRounds
    try {
      const current = await look(round === 1 ? doubt : 'a difference')
      if (!current) return { state: 'gone', reason: goneReason(before) }
      if (isSameButAssigner(putBackTo(current.assignment), before))
        return { state: accepted + unclear > 0 ? 'put back' : 'as found' }
      if (accepted >= maxAccepted || unclear >= maxUnclear) return { state: 'owed', reason: why }
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
    const isLate = stop.aborted || performance.now() >= deadline
    if (isOver && isLate) return { state: 'owed', reason: why }
    // An end of the waiting shows in the next round: this one says why it did not do.
    await pause(Math.min(25 * 2 ** round, 1000), stop).catch(() => {})
  }
}

/** An answer after which trying again is of no use. */
class Refusal extends Error {}

const describeWhole = (answer: Answer) => `${describeAnswer(answer)}: ${shown(answer.text)}`

const goneReason = (before: Assignment | null) =>
  `the service no longer has it (404), so it cannot be put back; it was ${describeAssignment(before)}`

function bodyOf(actor: string, before: Assignment | null) {
  if (!before) return unassignBody(actor)
  const to = { id: before.assigned_to_id, type: before.assigned_to_type }
  return updateBody(actor, to, before.assignment_comment)
}
