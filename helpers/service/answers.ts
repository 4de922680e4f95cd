import {
  acceptedBody,
  describeAnswer,
  isAccepted,
  isObject,
  jsonIn,
  membersOf,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { configured } from '../../engine/http/redaction.ts'
import { NotDecidable, Trouble, type Why } from '../../engine/outcome.ts'
import { shown } from '../../engine/shown.ts'
import { unescaped } from '../../engine/unescaped.ts'
import { idIn } from '../contract/operations.ts'
import { type AnsweredRequest, operationsIn, ownersOf } from './owners.ts'
import { assignmentIn, lacksAssignment, versionIn } from './task-members.ts'
import type { Assignment } from './update-request.ts'

export type { Assignment } from './update-request.ts'

export type Task = {
  id: string
  updated_at: string
  assignment: Assignment | null
  /** the answer does not show it, or shows what cannot be read */
  lacksAssignment?: true
  /** the answers that show it */
  exchanges: readonly number[]
  [field: string]: unknown
}

/** judge.ts judges the body, where the answer arrives: only a missing version keeps a clause from going on. */
export function taskIn(answer: Answer): Task {
  needAccepted(answer)
  const task = jsonIn(answer)
  if (!isObject(task))
    throw lacking(answer, 'success', `${shown(answer.text)} is not a JSON object`)
  if (!('updated_at' in task)) throw lacking(answer, 'fields', 'updated_at is missing')
  if (task.updated_at === null)
    throw new NotDecidable(
      'freedom',
      `${describeAnswer(answer)} with updated_at null, so there is no version to send in If-Match`,
    )
  const version = versionIn(task)
  if (!version) throw lacking(answer, 'timestamps', `updated_at is ${shown(task.updated_at)}`)
  if (/[^\x20-\x7e]/.test(version))
    throw lacking(answer, 'timestamps', 'updated_at cannot be sent in a header')
  return {
    ...task,
    // Use the requested id, even if the answer shows another.
    id: idAskedIn(answer) ?? String(task.id),
    updated_at: version,
    assignment: assignmentIn(task, answer.sent) ?? null,
    ...(lacksAssignment(task) ? { lacksAssignment: true } : {}),
    exchanges: [answer.exchange],
  }
}

/** A clause on `member` of reads, or on the response to updates, judges what the answer lacks. */
function lacking(answer: Answer, member: string, sentence: string): NotDecidable {
  const owner = answer.method === 'PUT' ? 'assign.answer-is-task' : `task.read.${member}`
  return NotDecidable.of(answer, 'clause', `${describeAnswer(answer)}: ${sentence}`, owner)
}

const idAskedIn = ({ path }: Answer): string | undefined => {
  const id = idIn('task', path)
  // Redaction may have removed a key from the id in the path.
  return id && !id.includes(configured) ? unescaped(id) : undefined
}

/** For a clause that judges what the response to an update shows of the assignment. */
export function needAssignmentIn(answer: Answer): Assignment | null {
  const { assignment, lacksAssignment } = taskIn(answer)
  const lacking = `${describeAnswer(answer)} without an assignment that can be read`
  premise(!lacksAssignment, 'clause', lacking, 'assign.answer-is-task')
  return assignment
}

export type SeenTask = { version: string; assignment: Assignment | null; lacksAssignment?: true }

export function seenIn(answer: Answer): SeenTask | undefined {
  const task = acceptedBody(answer) ?? {}
  const version = versionIn(task)
  const assignment = assignmentIn(task, answer.sent)
  if (version === undefined || assignment === undefined) return undefined
  if (assignment !== null && !isObject(assignment)) return undefined
  return lacksAssignment(task)
    ? { version, assignment, lacksAssignment: true }
    : { version, assignment }
}

/** One that cannot be read stays as it is; undefined: the answer is not a task. */
export const assignmentShownIn = (answer: Answer): Assignment | null | undefined =>
  assignmentIn(membersOf(answer), answer.sent)

export function needAccepted(answer: Answer): void {
  if (isAccepted(answer)) return
  needPermitted(answer)
  if (answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}; this clause needs its result`)
  throw NotDecidable.of(answer, 'clause', describeAnswer(answer), ...ownersOf(answer))
}

export function premise(answer: Answer): Task
export function premise(condition: boolean, ...why: Why): void
export function premise(given: Answer | boolean, ...why: Why | []): Task | undefined {
  if (typeof given !== 'boolean') return taskIn(given)
  if (!given) throw new NotDecidable(...(why as Why))
  return undefined
}

/** The contract does not describe permissions, so 403 leaves a clause undecided. */
export function needPermitted(answer: AnsweredRequest): void {
  if (answer.status === 403)
    throw new NotDecidable(
      'refused',
      `${describeAnswer(answer)}: the key may not do this`,
      ...operationsIn(answer),
    )
}
