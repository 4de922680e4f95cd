import { isDeepStrictEqual } from 'node:util'
import { expect } from '../../engine/clause/matchers.ts'
import { describeAnswer, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { from } from '../../engine/origin.ts'
import { problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { needAccepted, premise } from '../service/answers.ts'
import { namedMembers, type Resource } from './readings.ts'

const tries = 3

/** Fields of which the contract does not show when they move, nor what they hold. */
const restless = ['locked_at', 'data_version', 'custom_metadata']

/**
 * Expects two reads in a row to be equal. Where a version tells that somebody changed the resource
 * between them, another pair is read; a version that is new in every pair is what is condemned.
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
    const members = namedMembers(resource, body as JsonObject)
    const kept = Object.entries(members).filter(([name]) => !restless.includes(name))
    return from(Object.fromEntries(kept), answer)
  }

  for (let round = 1; ; round += 1) {
    const first = await read()
    const second = await read()
    const changed = versionOf(first) !== versionOf(second)
    if (changed && round < tries) continue
    const what = changed ? `the last of ${tries} pairs of reads` : 'the second of two reads'
    const apart = Object.keys(first).filter((name) => !isDeepStrictEqual(first[name], second[name]))
    expect(
      apart.map((name) =>
        problem(`${what}: ${name} is ${shown(second[name])}, and was ${shown(first[name])}`, {
          expected: shown(first[name]),
          got: shown(second[name]),
          judged: second,
          control: first,
          again: { signs: [{ member: name, as: 'control' }] },
        }),
      ),
    ).toBeNone()
    return
  }
}
