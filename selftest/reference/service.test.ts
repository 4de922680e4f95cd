import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeEvents } from '../../reference/calls/event-maker.ts'
import { inTurns } from '../../reference/export/pdf.ts'
import { listen } from '../../reference/listen.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld, type Task } from '../../reference/world/world.ts'

// How it answers is what the clauses judge.
const world = makeWorld(1, { events: 1_200 })
const base = 'http://reference/v5'
const headers = { apikey: world.apiKey, 'content-type': 'application/json' }

test('versions rise when the clock stands still or goes back', async () => {
  let now = Date.parse('2024-01-01T00:00:00Z')
  const service = createService({ world, clock: () => now-- })
  const task = world.tasks.find(({ assignment }) => assignment === null) as Task
  const id = world.users[0]?.id
  const update = { assigned_by_id: id, assigned_to_id: id, assigned_to_type: 'USER' }
  let version = task.updated_at
  for (let n = 0; n < 10; n++) {
    const answer = await service.fetch(
      new Request(`${base}/tasks/${task.id}/update-assignment`, {
        method: 'PUT',
        headers: { ...headers, 'if-match': version },
        body: JSON.stringify({ update }),
      }),
    )
    const { updated_at } = (await answer.json()) as Task
    expect(updated_at > version).toBe(true)
    version = updated_at
  }
})

test.each([40, 5_000, 10_000])(
  'a service has more events than a PDF of %i may hold, and makes them when asked',
  async (pdfLimit) => {
    let made = 0
    const storedTime: typeof open.storedTime = (event) => {
      made += 1
      return open.storedTime(event)
    }
    const service = createService({ world: makeWorld(1), pdfLimit, open: { ...open, storedTime } })
    await service.fetch(new Request(`${base}/tasks/${world.tasks[0]?.id}`, { headers }))
    expect(made).toBe(0)
    const path = `${base}/audit-sentinel/events/export?file_type=pdf`
    const { status } = await service.fetch(new Request(path, { headers }))
    expect(status).toBe(400)
    expect(made).toBeGreaterThan(pdfLimit)
  },
)

test('a CSV is written while it is read, and no further, and leaves room for others', async () => {
  let written = 0
  const cells = (row: { cells: string[] }) => {
    written += 1
    return row.cells
  }
  const service = createService({ world, stated: { ...stated, cells } })
  const exported = () =>
    service.fetch(new Request(`${base}/audit-sentinel/events/export`, { headers }))
  const reader = (await exported()).body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  await reader?.cancel()
  await setTimeout(20)
  expect(written).toBeLessThan(1_200)
  const file = exported().then((answer) => answer.text())
  expect(await turnsUntil(file)).toBeGreaterThanOrEqual(5)
  expect(await turnsUntil(inTurns(makeEvents(world, 1_200), ({ id }) => id))).toBe(5)
})

/** How often others had their turn until this was done. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  let isDone = false
  const ended = done.finally(() => {
    isDone = true
  })
  let turns = 0
  for (; !isDone; turns += 1) await setImmediate()
  await ended
  return turns
}

// An idle connection that is waited for would hold it open for more than a minute.
test('on a port it survives malformed requests, and closes at once', {
  timeout: 30_000,
}, async () => {
  const { baseUrl, close } = await listen(createService({ world }))
  const { port } = new URL(baseUrl)
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
      let answer = ''
      socket.on('data', (data) => {
        answer += data
        socket.destroy()
      })
      socket.on('error', () => socket.destroy())
      socket.on('close', () => resolve(answer))
    })
  const path = `/v5/tasks/${world.tasks[0]?.id}`
  const key = `apikey: ${world.apiKey}\r\n\r\n`
  for (const [target, status] of [
    ['//', 404],
    ['/v5/tasks/%', 404],
    ['/v5/tasks/%E0%A4%A', 404],
    ['/v5/../../etc', 404],
    ['http://[/v5', 400],
    ['nonsense', 400],
    [path, 200],
  ] as const) {
    expect(await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\n${key}`), target).toContain(
      `HTTP/1.1 ${status}`,
    )
  }
  expect(await raw(`GET ${path} HTTP/1.1\r\nHost: a b:c\r\n${key}`)).toContain('HTTP/1.1 400')
  expect(await raw('\x00\x01\r\n\r\n')).toContain('HTTP/1.1 400')
  const giant = `Host: x\r\nContent-Length: 99999999\r\nContent-Type: application/json\r\n${key}{`
  expect(await raw(`PUT ${path}/update-assignment HTTP/1.1\r\n${giant}`)).toContain('413')

  const idle = connect(Number(port), '127.0.0.1')
  await new Promise((resolve) => idle.once('connect', resolve))
  idle.on('error', () => {})
  const dropped = new Promise((resolve) => idle.once('close', resolve))
  await close()
  await dropped
})

const folder = join(import.meta.dirname, '../../reference')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)
const text = (file: string) => readFileSync(join(folder, file), 'utf8')
const isTable = (file: string) => /^rules\/(stated|open)(-\w+)?\.ts$/.test(file)
const service = files.filter((file) => !isTable(file)).map(text)

test.each(Object.entries({ stated, open }))('the service asks for each rule of %s', (name, of) => {
  const isAsked = (rule: string) =>
    service.some((code) => new RegExp(`\\b${name}\\.${rule}\\(`).test(code))
  expect(Object.keys(of).filter((rule) => !isAsked(rule))).toEqual([])
})

test('the service and its tables import nothing from outside reference/', () => {
  for (const file of files)
    for (const [, path = ''] of text(file).matchAll(/from '(\.[^']+)'/g))
      expect(relative(folder, join(folder, dirname(file), path)), file).not.toMatch(/^\.\./)
})
