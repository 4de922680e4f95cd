import { describe, expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { problemsOfNoEvent, problemsOfValue } from '../../../../helpers/export/laws/exact.ts'
import {
  findPartial,
  problemsOfFilteredRows,
} from '../../../../helpers/export/laws/filtered-rows.ts'
import {
  judgeAcceptance,
  problemsOfNarrowing,
  problemsOfUnknownValue,
} from '../../../../helpers/export/laws/filters.ts'
import { asksFor, events, type Given, smallTrail, wantedBy } from '../small-trail.ts'

const told = (problems: { sentence: string; expected: string; got: string }[]) =>
  problems.map(({ sentence, expected, got }) => ({ sentence, expected, got }))

describe('the events for one value', () => {
  const problemsWhere = async (bend: (query: Query) => Given = () => undefined) => {
    const { filters, window } = smallTrail(bend)
    return told(await problemsOfValue('type b', 'event_type', filters, window))
  }

  test('are those that show it', async () => {
    expect(await problemsWhere()).toEqual([])
  })

  test('are told where some are missing, by what the others show', async () => {
    const found = await problemsWhere((query) =>
      asksFor(query, 'type b') ? { rows: wantedBy(query).slice(2) } : undefined,
    )
    expect(found).toEqual([
      {
        sentence: 'event_type=type b: 2 of 16 events are missing',
        expected: '16 events',
        got: '14 of them',
      },
    ])
  })

  test('are told where others are among them', async () => {
    const found = await problemsWhere((query) =>
      asksFor(query, 'type b')
        ? { rows: events.filter(([, , , type], at) => type === 'type b' || at === 0) }
        : undefined,
    )
    expect(found).toEqual([
      {
        sentence: 'event_type=type b: 1 of 17 events do not belong there',
        expected: '16 events',
        got: '17 events',
      },
    ])
  })
})

describe('a filter', () => {
  test('that gives as many events as none at most is as it is to be', async () => {
    const { filters, window } = smallTrail()
    expect(await problemsOfNarrowing('sub_type', filters, window)).toEqual([])
  })

  test('that gives more events than none is told by their numbers', async () => {
    let isLearned = false
    const { filters, window } = smallTrail((query) =>
      isLearned && asksFor(query, 'created')
        ? { rows: [...events, ...events.slice(0, 3)] }
        : undefined,
    )
    await filters.known('sub_type')
    isLearned = true
    const anew = { ...filters, exports: filters.exports.fresh }
    expect(told(await problemsOfNarrowing('sub_type', anew, window))).toEqual([
      {
        sentence: '51 events for sub_type=created, 48 without it',
        expected: '48 events at most',
        got: '51 events',
      },
    ])
  })

  test('whose events are not shown as they are without it is told', async () => {
    const { filters, window } = smallTrail((query) =>
      query.metadata && asksFor(query, 'vip')
        ? { rows: wantedBy(query).map((row) => row.with(4, 'other')) }
        : undefined,
    )
    const found = await findPartial(filters, window)
    expect(found.map(({ field }) => field)).toContain('sub_type')
    const [ofTag] = found.filter(({ field }) => field === 'tag')
    expect(ofTag && told(await problemsOfFilteredRows(ofTag, filters, window))).toEqual([
      {
        sentence: 'none of the 10 events for metadata[tag]=vip is shown as without the filter',
        expected: 'the same cells of an event',
        got: 'others',
      },
    ])
  })
})

describe('a value of a key that somebody declared', () => {
  const acceptance = async (bend: (query: Query) => Given, declared: string[]) => {
    const { filters, window } = smallTrail(bend)
    const settings = { metadataValues: { tag: declared } } as never
    const { problems, witness } = await judgeAcceptance('tag', { filters, window, settings })
    return problems[0]?.sentence ?? witness
  }

  test('is asked for in the window, and accepted', async () => {
    expect(await acceptance(() => undefined, ['vip'])).toContain('200 to metadata[tag]=vip')
  })

  test('is asked for in the whole trail where the window refuses it', async () => {
    const refused = ({ metadata, start }: Query) =>
      metadata?.tag === 'old' && start ? 400 : undefined
    expect(await acceptance(refused, ['old'])).toContain('200 to metadata[tag]=vip')
    const everywhere = ({ metadata }: Query) => (metadata ? 400 : undefined)
    expect(await acceptance(everywhere, ['vip'])).toMatch(/answered 400, though METADATA_VALUES/)
  })
})

describe('a filter of which no value tells events apart', () => {
  const ofTypes = (given: Given) => (query: Query) =>
    query.filters?.event_type || query.more?.startsWith('event_type') ? given : undefined

  test('has no effect in any form: the sentence names the forms and the values', async () => {
    const { filters, window } = smallTrail(ofTypes({ rows: events }), { declared: false })
    const [problem] = await problemsOfUnknownValue('event_type', filters, window)
    expect(problem?.sentence).toMatch(
      /^event_type is ignored: a value that no event has gives 48 events, and so do assessment, created, type a. Tried as repeat, .*ARRAY_ENCODING/,
    )
    expect(await filters.why('event_type')).toEqual([
      'clause',
      'event_type has no effect',
      'export.filter.event_type.unknown-value',
    ])
  })

  test('is refused with every value that the file shows', async () => {
    const { filters, window } = smallTrail(ofTypes(400), { declared: false })
    const [problem] = await problemsOfNarrowing('event_type', filters, window)
    expect(problem?.sentence).toMatch(
      /^event_type: all 7 values tried were refused with 400, such as type a, type b, type_a, .*; in other forms brackets is refused/,
    )
    expect(await filters.why('event_type')).toEqual([
      'clause',
      'event_type: type a, type b, type_a and 3 more answered 400',
      'export.filter.event_type.narrows',
    ])
  })

  test('gives no event for any value that the file shows', async () => {
    const { filters, window } = smallTrail(ofTypes({ rows: [] }))
    const [problem] = await problemsOfNoEvent('event_type', filters, window)
    expect(problem?.sentence).toMatch(/^no event for event_type=type a or event_type=type b/)
  })
})
