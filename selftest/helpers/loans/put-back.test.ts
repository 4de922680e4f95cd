import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openJournal } from '../../../helpers/loans/journal.ts'
import { type Settling, settleDebts } from '../../../helpers/loans/settle-debts.ts'
import type { Assignment } from '../../../helpers/service/answers.ts'
import { unassignBody, updateBody } from '../../../helpers/service/update-request.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import { settingsFor } from '../../engine/http/servers.ts'
import { type Lent, lendService } from './lent-service.ts'

const settleMs = 300
const taskOf = ({ world }: Lent, kind: 'none' | 'USER') =>
  world.tasks.find(({ assignment }) => (assignment?.assigned_to_type ?? 'none') === kind)
    ?.id as string

/** Writes down what a task is, and changes it, as a run does before it is killed. */
async function change(lent: Lent, id: string) {
  const { baseUrl: target, world } = lent
  const task = world.tasks.find((one) => one.id === id)
  const before = (task?.assignment ?? null) as Assignment | null
  const journal = openJournal(lent.env.JOURNAL_DIR, target)
  journal.owe({ task: id, target, found: 'then', before, run: { pid: 1, host: 'here' } })
  const user = { id: lent.userIds[2] as string, type: 'USER' as const }
  await put(lent, id, updateBody(lent.actorId as string, user, 'ours'))
  return journal
}

const url = (lent: Lent, id: string) => `${lent.baseUrl}/tasks/${id}`

async function put(lent: Lent, id: string, body: unknown) {
  const headers = { apikey: lent.apiKey, 'content-type': 'application/json' }
  const read = await lent.fetch(new Request(url(lent, id), { headers }))
  const { updated_at } = (await read.json()) as { updated_at: string }
  const request = new Request(`${url(lent, id)}/update-assignment`, {
    method: 'PUT',
    headers: { ...headers, 'if-match': updated_at },
    body: JSON.stringify(body),
  })
  expect((await lent.fetch(request)).status).toBe(200)
}

const settle = (lent: Lent, how: Settling = {}, more: Partial<Settings> = {}) =>
  settleDebts(
    settingsFor(lent.baseUrl, {
      apiKey: lent.apiKey,
      actorId: lent.actorId,
      journalDir: lent.env.JOURNAL_DIR,
      settleMs,
      ...more,
    }),
    { patienceMs: 20_000, ...how },
  )

const isPut = ({ method }: Request) => method === 'PUT'

test.concurrent.each(['none', 'USER'] as const)(
  'a task that was assigned to %s is put back',
  async (kind) => {
    const lent = await lendService()
    const id = taskOf(lent, kind)
    const journal = await change(lent, id)
    expect(await lent.changed()).toEqual([id])
    const { endings, residue } = await settle(lent)
    expect(endings).toEqual([{ task: id, state: 'put back' }])
    expect(residue).toEqual([])
    expect(await lent.changed()).toEqual([])
    expect(journal.open()).toEqual([])
  },
)

test.concurrent('tasks of others stay as they are, and stay owed', async () => {
  const lent = await lendService()
  const id = taskOf(lent, 'none')
  const journal = await change(lent, id)
  expect((await settle(lent, { tasks: [taskOf(lent, 'USER')] })).endings).toEqual([])
  expect(await lent.changed()).toEqual([id])
  expect(journal.open()).toHaveLength(1)
})

test.concurrent.each([
  ['reads that lag', 0],
  ['reads that lag, and take longer than SETTLE_MS,', settleMs + 50],
])('one that is as it was needs no update, though %s say otherwise', async (_, tookMs) => {
  let puts = 0
  const lent = await lendService({
    bent: { readLag: () => 150 },
    between: async (request, next) => {
      if (isPut(request)) puts += 1
      const answer = await next(request)
      await sleep(tookMs)
      return answer
    },
  })
  const id = taskOf(lent, 'none')
  await change(lent, id)
  await sleep(160)
  await put(lent, id, unassignBody(lent.actorId as string))
  const { endings } = await settle(lent)
  expect(endings).toEqual([{ task: id, state: 'as found' }])
  expect(puts).toBe(0)
})

test.concurrent('reads that lag do not keep one from being put back', async () => {
  const lent = await lendService({ bent: { readLag: () => 150 } })
  const id = taskOf(lent, 'USER')
  await change(lent, id)
  const { endings } = await settle(lent, { doubt: 'everything' })
  expect(endings).toEqual([{ task: id, state: 'put back' }])
  await sleep(160)
  expect(await lent.changed()).toEqual([])
})

test.concurrent('an update that lands late is waited for', async () => {
  const lent = await lendService()
  const id = taskOf(lent, 'none')
  const late = sleep(150).then(() => change(lent, id))
  openJournal(lent.env.JOURNAL_DIR, lent.baseUrl).owe({
    task: id,
    target: lent.baseUrl,
    found: 'then',
    before: null,
    run: { pid: 1, host: 'here' },
  })
  const { endings } = await settle(lent, { doubt: 'everything' })
  await late
  expect(endings).toEqual([{ task: id, state: 'put back' }])
  expect(await lent.changed()).toEqual([])
})

