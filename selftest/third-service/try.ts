/** Starts the plain service and checks the main sentences: node --import tsx try.ts */
import assert from 'node:assert/strict'
import Papa from 'papaparse'
import { PDFParse } from 'pdf-parse'
import { startThirdService } from './index.ts'
import type { Assessment, Task } from './model.ts'

type Row = Record<string, string>
type Mail = { ID: string; Text: string; To: { Address: string }[] }
type Page = { total: number; messages_count: number; messages: Mail[] }

const events = 4_990
const service = await startThirdService({ events })
const { env } = service
const key = { apikey: env.API_KEY ?? '' }
const list = (name: string) => (env[name] ?? '').split(',')
const get = (path: string, headers: Record<string, string> = key) =>
  fetch(`${env.BASE_URL}${path}`, { headers })
const read = async (id: string) => (await (await get(`/tasks/${id}`)).json()) as Task
const put = (id: string, version: string, body: unknown, headers: Record<string, string> = key) =>
  fetch(`${env.BASE_URL}/tasks/${id}/update-assignment`, {
    method: 'PUT',
    headers: { ...headers, 'if-match': version, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const exported = (query: Record<string, string> | [string, string][] = {}) =>
  get(`/audit-sentinel/events/export?${new URLSearchParams(query)}`)
const rows = async (query: Record<string, string> | [string, string][] = {}): Promise<Row[]> => {
  const response = await exported(query)
  assert.equal(response.status, 200)
  return Papa.parse<Row>((await response.text()).trim(), { header: true }).data
}
const mailbox = async <T>(path: string) =>
  (await (await fetch(`${env.MAILBOX_URL}/api/v1/${path}`)).json()) as T
const moment = (row: Row) => new Date(`${row.Happened?.slice(4, 27).replace(' ', 'T')}Z`)
const check = async (says: string, run: () => Promise<void>) => {
  await run()
  console.log(`ok  ${says}`)
}

const [first = '', second = ''] = list('TASK_IDS')
const [user = '', otherUser = ''] = list('USER_IDS')
const [team = ''] = list('TEAM_IDS')
const actor = env.ACTOR_ID ?? ''
const nobody = '00000000-0000-4000-8000-000000000000'
const update = (to: string, type: string, comment?: string | null) => ({
  update: {
    assigned_by_id: actor,
    assigned_to_id: to,
    assigned_to_type: type,
    assignment_comment: comment,
  },
})
const unassign = (comment: string) => ({
  unassign: { assigned_by_id: actor, assignment_comment: comment },
})

await check('401 without and with a wrong key, everywhere', async () => {
  for (const headers of [{}, { apikey: '' }, { apikey: 'wrong' }] as Record<string, string>[]) {
    assert.equal((await get(`/tasks/${first}`, headers)).status, 401)
    assert.equal((await get(`/assessments/${list('ASSESSMENT_IDS')[0]}`, headers)).status, 401)
    assert.equal((await get('/audit-sentinel/events/export', headers)).status, 401)
    assert.equal((await put(first, 'x', update(user, 'USER'), headers)).status, 401)
  }
})

await check('404 for what does not exist', async () => {
  for (const path of [`/tasks/${nobody}`, `/assessments/${nobody}`, '/tasks/x', '/tasks/%zz'])
    assert.equal((await get(path)).status, 404)
  assert.equal((await put(nobody, 'x', update(user, 'USER'))).status, 404)
})

await check('tasks and assessments are complete and mixed', async () => {
  const tasks = await Promise.all([...list('TASK_IDS'), ...list('READ_TASK_IDS')].map(read))
  assert.equal(tasks.length, 15)
  const kinds = new Set(tasks.map((task) => task.assignment?.assigned_to_type))
  assert.deepEqual(kinds, new Set([undefined, 'USER', 'TEAM']))
  const states = new Set<string>()
  for (const id of list('ASSESSMENT_IDS')) {
    const one = (await (await get(`/assessments/${id}`)).json()) as Assessment
    assert.equal(Object.keys(one).length, 13)
    assert.equal(one.error_message !== null, one.workflow_state === 'Error')
    states.add(one.workflow_state)
  }
  assert.deepEqual(states, new Set(['Active', 'Cancelled', 'Error']))
  assert.ok(tasks.every((task) => Object.keys(task).length === 17))
})

await check('assign, reassign, unassign, with comment, event and mail', async () => {
  const steps = [
    { body: update(user, 'USER', 'a "quoted", čomment\nin two lines'), to: user },
    { body: update(team, 'TEAM', null), to: team },
    { body: unassign('no longer needed'), to: undefined },
  ]
  let version = (await read(first)).updated_at
  for (const { body, to } of steps) {
    const answer = (await (await put(first, version, body)).json()) as Task
    assert.equal(answer.assignment?.assigned_to_id, to)
    assert.notEqual(answer.updated_at, version)
    assert.deepEqual(await read(first), answer)
    assert.equal((await put(first, version, body)).status, 409)
    version = answer.updated_at
  }
  const entity = (await read(first)).entity_id
  const trail = await rows([
    ['metadata[entity_id]', entity],
    ['metadata[task_id]', first],
    ['auditee_id', actor],
  ])
  const remarks = trail.slice(-3).map((row) => row.Remark)
  assert.deepEqual(remarks, ['a "quoted", čomment\nin two lines', '', 'no longer needed'])
  const page = await mailbox<Page>('messages?limit=10&start=0')
  const [newest, , oldest] = page.messages
  assert.equal(page.total, 3)
  assert.match((await mailbox<Mail>(`message/${oldest?.ID}`)).Text, /čomment/)
  const found = await mailbox<Page>(`search?query=to:"${newest?.To[0]?.Address}"`)
  assert.equal(found.messages_count, 1)
})

await check('of many updates at once exactly one wins', async () => {
  const { updated_at } = await read(second)
  const all = Array.from({ length: 20 }, (_, at) =>
    put(second, updated_at, update(at % 2 ? user : otherUser, 'USER')),
  )
  const codes = (await Promise.all(all)).map((answer) => answer.status)
  assert.equal(codes.filter((code) => code === 200).length, 1)
  assert.equal(codes.filter((code) => code === 409).length, 19)
})

await check('ranges are inclusive, filters are exact', async () => {
  const all = await rows()
  const [from, to] = [moment(all[100] as Row), moment(all[200] as Row)]
  const within = all.filter((row) => moment(row) >= from && moment(row) <= to)
  const range = { range_start: from.toISOString(), range_end: to.toISOString() }
  assert.deepEqual(await rows(range), within)
  assert.ok(within.length >= 101)
  assert.equal(
    (await exported({ range_start: range.range_end, range_end: range.range_start })).status,
    400,
  )
  const two = await rows([
    ['sub_type', 'created'],
    ['sub_type', 'updated'],
    ['event_type', 'screening'],
    ['metadata[tag]', 'pep'],
  ])
  const wanted = all.filter(
    (row) =>
      row.What === 'screening' && row.Label === 'pep' && /created|updated/.test(row.Action ?? ''),
  )
  assert.ok(wanted.length > 3)
  assert.deepEqual(two, wanted)
})

await check('dates follow the zone, summer time too; the bounds stay UTC', async () => {
  const [utc, there] = [await rows(), await rows({ timezone: 'America/New_York', locale: 'fr' })]
  assert.equal(utc.length, there.length)
  for (const [at, row] of there.entries()) {
    const [, wall, offset] = /(\d{4}-.*) UTC([+-]\d\d:\d\d)$/.exec(row.Happened ?? '') ?? []
    const parsed = new Date(`${wall?.replace(' ', 'T')}${offset}`)
    assert.equal(parsed.getTime(), moment(utc[at] as Row).getTime())
  }
  const offsets = new Set(there.map((row) => row.Happened?.slice(-6)))
  assert.deepEqual(offsets, new Set(['-04:00', '-05:00']))
})

await check('invalid exports are 400', async () => {
  for (const query of [
    { file_type: 'xls' },
    { range_start: 'yesterday' },
    { range_end: '2026-02-30T00:00:00.000Z' },
    { timezone: 'Mars/Olympus' },
    { 'metadata[colour]': 'red' },
  ] as Record<string, string>[])
    assert.equal((await exported(query)).status, 400, JSON.stringify(query))
})

await check('a PDF holds 5,000 events and not one more', async () => {
  let task = await read(second)
  for (let count = (await rows()).length; count < 5_000; count += 1)
    task = (await (await put(second, task.updated_at, update(team, 'TEAM', '日本'))).json()) as Task
  const pdf = await exported({ file_type: 'pdf', timezone: 'Asia/Kolkata' })
  assert.equal(pdf.status, 200)
  const text = (await new PDFParse({ data: await pdf.arrayBuffer() }).getText()).text
  assert.equal(text.match(/Happened: /g)?.length, 5_000)
  assert.equal(text.match(/Reference: /g)?.length, 5_000)
  assert.equal((await put(second, task.updated_at, unassign('č, and done'))).status, 200)
  assert.equal((await exported({ file_type: 'pdf' })).status, 400)
  const small = await exported({ file_type: 'pdf', sub_type: 'unassigned', auditee_id: actor })
  const found = (await new PDFParse({ data: await small.arrayBuffer() }).getText()).text
  assert.match(found, /č, and done/)
})

await service.close()
