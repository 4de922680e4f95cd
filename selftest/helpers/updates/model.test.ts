import { describe, expect, test } from 'vitest'
import type { Task } from '../../../helpers/service/answers.ts'
import { createWalked } from '../../../helpers/updates/comment-kinds.ts'
import { walkTheModel } from '../../../helpers/updates/model.ts'
import { meeting, play, type Step } from '../history/model.ts'
import { actor, askedBy, heldBy, people, settings, smallTask } from './small-task.ts'

type Options = Parameters<typeof smallTask>[0]

const somebody = { id: 'dddddddd-0000-4000-8000-000000000000', type: 'USER' as const }
const theirs = { ...heldBy(somebody), assignment_comment: 'by the house' } as Task['assignment']

async function walkWhere(options: Options = {}, met: Step[] = []) {
  const { history, service, lend } = smallTask(options)
  play(met, { history })
  const how = { actor, settings, kinds: ['plain' as const], walked: createWalked(), history }
  return walkTheModel(await lend(), service, people, how)
}

/** Another writer changes the task at these reads. */
function changingAt(isChanged: (reads: number) => boolean, as: Partial<Task> = {}) {
  let reads = 0
  return {
    reads: () => reads,
    onRead: (task: Task) => {
      reads += 1
      if (!isChanged(reads)) return
      task.updated_at = `2027-01-01T00:00:${String(reads).padStart(2, '0')}.000Z`
      Object.assign(task, { assignment: theirs, ...as })
    },
  }
}

const isInvalid = (one: Parameters<typeof askedBy>[0]) =>
  askedBy(one) !== null && askedBy(one)?.assigned_to_id === undefined

describe('a walk through the table of transitions', () => {
  test('continues after another writer changed the task, and says how often', async () => {
    await expect(walkWhere()).resolves.toMatch(/^16 steps at most, [1-9]\d* updates accepted$/)
    await expect(walkWhere(changingAt((n) => n === 6 || n === 20))).resolves.toMatch(
      /updates accepted; changes of others on the way: 2$/,
    )
  })

  test('still condemns a stale version that is accepted after that', async () => {
    const { onRead, reads } = changingAt((n) => n === 6)
    const bend = ({ isCurrent }: { isCurrent: boolean }) =>
      isCurrent || reads() < 6 ? undefined : { status: 200 }
    await expect(walkWhere({ onRead, bend })).rejects.toThrow(/ with a stale If-Match, not/)
  })

  test.each<[string, Options, Step[]?]>([
    ['another writer changes the task all the time', changingAt((n) => n > 5)],
    [
      'an accepted update is undone under another version, and no other writer was seen',
      changingAt((n) => n === 4, { assignment: null }),
    ],
    [
      'an invalid update is refused, and unassigns the task',
      {
        bend: (one) =>
          isInvalid(one) ? { status: 422, isCarriedOut: true, stored: null } : undefined,
      },
    ],
    [
      'a refused update did what it asked for, beside another writer',
      {
        bend: (one) =>
          one.isCurrent || askedBy(one) !== null ? undefined : { status: 409, isCarriedOut: true },
      },
      meeting,
    ],
  ])('is not decided where %s', async (_, options, met) => {
    await expect(walkWhere(options, met)).rejects.toMatchObject({ name: 'Trouble' })
  })
})
