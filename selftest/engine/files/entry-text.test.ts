import { expect, test } from 'vitest'
import { nearestText } from '../../../engine/files/entry-text.ts'
import { firstRowIn, multisetOf, rowText } from '../../../engine/files/multiset.ts'

test('the text that pages have in place of another begins as it does', () => {
  const pages = ['Date Comment\n2026 Please ignore 12 (1)', 'Please\u00adcall 7']
  expect(nearestText(pages, 'Please ignore 12 (2)')).toMatch(/^Please ignore 12 \(1\)/)
  expect(nearestText(pages, 'Please\n ignore 12 (1)')).toMatch(/^Please ignore 12 \(1\)/)
  expect(nearestText(pages, 'Other words')).toBe(undefined)
  expect(nearestText(pages, '')).toBe(undefined)
})

test('a row is shown by the cells that are compared, and not whole where it is long', () => {
  const set = multisetOf([['a', 'changes', '', 'b,"c']], [0, 2, 3])
  expect(firstRowIn(set)).toBe('a | b,"c')
  expect(firstRowIn(new Map())).toBe('')
  expect(rowText(['x'.repeat(1_000)])).toMatch(/^x{300} …$/)
})
