import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listen } from '../../reference/listen.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import type { Task } from '../../reference/world/world.ts'
import { untilTestEnd } from '../test-end.ts'
import {
  get,
  headers,
  off,
  put,
  read,
  taskWith,
  team,
  to,
  unknownId,
  user,
  world,
} from './calls.ts'

describe('bent stated rules make faults', () => {
  const task = taskWith('USER')

  test('any key let in', async () => {
    const service = createService({ world, stated: { ...stated, keyIsValid: () => true } })
    expect((await get(service, `/tasks/${task.id}`, { apikey: 'x' })).status).toBe(200)
    expect((await get(service, `/tasks/${task.id}`, {})).status).toBe(401)
  })

  test('an unknown task answered with 200 and null', async () => {
    const refusalBody = () => ({ type: 'application/json', text: 'null' })
    const bent = { ...stated, notFoundStatus: () => 200, refusalBody }
    const answer = await get(createService({ world, stated: bent }), `/tasks/${unknownId}`)
    expect([answer.status, await answer.text()]).toEqual([200, 'null'])
  })

  test('an update refused with 401 or 409 and carried out all the same', async () => {
    const bent = { ...stated, effectOfRefusal: () => 'carried out' as const }
    const service = createService({ world, stated: bent })
    expect((await put(service, task.id, 'stale', to(team, 'TEAM'))).status).toBe(409)
    expect((await read(service, task.id)).assignment?.assigned_to_id).toBe(team)
  })

  test('a race between check and write', async () => {
    const betweenCheckAndWrite = () => new Promise((resolve) => setTimeout(resolve, 5))
    const service = createService({ world, stated: { ...stated, betweenCheckAndWrite } })
    const two = [
      put(service, task.id, task.updated_at, to(user)),
      put(service, task.id, task.updated_at, off),
    ]
    expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200])
  })

  test('an answer that is not stored, a version kept, another task touched', async () => {
    const other = taskWith('TEAM')
    const service = createService({
      world,
      stated: {
        ...stated,
        stored: ({ task, after }) => ({ ...task, updated_at: after.updated_at }),
        versionAfter: ({ task, fresh, op }) => (op === 'assign.unassign' ? task.updated_at : fresh),
        alsoStored: ({ tasks, after }) =>
          tasks
            .filter(({ id }) => id === other.id)
            .map((one) => ({ ...one, updated_at: after.updated_at })),
      },
    })
    const answer = (await (
      await put(service, task.id, task.updated_at, to(team, 'TEAM'))
    ).json()) as Task
    expect(answer.assignment?.assigned_to_id).toBe(team)
    const stored = await read(service, task.id)
    expect(stored).toEqual({ ...task, updated_at: answer.updated_at })
    expect((await read(service, other.id)).updated_at).toBe(answer.updated_at)
    const after = (await (await put(service, task.id, stored.updated_at, off)).json()) as Task
    expect(after.updated_at).toBe(stored.updated_at)
  })

  test('fields left out, of another type, in another zone', async () => {
    const service = createService({
      world,
      stated: {
        ...stated,
        fieldIsShown: ({ field }) => field !== 'step_name',
        timestamp: ({ field, value }) => (field === 'created_at' ? Date.parse(value) : value),
        fieldValue: ({ field, value }) => (field === 'assigned_to_type' ? 'PERSON' : value),
      },
    })
    const shown = await read(service, task.id)
    expect(shown).not.toHaveProperty('step_name')
    expect(shown.created_at).toBe(Date.parse(task.created_at))
    expect(shown.assignment?.assigned_to_type).toBe('PERSON')
  })

  test('reads that change the version', async () => {
    const service = createService({ world, stated: { ...stated, readingTouches: () => true } })
    const versions = [await read(service, task.id), await read(service, task.id)]
    expect(versions[0]?.updated_at).not.toBe(versions[1]?.updated_at)
  })
})

