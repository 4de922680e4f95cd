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
  | { state: 'gone' | 'theirs' | 'unknown'; reason: string }
  | ({ state: 'owed' } & WhyOwed)

/** `unsure`: it may be put back, but reads do not show it. */
type WhyOwed = { reason: string; unsure?: true }

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

export const putBack = (service: Service, debt: Owed, manner: Manner): Promise<Ending> =>
  new PuttingBack(service, debt, manner).untilKnown()

/** Reads a task, and updates it until it is as it was found. */
class PuttingBack {
  readonly #service: Service
  readonly #debt: Owed
  readonly #manner: Manner
  /** A read of a replaced version says nothing: then the answers to updates count. */
  readonly #stale: Set<string>
  #accepted = 0
  /** updates that may have been carried out */
  #unclear = 0
  /** why the task is not known to be put back yet */
  #why: WhyOwed = { reason: '' }

  constructor(service: Service, debt: Owed, manner: Manner) {
    this.#service = service
    this.#debt = debt
    this.#manner = manner
    this.#stale = new Set(debt.replaced)
  }

  async untilKnown(): Promise<Ending> {
    const { doubt, stop, retryForMs = 0 } = this.#manner
    const deadline = clock.now() + retryForMs
    for (let round = 1; ; round += 1) {
      let isLast = round >= maxRounds
      try {
        const ending = await this.#tryOnce(round === 1 ? doubt : 'a difference', isLast)
        if (ending) return ending
      } catch (error) {
        this.#why = { reason: error instanceof Error ? error.message : String(error) }
        if (error instanceof Refusal) return this.#owed()
        // It may have been accepted: only a read shows that.
        if (error instanceof FateUnknown) this.#unclear += 1
        else isLast = true
      }
      const isLate = stop.aborted || clock.now() >= deadline
      if (isLast && isLate) return this.#owed()
      // The next round handles an abort; this round has its own reason.
      await pause(Math.min(25 * 2 ** round, 1000), stop).catch(() => {})
    }
  }

  /** undefined: the reason may pass, so that another round is worth it */
  async #tryOnce(doubt: Manner['doubt'], isLast: boolean): Promise<Ending | undefined> {
    const debt = this.#debt
    const task = await this.#read(doubt)
    if (!task) return { state: 'gone', reason: goneReason(debt.before) }
    if (hidesLast(task, debt)) debt.hidden = true
    const isStale = this.#stale.has(task.updated_at)
    const isBack = isStale ? leftAsFound(debt) && this.#isSame(task) : this.#isAsFound(task)
    if (isBack) return this.#back(this.#accepted + this.#unclear > 0 ? 'put back' : 'as found')
    if (this.#isTheirs(task)) return { state: 'theirs', reason: theirsReason(task, debt.before) }
    if (this.#accepted >= maxAccepted || this.#unclear >= maxUnclear) return this.#owed()
    if (isStale && leftAsFound(debt))
      this.#why = unsure('; its response alone shows the task as found')
    else {
      const failure = await this.#update(task)
      if (!failure && this.#manner.doubt === 'nothing') return this.#back('put back')
      this.#why = failure ?? {
        reason: 'an update was accepted, but reads do not show the task as found',
      }
    }
    return isLast && isStale && debt.last ? this.#owed() : undefined
  }

  #back(state: 'as found' | 'put back'): Ending {
    const { lacked, hidden } = this.#debt
    return lacked && hidden ? { state: 'unknown', reason: hiddenReason } : { state }
  }

  #owed(): Ending {
    return { state: 'owed', ...this.#why }
  }

  /** Reads until a read can be believed, or SETTLE_MS is over; undefined: the task is gone. */
  async #read(doubt: Manner['doubt']): Promise<Task | undefined> {
    const { settleMs, stop } = this.#manner
    const doubtsEverything = doubt === 'everything'
    if (doubtsEverything) await pause(settleMs, stop)
    let missing = 0
    const read = async () => {
      const task = await this.#readOnce()
      if (!task) missing += 1
      return task
    }
    const isBelieved = (task: Task | undefined) => {
      if (!task || this.#stale.has(task.updated_at) || doubtsEverything) return false
      return doubt === 'nothing' || this.#isAsFound(task)
    }
    const limitMs = doubtsEverything ? 0 : settleMs
    const { last } = await poll(read, isBelieved, { limitMs, stop, maxMs: 250, askLate: true })
    if (last || missing > 1) return last
    // That a task is not found may come once from a gateway.
    await pause(20, stop)
    return this.#readOnce()
  }

