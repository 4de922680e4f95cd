import { expect, test } from 'vitest'
import { followAll } from '../../../helpers/loans/follow-all.ts'
import { updateBody } from '../../../helpers/service/update-request.ts'

type Following = Parameters<typeof followAll>[1]

const held = { assigned_to_id: 'T', assigned_to_type: 'TEAM', assignment_comment: 'kept' }

/** Follows on tasks 'held' and 'free', and says what was sent and what was waited for. */
async function following(more: { status?: number; ends?: true; userIds?: string[] } = {}) {
  const { status = 200, ends, userIds = ['U'] } = more
  const stopping = new AbortController()
  if (ends) stopping.abort(new Error('the run ends'))
  const sent: [task: string, body: unknown][] = []
  const waited: string[] = []
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
          const shown = { id: task.id, updated_at: `after ${task.id}`, assignment: null }
          return { status, text: JSON.stringify(shown), headers: {} }
        },
        async watch(id: string, _: unknown, given: { until(seen: unknown): boolean }) {
          const isUntil = (updated_at: string) => given.until({ updated_at })
          if (isUntil(`after ${id}`) && !isUntil('before')) waited.push(id)
        },
      },
    })
  }
  const given = { lending: { lend }, service: {}, stop: stopping.signal }
  const settings = { actorId: 'A', userIds, teamIds: ['team'] }
  await followAll(['held', 'gone', 'free'], { ...given, settings } as unknown as Following)
  return { sent, waited }
}

test('what is assigned is assigned as it is, what is not to anybody, and reads are waited for', async () => {
  const { sent, waited } = await following()
  expect(sent).toEqual([
    ['held', updateBody('A', { id: 'T', type: 'TEAM' }, 'kept')],
    ['free', updateBody('A', { id: 'U', type: 'USER' })],
  ])
  expect(waited).toEqual(['held', 'free'])
  const [, [, body] = []] = (await following({ userIds: [] })).sent
  expect(body).toEqual(updateBody('A', { id: 'team', type: 'TEAM' }))
})

test('what is refused is not waited for, and an end of the run is', async () => {
  expect((await following({ status: 409 })).waited).toEqual([])
  await expect(following({ ends: true })).rejects.toThrow('the run ends')
})
