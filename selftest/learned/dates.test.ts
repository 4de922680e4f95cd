import { expect, test } from 'vitest'
import { readingsOf } from '../../engine/files/dates.ts'
import { formOf } from '../../helpers/export/learn/date-form.ts'
import { dates as aspect } from '../../reference/learn/aspects/dates.ts'
import { openSeen } from '../../reference/learn/seen.ts'
import type { DateShown } from '../../reference/rules/open-export.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { dates } from '../proofs/variants/export-dates.ts'

const world = makeWorld(1, { events: 10 })

/** Moments of every month, and of morning and evening. */
const moments = Array.from({ length: 60 }, (_, n): DateShown => {
  const at = new Date(
    Date.UTC(2026, n % 12, 1 + ((n * 7) % 28), (n * 5) % 24, n % 60, (n * 11) % 60, n * 13),
  )
  const local = `${at.toISOString().slice(0, 23)}000000`
  return { instant: `${local}Z`, local, offset: 0, zone: 'UTC', locale: 'en' }
})

const readable = dates.filter(({ name }) => !/words|not at all/.test(name))

test.each(readable)('$name: learned and written alike', ({ open }) => {
  const write = open?.dateForm
  const texts = moments.map((moment) => write?.(moment) ?? '')
  const [reading] = readingsOf(texts)
  const form = reading && formOf(texts, reading.order)
  const seen = openSeen({ 'export.dates': { When: form } }, new Map(), new Set())
  const learned = aspect.rules(seen, world).open?.dateForm
  const again = moments.map((moment) => learned?.(moment) ?? '')
  // A spreadsheet's count of days may end after other digits.
  if (reading?.order !== 'days') expect(again).toEqual(texts)
  const walls = readingsOf(again)[0]?.dates.map(({ wall }) => wall / 1_000_000_000n)
  expect(walls).toEqual(reading?.dates.map(({ wall }) => wall / 1_000_000_000n))
})

test('a form that is not known is not imitated, and said so', () => {
  const notes = new Map<string, string>()
  const seen = openSeen({ 'export.dates': { When: '{moon}' } }, notes, new Set())
  expect(aspect.rules(seen, world)).toEqual({})
  expect(notes.get('export.dates')).toBe('saw "{moon}", which this service cannot write')
})
