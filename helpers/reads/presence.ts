import { expect, expectThat } from '../../engine/clause/matchers.ts'
import { describeAnswer, isAccepted, objectIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { needPermitted, type Reading, type Resource } from './readings.ts'

type Reads = {
  resource: Resource
  read: (id: string) => Promise<Answer>
  /** given ids that were answered 404 before any clause ran, and again later */
  absent: readonly string[]
  /** waits for SETTLE_MS */
  settle: () => Promise<unknown>
}

/**
 * Expects 2xx with a JSON object to every given id; returns a note. The operator declared these ids to
 * exist, so a 404 that persists after SETTLE_MS is for the operator to explain. A 404 that later turns into
 * the resource shows that the service contradicts itself.
 */
export async function expectReadable(
  readings: readonly Reading[],
  { resource, read, absent, settle }: Reads,
): Promise<string> {
  const gone = [...absent]
  const allowed = needPermitted(readings)
  for (const { id, answer } of allowed) {
    if (answer.status === 404) {
      await settle()
      if ((await read(id)).status === 404) {
        gone.push(id)
        continue
      }
    }
    expect(answer).toBeAccepted()
    objectIn(answer)
  }
  for (const id of absent) {
    const answer = await read(id)
    expectThat(!isAccepted(answer), `${describeAnswer(answer)}, and 404 twice before`, {
      expected: '404, as before',
      judged: answer,
    })
  }
  const ids = gone.join(', ')
  const those = gone.length === 1 ? `the ${resource} ${ids} is` : `the ${resource}s ${ids} are`
  if (gone.length > 0)
    throw new NotDecidable(
      'refused',
      `${those} not found (404, asked twice): correct ${settingOf[resource]}`,
      null,
    )
  return `${allowed.length} of ${readings.length} ${resource}s: 2xx with a JSON object`
}

const settingOf = { task: 'TASK_IDS or READ_TASK_IDS', assessment: 'ASSESSMENT_IDS' }
