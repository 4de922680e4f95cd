import { expect, test } from 'vitest'
import { jsonIn } from '../../../engine/http/answers.ts'
import { Trouble } from '../../../engine/outcome.ts'

test.each([
  ['levels', '['.repeat(201) + ']'.repeat(201), '200 levels: too deep'],
  ['values', `[${'1,'.repeat(50_000)}1]`, '50000 values: too much'],
])('JSON of too many %s is not read any further', (_, text, most) => {
  const read = () => jsonIn({ text })
  expect(read).toThrow(`the response is JSON with more than ${most} to be read`)
  expect(read).toThrow(Trouble)
})
