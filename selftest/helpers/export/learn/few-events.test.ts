import { expect, test } from 'vitest'
import { narrowSpan } from '../../../../helpers/export/learn/few-events.ts'
import type { Span } from '../../../../helpers/export/learn/spans.ts'
import { events, smallTrail } from '../small-trail.ts'

/** Two hundred events, one a minute, from a time on. */
const oneAMinute = (from: string) =>
  Array.from({ length: 200 }, (_, n) => {
    const [id = '', , ...rest] = events[n % events.length] ?? []
    return [id, new Date(Date.parse(from) + n * 60_000).toISOString(), ...rest]
  })

test.each([
  ['at its beginning', '2026-03-01T00:00:30.000Z'],
  ['at its end', '2026-03-02T20:30:30.000Z'],
])(
  'a stretch whose events lie %s is narrowed to few of them, and not to too few',
  async (_, from) => {
    const trail = oneAMinute(from)
    const rowsIn = ({ start = '', end = '' }: Partial<Span>) =>
      trail.filter(([, time = '']) => time >= start && time <= end)
    const { exports, window, span } = smallTrail((query) => ({ rows: rowsIn(query) }))
    const { length } = rowsIn(await narrowSpan(exports, window, span))
    expect(length).toBeLessThanOrEqual(60)
    expect(length).toBeGreaterThanOrEqual(10)
  },
)

test('a stretch of few events stays as it is', async () => {
  const { exports, window, span } = smallTrail()
  expect(await narrowSpan(exports, window, span)).toEqual(span)
})
