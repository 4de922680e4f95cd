import { describe, expect, test } from 'vitest'
import { readingsOf } from '../../engine/files/dates.ts'
import { formOf } from '../../helpers/export/learn/date-form.ts'
import { type Lesson, learn } from '../../reference/learn/learn.ts'
import { notImitated, table } from '../../reference/learn/table.ts'
import { open } from '../../reference/rules/open.ts'
import type { DateShown } from '../../reference/rules/open-export.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { allClauses } from '../all-clauses.ts'
import { dates } from '../proofs/variants/export-dates.ts'

const world = makeWorld(1, { events: 20 })
const [task] = world.tasks

function mockOf(observed: Lesson['observed'], unseen: Lesson['unseen'] = {}) {
  const learned = learn({ observed, unseen, contradictory: [] }, world)
  const service = createService({ world, open: { ...open, ...learned.open } })
  const ask = (path: string, init: RequestInit = {}) =>
    service.fetch(
      new Request(`http://127.0.0.1/v5${path}`, { headers: { apikey: world.apiKey }, ...init }),
    )
  return { learned, ask }
}

describe('a learned mock', () => {
  test('says of each observation whether it is imitated, missing or not imitated', () => {
    const { learned } = mockOf(
      {
        'assign.read-lag': 'often',
        'assign.locked-at-rule': ['stays', 'changes'],
        'export.event-types': ['task'],
        'assign.comment-limit': { '256': 'kept 256', '1025': 422, '5001': 413 },
      },
      { 'audit.delay': 'skip: set AUDIT_WAIT_S' },
    )
    expect(learned.learned).toEqual(['assign.comment-limit'])
    expect(Object.fromEntries(learned.unclear)).toEqual({
      'assign.read-lag': 'holds "often", which this service cannot imitate',
      'assign.locked-at-rule': 'saw "stays" and "changes"; the first is used',
      'export.event-types': 'the world of this service holds its own data',
    })
    expect(learned.missing).toContainEqual(['audit.delay', 'skip: set AUDIT_WAIT_S'])
    expect(learned.missing).toContainEqual(['version.weak', 'it is not in the report'])
    expect(learned.assumed).toEqual(['comments are limited to 1024 characters'])
  })

  const ids = mockOf({}).learned.missing.map(([id]) => id)

  test('names an impossible value as not imitated', () => {
    const { learned } = mockOf(Object.fromEntries(ids.map((id) => [id, { x: 'nonsense' }])))
    expect(learned.unclear.map(([id]) => id).toSorted()).toEqual(ids.toSorted())
  })

  // A manually edited report gives a service that runs, and names what was not used.
  test.each([null, 7, [null], { update: 'x', csv: 3, refused: {}, one: 'repeat' }])(
    'answers with any value in its report: %j',
    async (value) => {
      const { ask } = mockOf(Object.fromEntries(ids.map((id) => [id, value])))
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

test('each observing clause sets a rule of the learned mock, or a reason says why not', async () => {
  const clauses = await allClauses()
  const observing = clauses.flatMap(({ id, level }) => (level === 'observe' ? [id] : []))
  const driving = new Set(table.flatMap(({ of }) => Object.keys(of)))
  expect([...driving, ...Object.keys(notImitated)].toSorted()).toEqual(observing.toSorted())
})

const small = makeWorld(1, { events: 10 })
const learned = (form: unknown) =>
  learn({ observed: { 'export.dates': { When: form } }, unseen: {}, contradictory: [] }, small)

/** Moments of every month, in the morning and in the evening. */
const moments = Array.from({ length: 60 }, (_, n): DateShown => {
  const at = new Date(
    Date.UTC(2026, n % 12, 1 + ((n * 7) % 28), (n * 5) % 24, n % 60, (n * 11) % 60, n * 13),
  )
  const local = `${at.toISOString().slice(0, 23)}000000`
  return { instant: `${local}Z`, local, offset: 0, zone: 'UTC', locale: 'en' }
})

const readable = dates.filter(({ name }) => !/words|not at all|spreadsheet/.test(name))

test.each(readable)('$name: learned and written alike', ({ open }) => {
  const texts = moments.map((moment) => open?.dateForm?.(moment))
  const [reading] = readingsOf(texts.map(String))
  const form = reading && formOf(texts.map(String), reading.order)
  const { dateForm } = learned(form).open
  expect(moments.map((moment) => dateForm?.(moment))).toEqual(texts)
})

test('an unknown form is not imitated, and a note says so', () => {
  const { open, unclear } = learned('{moon}')
  expect(open).toEqual({})
  const why = 'holds {"When":"{moon}"}, which this service cannot imitate'
  expect(unclear).toEqual([['export.dates', why]])
})
