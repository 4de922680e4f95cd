import { describeAnswer, isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { again } from './again.ts'
import { isSameId } from './ids.ts'
import { type Departure, fieldsShaped, problemsOf } from './schema.ts'

export type Resource = 'task' | 'assessment'

export type Owned = Problem & { owner: string }

/** Whether an invalid update of this run may have written this value into a member of the assignment. */
export type Wrote = (task: string, member: string, value: unknown) => boolean

/**
 * What an accepted answer to a described request breaks, after any update. One clause owns
 * the answers to updates.
 */
export function problemsOfAnswer(
  resource: Resource,
  id: string,
  answer: Answer,
  wrote: Wrote = () => false,
): Owned[] {
  if (!isAccepted(answer)) return []
  const isUpdate = answer.method === 'PUT'
  const of = (owner: string, { sentence, ...fact }: Fact): Owned => ({
    owner: isUpdate ? 'assign.answer-is-task' : `${resource}.read.${owner}`,
    ...problem(`${describeAnswer(answer)}: ${sentence}`, { ...fact, judged: answer }),
  })
  const body = jsonIn(answer)
  if (!isObject(body)) {
    const got = shown(answer.text)
    return [
      of('success', {
        sentence: `${got} is not a JSON object`,
        expected: 'a JSON object',
        got,
        again: { signs: [{ file: 'a JSON object' }] },
      }),
    ]
  }
  const other = body.id !== undefined && !isSameId(body.id, id)
  const assignment = isObject(body.assignment) ? body.assignment : {}
  const isOurs = ({ path }: Departure) => {
    const [field, member = ''] = path.split('.')
    return field === 'assignment' && wrote(id, member, assignment[member])
  }
  const departures = problemsOf(resource, body).filter((departure) => !isOurs(departure))
  return [
    ...departures.map((departure) => of(ownerOf(resource, departure), departure)),
    ...(other ? [of('identity', factOfId(body.id, id))] : []),
  ]
}

/** A problem of a body, before its answer is added. */
type Fact = Pick<Problem, 'sentence' | 'expected' | 'got' | 'again'>

const factOfId = (got: unknown, id: string): Fact => ({
  sentence: `id is ${shown(got)}, not ${id}`,
  expected: shown(id),
  got: shown(got),
  again: again.id('id', id),
})

export function ownerOf(resource: Resource, { path, kind }: Departure): string {
  const [field = ''] = path.split('.')
  if (field === 'assignment' && !(kind === 'missing' && path === field)) return 'assignment'
  if (kind === 'missing') return field.startsWith('error_') ? 'error-fields' : 'fields'
  if (fieldsShaped(resource, 'uuid').includes(field)) return 'identifiers'
  if (fieldsShaped(resource, 'timestamp').includes(field)) return 'timestamps'
  return resource === 'assessment' ? 'state' : 'types'
}
