import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeepRow, detached, pooled } from '../../../engine/files/text-pool.ts'

test('a pooled text is the same text, whatever its characters and however many there are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(pooled(text)).toBe(text)
      expect(pooled(text)).toBe(text)
      expect(detached(text)).toBe(text)
    }),
  )
  // half of a pair, as a service may cut one
  expect(pooled(`${'x'.repeat(40)}\ud83d`)).toBe(`${'x'.repeat(40)}\ud83d`)
})

test('rows that differ in a few letters alone are kept once each, and known again', () => {
  const rows = () =>
    Array.from({ length: 3_000 }, (_, n) => [
      `00000000-0000-4000-8000-${String(n * 10_000).padStart(12, '0')}`,
      new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    ])
  const keep = createKeepRow()
  const first = rows().map(keep)
  expect(
    rows()
      .map(keep)
      .filter((row, at) => row !== first[at]),
  ).toEqual([])
  expect(first).toEqual(rows())
})
