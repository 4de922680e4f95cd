// What a task was before an update that is judged is what a read showed: the answer to an update may differ from it.

import { acceptedBody } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import type { History } from '../history/history.ts'
import { showsNull } from '../history/questions.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import { premise, type Task } from '../service/answers.ts'
import { describeAssignment, isAssignedTo, isSameButSpelling } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import type { Assignee } from '../service/update-request.ts'
import type { OnLoan } from './sender.ts'

export type AcceptedChange = {
  /** as the response to the update says */
  answered: Task
  /** whom the update assigned; null: it unassigned */
  to: Assignee | null
}

/** The read that shows an accepted update of this run; without one, a clause on another update is not decided. */
export async function needShown(
  { current, task: before }: OnLoan,
  { answered, to }: AcceptedChange,
  history: History,
): Promise<Task> {
  const isShown = ({ assignment }: Task) =>
    isSameButSpelling(assignment, answered.assignment) || isAssignedTo(assignment, to)
  const { last, isMet } = await current.readShowing(answered.id, isShown)
  if (isMet) return last
  const isUnchanged = isSameButSpelling(last.assignment, before.assignment)
  const isOwnVersion = last.updated_at === answered.updated_at
  if (isOwnVersion && showsNoAssignee(last)) return last
  if (!isUnchanged && !isOwnVersion && !current.isReplaced(last.updated_at))
    throw new ForeignChange(history, last.assignment)
  throw new NotDecidable(
    'clause',
    `no read shows the task ${describeAssignment(answered.assignment)} after an accepted update`,
    'assign.persisted',
  )
}

/** A read that lacks the assignment, which this service shows as null, is not as before. */
export function needNullShown(history: History, { id, assignment, lacksAssignment }: Task): void {
  const isOdd = assignment === null && lacksAssignment && showsNull(history)
  premise(!isOdd, 'clause', `a read of task ${id} lacks the assignment`, 'task.read.fields')
}

/** Another clause judges such a read. */
const showsNoAssignee = ({ assignment, lacksAssignment }: Task): boolean =>
  lacksAssignment || (assignment !== null && typeof assignment.assigned_to_id !== 'string')

/** A read that returned another task shows nothing of the one that was asked for. */
export function needOwnId(history: History, before: Task, after: Task): void {
  const { id } = before
  const versions = [before.updated_at, after.updated_at]
  const reads = history
    .endedOf(id)
    .filter(({ kind, shown }) => kind === 'read' && shown && versions.includes(shown.version))
  const shownIds = reads.map(({ answer }) => answer && acceptedBody(answer)?.id)
  const otherId = shownIds.find((shownId) => isUuid(`${shownId}`) && !isSameId(shownId, id))
  const sentence = `a read of task ${id} returned the id ${otherId}`
  premise(otherId === undefined, 'clause', sentence, 'task.read.identity')
}
