import { expect, test } from 'vitest'
import {
  makeFurtherUpdates,
  versionsShownBeside,
} from '../../../helpers/updates/further-updates.ts'
import { actor, anna, askedBy, ben, people, settings, smallTask } from './small-task.ts'

function furtherWhere(options: Parameters<typeof smallTask>[0] = {}) {
  const small = smallTask(options)
  const { shared, lending } = small
  return { made: makeFurtherUpdates({ shared, lending, settings, people }), ...small }
}

test('the version of an answer is sent at once, and nothing is read in between', async () => {
  const { made, sent, exchanges } = furtherWhere()
  const { first, afterUpdate, afterUnassign } = (await made).atOnce
  expect([afterUpdate?.status, afterUnassign?.status]).toEqual([200, 200])
  expect(first).toBe(afterUnassign)
  const [one, other] = sent.slice(-2)
  expect(sent.slice(-2).map(({ isCurrent }) => isCurrent)).toEqual([true, true])
  expect(other?.version).toBe(JSON.parse(first.text).updated_at)
  expect(other?.version).not.toBe(one?.version)
  expect(exchanges.slice(-2).map(({ method }) => method)).toEqual(['PUT', 'PUT'])
})

test('an answer without a version is followed by no other update', async () => {
  const small = smallTask()
  let last: string | undefined
  const put: typeof small.service.put = async (id, version, body) => {
    const answer = await small.service.put(id, version, body)
    last = JSON.stringify(body)
    return / c"| d"/.test(last) ? { ...answer, text: '{}' } : answer
  }
  const service = { ...small.service, put }
  const shared = ((_: unknown, find: (at: unknown) => unknown) => find(service)) as never
  const { atOnce } = await makeFurtherUpdates({ shared, lending: small.lending, settings, people })
  expect([atOnce.afterUpdate, atOnce.afterUnassign].filter(Boolean)).toEqual([atOnce.first])
})

test('an update in the name of another is sent once, and the same assignee once more', async () => {
  const { byAnother, sameAssignee } = await furtherWhere().made
  expect(byAnother).toMatchObject({ by: ben.id, to: anna, answer: { status: 200 } })
  expect(sameAssignee.before.assignment?.assigned_to_id).toBe(anna.id)
  expect(sameAssignee.after.assignment?.assigned_to_id).toBe(anna.id)
  expect(sameAssignee.after.updated_at).not.toBe(sameAssignee.before.updated_at)
})

test('an update is sent at once first where unassigning with foreign members was refused', async () => {
  const { made } = furtherWhere({
    bend: ({ body }) =>
      'unassign' in body && JSON.stringify(body).includes('c_name') ? { status: 422 } : undefined,
  })
  const { atOnce, foreignMembers } = await made
  expect(foreignMembers.map(({ answer }) => answer.status)).toEqual([200, 422])
  expect(atOnce.first).toBe(atOnce.afterUpdate)
  expect(atOnce.afterUnassign?.status).toBe(200)
})

test('members that an update took are given their former values again', async () => {
  const { made, task } = furtherWhere({
    bend: ({ body }, taken) => {
      if ('name' in body) taken.name = body.name
      return undefined
    },
  })
  const [onUpdate] = (await made).foreignMembers
  expect(onUpdate?.after.name).toBe('Contract test, please ignore')
  expect(task.name).toBe('a task')
})

test.each([
  ['updates', 'unassigns'],
  ['unassigns', 'updates'],
])('reads beside %s show their versions, and beside %s none', async (shown, hidden) => {
  const small = smallTask({
    held: anna,
    bend: (one) => {
      const what = askedBy(one) === null ? 'unassigns' : 'updates'
      // What is touched right after its answer is never read with that version.
      return { isTouched: what === hidden }
    },
  })
  const { lending, service } = small
  expect(await versionsShownBeside({ lending, service, actor, to: anna })).toEqual({
    [shown]: true,
    [hidden]: false,
  })
})
