import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { listen } from '../../reference/listen.ts'
import { createService } from '../../reference/service.ts'
import { type Assignment, makeWorld, type Task } from '../../reference/world/world.ts'
import { base, get, off, put, read, taskWith, to, unknownId, user, world } from './calls.ts'

describe('the world', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(makeWorld(1)).toEqual(world)
    expect(makeWorld(2).apiKey).not.toBe(world.apiKey)
  })

  test('has tasks in every assignment state and assessments in every workflow state', () => {
    expect(world.tasks).toHaveLength(16)
    for (const kind of [undefined, 'USER', 'TEAM'] as const) expect(taskWith(kind)).toBeDefined()
    expect(new Set(world.assessments.map((one) => one.workflow_state))).toEqual(
      new Set(['Active', 'Cancelled', 'Error']),
    )
    expect(new Set(world.tasks.map((task) => JSON.stringify(task.custom_metadata))).size).toBe(4)
    expect(world.tasks.some((task) => task.name === null)).toBe(true)
  })

  test('keeps its references whole', () => {
    const { tasks, assessments } = world
    for (const { assessment_id, entity_id, institution_id, workflow_instance_id } of tasks) {
      const assessment = assessments.find(({ id }) => id === assessment_id)
      expect(assessment).toMatchObject({ entity_id, institution_id, workflow_instance_id })
    }
  })
})

describe('the reads', () => {
  const service = createService({ world })

  test('give every task and assessment as the world has it', async () => {
    for (const task of world.tasks) expect(await read(service, task.id)).toEqual(task)
    for (const assessment of world.assessments) {
      const answer = await get(service, `/assessments/${assessment.id}`)
      expect(await answer.json()).toEqual(assessment)
    }
  })

  test.each([unknownId, 'no-id', '%E0%A4%A', '%00', 'a%2Fb', '..%2f', 'x'.repeat(9000)])(
    'answer 404 for %.40s',
    async (id) => {
      expect((await get(service, `/tasks/${id}`)).status).toBe(404)
      expect((await get(service, `/assessments/${id}`)).status).toBe(404)
    },
  )

  test('answer 401 without the key or with a wrong one, before looking for the id', async () => {
    for (const id of [taskWith('USER').id, unknownId])
      for (const sent of [{}, { apikey: 'other' }, { apikey: world.apiKey.toLowerCase() }])
        expect((await get(service, `/tasks/${id}`, sent as Record<string, string>)).status).toBe(
          401,
        )
  })

  test('answer 404 for other paths and 405 for other methods', async () => {
    expect((await get(service, '/nothing')).status).toBe(404)
    expect((await service.fetch(new Request('http://reference/tasks/x'))).status).toBe(404)
    const path = `${base}/tasks/${taskWith('USER').id}`
    expect((await service.fetch(new Request(path, { method: 'DELETE' }))).status).toBe(405)
  })
})

describe('the update', () => {
  const task = taskWith('USER')
  const lacking = (field: keyof Assignment) => ({
    update: { ...to(user).update, [field]: undefined },
  })
  test.each([
    ['an unknown task', 404, unknownId, task.updated_at, to(user)],
    ['an unknown task to unassign', 404, unknownId, task.updated_at, off],
    ['a stale version', 409, task.id, '2024-01-01T00:00:00.000Z', to(user)],
    ['a future version', 409, task.id, task.updated_at.replace('2024', '2099'), to(user)],
    ['any version', 409, task.id, '*', off],
    ['garbage for a version', 409, task.id, 'yesterday', to(user)],
    ['no version', 428, task.id, undefined, to(user)],
    ['no assigned_by_id', 422, task.id, task.updated_at, lacking('assigned_by_id')],
    ['no assigned_to_id', 422, task.id, task.updated_at, lacking('assigned_to_id')],
    ['no assigned_to_type', 422, task.id, task.updated_at, lacking('assigned_to_type')],
    ['no assigned_by_id to unassign', 422, task.id, task.updated_at, { unassign: {} }],
    ['another assigned_to_type', 422, task.id, task.updated_at, to(user, 'PERSON')],
    ['an id that is a number', 422, task.id, task.updated_at, to(5 as never)],
    ['a comment that is a number', 422, task.id, task.updated_at, to(user, 'USER', 5 as never)],
    ['both objects', 422, task.id, task.updated_at, { ...to(user), ...off }],
    ['neither object', 422, task.id, task.updated_at, {}],
    ['an array', 422, task.id, task.updated_at, []],
    ['null', 422, task.id, task.updated_at, null],
    ['broken JSON', 400, task.id, task.updated_at, '{"update": '],
    ['nothing', 400, task.id, task.updated_at, ''],
    ['a giant body', 413, task.id, task.updated_at, 'x'.repeat(1_000_001)],
  ])('refuses %s with %i and changes nothing', async (_, status, id, version, body) => {
    const service = createService({ world })
    expect((await put(service, id, version, body)).status).toBe(status)
    expect(await read(service, task.id)).toEqual(task)
  })
})

describe('versions', () => {
  const task = taskWith(undefined)

  test('rise when the clock stands still or goes back', async () => {
    let now = Date.parse('2024-01-01T00:00:00Z')
    const service = createService({ world, clock: () => now-- })
    let version = task.updated_at
    for (let n = 0; n < 10; n++) {
      const updated = (await (await put(service, task.id, version, to(user))).json()) as Task
      expect(updated.updated_at > version).toBe(true)
      version = updated.updated_at
    }
  })
})

describe('on a port', () => {
  // Waiting for an idle connection would take more than a minute.
  test('survives malformed requests, and closes at once', { timeout: 30_000 }, async () => {
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
})
