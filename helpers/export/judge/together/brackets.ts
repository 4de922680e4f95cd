// Metadata keys whose brackets are percent-encoded, as most clients write them.

import type { Problem } from '../../../../engine/problem.ts'
import { metadataKeys } from '../../../service/operations.ts'
import { filterBy, mergeQueries, type Query } from '../../ask/query.ts'
import { confirmed } from '../../learn/confirmed.ts'
import type { Filters } from '../../learn/filters.ts'
import { createEventFetch, linesOf, problemsOfEvents } from '../../learn/relations.ts'
import type { Window } from '../../learn/window.ts'
import { type FilterPair, needKeyPairs } from '../filter-pairs.ts'

/** Two keys, and how the brackets of each are written. */
export type Written = { pair: FilterPair; how: readonly ['encoded' | 'plain', 'encoded' | 'plain'] }

const ways = [
  ['encoded', 'encoded'],
  ['encoded', 'plain'],
  ['plain', 'encoded'],
] as const

/** Pairs of keys, each pair written in another way. */
export async function needWritten(filters: Filters, window: Window): Promise<Written[]> {
  const pairs = await needKeyPairs(filters, window, metadataKeys)
  return ways.flatMap((how, at) => {
    const pair = pairs[at % pairs.length]
    return pair ? [{ pair, how }] : []
  })
}

const queryOf = ({ pair, how }: Written): Query => {
  const plain = pair.flatMap(({ field, value }, at) =>
    how[at] === 'plain' ? [filterBy(field, value)] : [],
  )
  const more = pair.flatMap(({ field, value }, at) =>
    how[at] === 'encoded' ? [`metadata%5B${field}%5D=${encodeURIComponent(value)}`] : [],
  )
  return { ...mergeQueries(...plain), more: more.join('&') }
}

/** Other events than the same keys give with their brackets as they are. */
export async function problemsOfBrackets(
  written: Written,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const { pair, how } = written
  const told = pair.map(({ field }, at) => `${field} (${how[at]})`).join(' and ')
  return confirmed(filters.exports, window, async (fetch) => {
    const events = createEventFetch(fetch, window)
    const plain = await events(...pair.map(({ field, value }) => filterBy(field, value)))
    const found = await events(queryOf(written))
    return problemsOfEvents(`metadata by ${told}`, found, {
      least: plain,
      most: plain,
      lines: linesOf(window),
    })
  })
}
