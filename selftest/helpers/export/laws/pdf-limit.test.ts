import { describe, expect, test } from 'vitest'
import { randomFor } from '../../../../engine/random.ts'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { formsOver } from '../../../../helpers/export/laws/over-limit.ts'
import { problemsOfFilteredOverLimit } from '../../../../helpers/export/laws/pdf-limit.ts'
import { events, type Given, smallTrail, wantedBy } from '../small-trail.ts'

const start = '2026-03-01T00:00:00.000Z'
const stretch = (end: string, count: number) => ({ start, end, count })
const aroundLimit = {
  at: stretch('2026-03-02T12:00:00.000Z', 36),
  over: stretch('2026-03-02T13:00:00.000Z', 37),
  half: stretch('2026-03-01T18:00:00.000Z', 18),
}

describe('a PDF of too many events of which a filter leaves none', () => {
  /** What is told by how the PDFs of the whole stretch and of half of it are answered. */
  async function sentencesWhere(whole: number, half: number, bend?: (query: Query) => Given) {
    const { exports } = smallTrail(bend)
    const pdf = async ({ end }: Query) => {
      const status = end === aroundLimit.over.end ? whole : half
      return { answer: { method: 'GET', path: '/export', status } }
    }
    Object.assign(exports, { pdf })
    const problems = await problemsOfFilteredOverLimit(exports, aroundLimit, randomFor(1, 'ids'))
    return problems.map(({ sentence }) => sentence)
  }

  test('is condemned where it is refused, and one of fewer is given', async () => {
    expect(await sentencesWhere(400, 200)).toEqual([
      'GET /export answered 400, though the filter leaves no event: as CSV 1 records',
    ])
  })

  test('may be given, and tells nothing where no PDF with this filter is', async () => {
    expect(await sentencesWhere(200, 200)).toEqual([])
    expect(await sentencesWhere(400, 400)).toEqual([])
  })

  test('tells nothing where the filter has no effect on the CSV', async () => {
    expect(await sentencesWhere(400, 200, () => ({ rows: events }))).toEqual([])
  })
})

describe('too many events for a PDF', () => {
  const found = { auditee_id: 5, event_type: 10, sub_type: 20, system_source: 0 }
  const ofEach = (query: Query): Given => {
    const [field] = Object.keys(query.filters ?? {}) as (keyof typeof found)[]
    return field && { rows: wantedBy(query).slice(0, found[field]) }
  }

  test('are asked for in a zone and a language, by the values that find most, and with no range', async () => {
    const { filters, window } = smallTrail(ofEach)
    const { end } = aroundLimit.over
    expect(await formsOver(filters, window, aroundLimit)).toEqual([
      {
        described: 'Asia/Tokyo and de',
        query: { start, end, timezone: 'Asia/Tokyo', locale: 'de' },
        isCounted: true,
      },
      {
        described: 'sub_type',
        query: {
          start: '1971-01-02T00:00:00.000Z',
          end: window.end,
          filters: { sub_type: ['created', 'updated'] },
        },
      },
      { described: 'no range', query: {} },
    ])
  })

  test('are asked for by no value where none is known, and in no zone where none is accepted', async () => {
    const { filters, window } = smallTrail((query) =>
      query.filters || query.timezone || query.locale ? 400 : undefined,
    )
    expect(await formsOver(filters, window, aroundLimit)).toEqual([
      { described: 'no range', query: {} },
    ])
  })
})
