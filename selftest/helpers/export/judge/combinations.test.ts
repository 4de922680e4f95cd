import { describe, expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import {
  type Combination,
  findCombinations,
  problemsOfCombination,
  thatCanBeJudged,
} from '../../../../helpers/export/judge/together/combinations.ts'
import type { Window } from '../../../../helpers/export/learn/window.ts'
import { type Given, smallTrail, wantedBy } from '../small-trail.ts'

const combinationsWhere = async (bend: (query: Query) => Given = () => undefined) => {
  const { ranges, filters } = smallTrail(bend)
  return findCombinations(ranges, filters, 1)
}

const zoneOf = ({ shown }: Combination) => shown.timezone ?? 'no zone'
const languageOf = ({ shown }: Combination) => shown.locale ?? 'no language'
const boundsOf = ({ described }: Combination) =>
  / from .* to /.test(described) ? 'edges' : 'whole'

describe('what is asked for together', () => {
  test('every format, filter, zone, language and range meets each of the others', async () => {
    const all = await combinationsWhere()
    const of = {
      format: (each: Combination) => each.fileType,
      filter: (each: Combination) => each.filter.described,
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
    const all = await combinationsWhere(({ locale, timezone }) =>
      locale || (timezone && timezone !== 'UTC') ? 400 : undefined,
    )
    expect(new Set(all.flatMap(({ shown }) => Object.keys(shown)))).toEqual(new Set())
  })
})

describe('a CSV for several things at once', () => {
  /** What is wrong with the first CSV for filters, a zone and a part of the window. */
  async function problemsWhere(bend: (query: Query) => Given) {
    const { ranges, filters, window } = smallTrail(bend)
    const all = await findCombinations(ranges, filters, 1)
    const combination = all.find(
      (each) => each.fileType === 'csv' && each.shown.timezone && boundsOf(each) === 'edges',
    )
    if (!combination) throw new Error('there is none')
    return problemsOfCombination(combination, filters, window, undefined)
  }
  const isOfAll = ({ timezone, filters, metadata }: Query) =>
    timezone !== undefined && Object.keys({ ...filters, ...metadata }).length > 0

  test('holds what each of them lets through', async () => {
    expect(await problemsWhere(() => undefined)).toEqual([])
  })

  test('is condemned where it lacks an event of these', async () => {
    const problems = await problemsWhere((query) =>
      isOfAll(query) ? { rows: wantedBy(query).slice(1) } : undefined,
    )
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(
        /^\d+ events in the csv for .*, America\/St_Johns, from .* to .*, not \d+$/,
      ),
    ])
  })

  test('is condemned where it holds the events of the whole window', async () => {
    const problems = await problemsWhere((query) =>
      isOfAll(query) ? { rows: wantedBy({ ...query, start: '1971-01-01T00:00:00Z' }) } : undefined,
    )
    expect(problems).toHaveLength(1)
  })

  test('is condemned where it holds nothing', async () => {
    const problems = await problemsWhere((query) => (isOfAll(query) ? { rows: [] } : undefined))
    expect(problems.map(({ got }) => got)).toEqual(['0 events'])
  })

  test('is condemned where of several values of a field the first alone counts', async () => {
    const problems = await problemsWhere(({ filters = {}, ...query }) => {
      const firsts = Object.entries(filters).map(([field, [value = '']]) => [field, [value]])
      return { rows: wantedBy({ ...query, filters: Object.fromEntries(firsts) }) }
    })
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^7 events in the csv for event_type=type a and type b .*, not 46$/),
    ])
  })
})

describe('PDFs for several things at once', () => {
  const pdfsWhere = async (id: (at: number) => string) => {
    const all = (await combinationsWhere()).filter(({ fileType }) => fileType === 'pdf')
    const rows = [1, 2].map((at) => [id(at), 'created'])
    const window = { rows } as Window
    return { all, chosen: thatCanBeJudged(all, { columns: [0], length: 36, others: [] }, window) }
  }

  test('are asked for as they were chosen where they show ids', async () => {
    const { all, chosen } = await pdfsWhere((at) => `9fd379d2-0179-495f-a968-ba415a3c14c${at}`)
    expect(chosen).toBe(all)
  })

  test('are asked for without zone and language where nothing is written alike in each', async () => {
    const { all, chosen } = await pdfsWhere((at) => `2026-03-01T00:00:0${at}`)
    expect(chosen.flatMap(({ shown }) => Object.keys(shown))).toEqual([])
    const described = chosen.map((each) => each.described)
    expect(new Set(described).size).toBe(chosen.length)
    expect(new Set(chosen.map(({ filter }) => filter))).toEqual(
      new Set(all.map(({ filter }) => filter)),
    )
  })
})
