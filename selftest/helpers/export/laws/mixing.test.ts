import { describe, expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import type { Asked } from '../../../../helpers/export/laws/asked-in-turn.ts'
import { problemsAtOnce, problemsInTurn } from '../../../../helpers/export/laws/unmixed.ts'
import { asksFor, events, type Given, smallTrail, wantedBy } from '../small-trail.ts'

const { span } = smallTrail()
const early = { start: span.start, end: '2026-03-02T00:00:00.000Z' }
const asks: Asked[] = [
  { what: 'the plain export', by: 'nothing', query: span },
  { what: 'that for tag=vip', by: 'filter', query: { ...span, metadata: { tag: 'vip' } } },
  { what: 'that of a day', by: 'range', query: early },
]
const vip = wantedBy({ ...span, metadata: { tag: 'vip' } })

describe('exports at the same time as others', () => {
  /** Each is asked for by itself first, and then once more beside the others. */
  async function problemsWhere(beside: (query: Query) => Given, of = asks) {
    const trail = smallTrail((query) =>
      trail.asked.length > of.length ? beside(query) : undefined,
    )
    return problemsAtOnce(trail.exports, trail.window, of)
  }

  test('are as they are alone', async () => {
    expect(await problemsWhere(() => undefined)).toEqual([])
  })

  test('are condemned where one is the file of another', async () => {
    const problems = await problemsWhere((query) =>
      asksFor(query, 'vip') ? { rows: events } : undefined,
    )
    expect(problems).toMatchObject([
      {
        sentence:
          'that for tag=vip, asked for at the same time as others, holds 38 events of the plain export, which do not belong there',
        expected: 'the 10 rows that it had before',
        got: '38 other rows of 48',
      },
    ])
  })

  test('are condemned where one holds no more than the file of another', async () => {
    const problems = await problemsWhere((query) =>
      asksFor(query, 'vip') || query.end === early.end ? undefined : { rows: vip },
    )
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      'the plain export, asked for at the same time as others, holds the 10 events of that for tag=vip',
    ])
  })

  test('are not condemned for events that came meanwhile', async () => {
    const more = events.slice(0, 2).map((row) => row.with(0, `${row[0]}`.replace(/^0/, '9')))
    const problems = await problemsWhere((query) =>
      query.end === span.end && !query.metadata ? { rows: [...events, ...more] } : undefined,
    )
    expect(problems).toEqual([])
  })

  test('are compared in three kinds at least', async () => {
    await expect(problemsWhere(() => undefined, asks.slice(1))).rejects.toThrow(
      /^of 2 exports that differ .* 2 are accepted/,
    )
  })
})

describe('exports one after another', () => {
  const inZone = (timezone: string): Asked => ({
    what: `that in ${timezone}`,
    by: 'zone',
    query: { ...span, timezone },
  })
  const zones = ['Asia/Tokyo', 'Asia/Kolkata']
  const all = [...asks.slice(0, 1), ...zones.map(inZone), ...asks.slice(2)]

  test('are condemned where one leaves its zone in the next', async () => {
    let last: string | undefined
    const trail = smallTrail((query) => {
      const zone = query.timezone ?? (trail.asked.length > all.length ? last : undefined)
      last = query.timezone
      return { rows: wantedBy(query).map((row) => (zone ? row.with(1, `${row[1]} ${zone}`) : row)) }
    })
    const problems = await problemsInTurn(trail.exports, trail.window, all)
    expect(problems.map(({ sentence }) => sentence)).toEqual(
      zones.map(
        (zone) =>
          `the plain export, asked for again after that in ${zone}, differs in dates alone: 48 of its 48 rows are those of that in ${zone}`,
      ),
    )
  })

  test('are condemned where a file is kept for its range, whatever the zone', async () => {
    const kept = new Map<string, string[][]>()
    const { exports, window } = smallTrail((query) => {
      const rows = wantedBy(query).map((row) => row.with(1, `${row[1]} ${query.timezone ?? ''}`))
      if (query.end === span.end) return { rows }
      const first = kept.get(query.end ?? '') ?? rows
      kept.set(query.end ?? '', first)
      return { rows: first }
    })
    const problems = await problemsInTurn(exports, window, all)
    expect(problems.map(({ sentence }) => sentence)).toEqual(
      zones.map(
        (zone) =>
          `the plain export, asked for again after that in ${zone}, differs in dates alone: 48 of its 48 rows are those of that in ${zone}`,
      ),
    )
  })
})
