import { describe, expect, test } from 'vitest'
import { walkTheModel } from '../../../helpers/updates/model.ts'
import { actor, askedBy, heldBy, people, settings, smallTask } from './small-task.ts'

async function walkWhere(options: Parameters<typeof smallTask>[0] = {}) {
  const small = smallTask(options)
  const loan = await small.lend()
  const how = { actor, settings, kinds: ['plain' as const] }
  return walkTheModel(loan, small.service, people, how)
}

const anybody = people.find(({ type }) => type === 'TEAM') ?? null

describe('a walk through the table of transitions', () => {
  test('ends well where the service follows it', async () => {
    await expect(walkWhere()).resolves.toMatch(/^25 steps at most, \d+ updates accepted$/)
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
    const how = { actor, settings, kinds: ['plain' as const] }
    const walk = walkTheModel(await small.lend(), { ...small.service, put }, people, how)
    await expect(walk).rejects.toThrow(/^after an invalid update: the task is assigned to TEAM/)
  })

  test('holds nothing against the service that another writer did', async () => {
    let reads = 0
    const onRead = (task: { updated_at: string; assignment: unknown }) => {
      reads += 1
      if (reads !== 6) return
      task.updated_at = '2027-01-01T00:00:00.000Z'
      task.assignment = heldBy({ id: 'dddddddd-0000-4000-8000-000000000000', type: 'USER' })
    }
    await expect(walkWhere({ onRead })).rejects.toMatchObject({ name: 'Trouble' })
  })
})
