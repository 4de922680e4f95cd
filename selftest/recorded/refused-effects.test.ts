import { expect, test } from 'vitest'
import type { Recorded } from '../../helpers/service/seen.ts'
import { updateBody } from '../../helpers/service/update-request.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { brokenBy, judgementOf } from './client.ts'
import { recordOf, updateOf } from './har.ts'

const { tasks, users } = makeWorld(1, { events: 1 })
const [actor = '', anna = '', ben = ''] = users.map(({ id }) => id)
const task = tasks[0] as (typeof tasks)[number]

type Refusal = {
  /** after its start, when the task is changed; a request takes 20 ms */
  after?: number
  /** what the task is given then; default: what was asked for */
  to?: string
  status?: number
}

/** What a recorder writes of a task that is updated, and of stale updates that are refused. Its clock is behind. */
function recordingOf(refusals: readonly Refusal[], besides: Partial<Recorded>[] = []) {
  const recorded: Recorded[] = []
  let time = Date.UTC(2026, 0, 1)
  let now = { ...task, assignment: null as typeof task.assignment }
  const assignedTo = (id: string) => updateBody(actor, { id, type: 'USER' }).update
  const give = (to: string, at: number) => {
    const updated_at = new Date(at + 7_200_000).toISOString()
    now = { ...now, assignment: assignedTo(to), updated_at }
  }
  const add = (sent: Parameters<typeof recordOf>[0]) => {
    const headers = { 'content-type': 'application/json' }
    recorded.push(recordOf({ number: recorded.length + 1, start: time, headers, ...sent }))
    time += 20
  }
  const read = () => add({ path: `/tasks/${task.id}`, body: now })
  const put = (to: string, ifMatch: string, status: number, act = () => {}) => {
    act()
    const body = status === 200 ? now : { error: 'x' }
    add({ ...updateOf(task.id, ifMatch, { update: assignedTo(to) }), status, body })
  }
  read()
  for (const early of [4, 10, 16, 10, 10, 10]) {
    put(anna, now.updated_at, 200, () => give(anna, time + early))
    read()
  }
  for (const { after, to = ben, status = 409 } of refusals) {
    const stale = now.updated_at
    put(anna, stale, 200, () => give(anna, time + 10))
    const start = time
    put(ben, stale, status)
    if (after !== undefined) {
      give(to, start + after)
      time = Math.max(time, start + after)
    }
    read()
  }
  return [
    ...recorded,
    ...besides.map((each) => ({ ...(recorded.at(-1) as Recorded), ...each })),
  ].sort((one, other) => one.start - other.start)
}

const brokenIn = async (recorded: readonly Recorded[]) =>
  brokenBy(await judgementOf(recorded, { actorId: actor }))

const changesNothing = 'version.refused-changes-nothing'

const refusedWith = (ifMatch: string | undefined) =>
  recordingOf([{ after: 10 }, { after: 10 }]).map(({ requestHeaders, ...each }) => {
    const { 'if-match': given, ...others } = requestHeaders
    const sent = each.status === 409 ? ifMatch : given
    return { ...each, requestHeaders: { ...others, ...(sent && { 'if-match': sent }) } }
  })

test('refused updates that are carried out are a breach', async () => {
  expect(await brokenIn(recordingOf([{ after: 10 }, { after: 10 }]))).toEqual([changesNothing])
})

test('refused updates that renew the version are a breach', async () => {
  const touched = { after: 10, to: anna }
  expect(await brokenIn(recordingOf([touched, touched, touched]))).toEqual([
    `${changesNothing}.version`,
  ])
})

// biome-ignore format: one recording a line
test.each<[string, () => Recorded[]]>([
  ['one alone, which another writer may have made', () => recordingOf([{ after: 10 }])],
  ['the retry that follows, which the recording lacks', () => recordingOf([{ after: 60 }, { after: 60 }, { after: 60 }])],
  ['another writer, who gives one task to a person whom no update named', () => recordingOf([{ after: 10 }, { after: 10 }, { after: 60, to: actor }])],
  ['the work of a background job, which renews versions at other times too', () => recordingOf([...Array(3).fill({ after: 10, to: anna }), { after: 60, to: anna }])],
  ['a 409 to a version that the recording did not show before', () => refusedWith('2027-01-01T00:00:00.000Z')],
  ['a 409 whose If-Match the recorder left out', () => refusedWith(undefined)],
  [
    'an update at the same time that was never answered',
    () => {
      const twice = [{ after: 10 }, { after: 10 }]
      const twin = recordingOf(twice).find(({ status }) => status === 409) as Recorded
      return recordingOf(twice, [{ ...twin, number: 99, status: 0, body: Buffer.alloc(0) }])
    },
  ],
])('%s is not a breach', async (_, recorded) => {
  expect(await brokenIn(recorded())).toEqual([])
})