test.concurrent('an update that was carried out and never answered is found by reading', async () => {
  let puts = 0
  const lent = await lendService({
    between: async (request, next) => {
      const answer = await next(request)
      if (isPut(request)) puts += 1
      return isPut(request) ? new Promise(() => {}) : answer
    },
  })
  const id = taskOf(lent, 'USER')
  await change(lent, id)
  const { endings } = await settle(lent, {}, { timeoutMs: 1000 })
  expect(endings).toEqual([{ task: id, state: 'put back' }])
  expect(puts).toBe(1)
  expect(await lent.changed()).toEqual([])
})

test.concurrent('somebody else who changes the task at the same moment is no obstacle', async () => {
  let raced = false
  const lent: Lent = await lendService({
    between: async (request, next) => {
      if (isPut(request) && !raced) {
        raced = true
        const actor = lent.actorId as string
        await put(lent, id, updateBody(actor, { id: lent.userIds[1] as string, type: 'USER' }))
      }
      return next(request)
    },
  })
  const id = taskOf(lent, 'none')
  await change(lent, id)
  const { endings } = await settle(lent)
  expect(endings).toEqual([{ task: id, state: 'put back' }])
  expect(await lent.changed()).toEqual([])
})

const notFound = () => Response.json({ error: 'Not Found' }, { status: 404 })

test.concurrent('one that has vanished is told once, and struck out', async () => {
  const lent: Lent = await lendService({
    between: async (request, next) => (request.url.includes(id) ? notFound() : next(request)),
  })
  const id = taskOf(lent, 'USER')
  const { taskIds } = lent
  const journal = await change(lent, id)
  const { endings, residue } = await settle(lent, {}, { taskIds })
  expect(endings).toMatchObject([{ task: id, state: 'gone' }])
  expect(residue[0]?.reason).toMatch(/no longer has it \(404\).*it was assigned to USER /)
  expect(journal.open()).toEqual([])
  expect((await settle(lent, {}, { taskIds })).residue).toEqual([])
})

test.concurrent('one that is not found once is asked for again, and put back', async () => {
  let reads = 0
  const lent: Lent = await lendService({
    between: async (request, next) => {
      if (!isPut(request)) reads += 1
      return reads === 1 ? notFound() : next(request)
    },
  })
  const id = taskOf(lent, 'USER')
  await change(lent, id)
  const { endings } = await settle(lent, { patienceMs: 0 }, { settleMs: 0 })
  expect(endings).toEqual([{ task: id, state: 'put back' }])
  expect(await lent.changed()).toEqual([])
})

test.concurrent('where everything has vanished nothing is struck out', async () => {
  const lent = await lendService({ between: async () => notFound() })
  const id = taskOf(lent, 'USER')
  const journal = await change(lent, id)
  const { endings, residue } = await settle(lent, {}, { taskIds: lent.taskIds })
  expect(endings).toMatchObject([{ task: id, state: 'owed' }])
  expect(residue[0]?.reason).toMatch(
    /404 .*shows nothing else either; if it was deleted, remove \//,
  )
  expect(journal.open()).toHaveLength(1)
})

test.concurrent('an assignee whom the service no longer accepts is residue, in its own words', async () => {
  const lent: Lent = await lendService({
    between: async (request, next) =>
      isPut(request)
        ? Response.json({ error: `who is that, ${lent.apiKey}?` }, { status: 422 })
        : next(request),
  })
  const id = taskOf(lent, 'USER')
  const journal = await change(lent, id)
  const { endings, residue } = await settle(lent)
  expect(endings).toMatchObject([{ task: id, state: 'owed' }])
  expect(residue[0]?.reason).toMatch(
    /update-assignment answered 422: .*who is that, \(configured\)/,
  )
  expect(journal.open()).toHaveLength(1)
})

test.concurrent('without ACTOR_ID only what differs stays owed', async () => {
  const lent = await lendService()
  const [one, other] = [taskOf(lent, 'none'), taskOf(lent, 'USER')]
  const journal = await change(lent, one)
  await change(lent, other)
  await put(lent, one, unassignBody(lent.actorId as string))
  const { residue } = await settle(lent, {}, { actorId: undefined })
  expect(residue.map(({ task }) => task)).toEqual([other])
  expect(residue[0]?.reason).toMatch(/^set ACTOR_ID/)
  expect(journal.open()).toMatchObject([{ task: other }])
})

test.concurrent('a service that comes back in time gets its task back, one that does not is told', async () => {
  const lent = await lendService()
  const id = taskOf(lent, 'USER')
  const journal = await change(lent, id)
  await lent.down()
  const gaveUp = await settle(lent, { patienceMs: 500 })
  expect(gaveUp.residue[0]?.reason).toContain('connection refused')
  expect(journal.open()).toHaveLength(1)
  const back = sleep(1500).then(() => lent.up())
  const { endings } = await settle(lent)
  await back
  expect(endings).toEqual([{ task: id, state: 'put back' }])
  expect(await lent.changed()).toEqual([])
})

test.concurrent('a service that takes the update and keeps nothing of it is not asked for ever', async () => {
  let puts = 0
  const lent = await lendService({
    between: async (request, next) => {
      if (!isPut(request)) return next(request)
      puts += 1
      return new Response(null, { status: 204 })
    },
  })
  await change(lent, taskOf(lent, 'USER'))
  const { residue } = await settle(lent)
  expect(residue[0]?.reason).toContain('answered 204, but the assignment is not what it was')
  expect(puts).toBe(2)
})
