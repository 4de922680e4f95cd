import { type Case, caseOf } from '../../engine/clause/case.ts'
import { describeAnswer, isAccepted, membersOf } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { problemsOfStatus } from '../../engine/http/status-problems.ts'
import { exchangesOf } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import { poll } from '../../engine/time/polling.ts'
import type { AssigneeType } from '../contract/fields.ts'
import { statuses } from '../contract/statuses.ts'
import type { State } from '../contract/transitions.ts'
import type { History } from '../history/history.ts'
import { hasOtherWriter } from '../history/questions.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import {
  type Assignment,
  needAccepted,
  premise,
  type SeenTask,
  seenIn,
  type Task,
  taskIn,
} from '../service/answers.ts'
import { isAssignedTo, isSameButSpelling } from '../service/assignments.ts'
import { mayBeOwn } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { ownersOf, ownersOfChange } from '../service/owners.ts'
import { versionIn, wholeOf } from '../service/task-members.ts'
import type { Assignee, How } from '../service/update-request.ts'
import type { Text } from './comment-kinds.ts'
import type { OfRun } from './controls.ts'
import { type OnLoan, send, type Update } from './sender.ts'

/** a comment of undefined is omitted, an assignee of null unassigns */
type Request = { to: Assignee | null; comment?: string | null; how?: How }

export type Step = {
  before: Task
  /** the task that the accepted update changed, where it was touched since that read */
  touched?: Task | undefined
  sent: Request
  answer: Answer
  /** if the first answer was a refusal: the same update with another comment, or with plain headers */
  control?: { comment: string | null | undefined; answer: Answer }
  stored?: Task
  told?: string
  by: string
  refusedTo: Assignee[]
  texts?: readonly Text[]
  versionWasRead: boolean
  lagging: number
  evidence: Exchange[]
}

export const kindOf = (type: AssigneeType): State => (type === 'TEAM' ? 'team' : 'user')

export const acceptedOf = ({ answer, control }: Pick<Step, 'answer' | 'control'>): Answer =>
  isAccepted(answer) || !control ? answer : control.answer

type Answered = Pick<Step, 'before' | 'answer' | 'stored' | 'control'>

/** Its accepted answer, and the read after it, if it has one. */
export const judgedInStep = (step: Answered) => [acceptedOf(step), step.stored]

export const caseOfStep = <Kind extends Answered>(step: Kind): Case<Kind> =>
  caseOf(step, {
    judged: judgedInStep(step),
    control: step.control?.answer,
    before: step.before,
  })

/** An update as one case: its task in the read before it, its answer, and the read after it. */
export type Updated = { before: Task; answer: Answer; stored: Task }

/** Sends updates to the task of a loan, one after another, each with the current version. */
export function rowOn(loan: OnLoan) {
  let { task } = loan
  let version: unknown
  return {
    /** in its last read */
    task: () => task,
    /** the version in the last accepted answer, if it contains one */
    answered: () => version,
    async send(update: Update): Promise<Updated> {
      const before = task
      const answer = await send(loan, update, before)
      if (isAccepted(answer)) version = versionIn(membersOf(answer))
      task = await loan.current.read(before.id)
      return { before, answer, stored: task }
    },
  }
}

export const wasTakenAtOnce = ({ evidence }: Step): boolean =>
  evidence.filter(({ method, putBack }) => method === 'PUT' && !putBack).length === 1

function readBefore(history: History, id: string, answer: Answer): Task | undefined {
  const ops = history.endedOf(id)
  const ifMatch = ops.find((op) => op.answer === answer)?.ifMatch
  const read = ops.findLast(({ kind, shown }) => kind === 'read' && shown?.version === ifMatch)
  return read?.answer && taskIn(read.answer)
}

export type Stepper = ReturnType<typeof createStepper>

