import { expect, test } from 'vitest'
import { readCsvText } from '../../../engine/files/csv.ts'
import { whyUnusable } from '../../../helpers/export/ask/unusable.ts'

type Given = Parameters<typeof whyUnusable>[0]

const answerOf = (status: number) => ({ status, method: 'GET', path: '/export' }) as never

test('an accepted export that is no CSV leaves what it is open', async () => {
  const csv = await readCsvText('{"rows": []}', { keep: 1 })
  const given = { answer: answerOf(200), result: { csv } } as unknown as Given
  expect(await whyUnusable(given, [], async () => false)).toEqual([
    'freedom',
    'GET /export answered 200 with JSON, no CSV; what this request is answered with is not shown',
  ])
})

test('a refusal where every export is refused is judged by who asks for any', async () => {
  const refused = { answer: answerOf(400), result: { text: 'no' } } as unknown as Given
  expect(await whyUnusable(refused, [], async () => true)).toEqual([
    'clause',
    'GET /export answered 400 (no)',
    'export.csv.status',
  ])
})

test("a file that cannot be reached from here is nobody's breach", async () => {
  const unreachable = 'a link names https://store.example/7, which cannot be reached from here'
  const given = { answer: answerOf(200), unreachable } as unknown as Given
  const breach = { owner: 'export.csv.status', sentence: 'there is no file' } as never
  expect(await whyUnusable(given, [breach], async () => true)).toEqual(['freedom', unreachable])
})
