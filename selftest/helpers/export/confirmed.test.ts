import { expect, test } from 'vitest'
import { confirmed } from '../../../helpers/export/learn/confirmed.ts'

test('a file of more records than are kept is not compared', async () => {
  const found = { answer: { status: 200 }, csv: { records: [['1']], count: 20_001 } }
  const exports = { csv: async () => found } as never
  const judging = confirmed(exports, {} as never, async (fetch) => {
    await fetch({})
    return []
  })
  await expect(judging).rejects.toThrow(
    'set EXPORT_FROM and EXPORT_TO to a shorter window: 20001 records are too many to compare',
  )
})
