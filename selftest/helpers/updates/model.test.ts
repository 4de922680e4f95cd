import { describe, expect, test } from 'vitest'
import type { Task } from '../../../helpers/service/answers.ts'
import {
  type CommentKind,
  createWalked,
  problemsOfFailed,
} from '../../../helpers/updates/comment-kinds.ts'
import { walkTheModel } from '../../../helpers/updates/model.ts'
import { meeting, play, type Step } from '../history/model.ts'
import { actor, askedBy, heldBy, people, settings, smallTask } from './small-task.ts'

const somebody = { id: 'dddddddd-0000-4000-8000-000000000000', type: 'USER' as const }
const theirs = { ...heldBy(somebody), assignment_comment: 'by the house' } as Task['assignment']

async function walkWhere(
  options: Parameters<typeof smallTask>[0] = {},
  kinds: CommentKind[] = ['plain'],
  walked = createWalked(),
  met: Step[] = [],
) {
  const { history, service, lend } = smallTask(options)
  play(met, { history })
  return walkTheModel(await lend(), service, people, { actor, settings, kinds, walked, history })
}

const anybody = people.find(({ type }) => type === 'TEAM') ?? null

describe('a walk through the table of transitions', () => {
  test('ends well where the service follows it', async () => {
    await expect(walkWhere()).resolves.toMatch(/^25 steps at most, [1-9]\d* updates accepted$/)
  })

  test('begins with the task unassigned', async () => {
    const [holder = null] = people
    await expect(walkWhere({ held: holder })).resolves.toMatch(/updates accepted$/)
  })

  test('condemns a valid update that is refused', async () => {
    await expect(walkWhere({ bend: () => ({ status: 422 }) })).rejects.toThrow(
      /^PUT .* answered 422 to assign to .*\nthe walk: /s,
    )
  })

  test('goes on without a comment where an update is refused for its length', async () => {
    const bend = ({ body }: { body: object }) =>
      JSON.stringify(body).length > 400 ? { status: 422 } : undefined
    await expect(walkWhere({ bend }, ['plain', 'long'])).resolves.toMatch(/updates accepted$/)
  })

  test.each([
    [403, 2, 0],
    [500, 4, 2],
  ])('leaves out a kind of comment that is answered %d', async (status, times, failed) => {
    let sent = 0
    const bend = ({ body }: { body: object }) => {
      const isEmoji = JSON.stringify(body).includes('👩')
      sent += Number(isEmoji)
      return isEmoji ? { status } : undefined
    }
    const walked = createWalked()
    await expect(walkWhere({ bend }, ['plain', 'emoji'], walked)).resolves.toMatch(/accepted$/)
    // Once to assign and once to unassign; a failure is asked for twice.
    expect(sent).toBe(times)
    expect(walked.failed.map(({ kind }) => kind)).toEqual(Array(failed).fill('emoji'))
    expect([...walked.taken]).toEqual(['plain'])
  })

  test('holds a failure against a service that takes such comments otherwise', async () => {
    const failed = [{ kind: 'emoji', problem: { sentence: 'it failed' } as never }]
    const journeyWith = (status: number) =>
      ({ step: async () => ({ answer: { status } }) }) as never
    const walked = { taken: new Set<CommentKind>(), failed }
    expect(await problemsOfFailed(walked, journeyWith(200))).toHaveLength(1)
    expect(await problemsOfFailed(walked, journeyWith(422))).toHaveLength(0)
  })

  test('is not decided where the key may not update', async () => {
    const walk = walkWhere({ bend: () => ({ status: 403 }) })
    await expect(walk).rejects.toMatchObject({ why: { cause: 'refused' } })
  })

  test.each(['USER', 'TEAM'])(
    'condemns a stale unassign that is accepted for a %s',
    async (type) => {
      const bend = (
        one: Parameters<typeof askedBy>[0] & { isCurrent: boolean },
        { assignment }: Pick<Task, 'assignment'>,
      ) => {
        const isHeldBySuch = assignment?.assigned_to_type === type
        return !one.isCurrent && askedBy(one) === null && isHeldBySuch ? { status: 200 } : undefined
      }
      await expect(walkWhere({ bend })).rejects.toThrow(
        / answered 200 to unassign with a stale If-M/,
      )
    },
  )

  test('condemns a task that cannot be read any more after an invalid update', async () => {
    let isBroken = false
    const walk = walkWhere({
      bend: (one) => {
        const isInvalid = askedBy(one)?.assigned_to_id === undefined && askedBy(one) !== null
        isBroken ||= isInvalid
        return isInvalid ? { status: 200, isCarriedOut: false } : undefined
      },
      onRead: (task) => {
        if (isBroken) Object.assign(task, { updated_at: 7 })
      },
    })
    await expect(walk).rejects.toThrow(
      / answered 200 to an invalid update, and after it .*updated_at/,
    )
  })

  test('condemns an accepted update that is not stored', async () => {
    const bend = () => ({ isCarriedOut: true, stored: heldBy(null) })
    await expect(walkWhere({ bend })).rejects.toThrow(
      /^after assign to .*: the task is assigned to null, not to (USER|TEAM) .*\nthe walk: /s,
    )
  })

  test('condemns a stale update that is answered 409 and carried out', async () => {
    const bend = (one: Parameters<typeof askedBy>[0] & { isCurrent: boolean }) =>
      one.isCurrent || !askedBy(one) ? undefined : { status: 409, isCarriedOut: true }
    await expect(walkWhere({ bend })).rejects.toThrow(/^after a stale update: the task is assigned/)
  })

  test('condemns a stale update that is accepted', async () => {
    const bend = ({ isCurrent }: { isCurrent: boolean }) =>
      isCurrent ? undefined : { status: 200 }
    await expect(walkWhere({ bend })).rejects.toThrow(
      / answered 200 to .* with a stale If-Match, not/,
    )
  })

  test('condemns an invalid update that is refused and carried out', async () => {
    const isInvalid = (one: Parameters<typeof askedBy>[0]) => {
      const asked = askedBy(one)
      return asked !== null && asked?.assigned_to_id === undefined
    }
    const bend = (one: Parameters<typeof askedBy>[0], { updated_at }: { updated_at: string }) =>
      isInvalid(one)
        ? { status: 422, isCarriedOut: true, stored: heldBy(anybody), updated_at }
        : undefined
    // The version stays: another one would be another writer's.
    const small = smallTask({ bend })
    const put: typeof small.service.put = async (id, version, body) => {
      const before = small.task.updated_at
      const answer = await small.service.put(id, version, body)
      if (answer.status === 422) small.task.updated_at = before
      return answer
    }
    const how = {
      actor,
      settings,
      kinds: ['plain' as const],
      walked: createWalked(),
      history: small.history,
    }
    const walk = walkTheModel(await small.lend(), { ...small.service, put }, people, how)
    await expect(walk).rejects.toThrow(/^after an invalid update: the task is assigned to TEAM/)
  })

  const change = (task: Task, times: number) => {
    task.updated_at = `2027-01-01T00:00:${String(times).padStart(2, '0')}.000Z`
    task.assignment = theirs
  }

  test('goes on where another writer changed the task', async () => {
    let reads = 0
    const onRead = (task: Task) => {
      reads += 1
      if (reads === 6 || reads === 20) change(task, reads)
    }
    await expect(walkWhere({ onRead })).resolves.toMatch(
      /updates accepted; changes of others on the way: 2$/,
    )
  })

  test('holds nothing against the service that other writers do all the time', async () => {
    let reads = 0
    const onRead = (task: Task) => {
      reads += 1
      if (reads > 5) change(task, reads)
    }
    await expect(walkWhere({ onRead })).rejects.toMatchObject({ name: 'Trouble' })
  })

  test.each<[string, Parameters<typeof walkWhere>[0]]>([
    [
      'an accepted update is undone under another version',
      {
        onRead: (() => {
          let reads = 0
          return (task: Task) => {
            reads += 1
            if (reads === 6) Object.assign(task, { updated_at: '2027', assignment: null })
          }
        })(),
      },
    ],
    [
      'an invalid update is refused, and unassigns the task',
      {
        bend: (one) =>
          askedBy(one) === null || askedBy(one)?.assigned_to_id
            ? undefined
            : { status: 422, isCarriedOut: true, stored: null },
      },
    ],
  ])('is not decided where %s, and nobody else was seen', async (_, options) => {
    await expect(walkWhere(options)).rejects.toMatchObject({ name: 'Trouble' })
  })

  test('is not decided where a refused update did what it asked for', async () => {
    const bend = (one: Parameters<typeof askedBy>[0] & { isCurrent: boolean }) =>
      one.isCurrent || askedBy(one) !== null ? undefined : { status: 409, isCarriedOut: true }
    const walk = walkWhere({ bend }, ['plain'], createWalked(), meeting)
    await expect(walk).rejects.toMatchObject({ name: 'Trouble' })
  })

  test('condemns what is wrong after another writer was met', async () => {
    let reads = 0
    const onRead = (task: Task) => {
      reads += 1
      if (reads === 6) change(task, reads)
    }
    const bend = ({ isCurrent }: { isCurrent: boolean }) =>
      isCurrent || reads < 6 ? undefined : { status: 200 }
    await expect(walkWhere({ onRead, bend })).rejects.toThrow(/ with a stale If-Match, not/)
  })
})