export function createStepper(
  loan: OnLoan,
  evidence: Exchange[],
  { settings, history, stop }: Omit<OfRun, 'known'>,
) {
  const { settleMs } = settings
  let { task } = loan
  /** whether it was read after the last update: a later change shows as a mismatch */
  let isRead = false
  const { current, service, actor } = loan

  const stateOf = (assignment: Assignment | null): State =>
    assignment ? kindOf(wholeOf(assignment, settings).assigned_to_type) : 'unassigned'

  const follow = async (id: string, answered: SeenTask | undefined) => {
    let versionWasRead = false
    let lagging = 0
    const read = async () => {
      const stored = taskIn(await service.readTask(id))
      versionWasRead ||= stored.updated_at === answered?.version
      if (current.isReplaced(stored.updated_at)) lagging += 1
      return stored
    }
    const { last: stored } = await poll(
      read,
      ({ assignment }) => versionWasRead && isSameButSpelling(assignment, answered?.assignment),
      { limitMs: settleMs, stop, firstMs: 10, maxMs: 100, askLate: true },
    )
    return { stored, versionWasRead, lagging }
  }

  const take = async (request: Request): Promise<Step> => {
    const begun = evidence.length
    const before = task
    const { to, comment: sent, how } = request
    const answer = await send(loan, request, task)
    const isOfText = typeof sent === 'string' && answer.status !== statuses.staleVersion
    const isOpen = how || isOfText || ![403, statuses.staleVersion].includes(answer.status)
    const other = typeof sent === 'string' ? undefined : 'Contract test, please ignore'
    const comment = how ? sent : other
    const control = !isAccepted(answer) &&
      isOpen && { comment, answer: await send(loan, { to, comment }, task) }
    const taken = { before, sent: request, answer, ...(control && { control }) }
    const accepted = acceptedOf(taken)
    const touched = readBefore(history, before.id, accepted)
    const followed = isAccepted(accepted)
      ? await follow(before.id, seenIn(accepted))
      : { versionWasRead: false, lagging: 0 }
    task = 'stored' in followed ? followed.stored : task
    isRead = followed.versionWasRead
    // Include the read before the update: later reads are compared with it.
    const first = exchangesOf(before)
    const own = evidence.filter(({ number }, at) => at >= begun || first.includes(number))
    return { ...taken, touched, ...followed, by: actor, refusedTo: [], evidence: own }
  }

  const bring = async (to: Assignee | null): Promise<void> => {
    const state = to ? kindOf(to.type) : 'unassigned'
    const isThere = () => stateOf(task.assignment) === state
    if (!isRead) task = await current.read(task.id)
    if (isThere()) return
    isRead = false
    const { updated_at } = task
    const answer = await send(loan, { to }, task)
    needAccepted(answer)
    const own = versionIn(membersOf(answer))
    task = await current.read(task.id)
    // Another clause judges a read that lacks the assignment: here the response shows it.
    if (task.lacksAssignment) task = { ...task, assignment: taskIn(answer).assignment }
    if (isThere()) return
    if (own !== undefined && ![own, updated_at].includes(task.updated_at))
      throw new ForeignChange(history, task.assignment)
    const unshown = `no read shows the task ${to ? `assigned to a ${state}` : state} after an accepted update`
    throw new NotDecidable('clause', unshown, ...ownersOfChange)
  }

  return { /** in its last read */ task: () => task, take, bring }
}

export const answeredBy = (step: Step) => taskIn(acceptedOf(step))

/** Fewer steps may be chance. */
export const minToJudge = 3

/**
 * The steps whose results reads confirm, judged among all; without one the clause ends. Now and then another writer
 * comes between. If that happens every time, it is either an environment rule, which assigns in names that this run
 * never used, or the service, which is judged.
 */
export function needOwnSteps(history: History, steps: readonly Step[], all = steps): Step[] {
  const isBesideOther = hasOtherWriter(history)
  const disturbed = all.filter((step) => isDisturbed(step) || (isBesideOther && mayBePutBack(step)))
  const isEveryTime = disturbed.length >= Math.max(all.length, minToJudge)
  if (isEveryTime && disturbed.some(isAnothers))
    throw new NotDecidable(
      'freedom',
      `after each of ${all.length} updates reads show an assignment in a name that this run never used; set TASK_IDS to tasks without other writers`,
    )
  const own = steps.filter((step) => isEveryTime || !disturbed.includes(step))
  if (own.length === 0) throw new ForeignChange(history, steps[0]?.stored?.assignment)
  return own
}

/** Another writer who puts the task back sends a comment of this run again, and gets a version of its own. */
function mayBePutBack(step: Step): boolean {
  const { stored, before, versionWasRead } = step
  if (!stored || versionWasRead || stored.updated_at === before.updated_at) return false
  return !isSameButSpelling(stored.assignment, answeredBy(step).assignment)
}

export function isDisturbed(step: Step): boolean {
  const { stored, before, versionWasRead, sent, by } = step
  if (!stored || versionWasRead || stored.updated_at === before.updated_at) return false
  const { assignment } = stored
  const answered = answeredBy(step).assignment
  if (isSameButSpelling(assignment, answered)) return false
  const commentIn = (each: Task['assignment']) => each?.assignment_comment || null
  const comment = commentIn(assignment)
  // The user of this run may also work elsewhere.
  const mayBeOfUs =
    comment === null || mayBeOwn(comment) || comment === commentIn(before.assignment)
  const isOfUs =
    comment === commentIn(answered) || (isSameId(assignment?.assigned_by_id, by) && mayBeOfUs)
  const isOurs =
    // Others assign to the same people.
    (isAssignedTo(assignment, sent.to) && isOfUs) ||
    (typeof sent.comment === 'string' && assignment?.assignment_comment === sent.comment)
  return !isOurs
}

export const isAnothers = ({ stored, by }: Step): boolean =>
  stored?.assignment !== null && !isSameId(stored?.assignment?.assigned_by_id, by)

/** The step as far as its answer shows it: another writer may change the task before the read. */
export const withoutRead = <Kind extends Step>({ stored: _, ...step }: Kind): Kind => step as Kind

/** An update in some form, which has to be accepted if the same update in another form is. */
export type Formed = Step & { what: string }

export function needForm(step: Step, what: string): Formed {
  const { answer } = step
  const told = `${describeAnswer(answer)}, with another comment too`
  premise(isAccepted(acceptedOf(step)), 'clause', told, ...ownersOf(answer))
  return withoutRead({ ...step, what })
}

/** The form is judged that was sent first. */
export const caseOfForm = (formed: Formed): Case<Formed> =>
  caseOf(formed, {
    judged: formed.answer,
    control: formed.control?.answer,
    before: formed.before,
  })

export const problemsOfForm = ({ answer, control, what }: Formed): Problem[] =>
  problemsOfStatus(answer, '2xx', { control: control?.answer, what })
