import { describe, expect, test } from 'vitest'
import { ForeignChange } from '../../../helpers/loans/foreign-change.ts'
import type { Task } from '../../../helpers/service/answers.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import { tryCurrentVersions } from '../../../helpers/updates/current-accepted.ts'
import { suspectsAmong } from '../../../helpers/updates/other-tasks.ts'
import { anna, id, people, settings, smallTask } from './small-task.ts'

type Bend = NonNullable<Parameters<typeof smallTask>[0]>['bend']

type How = { given?: Partial<Settings>; held?: typeof anna | null; onRead?: (task: Task) => void }

function triedWhere(bend: Bend, { given = {}, held = anna, onRead = () => {} }: How = {}) {
  const { lending, service, history, sent, stop } = smallTask({ held, bend, onRead })
  const known = { tasks: [{ id, lendable: true, assigned: 'USER' }] } as never
  const all = { ...(settings as Settings), ...given }
  const deps = { lending, service, history, settings: all, known, stop }
  return { tried: tryCurrentVersions(deps), sent }
}

describe('the version that reads show', () => {
  test('is accepted, and nothing is condemned', async () => {
    const found = await triedWhere(() => undefined).tried
    expect(found).toMatchObject({ accepted: { status: 200 }, breaches: [] })
  })

  test('is condemned where every kind of update is answered as one with a wrong version', async () => {
    const { tried, sent } = triedWhere(() => ({ status: 409 }))
    const { accepted, breaches } = await tried
    expect(accepted).toBeUndefined()
    expect(breaches.map(({ sentence, expected, got }) => [sentence, expected, got])).toEqual([
      [
        expect.stringMatching(
          / answered 409 to the updated_at that reads before and after it show, 3 times on 1 tasks, just as to a wrong one$/,
        ),
        '2xx',
        '409',
      ],
    ])
    expect(sent.map(({ isCurrent }) => isCurrent)).toEqual([true, false, true, false, true, false])
  })

  test('is condemned without users, or without teams, to assign to', async () => {
    for (const given of [{ userIds: [] }, { teamIds: [] }])
      expect((await triedWhere(() => ({ status: 409 }), { given }).tried).breaches).toHaveLength(1)
  })

  test.each<[string, Bend, How]>([
    [
      'a wrong version is answered otherwise',
      (one) => (one.isCurrent ? { status: 412 } : undefined),
      {},
    ],
    ['it is refused for something else', () => ({ status: 422 }), {}],
    ['no unassign can be tried', () => ({ status: 409 }), { held: null }],
  ])('is for the operator where %s', async (_, bend, how) => {
    await expect(triedWhere(bend, how).tried).rejects.toMatchObject({ why: { cause: 'refused' } })
  })

  test('is not seen where the task changes by itself', async () => {
    let reads = 0
    const onRead = (task: Task) => {
      reads += 1
      task.updated_at = new Date(Date.UTC(2026, 1, 1, 0, 0, reads)).toISOString()
    }
    await expect(triedWhere(() => ({ status: 409 }), { onRead }).tried).rejects.toThrow(
      ForeignChange,
    )
  })
})

test('tasks that reads show changed are suspected, and those that cannot be read are not', async () => {
  const { service, touch } = smallTask({ held: people[0] ?? null })
  const gone = 'gone'
  const read = async (of: string) => ({ id: of, answer: await service.readTask(of) })
  const before = [await read(id), await read(gone)]
  expect(await suspectsAmong(service, before)).toEqual([])
  touch()
  expect(await suspectsAmong(service, before)).toEqual([id])
})
