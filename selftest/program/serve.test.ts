import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { updateBody } from '../../helpers/service/update-request.ts'
import { readWorld, type WorldFile } from '../../program/input/world-file.ts'
import { createResettable } from '../../program/stand-in/kept-state.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { brokenIn, runProgram } from '../proofs/prove.ts'
import { serveIn } from '../served.ts'
import { fileWith, openWorkerFolder } from '../test-end.ts'

function readByShell(lines: string[], names: string[]): string[] {
  const echo = names.map((name) => `printf '%s\\n' "$${name}"`)
  const said = execFileSync('sh', ['-c', [...lines, ...echo].join('\n')], { encoding: 'utf8' })
  return said.trimEnd().split('\n')
}

test('serve prints complete settings of a run, with a mailbox, for the world of a file', async () => {
  const service = createService({ world: makeWorld(3, { events: 100 }) })
  const request = new Request('http://127.0.0.1/__world')
  const world = await createResettable(() => service).fetch(request, '127.0.0.1')
  const file = fileWith(await world.text(), 'world.json')
  const { env, settings } = await serveIn(dirname(file), '--world', file)
  expect(env.TASK_IDS).toContain(service.world.tasks[0]?.id)
  expect(readByShell(settings, Object.keys(env))).toEqual(Object.values(env))
  const checked = await runProgram(env, [
    '--clauses',
    'auth.missing-key.task.*,task.read.*,notify.all',
  ])
  expect(checked.exitCode, checked.output).toBe(0)
  expect(brokenIn(checked)).toEqual([])
  expect(checked.output).not.toContain('not checked')
})

const place = openWorkerFolder()

type Members = Record<string, unknown>

const make = () => createService({ world: makeWorld(1, { events: 30 }) })
const asked = new Request('http://127.0.0.1/__world')
const text = await (await createResettable(make).fetch(asked, '127.0.0.1')).text()
const plain = (): WorldFile => JSON.parse(text)

function openWorld(file?: string) {
  const held = file === undefined ? undefined : readWorld(file, place)
  const service = createResettable(() => (held ? createService({ ...held }) : make()))
  const local = 'http://127.0.0.1'
  const { apiKey: apikey, tasks, users } = plain()
  const task = `${local}/v5/tasks/${tasks[0]?.id}`
  const ask = async (url: string, init?: RequestInit) =>
    service.fetch(new Request(url, init), '127.0.0.1')
  const read = async () =>
    (await (await ask(task, { headers: { apikey } })).json()) as { updated_at: string }
  const assign = async (comment: string) => {
    const { updated_at } = await read()
    const id = users[0]?.id ?? ''
    const body = JSON.stringify(updateBody(id, { id, type: 'USER' }, comment))
    const headers = { apikey, 'if-match': updated_at, 'content-type': 'application/json' }
    return (await ask(`${task}/update-assignment`, { method: 'PUT', headers, body })).status
  }
  const shown = async () => (await ask(`${local}/__world`)).text()
  return { read, assign, shown, reset: () => ask(`${local}/__world`, { method: 'DELETE' }) }
}

describe('a world of one’s own', () => {
  test('is shown with all changes, and begun with again', async () => {
    const first = openWorld()
    expect(await first.assign('prepared by hand')).toBe(200)
    writeFileSync(join(place, 'prepared.json'), await first.shown())
    const prepared = { assignment: { assignment_comment: 'prepared by hand' } }

    const again = openWorld('prepared.json')
    expect(await again.read()).toMatchObject(prepared)
    // The trail is a part of the world.
    const { events }: WorldFile = JSON.parse(await again.shown())
    expect(events.at(-1)).toMatchObject({ comment: 'prepared by hand' })
    await again.assign('once more')
    expect(await again.read()).toMatchObject({ assignment: { assignment_comment: 'once more' } })
    await again.reset()
    expect(await again.read()).toMatchObject(prepared)
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
  // biome-ignore format: one mistake a line
  test.each<[string, unknown, string]>([
    ['text', 'x', 'it is not JSON; start from what curl BASE/__world writes.'],
    ['a list', [], 'the file must be object.'],
    ['a missing member', spoilt('tasks.2.status', undefined), "tasks[2] must have required property 'status'."],
    ['a field of another kind', spoilt('tasks.1.updated_at', 'now'), 'tasks[1].updated_at is not valid'],
    ['an unknown member', spoilt('extra', 1), "the file has the member 'extra', which is unknown; remove it."],
    ['ids that are twice there', spoilt('tasks.3.id', plain().tasks[0]?.id.toUpperCase()), 'tasks[3].id is that of tasks[0].id too; give each its own.'],
    ['an assignee who is not there', spoilt('tasks.1.assignment.assigned_to_id', other), 'tasks[1].assignment.assigned_to_id is not among users; add it there, or let assignment be null.'],
    ['a member who is not there', spoilt('teams.0.memberIds.1', other), 'teams[0].memberIds[1] is not among users; add the user.'],
    ['an odd type', spoilt('tasks.1.assignment.assigned_to_type', 'PERSON'), 'tasks[1].assignment'],
  ])('that holds %s ends with a sentence', (_, content, sentence) => {
    const file = fileWith(content)
    expect(() => readWorld(file, '')).toThrow(`--world ${file}: ${sentence}`)
  })
})
