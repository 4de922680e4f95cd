import { expect } from '../../engine/clause/matchers.ts'
import { describeAnswer, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { from } from '../../engine/origin.ts'
import { needAccepted, premise } from '../service/answers.ts'
import { lastingMembers, problemsOfApart, type Resource } from './readings.ts'

const tries = 3

/**
 * Expects two reads in a row to be equal. If the version shows that the resource changed in between,
 * another pair is read; a version that changes in every pair is a breach.
 */
export async function expectRepeatable(
  ask: () => Promise<Answer>,
  resource: Resource,
  versionOf: (body: JsonObject) => unknown,
): Promise<void> {
  const read = async () => {
    const answer = await ask()
    needAccepted(answer)
    const body = jsonIn(answer)
    premise(
      isObject(body),
      'clause',
      `${describeAnswer(answer)} without a JSON object`,
      `${resource}.read.success`,
    )
    return from(lastingMembers(resource, body as JsonObject), answer)
  }

  for (let round = 1; ; round += 1) {
    const first = await read()
    const second = await read()
    const changed = versionOf(first) !== versionOf(second)
    if (changed && round < tries) continue
    const what = changed ? `the last of ${tries} pairs of reads` : 'the second of two reads'
    expect(problemsOfApart(what, first, second)).toBeNone()
    return
  }
}
