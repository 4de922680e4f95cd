import { expect, test } from 'vitest'
import { allEnded, NotDecidable } from '../../engine/outcome.ts'

const undecided = new NotDecidable('clause', 'nothing to see', 'task.read.success')

test('all results are returned once each has ended', async () => {
  expect(await allEnded([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2])
})

test('a failure is thrown when the others have ended', async () => {
  let isOver = false
  const slow = new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => {
    isOver = true
  })
  await expect(allEnded([Promise.reject(undecided), slow])).rejects.toBe(undecided)
  expect(isOver).toBe(true)
})
