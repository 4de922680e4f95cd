import { describeAnswer, isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { shown } from '../../engine/shown.ts'
import { isSameId } from './ids.ts'
import { fieldsShaped, type Problem, problemsOf } from './schema.ts'

export type Resource = 'task' | 'assessment'

/** A breach and the clause that owns the sentence it breaks. */
export type Owned = { owner: string; sentence: string }

/**
 * What an accepted answer to a request that the contract describes breaks, whichever clause met it
 * and after whichever update (rule R9). An answer to an update is owned by one clause.
 */
export function problemsOfAnswer(resource: Resource, id: string, answer: Answer): Owned[] {
  if (!isAccepted(answer)) return []
  const isUpdate = answer.method === 'PUT'
  const of = (owner: string, sentence: string): Owned => ({
    owner: isUpdate ? 'assign.answer-is-task' : `${resource}.read.${owner}`,
    sentence: `${describeAnswer(answer)}: ${sentence}`,
  })
  const body = jsonIn(answer)
  if (!isObject(body)) return [of('success', `${shown(answer.text)} is not a JSON object`)]
  const other = body.id !== undefined && !isSameId(body.id, id)
  return [
    ...problemsOf(resource, body).map((problem) =>
      of(ownerOf(resource, problem), problem.sentence),
    ),
    ...(other ? [of('identity', `id is ${shown(body.id)}, not ${id}`)] : []),
  ]
}

/** The clause of a resource that owns the form of a member. */
export function ownerOf(resource: Resource, { path, kind }: Problem): string {
  const [field = ''] = path.split('.')
  if (field === 'assignment' && !(kind === 'missing' && path === field)) return 'assignment'
  if (kind === 'missing') return isErrorField(resource, field) ? 'error-fields' : 'fields'
  if (fieldsShaped(resource, 'uuid').includes(field)) return 'identifiers'
  if (fieldsShaped(resource, 'timestamp').includes(field)) return 'timestamps'
  return resource === 'assessment' ? 'state' : 'types'
}

const isErrorField = (resource: Resource, field: string) =>
  resource === 'assessment' && field.startsWith('error_')
