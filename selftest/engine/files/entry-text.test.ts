import { expect, test } from 'vitest'
import { countOtherwise } from '../../../engine/files/entry-text.ts'

const inZone = ['2026-03-01 02:07', '2026-03-01 03:07', '2026-03-01 04:07']
const inUtc = ['2026-03-01 00:07', '2026-03-01 01:07', '2026-03-01 02:07']
const page = (...times: string[]) => [`Events\n${times.join('\n')}\nPage 1`]

test('events that a PDF shows by the other of two texts are counted', () => {
  const shown = page('2026-03-01 00:07', '2026-03-01 01:07', '2026-03-01 04:07')
  expect(countOtherwise(shown, inZone, inUtc)).toBe(2)
})

test('a text that is one of another event as well does not count, nor does one beside its own', () => {
  expect(countOtherwise(page('2026-03-01 02:07'), inZone, inUtc)).toBe(0)
  expect(countOtherwise(page(...inZone, ...inUtc), inZone, inUtc)).toBe(0)
})