  async #readOnce(): Promise<Task | undefined> {
    const answer = await this.#service.readTask(this.#debt.task)
    if (answer.status === statuses.unknownId) return undefined
    if (isRefused(answer)) throw new Refusal(describeWhole(answer))
    if (!isAccepted(answer)) throw new Trouble(describeAnswer(answer))
    return readable(taskIn(answer), this.#debt)
  }

  #isSame({ assignment }: Task): boolean {
    return isSameButAssigner(assignment, this.#debt.before)
  }

  /** If an answer and a read show the same version differently, only an update that puts it back decides. */
  #isAsFound(task: Task): boolean {
    const debt = this.#debt
    const isDecided =
      this.#accepted > 0 || leftAsFound(debt) || task.updated_at !== debt.last?.version
    return isDecided && this.#isSame(task)
  }

  /** By a version that is not ours, and in no name that this run uses. */
  #isTheirs({ updated_at: version, assignment }: Task): boolean {
    const { last, replaced } = this.#debt
    const { actor, people = [] } = this.#manner
    const assigner: unknown = assignment?.assigned_by_id
    const isOurVersion = this.#stale.has(version) || version === last?.version
    if (replaced === undefined || isOurVersion || typeof assigner !== 'string') return false
    const isOurName = [actor, ...people].some((id) => isSameId(id, assigner))
    return !isOurName && !ownComment.test(assignment?.assignment_comment ?? '')
  }

  /** Sends an update that puts the task back; undefined: its response shows the task as found. */
  async #update(task: Task): Promise<WhyOwed | undefined> {
    const { actor } = this.#manner
    const debt = this.#debt
    if (!actor) throw new Refusal('set ACTOR_ID: putting it back needs a user who assigns')
    const shownVersion = task.updated_at
    // If a read shows a replaced version, use that of the last answer.
    const version = this.#stale.has(shownVersion)
      ? (debt.last?.version ?? shownVersion)
      : shownVersion
    const answer = await this.#service.put(debt.task, version, bodyOf(actor, debt.before))
    const isMismatch = answer.status === statuses.staleVersion
    if (isRefused(answer) && !isMismatch) throw new Refusal(describeWhole(answer))
    // A version that was used, or rejected right after it was read, is not current.
    if (versionIn(membersOf(answer)) !== version) this.#stale.add(version)
    if (!isAccepted(answer)) {
      if (!isMismatch) this.#unclear += 1
      return isMismatch && version !== shownVersion
        ? unsure(`, and ${describeAnswer(answer)} to the version of its response`)
        : { reason: describeAnswer(answer) }
    }
    this.#accepted += 1
    noteUpdate(debt, answer, { ifMatch: version, earlier: [shownVersion] })
    for (const replaced of debt.replaced ?? []) this.#stale.add(replaced)
    const assignment = assignmentShownIn(answer)
    const isBack = assignment !== undefined && isSameButAssigner(assignment, debt.before)
    if (isBack) return undefined
    return { reason: `${describeAnswer(answer)}, but the assignment is not what it was` }
  }
}

class Refusal extends Error {}

const describeWhole = (answer: Answer) => `${describeAnswer(answer)}: ${shown(answer.text)}`

const unsure = (details: string): WhyOwed => ({
  reason: `not known to be put back: reads show the task before the last update of this run${details}`,
  unsure: true,
})

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
  answer: Answer,
  { ifMatch, earlier }: { ifMatch: string | undefined; earlier: Iterable<string> },
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
  if (version === ifMatch) return
  for (const replacedVersion of [...earlier, ifMatch])
    if (replacedVersion && replacedVersion !== version) replaced.add(replacedVersion)
  debt.replaced = [...replaced]
}

const leftAsFound = ({ last, before }: Pick<Debt, 'last' | 'before'>): boolean =>
  last?.assignment !== undefined && isSameButAssigner(last.assignment, before)
