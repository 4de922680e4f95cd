import { describe, expect, test } from 'vitest'
import { type Lesson, learn } from '../../reference/learn/learn.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'

const world = makeWorld(1, { events: 20 })
const [task] = world.tasks

const lessonWith = (given: Partial<Lesson>): Lesson => ({
  observed: {},
  unseen: {},
  contradictory: [],
  refused: [],
  broken: [],
  warned: [],
  ...given,
})

/** Asks the mock that is learned from these values. */
function mockOf(given: Partial<Lesson>) {
  const learned = learn(lessonWith(given), world)
  const service = createService({
    world,
    open: { ...open, ...learned.open },
    stated: { ...stated, ...learned.stated },
  })
  const ask = (path: string, init: RequestInit = {}) =>
    service.fetch(
      new Request(`http://127.0.0.1/v5${path}`, { headers: { apikey: world.apiKey }, ...init }),
    )
  return { learned, ask }
}

const shape = { status: 404, mediaType: 'application/problem+json' }

describe('a learned mock', () => {
  test('refuses with the shape and the words that were seen', async () => {
    const { ask } = mockOf({
      observed: {
        'task.read.error-body': {
          'unknown id': {
            ...shape,
            body: { code: 'string', errors: [{ at: 'string' }], traceId: 'string' },
          },
        },
        'task.read.error-codes': { 'unknown id': { code: 'TASK_NOT_FOUND' } },
      },
    })
    const answer = await ask('/tasks/00000000-0000-4000-8000-000000000000')
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toMatchObject({ code: 'TASK_NOT_FOUND', errors: [{}] })
    // What was not observed looks alike, with words of its own.
    const malformed = await ask('/tasks/x')
    expect(await malformed.json()).toMatchObject({ code: 'Task not found' })
  })

  test('takes columns by what filters showed of them', async () => {
    const { ask } = mockOf({
      observed: {
        'export.columns': ['When', 'Who', 'Kind', 'Free text'],
        'export.filter-columns': {
          auditee_id: { column: 'Who', form: 'plain' },
          event_type: { column: 'Kind', form: 'plain' },
        },
        'export.row-order': { by: 'When', order: 'descending' },
        'export.delimiter': ';',
        'export.line-ending': '\n',
      },
    })
    const lines = (await (await ask('/audit-sentinel/events/export')).text()).split('\n')
    expect(lines[0]).toBe('When;Who;Kind;Free text')
    const [time = '', user] = lines[1]?.split(';') ?? []
    expect(time > (lines.at(-2) ?? '')).toBe(true)
    expect(world.users.map(({ id }) => id)).toContain(user)
  })

  test.each([
    [undefined, true],
    [{ events: 'one', comment: true }, true],
    [{ events: 'one', comment: false }, false],
  ])('shows comments in a column without a name, unless %j', async (left, isShown) => {
    const { learned } = mockOf({
      observed: { 'export.columns': 3, 'audit.refused-not-recorded': left },
    })
    const columns = learned.open.columns?.({ fileType: 'csv' } as never)
    expect(columns?.includes('comment')).toBe(isShown)
  })

  test('keeps the contract where its service broke it, and says so', async () => {
    const broken = ['auth.missing-key.task.read', 'export.csv.well-formed']
    const path = `/tasks/${task?.id}`
    const { ask, learned } = mockOf({ broken })
    expect((await ask(path, { headers: {} })).status).toBe(401)
    expect(learned.breaches).toEqual({ imitated: [], others: broken })
  })

  test('does not carry out what its service failed at', async () => {
    const { learned, ask } = mockOf({
      observed: { 'assign.status-of-invalid-body': { 'whose assigned_to_id is 7': 500 } },
      warned: ['assign.field-types'],
    })
    expect(learned.breaches.imitated).toEqual(['assign.field-types'])
    const update = {
      assigned_by_id: world.users[0]?.id,
      assigned_to_id: 7,
      assigned_to_type: 'USER',
    }
    const headers = {
      apikey: world.apiKey,
      'if-match': task?.updated_at ?? '',
      'content-type': 'application/json',
    }
    const path = `/tasks/${task?.id}/update-assignment`
    const put = await ask(path, { method: 'PUT', headers, body: JSON.stringify({ update }) })
    expect(put.status).toBe(500)
  })

  test('writes the timestamps of an assessment in their form too', async () => {
    const form = { 'YYYY-00-00T00:00:00Z': 'fractions of up to 9 digits' }
    const { ask } = mockOf({ observed: { 'task.read.timestamp-forms': form } })
    const shown = await (await ask(`/assessments/${world.assessments[0]?.id}`)).json()
    expect(shown).toMatchObject({ created_at: expect.stringMatching(/:\d\d\.\d{9}Z$/) })
  })

  test('answers in turn what its service answered by turns', async () => {
    const { ask } = mockOf({ observed: { 'task.read.success-status': [200, 203] } })
    const answers = [await ask(`/tasks/${task?.id}`), await ask(`/tasks/${task?.id}`)]
    expect(answers.map(({ status }) => status)).toEqual([200, 203])
  })

  test('says of each observation whether it is imitated, not known or not clear', () => {
    const { learned } = mockOf({
      observed: {
        'assign.read-lag': 'often',
        'assign.locked-at-rule': ['stays', 'changes'],
        'export.event-types': ['task'],
        'export.csv-size-limit': { status: 413 },
      },
      unseen: { 'audit.delay': 'skip: set AUDIT_WAIT_S' },
    })
    expect(learned.learned).toEqual(['export.csv-size-limit'])
    expect(Object.fromEntries(learned.unclear)).toEqual({
      'assign.read-lag': 'holds "often", which is not one of no read did, some reads do',
      'assign.locked-at-rule': 'saw "stays" and "changes"; the first is used',
      'export.event-types': 'the words of events are data of the account',
    })
    expect(learned.missing).toContainEqual(['audit.delay', 'skip: set AUDIT_WAIT_S'])
    expect(learned.missing).toContainEqual(['version.weak', 'it is not in the report'])
    expect(learned.assumed).toEqual([
      'a CSV is refused where it would hold more than half of all events',
    ])
  })

  test('says of values that no service can have shown that they are not known', () => {
    const ids = learn(lessonWith({}), world).missing.map(([id]) => id)
    for (const value of [{ x: 'nonsense' }, ['nonsense', 7], 'nonsense nobody writes', 7, null]) {
      const observed = Object.fromEntries(ids.map((id) => [id, value]))
      const { learned, unclear } = learn(lessonWith({ observed }), world)
      // Seven columns without names are possible.
      expect(learned, JSON.stringify(value)).toEqual(value === 7 ? ['export.columns'] : [])
      expect(unclear.length + learned.length).toBe(ids.length)
    }
  })

  // Whoever edits a report by hand gets a service that runs, and is told what it did not take.
  test.each([null, 7, 'x', [], [null], {}, { update: 'x', csv: 3, refused: {}, one: 'repeat' }])(
    'answers whatever its report holds: %j',
    async (value) => {
      const ids = learn(lessonWith({}), world).missing.map(([id]) => id)
      const { ask } = mockOf({ observed: Object.fromEntries(ids.map((id) => [id, value])) })
      const paths = [
        `/tasks/${task?.id}`,
        '/tasks/x',
        `/assessments/${world.assessments[0]?.id}`,
        '/audit-sentinel/events/export?range_start=2025-01-01&locale=xx&timezone=x',
        '/audit-sentinel/events/export',
      ]
      for (const path of paths) expect((await ask(path)).status).not.toBe(500)
      const body = { update: { assigned_by_id: world.users[0]?.id, assigned_to_type: 'USER' } }
      const init = { method: 'PUT', body: JSON.stringify(body) }
      const headers = { apikey: world.apiKey, 'if-match': '1', 'content-type': 'application/json' }
      const put = await ask(`/tasks/${task?.id}/update-assignment`, { ...init, headers })
      expect(put.status).not.toBe(500)
    },
  )
})
