// Two filters of different fields at once.

import { intersection, type Multiset, minus, sizeOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { type MetadataKey, metadataKeys } from '../../service/operations.ts'
import { needDecidable } from '../ask/decidable.ts'
import {
  describeFilter,
  type Field,
  filterBy,
  mergeQueries,
  parameters,
  type Query,
} from '../ask/query.ts'
import { confirmed } from '../learn/confirmed.ts'
import type { Filters, Known } from '../learn/filters.ts'
import {
  commonEvents,
  createEventFetch,
  eventsAmong,
  linesOf,
  problemsOfEvents,
} from '../learn/relations.ts'
import { spanOf, type Window } from '../learn/window.ts'

/** Two values of different fields, each of which has events that the other has not. */
export type FilterPair = [Known, Known]

const describePair = ([a, b]: FilterPair) =>
  `${describeFilter(a.field, a.value)} and ${describeFilter(b.field, b.value)}`

/** Two values whose events overlap in part; where there are none, whose events are all different. */
export async function findPair(
  filters: Filters,
  a: Field,
  b: Field,
): Promise<FilterPair | undefined> {
  const pairs = await findPairs(filters, a, b)
  return pairs.find(isOverlapping) ?? pairs[0]
}

async function findPairs(filters: Filters, a: Field, b: Field): Promise<FilterPair[]> {
  const values = await filters.known(b)
  return (await filters.known(a))
    .flatMap((one) => values.map((other): FilterPair => [one, other]))
    .filter(([one, other]) => isApart(one.events, other.events))
}

const isOverlapping = ([a, b]: FilterPair) => sizeOf(intersection(a.events, b.events)) > 0

const isApart = (a: Multiset, b: Multiset) => sizeOf(minus(a, b)) > 0 && sizeOf(minus(b, a)) > 0

/** The export for both values of a pair: that it is refused, though each is accepted alone. */
async function problemsOfRefusal(
  pair: FilterPair,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const { answer } = await filters.exports.csv(queryOf(pair, window))
  needDecidable(answer)
  // That no event has both may be a reason to refuse, as it may for a value that none has.
  if (isAccepted(answer) || !isOverlapping(pair)) return []
  const control = pair.map(({ events }) => events)
  return [
    problem(`${describeAnswer(answer)}, though each is accepted alone`, {
      expected: '2xx',
      got: String(answer.status),
      judged: answer,
      control,
    }),
  ]
}

const queryOf = ([a, b]: FilterPair, window: Window) =>
  mergeQueries(spanOf(window), filterBy(a.field, a.value), filterBy(b.field, b.value))

/** What is wrong with the export for both values, which is to hold what each has alone. */
export async function problemsOfBoth(
  pair: FilterPair,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const refused = await problemsOfRefusal(pair, filters, window)
  if (refused.length > 0) return refused
  const [a, b] = pair
  return confirmed(filters.exports, window, async (fetch) => {
    const events = createEventFetch(fetch, window)
    const [one, other] = [filterBy(a.field, a.value), filterBy(b.field, b.value)]
    const control = [await events(one), await events(other), await events()] as const
    const common = commonEvents(...control)
    return problemsOfEvents(describePair(pair), await events(one, other), {
      ...common,
      control,
      lines: linesOf(window),
    })
  })
}

/**
 * What tells by counts alone that of two keys one has no effect: the events of both are neither
 * those that have both values nor, read generously, those that have either.
 */
export async function problemsOfOneAlone(
  pair: FilterPair,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const refused = await problemsOfRefusal(pair, filters, window)
  if (refused.length > 0) return refused
  const [a, b] = pair
  return confirmed(filters.exports, window, async (fetch) => {
    const events = createEventFetch(fetch, window)
    const [one, other] = [filterBy(a.field, a.value), filterBy(b.field, b.value)]
    const all = await events()
    const among = async (...filters: Query[]) => {
      const found = await events(...filters)
      return from(intersection(found, all), found)
    }
    const [first, second] = [await among(one), await among(other)]
    const counts = countRanges(first, second, all)
    const found = await among(one, other)
    const both = sizeOf(found)
    const came = `(n(a) - ${linesOf(window)})`
    return counts.some(({ least, most }) => both >= least && both <= most)
      ? []
      : [
          problem(
            `${both} events for ${describePair(pair)}, ${sizeOf(first)} and ${sizeOf(second)} for each alone, and ${describeCounts(counts)}`,
            {
              expected: counts.map(describeRange).join(' events, or ').concat(' events'),
              got: `${both} events`,
              judged: found,
              control: [first, second, all],
              again: {
                holds: counts
                  .map(({ least, most }) => `(${came} >= ${least} && ${came} <= ${most})`)
                  .join(' || '),
              },
            },
          ),
        ]
  })
}

const describeCounts = ([both, either]: CountRange[]) =>
  `${describeRange(both)} have both values, ${describeRange(either)} have either`

const describeRange = (counts: CountRange | undefined) =>
  !counts || counts.least === counts.most ? `${counts?.least}` : `${counts.least} to ${counts.most}`

type CountRange = { least: number; most: number }

/** How many events have both values, and how many have either. */
function countRanges(a: Multiset, b: Multiset, all: Multiset): CountRange[] {
  const common = commonEvents(a, b, all)
  const [least, most] = [sizeOf(common.least), sizeOf(common.most)]
  const sum = sizeOf(a) + sizeOf(b)
  return [
    { least, most },
    { least: sum - most, most: sum - least },
  ]
}

/** A pair for every two parameters that can have one; metadata is a parameter as the others. */
export async function needParameterPairs(filters: Filters): Promise<FilterPair[]> {
  const pairs: FilterPair[] = []
  for (const [at, one] of parameters.entries()) {
    for (const other of parameters.slice(at + 1))
      pairs.push(...listed(await findPair(filters, one, other)))
    pairs.push(...listed(await findPairWithKey(one, filters)))
  }
  if (pairs.length > 0) return pairs
  throw new NotDecidable(...(await filters.why(...parameters)))
}

async function findPairWithKey(field: Field, filters: Filters): Promise<FilterPair | undefined> {
  for (const key of metadataKeys) {
    const pair = await findPair(filters, field, key)
    if (pair) return pair
  }
  return undefined
}

const listed = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value])

/** The fields of a pair, for a note. */
export const describeFields = ([a, b]: FilterPair): string => `${a.field} with ${b.field}`

const maxPairs = 6

/** Pairs of keys whose counts tell whether both have an effect; each key that can be in one is. */
export async function needKeyPairs(
  filters: Filters,
  window: Window,
  keys: readonly MetadataKey[],
): Promise<FilterPair[]> {
  const all = eventsAmong(window, window.rows)
  const tells = ([a, b]: FilterPair) =>
    [a, b].every(({ events }) =>
      countRanges(a.events, b.events, all).every(
        ({ least, most }) => sizeOf(events) < least || sizeOf(events) > most,
      ),
    )
  const pairs: FilterPair[] = []
  for (const key of keys) {
    const isPaired = pairs.some((pair) => pair.some(({ field }) => field === key))
    if (isPaired || pairs.length >= maxPairs) continue
    const possible: FilterPair[] = []
    for (const other of keys)
      if (other !== key) possible.push(...(await findPairs(filters, key, other)).filter(tells))
    pairs.push(...listed(possible.find(isOverlapping) ?? possible[0]))
  }
  if (pairs.length > 0) return pairs
  throw new NotDecidable(...(await filters.why(...keys)))
}
