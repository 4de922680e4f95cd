import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { from } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problemUnless } from '../../engine/problem.ts'
import type { History } from '../history/history.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import { again } from '../service/again.ts'
import { premise, type Task, taskIn } from '../service/answers.ts'
import { describeAssignee, isAssignedTo, isSameButSpelling } from '../service/assignments.ts'
import { mayBeOwn } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { ownersOf } from '../service/owners.ts'
import { acceptedOf, asCase, type Step, type Taken } from './step.ts'

export const answeredBy = (step: Taken) => taskIn(acceptedOf(step))

/** Chance does not explain this many. */
export const minToJudge = 3

/**
 * The steps whose results reads confirm. Now and then another writer comes between. If that happens every
 * time, it is either an environment rule, which assigns in names that this run never used, or the service,
 * which is judged.
 */
export function ownSteps(steps: readonly Step[]): Step[] {
  const disturbed = steps.filter(isDisturbed)
  if (disturbed.length < Math.max(steps.length, minToJudge))
    return steps.filter((step) => !disturbed.includes(step))
  if (!disturbed.some(isAnothers)) return [...steps]
  throw new NotDecidable(
    'freedom',
    `after each of ${steps.length} updates reads show an assignment in a name that this run never used; set TASK_IDS to tasks without other writers`,
  )
}

/** The steps among all that can be judged; ends the clause if another writer came between in each. */
export function needOwnSteps(history: History, steps: readonly Step[], all = steps): Step[] {
  const own = ownSteps(all).filter((step) => steps.includes(step))
  if (own.length === 0) throw new ForeignChange(history, steps[0]?.stored?.assignment)
  return own
}

/** Whether reads show neither the version of a step nor the one before, and nothing that it sent. */
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

/** Whether reads show an assignment in a name that this run never used. */
export const isAnothers = ({ stored, by }: Step): boolean =>
  stored?.assignment !== null && !isSameId(stored?.assignment?.assigned_by_id, by)

/**
 * Whether the task changed again before it was read: then a read shows a new version. How versions follow
 * each other is not shown.
 */
export function wasTouched(step: Step, all: readonly Step[]): boolean {
  const { stored } = step
  if (!stored || step.versionWasRead) return false
  const earlier = all.slice(0, all.indexOf(step) + 1)
  return !earlier.some((each) =>
    [each.before.updated_at, answeredBy(each).updated_at].includes(stored.updated_at),
  )
}

/** The step as a case that its answer decides, and no read. */
export const withoutRead = <T extends Taken>({ stored: _, ...step }: T): T => asCase(step as T)

/** What the read after an update shows, in words. */
export const describeRead = ({ before, touched = before, stored }: Taken, got: string): string =>
  stored && isSameButSpelling(stored.assignment, touched.assignment)
    ? `the read after it still shows the assignment before it, ${got}`
    : `a read shows ${got}`

/** An update is accepted, and its answer and the read after it show the task assigned as sent. */
export function problemsOfAssigned(step: Taken): Problem[] {
  const [answer, { to }, { stored }] = [acceptedOf(step), step.sent, step]
  const refused = problemsOfStatus(answer, '2xx', { what: step.told })
  if (refused.length > 0) return refused
  const expected = to ? `${to.type} ${to.id}` : 'null'
  const problemsIn = (task: Task, of?: 'read') => {
    const got = describeAssignee(task.assignment)
    const how = of ? `but ${describeRead(step, got)}` : `and the task is assigned to ${got}`
    const sentence = `${describeAnswer(answer)}, ${how}, not ${expected}`
    const seen = {
      expected,
      got,
      judged: task,
      control: of && answer,
      again: again.assigned(to, of),
    }
    return problemUnless(isAssignedTo(task.assignment, to), sentence, seen)
  }
  const told = problemsIn(answeredBy(step))
  return told.length > 0 || !stored ? told : problemsIn(stored, 'read')
}

/**
 * The comment in the answer to a step; undefined, null and '' mean none. The answer counts only if it shows
 * the sent assignment, and was not refused for its comment: a service may limit comments, and the same update
 * with another one shows that nothing else was wrong.
 */
export function shownCommentOf(step: Taken): string | null | undefined {
  const { answer, sent } = step
  const isOfComment = !isAccepted(answer) && isAccepted(acceptedOf(step))
  premise(!isOfComment, 'freedom', `${describeAnswer(answer)} for its comment`)
  const { assignment } = answeredBy(step)
  const other = 'the answer shows another assignment than was sent'
  const owner = sent.to ? 'assign.fields-as-given' : 'assign.unassign-user'
  premise(isAssignedTo(assignment, sent.to), 'clause', other, owner)
  return assignment?.assignment_comment
}

/** An update in some form; it has to be accepted if the same in another form is. */
export type Formed = Taken & { what: string }

/** Ends the clause if the update was refused in the other form too. */
export function needForm(step: Step, what: string): Step & Formed {
  const { answer } = step
  const told = `${describeAnswer(answer)}, with another comment too`
  premise(isAccepted(acceptedOf(step)), 'clause', told, ...ownersOf(answer))
  return from(withoutRead({ ...step, what }), answer)
}

export const problemsOfForm = ({ answer, control, what }: Formed): Problem[] =>
  problemsOfStatus(answer, '2xx', { control: control?.answer, what })
