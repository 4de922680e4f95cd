import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from '../../../engine/files/csv.ts'
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
  for (let n = 0; n < 250_000; n += 1) pooled(`event ${n}`)
  expect(pooled('event 1')).toBe('event 1')
})

const fileOf = (rows: number) =>
  ['id,comment', ...Array.from({ length: rows }, (_, n) => `${n},${'ж'.repeat(200)} ${n}`)].join(
    '\r\n',
  )

test('the records of many exports of the same events take hardly more memory than those of one', async () => {
  const bytes = Buffer.from(fileOf(2000))
  const read = () => readCsv(Readable.from([bytes]), { keep: 10_000 })
  const first = await read()
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const heldMb = () => {
    collect()
    return process.memoryUsage().heapUsed / 1024 ** 2
  }
  const before = heldMb()
  const kept = await Promise.all(Array.from({ length: 60 }, read))
  // Each is read from about 800 kB of text: sixty would be 48 MB.
  expect(heldMb() - before).toBeLessThan(20)
  expect(kept.every(({ records }) => records.length === first.records.length)).toBe(true)
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
