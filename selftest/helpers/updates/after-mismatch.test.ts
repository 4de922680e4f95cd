import { describe, expect, test } from 'vitest'
import { movedByMismatch } from '../../../helpers/updates/after-mismatch.ts'
import type { Stories } from '../../../helpers/updates/stale-update.ts'
import { anna, heldBy } from './small-task.ts'

/** What a refused update left: a new version, and whether another assignment. */
type Left = { version?: string; isAnother?: boolean }

const storyOf = ({ version = 'a', isAnother = false }: Left) => {
  const before = { updated_at: 'a', assignment: null }
  const after = { updated_at: version, assignment: isAnother ? heldBy(anna) : null }
  const stale = { answer: { status: 409 }, before, after, restless: false }
  return { reassign: stale, unassign: stale, assign: stale }
}

const movedIn = (first: Left, again: Left, isAnybodyElseHere = false) => {
  const stories = { ...storyOf(first), again: async () => storyOf(again) } as unknown as Stories
  return movedByMismatch(stories, { mayBeAnothers: () => isAnybodyElseHere })
}

describe('refused updates that leave the assignment as it was', () => {
  test('move updated_at where they do it each time', async () => {
    const { refused, moved } = await movedIn({ version: 'b' }, { version: 'c' })
    expect([refused.length, moved.length]).toEqual([3, 3])
  })

  test('do not where updated_at is as before', async () => {
    expect((await movedIn({}, {})).moved).toEqual([])
  })

  test('say nothing where they did it once', async () => {
    await expect(movedIn({ version: 'b' }, {})).rejects.toThrow('somebody else changed the task')
  })
})

test('where the assignment is another one after each, it may be somebody else', async () => {
  const another = { version: 'b', isAnother: true }
  await expect(movedIn(another, another, true)).rejects.toThrow('somebody else changed the task')
  await expect(movedIn(another, another)).rejects.toThrow('the assignment changed after every 409')
})
