import { describeAnswer, isAccepted, objectIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { Breach, NotDecidable, Trouble } from '../../engine/outcome.ts'
import { problemsOf } from './schema.ts'

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

/**
 * The Task in an answer, of which the members that later steps read are asserted: without this a
 * member left out would end as a TypeError of ours.
 */
export function taskIn(answer: Answer): Task {
  const body = objectIn(answer)
  const needed = problemsOf('task', body).filter(({ path }) =>
    /^(id|updated_at|assignment(\..*)?)$/.test(path),
  )
  if (needed.length > 0)
    throw new Breach(
      `${describeAnswer(answer)}: ${needed.map(({ sentence }) => sentence).join('; ')}`,
    )
  if (body.updated_at === null)
    throw new NotDecidable(
      `${describeAnswer(answer)} with updated_at null: there is no version to send`,
    )
  return body as Task
}

/** The Task of a read that a clause only stands on: what is wrong with it is not its matter. */
export const taskRead = (answer: Answer): Task => taskStoodOn(answer, 'task.read.*')

/** The Task in the answer to an update that a clause only stands on. */
export const taskAnswered = (answer: Answer): Task => taskStoodOn(answer, 'assign.answer-is-task')

function taskStoodOn(answer: Answer, matterOf: string): Task {
  needAccepted(answer)
  try {
    return taskIn(answer)
  } catch (error) {
    if (!(error instanceof Breach)) throw error
    throw new NotDecidable(`${error.message}: see ${matterOf}`)
  }
}

/** Ends the clause when a step that it only stands on was not accepted. */
export function needAccepted(answer: Answer): void {
  if (isAccepted(answer)) return
  if (answer.status === 403)
    throw new NotDecidable(`${describeAnswer(answer)}: the key may not do this`)
  if (answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}, and this clause stands on it`)
  throw new NotDecidable(`${describeAnswer(answer)}, and this clause stands on it being accepted`)
}

/** Goes on only where the condition holds, or the step was accepted; gives the Task of the step. */
export function premise(answer: Answer): Task
export function premise(condition: boolean, otherwise: string): void
export function premise(given: Answer | boolean, otherwise = ''): Task | undefined {
  if (typeof given !== 'boolean') return taskAnswered(given)
  if (!given) throw new NotDecidable(otherwise)
  return undefined
}

/** Refusing is everyone's right while what a key may do is not shown: 403 leaves a clause undecided. */
export function premisePermitted(answer: Pick<Answer, 'method' | 'path' | 'status'>): void {
  if (answer.status === 403)
    throw new NotDecidable(`${describeAnswer(answer as Answer)}: the key may not do this`)
}
