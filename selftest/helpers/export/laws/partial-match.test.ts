import { expect, test } from 'vitest'
import { multisetOf } from '../../../../engine/files/multiset.ts'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import {
  problemsOfMixedUpFields,
  problemsOfPartialMatch,
} from '../../../../helpers/export/laws/exact.ts'
import { asksFor, events, type Given, smallTrail, wantedBy } from '../small-trail.ts'

async function sentencesWhere(bend: (query: Query) => Given) {
  const { filters, window } = smallTrail(bend)
  const [known] = await filters.needKnown('sub_type')
  expect(known.value).toBe('created')
  const problems = await problemsOfPartialMatch(known, filters, window)
  return problems.map(({ sentence, got }) => ({ sentence, got }))
}

test('a part of a value that gives its events is told as it was asked for', async () => {
  const whole = { filters: { sub_type: ['created'] } }
  const found = await sentencesWhere((query) =>
    asksFor(query, 'create') ? { rows: wantedBy({ ...query, ...whole }) } : undefined,
  )
  expect(found).toEqual([
    {
      sentence: 'sub_type=create gives 24 of the 24 events for created, which is another value',
      got: '24 events of created',
    },
  ])
})

test('a part of a value that gives nothing, or is refused, is as it is to be', async () => {
  expect(await sentencesWhere(() => undefined)).toEqual([])
  expect(await sentencesWhere((query) => (asksFor(query, 'create') ? 400 : undefined))).toEqual([])
})

test('what cells show beside the value may be another one, which its events have too', async () => {
  const rows = events.map((row) => row.with(5, 'to create'))
  const { filters, window } = smallTrail((query) =>
    asksFor(query, 'create') || asksFor(query, 'created')
      ? { rows: rows.filter((row) => row[4] === 'created') }
      : { rows },
  )
  const shown = { ...window, rows }
  const ofCreated = rows.filter((row) => row[4] === 'created')
  const known = {
    field: 'sub_type' as const,
    value: 'created',
    events: multisetOf(ofCreated, window.columns),
  }
  expect(await problemsOfPartialMatch(known, filters, shown)).toEqual([])
})

test('what comes for a value that no event has is for another clause', async () => {
  const known = (query: Query) => asksFor(query, 'created') || asksFor(query, 'updated')
  const some = { filters: { sub_type: ['created'] } }
  const found = await sentencesWhere((query) =>
    query.filters?.sub_type && !known(query)
      ? { rows: wantedBy({ ...query, ...some }) }
      : undefined,
  )
  expect(found).toEqual([])
})

/** A service whose event_type is compared with the sub-types of events. */
const mixedUp = ({ filters, ...others }: Query): Given =>
  filters?.event_type
    ? { rows: wantedBy({ ...others, filters: { sub_type: filters.event_type } }) }
    : undefined

test('a field that goes by the values of another is told by the events that they give', async () => {
  const { filters, window } = smallTrail(mixedUp)
  const problems = await problemsOfMixedUpFields('event_type', filters, window)
  expect(problems.map(({ sentence, got }) => ({ sentence, got }))).toEqual(
    ['created', 'updated'].map((value) => ({
      sentence: `event_type=${value} gives the 24 events of that sub_type, and what is known as event_type gives none`,
      got: 'the 24 events of that sub_type',
    })),
  )
})

test('a field of which a declared value gives events is mixed up with none', async () => {
  const declared = 'review'
  const { filters, window } = smallTrail((query) =>
    asksFor(query, declared) ? { rows: events.slice(0, 3) } : mixedUp(query),
  )
  expect(await problemsOfMixedUpFields('event_type', filters, window, [declared])).toEqual([])
})

test('nor is one whose own values give events, whichever they are', async () => {
  const next: Record<string, string> = {
    'type a': 'type b',
    'type b': 'type c',
    'type c': 'type a',
  }
  const { filters, window } = smallTrail((query) => {
    const [other] = (query.filters?.event_type ?? []).flatMap((value) => next[value] ?? [])
    return other
      ? { rows: wantedBy({ ...query, filters: { event_type: [other] } }) }
      : mixedUp(query)
  })
  expect(await problemsOfMixedUpFields('event_type', filters, window)).toEqual([])
})
