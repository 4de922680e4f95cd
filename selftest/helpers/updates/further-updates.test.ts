import { expect, test } from 'vitest'
import { makeFurtherUpdates } from '../../../helpers/updates/further-updates.ts'
import { anna, ben, people, settings, smallTask } from './small-task.ts'

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
