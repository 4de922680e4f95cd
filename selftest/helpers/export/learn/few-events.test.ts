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

test.each([
  ['within the window are read whole, as other clauses read them', false],
  ['outside of it, where there may be many more, are not read to their end', true],
])('parts of a stretch %s', async (_, isOutside) => {
  const trail = oneAMinute('2026-03-01T00:00:30.000Z')
  const { exports, window, span } = smallTrail(({ start = '', end = '' }) => ({
    rows: trail.filter(([, time = '']) => time >= start && time <= end),
  }))
  const extents = new Set<number | undefined>()
  const noting: typeof exports = {
    ...exports,
    csv: (query, options) => {
      extents.add(options?.read)
      return exports.csv(query, options)
    },
  }
  const end = isOutside ? '2026-03-04T00:00:00.000Z' : span.end
  await narrowSpan(noting, window, { ...span, end })
  expect(extents).toEqual(new Set([isOutside ? 61 + window.lines.before : undefined]))
})
