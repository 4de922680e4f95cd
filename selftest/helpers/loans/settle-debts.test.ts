import { expect, test } from 'vitest'
import { openJournal } from '../../../helpers/loans/journal.ts'
import { type Settling, settleDebts } from '../../../helpers/loans/settle-debts.ts'
import { updateBody } from '../../../helpers/service/update-request.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { httpServer, settingsFor } from '../../engine/http/servers.ts'
import { openTestFolder } from '../../test-end.ts'
import { lendService } from './lent-service.ts'

const debt = (lent: { baseUrl: string }, task: string) => ({
  ...{ task, target: lent.baseUrl, found: 'then', before: null, run: { pid: 1, host: 'here' } },
})

/** Lends a service with tasks that a killed run has changed, and settles them. */
async function settledWhere(
  between: Parameters<typeof lendService>[0] = {},
  { count = 1, ...how }: Settling & { count?: number; settings?: Partial<Settings> } = {},
) {
  const lent = await lendService(between)
  const tasks = lent.world.tasks.filter(({ assignment }) => assignment === null).slice(0, count)
  const journal = openJournal(lent.env.JOURNAL_DIR, lent.baseUrl)
  for (const { id, updated_at } of tasks) {
    journal.owe(debt(lent, id))
    const headers = { apikey: lent.apiKey, 'content-type': 'application/json' }
    const body = updateBody(lent.actorId ?? '', { id: lent.userIds[2] ?? '', type: 'USER' })
    const url = `${lent.baseUrl}/tasks/${id}/update-assignment`
    const request = { method: 'PUT', headers: { ...headers, 'if-match': updated_at } }
    await lent.fetch(new Request(url, { ...request, body: JSON.stringify(body) }))
  }
  const { apiKey, actorId, taskIds } = lent
  const given = { apiKey, actorId, taskIds, journalDir: lent.env.JOURNAL_DIR, settleMs: 60 }
  const settings = settingsFor(lent.baseUrl, { ...given, ...how.settings })
  const settle = () => settleDebts(settings, { retryForMs: 200, ...how })
  return { ...(await settle()), settle, journal, changed: await lent.changed(), tasks }
}

const isPut = ({ method }: Request) => method === 'PUT'
const notFound = async () => Response.json({ error: 'Not Found' }, { status: 404 })

test('what is put back is removed from the journal, and is not residue', async () => {
  const { endings, residue, journal, changed } = await settledWhere()
  expect(endings).toMatchObject([{ state: 'put back' }])
  expect([residue, changed, journal.open()]).toEqual([[], [], []])
})

test('tasks of others stay as they are, and stay owed', async () => {
  const { endings, journal, changed, tasks } = await settledWhere({}, { tasks: ['another'] })
  expect(endings).toEqual([])
  expect([changed, journal.open().length]).toEqual([tasks.map(({ id }) => id), 1])
})

test('a missing task is reported once, and removed', async () => {
  const gone = makeWorld(1).tasks.find(({ assignment }) => assignment === null)?.id ?? ''
  const { endings, residue, settle } = await settledWhere({
    between: async (request, next) =>
      request.method === 'GET' && request.url.includes(gone) ? notFound() : next(request),
  })
  expect(endings).toMatchObject([{ state: 'gone' }])
  expect(residue[0]?.reason).toMatch(/no longer has it \(404\)/)
  expect((await settle()).residue).toEqual([])
})

test('if everything is missing, nothing is removed', async () => {
  const { endings, residue, journal } = await settledWhere({ between: notFound })
  expect(endings).toMatchObject([{ state: 'owed' }])
  expect(residue[0]?.reason).toMatch(
    /404 .*shows nothing else either; if it was deleted, remove \//,
  )
  expect(journal.open()).toHaveLength(1)
})

test('an assignee that the service no longer accepts leaves residue, with its words and without the key', async () => {
  const { residue, journal } = await settledWhere({
    between: async (request, next) => {
      const key = request.headers.get('apikey')
      const isLater = isPut(request) && (await request.clone().text()).includes('unassign')
      return isLater ? Response.json({ error: `who, ${key}?` }, { status: 422 }) : next(request)
    },
  })
  expect(residue[0]?.reason).toMatch(/update-assignment responded 422: .*who, \(configured\)/)
  expect(journal.open()).toHaveLength(1)
})

test('without ACTOR_ID what differs stays owed', async () => {
  const { residue, journal } = await settledWhere({}, { settings: { actorId: undefined } })
  expect(residue[0]?.reason).toMatch(/^set ACTOR_ID/)
  expect(journal.open()).toHaveLength(1)
})

test('a service that never answers is not waited for without end', async () => {
  const baseUrl = await httpServer(() => {})
  const given = { journalDir: openTestFolder(), settleMs: 20, timeoutMs: 300 }
  openJournal(given.journalDir, baseUrl).owe(debt({ baseUrl }, '1'))
  const { residue } = await settleDebts(settingsFor(baseUrl, given), { retryForMs: 100 })
  // On a busy machine the limit of one request may come before that of all.
  expect(residue[0]?.reason).toMatch(/did not respond within 420 ms|no full response within/)
})
