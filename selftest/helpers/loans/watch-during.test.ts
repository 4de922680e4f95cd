import { expect, test } from 'vitest'
import { watchDuring } from '../../../helpers/loans/watch-during.ts'

test('watchers look before and after; what is done does not wait for what they see later', async () => {
  const done: string[] = []
  let finish = () => {}
  const later = new Promise<void>((resolve) => {
    finish = resolve
  })
  const { acted, seen } = watchDuring(
    [
      async (act) => {
        done.push('one is ready')
        done.push(`one saw ${await act()}`)
        await later
        done.push('one has seen it all')
      },
      async () => {
        throw new Error('this one cannot look')
      },
    ],
    async () => {
      done.push('done')
      return 'it'
    },
  )
  expect(await acted).toBe('it')
  finish()
  await seen
  expect(done).toEqual(['one is ready', 'done', 'one saw it', 'one has seen it all'])
})

test('watchers hear why it cannot be done', async () => {
  const seen: unknown[] = []
  const looking = watchDuring<never>(
    [(act) => act().catch((error) => seen.push(error.message))],
    async () => {
      throw new Error('no')
    },
  )
  await expect(looking.acted).rejects.toThrow('no')
  await looking.seen
  expect(seen).toEqual(['no'])
  await expect(watchDuring([], async () => 1).acted).resolves.toBe(1)
})
