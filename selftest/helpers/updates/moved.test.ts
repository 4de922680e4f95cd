import { expect, test } from 'vitest'
import { settleWindowOf } from '../../../helpers/history/settle-window.ts'
import { tryAlone } from '../../../helpers/updates/attempt.ts'
import { movedAmong, problemsOfMoved } from '../../../helpers/updates/moved.ts'
import { garbage } from '../../../helpers/updates/versions.ts'
import { anna, type Bent, people, type Sent, settings, smallTask } from './small-task.ts'

/** What comes of an update with a wrong version, and of the two that are sent to a still task then. */
async function movedWhere(
  bend: (refused: number) => Bent,
  options: Parameters<typeof smallTask>[0] = {},
) {
  let refused = 0
  const small = smallTask({
    held: anna,
    ...options,
    bend: ({ isCurrent }: Sent, task) => {
      if (isCurrent) return undefined
      refused += 1
      const bent = bend(refused)
      if (bent?.isTouched) task.updated_at = task.updated_at.replace(/Z$/, `${refused}Z`)
      return bent
    },
  })
  const { history, stop } = small
  const settleWindow = { ...settleWindowOf(history, 30), windowMs: () => 5 }
  const deps = { ...small, settleWindow, settings, people, commented: false }
  const tried = await tryAlone(garbage, deps)
  const [moved] = movedAmong([tried])
  return moved ? problemsOfMoved(moved, deps, stop) : undefined
}

test('a refusal that moves the version each time is a breach, with what it was before', async () => {
  const [problem, ...more] = (await movedWhere(() => ({ isTouched: true }))) ?? []
  expect(problem?.sentence).toMatch(
    / answered 409 to an update whose If-Match is no timestamp, and updated_at is new$/,
  )
  expect(problem?.got).not.toBe(problem?.expected)
  expect(problem?.control).toHaveLength(1)
  expect(more).toEqual([])
})

test('a version that stays as it was is not looked at again', async () => {
  expect(await movedWhere(() => undefined)).toBeUndefined()
})

test.each([1, 2])('one that moves %i of three times may be another writer’s', async (times) => {
  // A 422 is not sent again for a version that moved.
  const moves = (refused: number) => ({ status: 422, isTouched: refused <= times })
  expect(await movedWhere(moves)).toEqual([])
})

test('a refusal with another status says nothing of the first', async () => {
  // A 409 over a version that moved is sent again six times.
  const bend = (refused: number) => ({ isTouched: true, status: refused <= 6 ? 409 : 422 })
  expect(await movedWhere(bend)).toEqual([])
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
