import { describe, expect, test } from 'vitest'
import { openStories } from '../../../helpers/updates/stale-update.ts'
import { anna, askedBy, ben, people, settings, smallTask } from './small-task.ts'

/** The story of a task whose versions go stale; a restless one changes at every read after its first update. */
async function storyWhere({
  bend,
  isRestless = false,
}: {
  bend?: NonNullable<Parameters<typeof smallTask>[0]>['bend']
  isRestless?: boolean
}) {
  const forbidden: unknown[] = []
  const small = smallTask({
    ...(bend ? { bend } : {}),
    onRead: () => {
      if (isRestless && small.sent.length > 0) small.touch()
    },
  })
  const taskWatch = { forbid: (one: unknown) => forbidden.push(one) } as never
  const deps = { lending: small.lending, settings, taskWatch }
  const stories = await openStories(deps, small.shared, { people, commented: true })
  return { ...stories, sent: small.sent, forbidden }
}

const statusesOf = ({ reassign, unassign, assign }: Awaited<ReturnType<typeof storyWhere>>) =>
  [reassign, unassign, assign].map(({ answer }) => answer.status)

describe('a version that was current once', () => {
  test('is refused to each kind of update, and the latest is accepted', async () => {
    const story = await storyWhere({})
    expect(statusesOf(story)).toEqual([409, 409, 409])
    expect(story.retry.status).toBe(200)
    expect(story.further.reassign?.answer.status).toBe(409)
    expect([story.reassign, story.unassign, story.assign].map(({ restless }) => restless)).toEqual([
      false,
      false,
      false,
    ])
    for (const { before, after } of [story.reassign, story.unassign, story.assign])
      expect(after.assignment).toEqual(before.assignment)
    expect(story.forbidden).toHaveLength(3)
  })

  test('goes with an accepted update that is sent once more, as it was', async () => {
    const { sent } = await storyWhere({})
    const [accepted, repeated] = sent
    expect(accepted?.isCurrent).toBe(true)
    expect(repeated).toEqual({ ...accepted, isCurrent: false })
    expect(askedBy(accepted as never)?.assigned_to_id).toBe(anna.id)
  })

  test('is seen to change the task where it is refused and carried out', async () => {
    const story = await storyWhere({
      bend: (one) =>
        !one.isCurrent && askedBy(one)?.assigned_to_id === ben.id
          ? { status: 409, isCarriedOut: true }
          : undefined,
    })
    expect(story.reassign.answer.status).toBe(409)
    expect(story.reassign.before.assignment?.assigned_to_id).toBe(anna.id)
    expect(story.reassign.after.assignment?.assigned_to_id).toBe(ben.id)
    expect(story.reassign.restless).toBe(false)
  })
})

test('an accepted update that leaves the version as it was is for another clause', async () => {
  const keeping = storyWhere({
    bend: (_, task) => {
      const { updated_at } = task
      queueMicrotask(() => Object.assign(task, { updated_at }))
      return undefined
    },
  })
  await expect(keeping).rejects.toMatchObject({ why: { owners: ['assign.new-version'] } })
})

test('a stale update carries a comment that nobody else writes', async () => {
  const { sent, forbidden } = await storyWhere({})
  const comments = sent
    .filter(({ isCurrent }) => !isCurrent)
    .flatMap((one) => askedBy(one)?.assignment_comment ?? [])
  expect(new Set(comments).size).toBe(2)
  const tokens = forbidden.map((one) => (one as { token?: string }).token)
  expect(tokens).toEqual([comments[0], undefined, comments[1]])
})

test('a task is assigned again where a refused unassign was carried out', async () => {
  const story = await storyWhere({
    bend: (one) =>
      !one.isCurrent && askedBy(one) === null ? { status: 409, isCarriedOut: true } : undefined,
  })
  expect(story.unassign.after.assignment).toBeNull()
  expect(story.unassign.before.assignment?.assigned_to_id).toBe(anna.id)
  expect(story.retry.status).toBe(200)
  expect(story.assign.answer.status).toBe(409)
})

test('a task that changes by itself is known to, before a change is held against a refusal', async () => {
  const story = await storyWhere({ isRestless: true })
  expect(story.reassign.restless).toBe(true)
})
