import { expect, test } from 'vitest'
import { followAll } from '../../../helpers/loans/follow-all.ts'
import { updateBody } from '../../../helpers/service/update-request.ts'

type Following = Parameters<typeof followAll>[1]

const held = { assigned_to_id: 'T', assigned_to_type: 'TEAM', assignment_comment: 'kept' }

/** Follows on tasks 'held' and 'free', and says what was sent. */
async function following({ ends, userIds = ['U'] }: { ends?: true; userIds?: string[] } = {}) {
  const stopping = new AbortController()
  if (ends) stopping.abort(new Error('the run ends'))
  const sent: [task: string, body: unknown][] = []
  const lend: unknown = async (
    { id }: { id: string },
    _: unknown,
    act: (loan: unknown) => unknown,
  ) => {
    if (id === 'gone') throw new Error('it is lent to nobody')
    return act({
      task: { id, assignment: id === 'held' ? held : null },
      current: {
        async put(task: { id: string }, body: unknown) {
          sent.push([task.id, body])
        },
      },
    })
  }
  const given = { lending: { lend }, service: {}, stop: stopping.signal }
  const settings = { actorId: 'A', userIds, teamIds: ['team'] }
  await followAll(['held', 'gone', 'free'], { ...given, settings } as unknown as Following)
  return sent
}

test('what is assigned is assigned as it is, what is not to anybody', async () => {
  expect(await following()).toEqual([
    ['held', updateBody('A', { id: 'T', type: 'TEAM' }, 'kept')],
    ['free', updateBody('A', { id: 'U', type: 'USER' })],
  ])
  const [, [, body] = []] = await following({ userIds: [] })
  expect(body).toEqual(updateBody('A', { id: 'team', type: 'TEAM' }))
})

test('an end of the run ends it', async () => {
  await expect(following({ ends: true })).rejects.toThrow('the run ends')
})
