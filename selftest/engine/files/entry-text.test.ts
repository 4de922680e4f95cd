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

test('a text that is a part of one that another event shows rightly does not count', () => {
  const [texts, others] = [
    ['11 Nov 2026, 1:16 am', '14 Nov 2026, 3:07 am'],
    ['1 Nov 2026, 1:16 am', '13 Nov 2026, 1:07 pm'],
  ]
  // The second is divided by a page, with a title in between.
  const divided = ['11 Nov 2026, 1:16 am\n14 Nov 20', 'Events\n26, 3:07 am']
  expect(countOtherwise(divided, texts, others)).toBe(0)
  expect(countOtherwise(['13 Nov 2026, 1:07 pm'], texts, others)).toBe(1)
})
