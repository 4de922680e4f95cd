import { describe, expect, test } from 'vitest'
import { learnIdentity } from '../../../../engine/files/identity.ts'
import { multisetOf } from '../../../../engine/files/multiset.ts'
import {
  describeValues,
  judgeRequest,
  type Request,
} from '../../../../helpers/export/laws/oracle.ts'
import { needPdfRequests } from '../../../../helpers/export/laws/requests.ts'
import type { Filters } from '../../../../helpers/export/learn/filters.ts'
import { events, smallTrail, wantedBy } from '../small-trail.ts'

/** Filters that know values by the events that each has. */
const filtersOf = (known: Record<string, Record<string, string[]>>) =>
  ({
    known: async (field: string) =>
      Object.entries(known[field] ?? {}).map(([value, events]) => ({
        field,
        value,
        events: new Map(events.map((event) => [event, 1])),
      })),
    why: async () => ['data', 'no value is known'],
  }) as unknown as Filters

const described = (requests: Request[]) => requests.map(describeValues)

test('two values are asked for at once where each leaves events out that the other does not', async () => {
  const sets = await needPdfRequests(
    filtersOf({
      auditee_id: { anna: ['1', '2'] },
      event_type: { task: ['2', '3'] },
      tag: { vip: ['1'] },
    }),
  )
  expect(described(sets)).toEqual(['auditee_id=anna and event_type=task', 'metadata[tag]=vip'])
})

test('and each alone where the events of one are among those of the other', async () => {
  const sets = await needPdfRequests(
    filtersOf({
      auditee_id: { anna: ['1', '2', '3'] },
      event_type: { task: ['2', '3'] },
      system_source: { app: ['1'] },
    }),
  )
  expect(described(sets)).toEqual(['auditee_id=anna', 'event_type=task', 'system_source=app'])
})

test('without any value nothing is asked for', async () => {
  await expect(needPdfRequests(filtersOf({}))).rejects.toThrow('no value is known')
})

describe('the PDF of a filter', () => {
  const pagesOf = (rows: string[][]) => [
    ['Audit trail', ...rows.map((row) => row.join(' '))].join('\n'),
  ]
  const identity = learnIdentity(pagesOf(events), events)
  const created = events.filter((row) => row[4] === 'created')
  const updated = events.filter((row) => row[4] === 'updated')
  type Pdf = number | string[][]

  /** What is told where the PDF shows these events, or has this status; asked for anew, perhaps others. */
  async function sentencesWhere(shared: Pdf, { anew = shared, value = 'created' } = {}) {
    const { filters, exports, window } = smallTrail()
    const pdfOf = (pdf: Pdf) => async () => ({
      answer: { method: 'GET', path: '/export', status: typeof pdf === 'number' ? pdf : 200 },
      isDescribed: true,
      read: async () => ({ flaws: [], text: typeof pdf === 'number' ? [] : pagesOf(pdf) }),
    })
    Object.assign(exports, { pdf: pdfOf(shared) })
    Object.assign(exports.fresh, { pdf: pdfOf(anew) })
    const known = {
      field: 'sub_type' as const,
      value,
      events: multisetOf(wantedBy({ filters: { sub_type: [value] } }), window.columns),
    }
    const request: Request = { values: [[known]], fileType: 'pdf' }
    const problems = await judgeRequest(request, { filters, window, identity })
    return problems.map(({ sentence }) => sentence)
  }

  test('shows the events of the CSV', async () => {
    expect(await sentencesWhere(created)).toEqual([])
  })

  test('is condemned where it shows another', async () => {
    expect(await sentencesWhere([...created, ...updated.slice(0, 1)])).toEqual([
      'the PDF for sub_type=created shows 1 event beside the 24 that belong there',
    ])
  })

  test('is condemned where it shows none of them', async () => {
    expect(await sentencesWhere([])).toEqual([
      'the PDF for sub_type=created lacks 24 of 24 events, such as 00000000-0000-4000-8000-000000000000',
    ])
  })

  test('is condemned where it is refused, unless no event is in the CSV', async () => {
    expect(await sentencesWhere(400)).toEqual(['GET /export answered 400, though the CSV is given'])
    expect(await sentencesWhere(400, { value: 'nowhere' })).toEqual([])
    expect(await sentencesWhere([], { value: 'nowhere' })).toEqual([])
  })

  test('is asked for anew before it is condemned', async () => {
    expect(await sentencesWhere(events, { anew: created })).toEqual([])
  })
})
