import { describe, expect, test } from 'vitest'
import { isDescribed } from '../../../helpers/export/ask/breaches.ts'
import type { Query } from '../../../helpers/export/ask/query.ts'

const start = '2025-09-01T00:00:00Z'

describe('what the contract says of an export', () => {
  test.each<[string, Query]>([
    ['of everything', {}],
    ['without file_type', { fileType: null }],
    ['as PDF', { fileType: 'pdf', metadata: { tag: 'vip' } }],
    ['of a range', { start, end: start }],
    ['in a zone', { start, timezone: 'Asia/Kolkata' }],
    ['in the default language', { locale: 'en' }],
  ])('%s: a file', (_, query) => {
    expect(isDescribed(query, false)).toBe(true)
  })

  test.each<[string, Query]>([
    ['as another file', { fileType: 'xlsx' }],
    ['of a range that ends before it begins', { start, end: '2025-08-01T00:00:00Z' }],
    ['of a range in words', { start: 'yesterday' }],
    ['of a range with an offset', { start: '2025-09-01T00:00:00+02:00' }],
    ['in a zone that does not exist', { timezone: 'Mars/Olympus_Mons' }],
    ['in a language that may not be supported', { locale: 'de' }],
    ['with a parameter that is not named', { more: 'colour=blue' }],
    ['for several values of a parameter', { filters: { event_type: ['a', 'b'] } }],
  ])('%s: nothing', (_, query) => {
    expect(isDescribed(query, true)).toBe(false)
  })

  test('for one value of a parameter: a file, once it is known how values are written', () => {
    const query = { filters: { event_type: ['assessment'] } }
    expect(isDescribed(query, true)).toBe(true)
    expect(isDescribed(query, false)).toBe(false)
  })
})
