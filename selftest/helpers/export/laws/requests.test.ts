import { describe, expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import {
  describeRequest,
  describeValues,
  judgeRequest,
  type Request,
} from '../../../../helpers/export/laws/oracle.ts'
import {
  combinedRequests,
  smallestProblems,
  thatCanBeJudged,
} from '../../../../helpers/export/laws/requests.ts'
import type { Window } from '../../../../helpers/export/learn/window.ts'
import { type Given, smallTrail, wantedBy } from '../small-trail.ts'

const requestsWhere = async (bend: (query: Query) => Given = () => undefined) => {
  const { ranges, filters } = smallTrail(bend)
  return (await combinedRequests(ranges, filters, 1)).requests
}

const zoneOf = ({ timezone = 'no zone' }: Request) => timezone
const languageOf = ({ locale = 'no language' }: Request) => locale
const boundsOf = ({ bounds }: Request) => (bounds ? 'edges' : 'whole')

describe('combined requests', () => {
  test('every format, filter, zone, language and range meets each of the others', async () => {
    // The last two ask for all fields at once, in a zone and a language.
    const all = (await requestsWhere()).slice(0, -2)
    const of = {
      format: (each: Request) => each.fileType ?? 'csv',
      filter: describeValues,
      zone: zoneOf,
      language: languageOf,
      bounds: boundsOf,
    }
    const valuesOf = Object.values(of).map((get) => [...new Set(all.map(get))])
    expect(valuesOf.map(({ length }) => length)).toEqual([2, expect.any(Number), 2, 2, 2])
    expect(valuesOf[3]).toContain('de')
    const gets = Object.values(of)
    const lost = gets.flatMap((one, a) =>
      gets
        .slice(a + 1)
        .flatMap((other, b) =>
          (valuesOf[a] ?? []).flatMap((x) =>
            (valuesOf[a + 1 + b] ?? [])
              .filter((y) => !all.some((each) => one(each) === x && other(each) === y))
              .map((y) => `${x} with ${y}`),
          ),
        ),
    )
    expect(lost).toEqual([])
  })

  test('no language and no zone where none is accepted', async () => {
    const all = await requestsWhere(({ locale, timezone }) =>
      locale || (timezone && timezone !== 'UTC') ? 400 : undefined,
    )
    expect(new Set(all.map(zoneOf))).toEqual(new Set(['no zone']))
    expect(new Set(all.map(languageOf))).toEqual(new Set(['no language']))
  })
})

describe('a CSV for several things at once', () => {
  /** What is wrong with the first CSV for filters, a zone and a part of the window. */
  async function problemsWhere(bend: (query: Query) => Given) {
    const { ranges, filters, window } = smallTrail(bend)
    const { requests, column } = await combinedRequests(ranges, filters, 1)
    const request = requests.find(
      (each) => each.fileType === 'csv' && each.timezone && boundsOf(each) === 'edges',
    )
    if (!request) throw new Error('there is none')
    return smallestProblems(request, (one) => judgeRequest(one, { filters, window, column }))
  }
  const isOfAll = ({ timezone, filters, metadata }: Query) =>
    timezone !== undefined && Object.keys({ ...filters, ...metadata }).length > 0

  test('holds the events that pass each filter', async () => {
    expect(await problemsWhere(() => undefined)).toEqual([])
  })

  test('is condemned by the smallest request that lacks an event of these', async () => {
    const problems = await problemsWhere((query) =>
      isOfAll(query) ? { rows: wantedBy(query).slice(1) } : undefined,
    )
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      '23 events in the CSV for sub_type=created, America/St_Johns, not 24',
    ])
  })

  test('fails if it holds the events of the whole window', async () => {
    const problems = await problemsWhere((query) =>
      isOfAll(query) ? { rows: wantedBy({ ...query, start: '1971-01-01T00:00:00Z' }) } : undefined,
    )
    expect(problems).toHaveLength(1)
  })

  test('fails if it is empty', async () => {
    const problems = await problemsWhere((query) => (isOfAll(query) ? { rows: [] } : undefined))
    expect(problems.map(({ got }) => got)).toEqual(['0 events'])
  })

  test('fails if only the first of several values counts', async () => {
    const problems = await problemsWhere(({ filters = {}, ...query }) => {
      const firsts = Object.entries(filters).map(([field, [value = '']]) => [field, [value]])
      return { rows: wantedBy({ ...query, filters: Object.fromEntries(firsts) }) }
    })
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      'CSV for sub_type=created and updated: 24 of 48 events are missing',
    ])
  })
})

describe('PDFs for several things at once', () => {
  const pdfsWhere = async (id: (at: number) => string) => {
    const all = (await requestsWhere()).filter(({ fileType }) => fileType === 'pdf')
    const rows = [1, 2].map((at) => [id(at), 'created'])
    const window = { rows } as Window
    return { all, chosen: thatCanBeJudged(all, { columns: [0], length: 36, others: [] }, window) }
  }

  test('are all requested if they show ids', async () => {
    const { all, chosen } = await pdfsWhere((at) => `9fd379d2-0179-495f-a968-ba415a3c14c${at}`)
    expect(chosen).toBe(all)
  })

  test('are requested without zone and language if those change all cells', async () => {
    const { all, chosen } = await pdfsWhere((at) => `2026-03-01T00:00:0${at}`)
    expect(new Set(chosen.map(zoneOf))).toEqual(new Set(['no zone']))
    const described = chosen.map(describeRequest)
    expect(new Set(described).size).toBe(chosen.length)
    expect(new Set(chosen.map(describeValues))).toEqual(new Set(all.map(describeValues)))
  })
})
