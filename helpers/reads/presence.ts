import { type Case, caseOf } from '../../engine/clause/case.ts'
import { isAccepted, problemsOfNoObject } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { problemsOfStatus } from '../../engine/http/status-problems.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Resource } from '../contract/fields.ts'
import { idSettingsOf } from '../contract/operations.ts'
import { statuses } from '../contract/statuses.ts'
import { needPermitted, type Reading } from './readings.ts'

type Reads = {
  resource: Resource
  read: (id: string) => Promise<Answer>
  absent: readonly string[]
  settle: () => Promise<unknown>
}

type Present = { answer: Answer } | { absent: Answer }

/**
 * The operator declared these ids to exist, so one that is not found after SETTLE_MS either is for the operator to
 * explain.
 */
export async function* fetchPresent(
  readings: readonly Reading[],
  { resource, read, absent, settle }: Reads,
): AsyncGenerator<Case<Present>> {
  const gone = [...absent]
  for (const { id, answer } of needPermitted(readings)) {
    if (answer.status === statuses.unknownId) await settle()
    if (answer.status === statuses.unknownId && (await read(id)).status === statuses.unknownId)
      gone.push(id)
    else yield caseOf({ answer }, { judged: answer })
  }
  for (const id of absent) {
    const answer = await read(id)
    yield caseOf({ absent: answer }, { judged: answer })
  }
  const ids = gone.join(', ')
  const those = gone.length === 1 ? `the ${resource} ${ids} is` : `the ${resource}s ${ids} are`
  if (gone.length > 0)
    throw new NotDecidable(
      'refused',
      `${those} not found (${statuses.unknownId}, asked twice): correct ${idSettingsOf(resource).join(' or ')}`,
      null,
    )
}

export function problemsOfPresent(one: Present): Problem[] {
  if ('answer' in one)
    return isAccepted(one.answer)
      ? problemsOfNoObject(one.answer)
      : problemsOfStatus(one.answer, '2xx')
  if (!isAccepted(one.absent)) return []
  const although = `the same read got ${statuses.unknownId} twice before`
  return problemsOfStatus(one.absent, statuses.unknownId, { although })
}
