import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Loan } from '../loans/lending.ts'
import {
  type Assignment,
  isAccepted,
  isObject,
  jsonIn,
  needAccepted,
  type Task,
  taskRead,
} from '../service/answers.ts'
import { type Assignee, type Service, unassignBody, updateBody } from '../service/service.ts'

export type State = 'unassigned' | 'user' | 'team'

/** What a step asks for; a comment of undefined is left out, an assignee of null unassigns. */
export type Request = { to: Assignee | null; comment?: string | null }

/** One update that was sent, and what reads showed afterwards. */
export type Step = {
  before: Task
  sent: Request
  answer: Answer
  /** to whom the same update was refused before it was tried with this assignee */
  refusedTo: Assignee[]
  /** where the first answer was a refusal: the same update with another comment */
  control?: { comment: string | null | undefined; answer: Answer }
  /** the last read within the time to settle */
  stored?: Task
  /** whether a read gave the version of the answer */
  versionWasRead: boolean
  /** how many reads still showed the version before */
  lagging: number
  evidence: Exchange[]
}

export const stateOf = (assignment: Assignment | null): State =>
  assignment === null ? 'unassigned' : assignment.assigned_to_type === 'TEAM' ? 'team' : 'user'

/** The answer that was accepted, with or without the comment that the step is about. */
export const acceptedOf = ({ answer, control }: Step): Answer =>
  isAccepted(answer) || !control ? answer : control.answer

export type Walker = {
  /** the task as it stands */
  readonly current: Task
  /** sends one update that is meant to succeed, and follows what reads show of it */
  take(request: Request): Promise<Step>
  /** brings the task into a state, without judging how */
  bring(state: State, by: Assignee | undefined): Promise<void>
}

/** Walks a borrowed task through updates, each meant to carry the current version. */
export function walkerOn(
  loan: Loan,
  service: Service,
  evidence: Exchange[],
  { actor, settleMs }: { actor: string; settleMs: number },
): Walker {
  let { task } = loan
  const { steady, consumed } = loan
  const bodyOf = ({ to, comment }: Request) =>
    to ? updateBody(actor, to, comment) : unassignBody(actor, comment)

  /** Reads until the answer's version and assignment have been seen, or the time to settle is over. */
  const follow = async (id: string, answered: Partial<Task>) => {
    const deadline = performance.now() + settleMs
    let versionWasRead = false
    let lagging = 0
    for (let pause = 10; ; pause = Math.min(pause * 2, 100)) {
      const late = performance.now() > deadline
      const stored = taskRead(await service.readTask(id))
      versionWasRead ||= stored.updated_at === answered.updated_at
      if (consumed.has(stored.updated_at)) lagging += 1
      const settled = versionWasRead && equalAssignments(stored.assignment, answered.assignment)
      if (settled || late) return { stored, versionWasRead, lagging }
      await sleep(pause)
    }
  }

  const take = async (request: Request): Promise<Step> => {
    const from = evidence.length
    const before = task
    const answer = await steady.putCurrent(task, bodyOf(request))
    const step: Step = {
      before,
      sent: request,
      answer,
      refusedTo: [],
      versionWasRead: false,
      lagging: 0,
      evidence: [],
    }
    if (!isAccepted(answer) && answer.status !== 409 && answer.status !== 403) {
      const comment =
        typeof request.comment === 'string' ? undefined : 'Contract test, please ignore'
      step.control = {
        comment,
        answer: await steady.putCurrent(task, bodyOf({ to: request.to, comment })),
      }
    }
    const accepted = acceptedOf(step)
    if (isAccepted(accepted)) {
      const answered = jsonIn(accepted)
      Object.assign(step, await follow(before.id, isObject(answered) ? answered : {}))
      task = step.stored ?? task
    }
    step.evidence = evidence.slice(from)
    return step
  }

  const bring = async (state: State, by: Assignee | undefined) => {
    task = await steady.settled(task.id)
    if (stateOf(task.assignment) === state) return
    if (state !== 'unassigned' && !by) throw new NotDecidable(`there is nobody to assign to`)
    needAccepted(
      await steady.putCurrent(task, bodyOf({ to: state === 'unassigned' ? null : (by ?? null) })),
    )
    task = await steady.settled(task.id)
    if (stateOf(task.assignment) !== state)
      throw new NotDecidable(`the task could not be brought into the state ${state}`)
  }

  return {
    get current() {
      return task
    },
    take,
    bring,
  }
}

/** Whether two assignments say the same; no comment is null, empty or absent. */
export function equalAssignments(a: Assignment | null, b: Assignment | null | undefined): boolean {
  if (!a || !b) return a === b
  return (
    sameId(a.assigned_by_id, b.assigned_by_id) &&
    sameId(a.assigned_to_id, b.assigned_to_id) &&
    a.assigned_to_type === b.assigned_to_type &&
    (a.assignment_comment || null) === (b.assignment_comment || null)
  )
}

/** UUIDs are the same in either letter case (rule R5). */
export const sameId = (a: unknown, b: unknown): boolean =>
  String(a).toLowerCase() === String(b).toLowerCase()
