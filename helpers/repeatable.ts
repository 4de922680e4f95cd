import type { JsonObject } from './answers.ts'
import { expect } from './matchers.ts'

const tries = 3

/**
 * Expects two reads in a row to be equal. Where a version tells that somebody changed the resource
 * between them, another pair is read; a version that is new in every pair is what is condemned.
 */
export async function expectRepeatable(
  read: () => Promise<JsonObject>,
  versionOf: (body: JsonObject) => unknown = () => undefined,
): Promise<void> {
  for (let round = 1; ; round += 1) {
    const first = await read()
    const second = await read()
    const changed = versionOf(first) !== versionOf(second)
    if (changed && round < tries) continue
    const what = changed ? `the last of ${tries} pairs of reads` : 'the second of two reads'
    expect(second, what).toEqual(first)
    return
  }
}
