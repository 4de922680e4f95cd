import { expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { askedBetween } from '../../../helpers/service/answered.ts'

const answered = (status: number) => ({ status }) as Answer
const trouble = Object.assign(new Trouble('answered 503 (3 attempts)'), { status: 503 })

/** Asks where the first answer is trouble, then those of a list; controls are of another. */
const ask = (then: number[], controls: number[]) =>
  askedBetween(
    async ({ retries }) => {
      if (retries !== false) throw trouble
      return answered(then.shift() ?? 503)
    },
    async () => answered(controls.shift() ?? 200),
  )

test('a 5xx three times between accepted controls is the answer', async () => {
  expect((await ask([], [])).status).toBe(503)
})

test.each([
  ['once another answer comes', [503, 404], []],
  ['before the first control is accepted', [], [503]],
  ['after the last control is not', [], [200, 200, 200, 503]],
])('it stays trouble %s', async (_, then, controls) => {
  await expect(ask(then, controls)).rejects.toBe(trouble)
})