describe('bent open rules make legal variants', () => {
  const task = taskWith('USER')

  test('404 before 401', async () => {
    const service = createService({ world, open: { ...open, order: () => ['found'] } })
    expect((await get(service, `/tasks/${unknownId}`, {})).status).toBe(404)
    expect((await get(service, `/tasks/${task.id}`, {})).status).toBe(401)
  })

  test.each(['gzip', 'br', 'deflate'] as const)('%s', async (encoding) => {
    const service = createService({ world, open: { ...open, encoding: () => encoding } })
    const { baseUrl } = untilTestEnd(await listen(service))
    const answer = await fetch(`${baseUrl}/tasks/${task.id}`, { headers })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(await answer.json()).toEqual(task)
  })

  test('reads that lag, and a task touched once more', async () => {
    let now = Date.parse('2025-01-01T00:00:00Z')
    const bent = { ...open, readLag: () => 100, laterTouches: () => [500] }
    const service = createService({ world, open: bent, clock: () => now })
    const updated = (await (await put(service, task.id, task.updated_at, off)).json()) as Task
    expect(await read(service, task.id)).toEqual(task)
    now += 100
    expect(await read(service, task.id)).toEqual(updated)
    now += 500
    const touched = await read(service, task.id)
    expect(touched.updated_at > updated.updated_at).toBe(true)
    expect(touched).toEqual({ ...updated, updated_at: touched.updated_at })
    expect((await put(service, task.id, updated.updated_at, off)).status).toBe(409)
  })

  test('a rate limit', async () => {
    const bent = { ...open, requestsPerSecond: () => 2 }
    const service = createService({ world, open: bent, clock: () => 1_000 })
    const path = `/tasks/${task.id}`
    const statuses = [await get(service, path), await get(service, path), await get(service, path)]
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(statuses[2]?.headers.get('retry-after')).toBe('1')
  })

  test('both or neither object taken', async () => {
    const bent = {
      ...open,
      whenBoth: () => 'unassign' as const,
      whenNeither: () => 'nothing' as const,
    }
    const service = createService({ world, open: bent })
    expect(await (await put(service, task.id, task.updated_at, {})).json()).toEqual(task)
    const both = await put(service, task.id, task.updated_at, { ...to(user), ...off })
    expect(((await both.json()) as Task).assignment).toBeNull()
  })

  test('upper-case ids, null fields, extra fields, other statuses', async () => {
    const service = createService({
      world,
      open: {
        ...open,
        idForm: ({ value }) => value.toUpperCase(),
        shownValue: ({ field, value }) => (field === 'locked_at' ? null : value),
        extraFields: ({ resource }) => (resource === 'task' ? { colour: 'red' } : {}),
        successStatus: () => 203,
      },
    })
    const answer = await get(service, `/tasks/${task.id}`)
    expect(answer.status).toBe(203)
    expect(await answer.json()).toMatchObject({
      id: task.id.toUpperCase(),
      locked_at: null,
      colour: 'red',
    })
  })
})

describe('the tables', () => {
  const folder = join(import.meta.dirname, '../../reference')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const text = (file: string) => readFileSync(join(folder, file), 'utf8')
  const isTable = (file: string) => /^rules\/(stated|open)(-\w+)?\.ts$/.test(file)
  const service = files.filter((file) => !isTable(file)).map(text)
  const tables = files.filter(isTable).map(text)

  test.each([
    ...Object.keys(stated).map((rule) => ['stated', rule] as const),
    ...Object.keys(open).map((rule) => ['open', rule] as const),
  ])('%s.%s is asked by the service and says what it decides', (table, rule) => {
    const asked = new RegExp(`\\b${table}\\.${rule}\\(`)
    expect(service.some((code) => asked.test(code))).toBe(true)
    expect(tables.some((code) => new RegExp(`\\*/\\n {2}${rule}: [(<]`).test(code))).toBe(true)
  })

  test('and the service import nothing from outside their folder', () => {
    for (const file of files)
      for (const [, path = ''] of text(file).matchAll(/from '(\.[^']+)'/g))
        expect(relative(folder, join(folder, dirname(file), path)), file).not.toMatch(/^\.\./)
  })
})
