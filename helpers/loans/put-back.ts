import {
  describeAnswer,
  isAccepted,
  isObject,
  isRefused,
  membersOf,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { Trouble } from '../../engine/outcome.ts'
import { shown } from '../../engine/shown.ts'
import { pause } from '../../engine/time/abort.ts'
import { poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import { statuses } from '../contract/statuses.ts'
import { type Assignment, assignmentShownIn, type Task, taskIn } from '../service/answers.ts'
import { describeAssignment, isSameButAssigner } from '../service/assignments.ts'
import { ownComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import type { Service } from '../service/service.ts'
import { versionIn } from '../service/task-members.ts'
import { unassignBody, updateBody } from '../service/update-request.ts'
import type { Debt } from './journal.ts'

export type Ending =
  | { state: 'as found' | 'put back' }
  /**
   * `gone`: nothing is left to put back; `theirs`: another writer has changed it since; `unknown`: no read shows what it
   * was, so that nothing is left to try
   */
  | { state: 'gone' | 'theirs' | 'unknown' | 'owed'; reason: string }

export type Owed = Pick<Debt, 'task' | 'before' | 'lacked' | 'hidden' | 'last' | 'replaced'>

export type Manner = {
  actor?: string
  people?: readonly string[]
  settleMs: number
  /** ends the waiting: a task that is not known to be put back is then owed */
  stop: AbortSignal
  /**
   * Which reads to doubt until SETTLE_MS is over: a difference may be replica lag, and after an update
   * without a response, sameness may be the time before it takes effect.
   */
  doubt: 'nothing' | 'a difference' | 'everything'
  retryForMs?: number
}

const maxRounds = 4
/** Each may cost a mail. */
const maxAccepted = 2
const maxUnclear = 3

/** A read of a replaced version says nothing: then the answers to updates count. */
export async function putBack(
  service: Service,
  debt: Owed,
  { actor, people = [], settleMs, stop, doubt, retryForMs = 0 }: Manner,
): Promise<Ending> {
  const { task: id, before } = debt
  const deadline = clock.now() + retryForMs
  const stale = new Set(debt.replaced)
  let accepted = 0
  let unclear = 0

  const back = (state: 'as found' | 'put back'): Ending =>
    debt.lacked && debt.hidden ? { state: 'unknown', reason: hiddenReason } : { state }

  const look = async (doubted: Manner['doubt']): Promise<Task | undefined> => {
    if (doubted === 'everything') await pause(settleMs, stop)
    let missing = 0
    const read = async () => {
      const answer = await service.readTask(id)
      if (isRefused(answer) && answer.status !== statuses.unknownId)
        throw new Refusal(describeWhole(answer))
      if (answer.status !== statuses.unknownId && !isAccepted(answer))
        throw new Trouble(describeAnswer(answer))
      if (answer.status !== statuses.unknownId) return readable(taskIn(answer), debt)
      missing += 1
      return undefined
    }
    const isBelieved = (found: Task | undefined) => {
      if (!found || stale.has(found.updated_at) || doubted === 'everything') return false
      return doubted === 'nothing' || isAsFound(found)
    }
    const limitMs = doubted === 'everything' ? 0 : settleMs
    const { last } = await poll(read, isBelieved, { limitMs, stop, maxMs: 250, askLate: true })
    if (last || missing > 1) return last
    // That a task is not found may come once from a gateway.
    await pause(20, stop)
    return read()
  }

  const isSame = ({ assignment }: Task) => isSameButAssigner(assignment, before)
  /** If an answer and a read show the same version differently, only an update that puts it back decides. */
  const isAsFound = (found: Task) =>
    isSame(found) && (accepted > 0 || leftAsFound(debt) || found.updated_at !== debt.last?.version)

  /** If a read shows a replaced version, use that of the last answer. */
  const versionOf = ({ updated_at }: Task) =>
    stale.has(updated_at) ? (debt.last?.version ?? updated_at) : updated_at

  /** By a version that is not ours, and in no name that this run uses. */
  const isTheirs = ({ updated_at, assignment }: Task) =>
    debt.replaced !== undefined &&
    !stale.has(updated_at) &&
    updated_at !== debt.last?.version &&
    typeof assignment?.assigned_by_id === 'string' &&
    ![actor, ...people].some((one) => isSameId(one, assignment.assigned_by_id)) &&
    !ownComment.test(assignment.assignment_comment ?? '')

  const update = async (on: Task): Promise<true | string> => {
    if (!actor) throw new Refusal('set ACTOR_ID: putting it back needs a user who assigns')
    const version = versionOf(on)
    const answer = await service.put(id, version, bodyOf(actor, before))
    if (isRefused(answer) && answer.status !== statuses.staleVersion)
      throw new Refusal(describeWhole(answer))
    const updated_at = versionIn(membersOf(answer))
    // A version that was used, or rejected right after it was read, is not current.
    if (updated_at !== version) stale.add(version)
    if (!isAccepted(answer)) {
      if (answer.status !== statuses.staleVersion) unclear += 1
      return version === on.updated_at || answer.status !== statuses.staleVersion
        ? describeAnswer(answer)
        : `${readsBefore}, and ${describeAnswer(answer)} to the version of its response`
    }
    accepted += 1
    noteUpdate(debt, version, [on.updated_at], answer)
    for (const each of debt.replaced ?? []) stale.add(each)
    const assignment = assignmentShownIn(answer)
    const isBack = assignment !== undefined && isSameButAssigner(assignment, before)
    return isBack || `${describeAnswer(answer)}, but the assignment is not what it was`
  }

  let why = ''
  for (let round = 1; ; round += 1) {
    let isOver = round >= maxRounds
    try {
      const current = await look(round === 1 ? doubt : 'a difference')
      if (!current) return { state: 'gone', reason: goneReason(before) }
      if (hidesLast(current, debt)) debt.hidden = true
      const isStale = stale.has(current.updated_at)
      if (isStale ? leftAsFound(debt) && isSame(current) : isAsFound(current))
        return back(accepted + unclear > 0 ? 'put back' : 'as found')
      if (isTheirs(current)) return { state: 'theirs', reason: theirsReason(current, before) }
      if (accepted >= maxAccepted || unclear >= maxUnclear) return { state: 'owed', reason: why }
      if (isStale && leftAsFound(debt))
        why = `${readsBefore}; its response alone shows the task as found`
      else {
        const done = await update(current)
        if (done === true && doubt === 'nothing') return back('put back')
        why =
          done === true ? 'an update was accepted, but reads do not show the task as found' : done
      }
      if (isOver && isStale && debt.last) return { state: 'owed', reason: why }
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
      if (error instanceof Refusal) return { state: 'owed', reason: why }
      // It may have been accepted: only a read shows that.
      if (error instanceof FateUnknown) unclear += 1
      else isOver = true
    }
    const isLate = stop.aborted || clock.now() >= deadline
    if (isOver && isLate) return { state: 'owed', reason: why }
    // The next round handles an abort; this round has its own reason.
    await pause(Math.min(25 * 2 ** round, 1000), stop).catch(() => {})
  }
}

class Refusal extends Error {}

const describeWhole = (answer: Answer) => `${describeAnswer(answer)}: ${shown(answer.text)}`

const readsBefore =
  'not known to be put back: reads show the task before the last update of this run'

const hiddenReason =
  'not known to be put back: no read shows to whom a task is assigned, so it was left unassigned; if it was assigned before the run, assign it again'

/** Where the first read lacked the assignment, what cannot be read counts as missing, too. */
const readable = (task: Task, { lacked }: Owed): Task =>
  lacked && task.lacksAssignment ? { ...task, assignment: null } : task

/** A read of the last update's version lacks the assignment that the update made. */
const hidesLast = ({ updated_at, lacksAssignment }: Task, { last }: Owed): boolean =>
  lacksAssignment === true && last?.version === updated_at && isObject(last.assignment)

const theirsReason = ({ assignment }: Task, before: Assignment | null) =>
  `another writer changed it after this run, so it was left unchanged, ${describeAssignment(assignment)}; before the run it was ${describeAssignment(before)}`

const goneReason = (before: Assignment | null) =>
  `the service no longer has it (${statuses.unknownId}), so it cannot be put back; it was ${describeAssignment(before)}`

export function bodyOf(actor: string, before: Assignment | null) {
  if (!before) return unassignBody(actor)
  const to = { id: before.assigned_to_id, type: before.assigned_to_type }
  return updateBody(actor, to, before.assignment_comment)
}

/** Notes an accepted update: its If-Match and all versions known before it are replaced. */
export function noteUpdate(
  debt: Pick<Debt, 'last' | 'replaced'>,
  taken: string | undefined,
  known: Iterable<string>,
  answer: Answer,
): void {
  const version = versionIn(membersOf(answer))
  const assignment = assignmentShownIn(answer)
  const replaced = new Set(debt.replaced)
  // The answers to simultaneous updates may arrive in another order.
  if (version === undefined || !replaced.has(version))
    debt.last = {
      ...(version === undefined ? {} : { version }),
      ...(assignment === null || isObject(assignment) ? { assignment } : {}),
    }
  // A coarse updated_at may stay the same after an update.
  if (version === taken) return
  for (const each of [...known, taken ?? ''])
    if (each !== version && each !== '') replaced.add(each)
  debt.replaced = [...replaced]
}

const leftAsFound = ({ last, before }: Pick<Debt, 'last' | 'before'>): boolean =>
  last?.assignment !== undefined && isSameButAssigner(last.assignment, before)
