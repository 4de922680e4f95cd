import { expect, test } from 'vitest'
import { readingsOf } from '../../engine/files/dates.ts'
import { formOf } from '../../helpers/export/learn/date-form.ts'
import { learn } from '../../reference/learn/learn.ts'
import type { DateShown } from '../../reference/rules/open-export.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { dates } from '../proofs/variants/export-dates.ts'

const world = makeWorld(1, { events: 10 })
const learned = (form: unknown) =>
  learn({ observed: { 'export.dates': { When: form } }, unseen: {}, contradictory: [] }, world)

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
