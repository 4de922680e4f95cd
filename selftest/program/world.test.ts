import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test } from 'vitest'
import { readWorld, type WorldFile } from '../../program/input/world-file.ts'
import { serve } from '../../program/serve.ts'
import { createResettable } from '../../program/stand-in/kept-state.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { builtProgram } from '../built.ts'
import { atTestEnd } from '../test-end.ts'

const place = mkdtempSync(join(tmpdir(), 'contract-'))
afterAll(() => rmSync(place, { recursive: true }))

type Members = Record<string, unknown>

const make = () => createService({ world: makeWorld(1, { events: 30 }) })
const shown = await createResettable(make).fetch(
  new Request('http://127.0.0.1/__world'),
  '127.0.0.1',
)
const text = await shown.text()
const plain = (): WorldFile => JSON.parse(text)

async function served(...flags: string[]) {
  const args = [builtProgram(), 'serve', '--port', '0', ...flags]
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: place,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atTestEnd(() => child.kill())
  const settings: Record<string, string> = {}
  for await (const line of createInterface({ input: child.stdout as never })) {
    if (line.startsWith('#')) break
    const at = line.indexOf('=')
    settings[line.slice(0, at)] = line.slice(at + 1)
  }
  const { BASE_URL = '', API_KEY: apikey = '', TASK_IDS = '', USER_IDS = '' } = settings
  const task = `${BASE_URL}/tasks/${TASK_IDS.split(',')[0]}`
  const read = async () =>
    (await (await fetch(task, { headers: { apikey } })).json()) as { updated_at: string }
  const assign = async (comment: string) => {
    const { updated_at } = await read()
    const [user = ''] = USER_IDS.split(',')
    const update = {
      assigned_by_id: user,
      assigned_to_id: user,
      assigned_to_type: 'USER',
      assignment_comment: comment,
    }
    return fetch(`${task}/update-assignment`, {
      method: 'PUT',
      headers: { apikey, 'if-match': updated_at, 'content-type': 'application/json' },
      body: JSON.stringify({ update }),
    })
  }
  const end = async () => {
    child.kill('SIGTERM')
    return (await once(child, 'exit'))[0]
  }
  return { BASE_URL, read, assign, end }
}

describe('a world of one’s own', () => {
  test('is shown with all changes, and begun with again', { timeout: 120_000 }, async () => {
    const first = await served()
    expect((await first.assign('prepared by hand')).status).toBe(200)
    const prepared = await (await fetch(new URL('/__world', first.BASE_URL))).text()
    writeFileSync(join(place, 'prepared.json'), prepared)
    expect(await first.end()).toBe(0)

    const again = await served('--world', 'prepared.json')
    expect(await again.read()).toMatchObject({
      assignment: { assignment_comment: 'prepared by hand' },
    })
    // The export holds the event of it: the trail is a part of the world.
    const { origin } = new URL(again.BASE_URL)
    const world = (await (await fetch(`${origin}/__world`)).json()) as WorldFile
    expect(world.events.at(-1)).toMatchObject({ comment: 'prepared by hand' })
    await again.assign('once more')
    expect(await again.read()).toMatchObject({ assignment: { assignment_comment: 'once more' } })
    await fetch(`${origin}/__world`, { method: 'DELETE' })
    expect(await again.read()).toMatchObject({
      assignment: { assignment_comment: 'prepared by hand' },
    })
  })

  test('is shown and reset from this machine alone', async () => {
    const service = createResettable(make)
    const ask = (url: string, address: string, method = 'GET') =>
      service.fetch(new Request(url, { method }), address)
    expect((await ask('http://127.0.0.1/__world', '127.0.0.1')).status).toBe(200)
    expect((await ask('http://127.0.0.1/__world', '10.0.0.7')).status).toBe(403)
    expect((await ask('http://attacker.example/__world', '127.0.0.1')).status).toBe(403)
    expect((await ask('http://127.0.0.1/__world', '127.0.0.1', 'POST')).status).toBe(405)
  })

  const other = '00000000-0000-4000-8000-000000000000'
  /** A world with another value, or none, at a place such as tasks.2.status. */
  function spoilt(at: string, value: unknown): unknown {
    const world: unknown = plain()
    const names = at.split('.')
    const last = names.pop() as string
    const within = names.reduce((inner, name) => (inner as Members)[name], world) as Members
    within[last] = value
    return world
  }
  test.each<[string, unknown, string]>([
    ['text', 'x', 'it is not JSON; curl BASE/__world writes one to begin with.'],
    ['a list', [], 'the file must be object.'],
    [
      'a missing member',
      spoilt('tasks.2.status', undefined),
      "tasks[2] must have required property 'status'.",
    ],
    [
      'a field of another kind',
      spoilt('tasks.1.updated_at', 'now'),
      'tasks[1].updated_at has not the form of its kind',
    ],
    [
      'an unknown member',
      spoilt('extra', 1),
      "the file has the member 'extra', which is unknown; take it out.",
    ],
    [
      'ids that are twice there',
      spoilt('tasks.3.id', plain().tasks[0]?.id.toUpperCase()),
      'tasks[3].id is that of tasks[0].id too; give each its own.',
    ],
    [
      'an assignee who is not there',
      spoilt('tasks.1.assignment.assigned_to_id', other),
      'tasks[1].assignment.assigned_to_id is not among users; add it there, or let assignment be null.',
    ],
    [
      'a member who is not there',
      spoilt('teams.0.memberIds.1', other),
      'teams[0].memberIds[1] is not among users; add the user.',
    ],
    ['an odd type', spoilt('tasks.1.assignment.assigned_to_type', 'PERSON'), 'tasks[1].assignment'],
  ])('that holds %s ends with a sentence', (_, content, sentence) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(place, 'world.json'), text)
    expect(() => readWorld('world.json', place)).toThrow(`--world world.json: ${sentence}`)
  })

  test('may hold 100,000 events', async () => {
    const world = plain()
    const [event] = world.events
    const events = Array.from({ length: 100_000 }, (_, at) => ({
      ...(event as WorldFile['events'][number]),
      id: `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`,
    }))
    writeFileSync(join(place, 'large.json'), JSON.stringify({ ...world, events }))
    const held = readWorld('large.json', place)
    const service = createService(held)
    const url = 'http://127.0.0.1/v5/audit-sentinel/events/export'
    const answer = await service.fetch(new Request(url, { headers: { apikey: world.apiKey } }))
    expect((await answer.text()).split('\r\n').length).toBeGreaterThan(100_000)
  })

  test('is not made up by a seed at the same time', async () => {
    writeFileSync(join(place, 'fine.json'), JSON.stringify(plain()))
    const call = {
      argv: ['--world', 'fine.json', '--seed', '2'],
      env: {},
      cwd: place,
      out: { write: () => {} },
    }
    await expect(serve(call)).rejects.toThrow(
      '--world holds what --seed would make up; give one of the two.',
    )
    expect(readFileSync(join(place, 'fine.json'), 'utf8')).toContain('worldVersion')
  })
})
