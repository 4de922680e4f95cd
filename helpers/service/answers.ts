import {
  acceptedBody,
  describeAnswer,
  isAccepted,
  isObject,
  type JsonObject,
  jsonIn,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { configured } from '../../engine/http/redaction.ts'
import { from } from '../../engine/origin.ts'
import { NotDecidable, Trouble, type Why } from '../../engine/outcome.ts'
import { shown } from '../../engine/shown.ts'
import { unescaped } from '../../engine/unescaped.ts'
import { type AnsweredRequest, operationsIn, ownersOf } from './owners.ts'

export type Assignment = {
  assigned_by_id: string
  assigned_to_id: string
  assigned_to_type: 'USER' | 'TEAM'
  assignment_comment?: string | null
}

export type Task = {
  id: string
  updated_at: string
  assignment: Assignment | null
  [field: string]: unknown
}

/** judge.ts judges the body, where the answer arrives. */
export function taskIn(answer: Answer): Task {
  needAccepted(answer)
  const body = jsonIn(answer)
  const owner = answer.method === 'PUT' ? 'assign.answer-is-task' : 'task.read'
  const need = (holds: boolean, sentence: string, member: string) => {
    if (holds) return
    const owned = answer.method === 'PUT' ? owner : `${owner}.${member}`
    throw from(new NotDecidable('clause', `${describeAnswer(answer)}: ${sentence}`, owned), answer)
  }
  need(isObject(body), `${shown(answer.text)} is not a JSON object`, 'success')
  const task = body as JsonObject
  need('updated_at' in task, 'updated_at is missing', 'fields')
  if (task.updated_at === null)
    throw new NotDecidable(
      'freedom',
      `${describeAnswer(answer)} with updated_at null, so there is no version to send in If-Match`,
    )
  need(typeof task.updated_at === 'string', `updated_at is ${shown(task.updated_at)}`, 'timestamps')
  need(
    !/[^\x20-\x7e]/.test(String(task.updated_at)),
    'updated_at cannot be sent in a header',
    'timestamps',
  )
  need('assignment' in task, 'assignment is missing', 'fields')
  // Use the requested id, even if the answer shows another.
  return from({ ...task, id: idAskedIn(answer) ?? task.id } as Task, answer)
}

const idAskedIn = ({ path }: Answer): string | undefined => {
  const [, id] = /\/tasks\/([^/?]+)/.exec(path) ?? []
  // Redaction may have removed a key from the id in the path.
  return id && !id.includes(configured) ? unescaped(id) : undefined
}

export type SeenTask = { version: string; assignment: Assignment | null }

export function seenIn(answer: Answer): SeenTask | undefined {
  const { updated_at: version, assignment } = acceptedBody(answer) ?? {}
  if (typeof version !== 'string' || (assignment !== null && !isObject(assignment)))
    return undefined
  return { version, assignment: assignment as Assignment | null }
}

export function needAccepted(answer: Answer): void {
  if (isAccepted(answer)) return
  needPermitted(answer)
  if (answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}; this clause needs its result`)
  throw from(new NotDecidable('clause', describeAnswer(answer), ...ownersOf(answer)), answer)
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
