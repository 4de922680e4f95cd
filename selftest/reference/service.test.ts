import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listen } from '../../reference/listen.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService, type Service } from '../../reference/service.ts'
import { type Assignment, makeWorld, type Task } from '../../reference/world/world.ts'
import { untilTestEnd } from '../test-end.ts'

const world = makeWorld(1)
const [user, otherUser] = world.users.map(({ id }) => id) as [string, string]
const team = world.teams[0]?.id as string
const unknownId = '00000000-0000-4000-8000-000000000000'

const base = 'http://reference/v5'
const headers = { apikey: world.apiKey }

const get = (service: Service, path: string, sent: Record<string, string> = headers) =>
  service.fetch(new Request(base + path, { headers: sent }))

const read = async (service: Service, id: string): Promise<Task> =>
  (await (await get(service, `/tasks/${id}`)).json()) as Task

const put = (service: Service, id: string, version: string | undefined, body: unknown) =>
  service.fetch(
    new Request(`${base}/tasks/${id}/update-assignment`, {
      method: 'PUT',
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(version !== undefined && { 'if-match': version }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

const to = (id: string, type = 'USER', comment?: string | null) => ({
  update: {
    assigned_by_id: otherUser,
    assigned_to_id: id,
    assigned_to_type: type,
    assignment_comment: comment,
  },
})
const off = { unassign: { assigned_by_id: otherUser } }

const taskWith = (assignee: 'USER' | 'TEAM' | undefined): Task =>
  world.tasks.find((task) => task.assignment?.assigned_to_type === assignee) as Task

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

  test('keeps its ids unique and its references whole', () => {
    const { users, teams, tasks, assessments } = world
    const ids = [...users, ...teams, ...tasks, ...assessments].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(users.map(({ mail }) => mail)).size).toBe(users.length)
    for (const task of tasks) {
      const assessment = assessments.find(({ id }) => id === task.assessment_id)
      expect(assessment).toMatchObject({
        entity_id: task.entity_id,
        institution_id: task.institution_id,
        workflow_instance_id: task.workflow_instance_id,
      })
      expect(task.updated_at < new Date().toISOString()).toBe(true)
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

  test('find an id in either letter case', async () => {
    const task = taskWith('USER')
    expect(await read(service, task.id.toUpperCase())).toEqual(task)
  })

  test.each([unknownId, 'no-id', '%E0%A4%A', '%00', 'a%2Fb', '..%2f', 'x'.repeat(9000)])(
    'answer 404 for %.40s',
    async (id) => {
      expect((await get(service, `/tasks/${id}`)).status).toBe(404)
      expect((await get(service, `/assessments/${id}`)).status).toBe(404)
    },
  )

  test('answer 401 without the key, with a wrong one, and before looking for the id', async () => {
    const { apiKey } = world
    const wrong = ['', apiKey.slice(0, -1), `${apiKey}x`, apiKey.toLowerCase(), 'other']
    for (const id of [taskWith('USER').id, unknownId]) {
      for (const path of [`/tasks/${id}`, `/assessments/${id}`]) {
        expect((await get(service, path, {})).status).toBe(401)
        expect((await get(service, `${path}?apikey=${apiKey}`, {})).status).toBe(401)
        expect((await get(service, path, { authorization: `Bearer ${apiKey}` })).status).toBe(401)
        for (const apikey of wrong) expect((await get(service, path, { apikey })).status).toBe(401)
      }
    }
  })

  test('answer 404 for other paths and 405 for other methods', async () => {
    expect((await get(service, '/nothing')).status).toBe(404)
    expect((await service.fetch(new Request('http://reference/tasks/x'))).status).toBe(404)
    const path = `${base}/tasks/${taskWith('USER').id}`
    expect((await service.fetch(new Request(path, { method: 'DELETE' }))).status).toBe(405)
  })
})

describe('the update', () => {
  const kinds = { USER: otherUser, TEAM: team }

  for (const from of [undefined, 'USER', 'TEAM'] as const) {
    for (const kind of ['USER', 'TEAM'] as const) {
      test(`takes a task from ${from ?? 'nobody'} to a ${kind}`, async () => {
        const service = createService({ world })
        const task = taskWith(from)
        const body = to(kinds[kind], kind, 'Grüße "日本" 👋\n')
        const answer = await put(service, task.id, task.updated_at, body)
        expect(answer.status).toBe(200)
        const updated = (await answer.json()) as Task
        const { assignment, updated_at, data_version } = updated
        expect(updated).toEqual({ ...task, assignment, updated_at, data_version })
        expect(assignment).toEqual(body.update)
        expect(updated_at > task.updated_at).toBe(true)
        expect(await read(service, task.id)).toEqual(updated)
        const others = world.tasks.filter(({ id }) => id !== task.id)
        for (const other of others) expect(await read(service, other.id)).toEqual(other)
      })
    }
  }

  test.each(['USER', 'TEAM'] as const)('unassigns from a %s', async (from) => {
    const service = createService({ world })
    const task = taskWith(from)
    const answer = await put(service, task.id, task.updated_at, off)
    const updated = (await answer.json()) as Task
    expect(updated.assignment).toBeNull()
    expect(updated.updated_at > task.updated_at).toBe(true)
    expect(await read(service, task.id)).toEqual(updated)
  })

  test.each([undefined, null])('does not inherit a comment when %s is sent', async (comment) => {
    const service = createService({ world })
    const task = world.tasks.find((task) => task.assignment?.assignment_comment) as Task
    await put(service, task.id, task.updated_at, to(user, 'USER', comment))
    expect((await read(service, task.id)).assignment?.assignment_comment).toBeNull()
  })

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

  test('refuses a body not sent as JSON, and a wrong key', async () => {
    const service = createService({ world })
    const send = (sent: Record<string, string>) =>
      service.fetch(
        new Request(`${base}/tasks/${task.id}/update-assignment`, {
          method: 'PUT',
          headers: { ...headers, 'if-match': task.updated_at, ...sent },
          body: JSON.stringify(to(user)),
        }),
      )
    expect((await send({ 'content-type': 'text/plain' })).status).toBe(415)
    const json = { 'content-type': 'application/json' }
    expect((await send({ ...json, apikey: 'wrong' })).status).toBe(401)
    expect(await read(service, task.id)).toEqual(task)
    expect((await send(json)).status).toBe(200)
  })
})

describe('versions', () => {
  const task = taskWith(undefined)

  test('let exactly one of 20 simultaneous updates win', async () => {
    const service = createService({ world })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        put(service, task.id, task.updated_at, to(user, 'USER', `writer ${n}`)),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    const winner = (await answers.find(({ status }) => status === 200)?.json()) as Task
    expect(await read(service, task.id)).toEqual(winner)
  })

  test.each([
    ['milliseconds', open.timestampForm],
    ['seconds', ({ value }: { value: string }) => `${value.slice(0, 19)}Z`],
    ['nanoseconds', ({ value }: { value: string }) => value],
    ['another zone form', ({ value }: { value: string }) => `${value.slice(0, 23)}+00:00`],
  ])('shown in %s never repeat over 2,000 rapid updates', async (_, timestampForm) => {
    const service = createService({ world, open: { ...open, timestampForm } })
    const versions = [(await read(service, task.id)).updated_at]
    for (let n = 0; n < 2000; n++) {
      const answer = await put(service, task.id, versions.at(-1), n % 2 ? off : to(user))
      versions.push(((await answer.json()) as Task).updated_at)
    }
    expect(new Set(versions).size).toBe(2001)
    expect(versions.toSorted()).toEqual(versions)
  })

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

describe('on a port', () => {
  // An idle connection that is waited for would hold it open for more than a minute.
  test('survives requests that are none, and closes at once', { timeout: 30_000 }, async () => {
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
