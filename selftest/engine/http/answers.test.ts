import { expect, test } from 'vitest'
import { jsonIn } from '../../../engine/http/answers.ts'
import {
  codesIn,
  headersShown,
  shapeOf,
  timestampForms,
  typeAmong,
} from '../../../engine/http/shapes.ts'
import { Trouble } from '../../../engine/outcome.ts'

const answer = (body: unknown, headers: Record<string, string> = {}) =>
  ({ text: JSON.stringify(body), headers, validUtf8: true, status: 400 }) as never

test('observed values of timestamps do not show how many zeros were left out', () => {
  const seen = timestampForms(['2026-01-02T03:04:05.123Z', '2026-01-02T03:04:05.1Z'])
  expect(seen).toEqual(timestampForms(['2021-11-12T13:14:15.678Z', '2021-11-12T13:14:15Z']))
  expect(seen).toEqual({ 'YYYY-00-00T00:00:00Z': 'fractions of up to 3 digits' })
  const plain = { 'YYYY-00-00 00:00:00+00:00': 'no fraction' }
  expect(timestampForms(['2026-01-02 03:04:05+00:00'])).toEqual(plain)
})

test('observed values of headers are those that every answer has, without those of proxies', () => {
  const often = { etag: 'a', 'content-type': 'b', date: 'c', 'x-cache-hits': 'd', age: '5' }
  const answers = [answer({}, often), answer({}, { 'content-type': 'b', 'x-b': '' })]
  expect(headersShown(answers)).toEqual(['content-type'])
  expect(headersShown([answer({}, often)])).toEqual(['content-type', 'etag'])
})

test('observed values of codes hold words and small numbers, nothing of the one request', () => {
  const refusal = {
    error: { code: 'TASK_NOT_FOUND', status: 404, message: 'No task 1d88d0e0-b9a5-448e' },
    traceId: 'abc',
    type: 'https://example.com/problems/not-found',
    requestCode: '8f3a91b7c2d4',
    errors: [{ code: 'E1042' }],
  }
  expect(codesIn(answer(refusal))).toEqual({
    'error.code': 'TASK_NOT_FOUND',
    'error.status': 404,
    type: 'https://example.com/problems/not-found',
    'errors[].code': 'E1042',
  })
})

test('observed values of types leave out null, and of shapes name no ids', () => {
  expect(typeAmong([null, 'a', undefined])).toBe('string')
  expect(typeAmong([{}, 'a'])).toBe('object or string')
  expect(typeAmong([null])).toBe('not known')
  const id = '1d88d0e0-b9a5-448e-a9a7-fb5a8e4136d4'
  expect(shapeOf({ [id]: 1, a: [null] })).toEqual({ ID: 'number', a: ['null'] })
})

test.each([
  ['levels', '['.repeat(201) + ']'.repeat(201), '200 levels: too deep'],
  ['values', `[${'1,'.repeat(50_000)}1]`, '50000 values: too much'],
])('JSON of too many %s is not read any further', (_, text, most) => {
  const read = () => jsonIn({ text })
  expect(read).toThrow(`the response is JSON with more than ${most} to be read`)
  expect(read).toThrow(Trouble)
})
