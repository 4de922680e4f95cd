import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { from } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import type { History } from '../history/history.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import { premise, type Task, taskIn } from '../service/answers.ts'
import { isAssignedTo, isSameButSpelling } from '../service/assignments.ts'
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

/** The step as a case that its answer decides, and no read. */
export const withoutRead = <T extends Taken>({ stored: _, ...step }: T): T => asCase(step as T)

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
