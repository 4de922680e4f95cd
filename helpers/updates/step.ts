import { isAccepted, membersOf } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { after, beside, from, originOf } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { poll } from '../../engine/time/polling.ts'
import type { History } from '../history/history.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Loan } from '../loans/lending.ts'
import { type Assignment, needAccepted, type Task, taskIn } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { ownersOfChange } from '../service/owners.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, type How, unassignBody, updateBody } from '../service/update-request.ts'
import type { Text } from './comment-kinds.ts'

export type State = 'unassigned' | 'user' | 'team'

/** What a step asks for; a comment of undefined is omitted, an assignee of null unassigns. */
export type Request = { to: Assignee | null; comment?: string | null; how?: How }

/** An update as one case: what its task showed before, what was sent, what came, and the read after it. */
export type Taken = {
  before: Task
  /** the task that the accepted update changed, where it was touched since that read */
  touched?: Task | undefined
  sent: Request
  answer: Answer
  /** if the first answer was a refusal: the same update with another comment, or with plain headers */
  control?: { comment: string | null | undefined; answer: Answer }
  /** the last read within SETTLE_MS */
  stored?: Task
  /** what else its refusal says */
  told?: string
}

export type Step = Taken & {
  /** in whose name it was sent */
  by: string
  /** assignees for whom the same update was refused before */
  refusedTo: Assignee[]
  /** the texts of its comment, where it was sent to try them */
  texts?: readonly Text[]
  versionWasRead: boolean
  /** how many reads still showed the version before */
  lagging: number
  evidence: Exchange[]
}

const kindOf = (type: Assignee['type']): State => (type === 'TEAM' ? 'team' : 'user')

export const stateOf = (assignment: Assignment | null): State =>
  assignment === null ? 'unassigned' : kindOf(assignment.assigned_to_type)

/** The accepted answer, with or without the step's comment. */
export const acceptedOf = ({ answer, control }: Taken): Answer =>
  isAccepted(answer) || !control ? answer : control.answer

/** Marks an update as a case that is judged by its accepted answer and the read after it. */
export const asCase = <T extends Taken>(step: T): T =>
  after(
    from(beside(step, { control: step.control?.answer }), acceptedOf(step), step.stored),
    step.before,
  )

/** Whether the step sent no other update before the accepted one. */
export const wasTakenAtOnce = ({ evidence }: Step): boolean =>
  evidence.filter(({ method, putBack }) => method === 'PUT' && !putBack).length === 1

/** The task as a read showed it in the version that an update was sent with. */
function readBefore(history: History, id: string, answer: Answer): Task | undefined {
  const ops = history.endedOf(id)
  const ifMatch = ops.find((op) => op.answer === answer)?.ifMatch
  const read = ops.findLast(({ kind, shown }) => kind === 'read' && shown?.version === ifMatch)
  return read?.answer && taskIn(read.answer)
}

export type Stepper = {
  /** the task in its last read */
  readonly task: Task
  /** sends one valid update, and follows it in reads */
  take(request: Request): Promise<Step>
  /** assigns the task to this assignee or to nobody, without judging how */
  bring(to: Assignee | null): Promise<void>
}

type Stepping = { actor: string; history: History; settleMs: number; stop: AbortSignal }

/** Leads a borrowed task through updates, each with the current version. */
export function createStepper(
  loan: Loan,
  service: Service,
  evidence: Exchange[],
  { actor, history, settleMs, stop }: Stepping,
): Stepper {
  let { task } = loan
  /** whether it was read after the last update: a later change shows as a 409 */
  let isRead = false
  const { current } = loan
  const bodyOf = ({ to, comment }: Request) =>
    to ? updateBody(actor, to, comment) : unassignBody(actor, comment)

  /** Reads until the answer's version and assignment have shown, or SETTLE_MS is over. */
  const follow = async (id: string, answered: Partial<Task>) => {
    let versionWasRead = false
    let lagging = 0
    const read = async () => {
      const stored = taskIn(await service.readTask(id))
      versionWasRead ||= stored.updated_at === answered.updated_at
      if (current.isReplaced(stored.updated_at)) lagging += 1
      return stored
    }
    const { last: stored } = await poll(
      read,
      ({ assignment }) => versionWasRead && isSameButSpelling(assignment, answered.assignment),
      { limitMs: settleMs, stop, firstMs: 10, maxMs: 100, askLate: true },
    )
    return { stored, versionWasRead, lagging }
  }

  const take = async (request: Request): Promise<Step> => {
    const begun = evidence.length
    const before = task
    const { to, comment: sent, how } = request
    const answer = await current.put(task, bodyOf(request), how)
    const step: Step = {
      before,
      by: actor,
      sent: request,
      answer,
      refusedTo: [],
      versionWasRead: false,
      lagging: 0,
      evidence: [],
    }
    const isOfText = typeof sent === 'string' && answer.status !== 409
    if (!isAccepted(answer) && (how || isOfText || ![403, 409].includes(answer.status))) {
      const other = typeof sent === 'string' ? undefined : 'Contract test, please ignore'
      const comment = how ? sent : other
      step.control = { comment, answer: await current.put(task, bodyOf({ to, comment })) }
    }
    const accepted = acceptedOf(step)
    step.touched = readBefore(history, before.id, accepted)
    if (isAccepted(accepted)) {
      Object.assign(step, await follow(before.id, membersOf(accepted)))
      task = step.stored ?? task
    }
    isRead = step.versionWasRead
    // Include the read before the update: later reads are compared with it.
    const first = originOf(before)
    const earlier = evidence.slice(0, begun).filter(({ number }) => first.includes(number))
    step.evidence = [...earlier, ...evidence.slice(begun)]
    return asCase(step)
  }

  const bring = async (to: Assignee | null) => {
    const state = to ? kindOf(to.type) : 'unassigned'
    const before = isRead ? task : await current.read(task.id)
    task = before
    if (stateOf(task.assignment) === state) return
    isRead = false
    const answer = await current.put(task, bodyOf({ to }))
    needAccepted(answer)
    const own = membersOf(answer).updated_at
    task = await current.read(task.id)
    if (stateOf(task.assignment) === state) return
    if (own !== undefined && ![own, before.updated_at].includes(task.updated_at))
      throw new ForeignChange(history, task.assignment)
    throw new NotDecidable(
      'clause',
      `reads do not show the task as ${state} after an accepted update`,
      ...ownersOfChange,
    )
  }

  return {
    get task() {
      return task
    },
    take,
    bring,
  }
}
