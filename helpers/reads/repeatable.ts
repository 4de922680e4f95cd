import { describeAnswer, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { from } from '../../engine/origin.ts'
import type { Resource } from '../contract/fields.ts'
import { needAccepted, premise } from '../service/answers.ts'
import { lastingMembers, type Pair } from './readings.ts'

const tries = 3

/**
 * If the version changed in between, another pair is read; a version that changes in every pair is a breach.
 */
export async function fetchPair(
  ask: () => Promise<Answer>,
  resource: Resource,
  versionOf: (body: JsonObject) => unknown,
): Promise<Pair> {
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
    const control = await read()
    const again = await read()
    const isChanged = versionOf(control) !== versionOf(again)
    if (isChanged && round < tries) continue
    const what = isChanged ? `the last of ${tries} pairs of reads` : 'the second of two reads'
    return { what, again, control }
  }
}
