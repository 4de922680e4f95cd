import { expect, test } from 'vitest'
import { settleWindowOf } from '../../../helpers/history/settle-window.ts'
import { tryAlone } from '../../../helpers/updates/attempt.ts'
import { movedAmong, problemsOfMoved } from '../../../helpers/updates/moved.ts'
import { garbage } from '../../../helpers/updates/versions.ts'
import { anna, type Bent, people, settings, smallTask } from './small-task.ts'

/** The answers to an update with a wrong version, and to the two sent to a still task afterwards. */
async function movedWhere(
  bend: (refused: number) => Bent,
  options: Parameters<typeof smallTask>[0] = {},
) {
  let refused = 0
  const small = smallTask({
    held: anna,
    ...options,
    bend: ({ isCurrent }, task) => {
      if (isCurrent) return undefined
      refused += 1
      const bent = bend(refused)
      if (bent?.isTouched) task.updated_at = task.updated_at.replace(/Z$/, `${refused}Z`)
      return bent
    },
  })
  const settleWindow = { ...settleWindowOf(small.history, 30), windowMs: () => 5 }
  const deps = { ...small, settleWindow, settings, people, commented: false }
  const [moved] = movedAmong([await tryAlone(garbage, deps)])
  return moved && (await problemsOfMoved(moved, deps, small.stop)).length
}

test('a refusal that moves the version is a breach where it does so three times of three', async () => {
  expect(await movedWhere(() => ({ isTouched: true }))).toBe(1)
  expect(await movedWhere(() => undefined)).toBeUndefined()
  // A 422 is not repeated because of a changed version; once or twice it may be another writer's
  // doing.
  for (const times of [1, 2])
    expect(await movedWhere((n) => ({ status: 422, isTouched: n <= times }))).toBe(0)
})

test('a task that changes by itself decides nothing', async () => {
  let reads = 0
  const onRead = (task: { updated_at: string }) => {
    reads += 1
    task.updated_at = task.updated_at.replace(/\d*Z$/, `${reads}Z`)
  }
  await expect(movedWhere(() => ({ isTouched: true }), { onRead })).rejects.toThrow(
    'the task changes by itself',
  )
})
