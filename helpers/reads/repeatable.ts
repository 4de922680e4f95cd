import { type Case, caseOf } from '../../engine/clause/case.ts'
import { describeAnswer, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
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
): Promise<Case<Pair>> {
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
    return { answer, body: lastingMembers(resource, body as JsonObject) }
  }

  for (let round = 1; ; round += 1) {
    const control = await read()
    const again = await read()
    const isChanged = versionOf(control.body) !== versionOf(again.body)
    if (isChanged && round < tries) continue
    const what = isChanged ? `the last of ${tries} pairs of reads` : 'the second of two reads'
    const pair = { what, again: again.body, control: control.body }
    return caseOf(pair, { judged: again.answer, control: control.answer })
  }
}
