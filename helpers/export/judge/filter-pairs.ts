import { needDecidable, tell } from '../../../engine/files/content.ts'
import { intersection, type Multiset, minus, sizeOf } from '../../../engine/files/multiset.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type MetadataKey, metadataKeys } from '../../service/operations.ts'
import { asking, type Field, parameters, type Query, shownAs, together } from '../ask/query.ts'
import { confirmed } from '../learn/confirmed.ts'
import type { Filters, Known } from '../learn/filters.ts'
import { commonTo, departures, eventsBy, eventsOf } from '../learn/relations.ts'
import { spanOf, type Window } from '../learn/window.ts'

/** Two values of different fields, each of which has events that the other has not. */
export type Pair = [Known, Known]

const shownPair = ([a, b]: Pair) => `${shownAs(a.field, a.value)} and ${shownAs(b.field, b.value)}`

/** Two values whose events overlap in part; where there are none, whose events are all different. */
export async function pairOf(filters: Filters, a: Field, b: Field): Promise<Pair | undefined> {
  const pairs = await pairsOf(filters, a, b)
  return pairs.find(isOverlapping) ?? pairs[0]
}

async function pairsOf(filters: Filters, a: Field, b: Field): Promise<Pair[]> {
  const values = await filters.known(b)
  return (await filters.known(a))
    .flatMap((one) => values.map((other): Pair => [one, other]))
    .filter(([one, other]) => isApart(one.events, other.events))
}

const isOverlapping = ([a, b]: Pair) => sizeOf(intersection(a.events, b.events)) > 0

const isApart = (a: Multiset, b: Multiset) => sizeOf(minus(a, b)) > 0 && sizeOf(minus(b, a)) > 0

/** The export for both values of a pair; that it is refused is a sentence. */
async function refusalOf(pair: Pair, filters: Filters, window: Window): Promise<string[]> {
  const { answer } = await filters.exports.csv(queryOf(pair, window))
  needDecidable(answer)
  // That no event has both may be a reason to refuse, as it may for a value that none has.
  if (answer.status === 200 || !isOverlapping(pair)) return []
  return [`${tell(answer)}, though each is let in alone`]
}

const queryOf = ([a, b]: Pair, window: Window) =>
  together(spanOf(window), asking(a.field, a.value), asking(b.field, b.value))

/** What is wrong with the export for both values, which is to hold what each has alone. */
export async function wrongWithBoth(
  pair: Pair,
  filters: Filters,
  window: Window,
): Promise<string[]> {
  const refused = await refusalOf(pair, filters, window)
  if (refused.length > 0) return refused
  const [a, b] = pair
  return confirmed(filters.exports, window, async (fetch) => {
    const events = eventsBy(fetch, window)
    const [one, other] = [asking(a.field, a.value), asking(b.field, b.value)]
    const common = commonTo(await events(one), await events(other), await events())
    return departures(shownPair(pair), await events(one, other), common)
  })
}

/**
 * What tells by counts alone that of two keys one has no effect: the events of both are neither
 * those that have both values nor, read generously, those that have either.
 */
export async function oneAloneOf(pair: Pair, filters: Filters, window: Window): Promise<string[]> {
  const refused = await refusalOf(pair, filters, window)
  if (refused.length > 0) return refused
  const [a, b] = pair
  return confirmed(filters.exports, window, async (fetch) => {
    const events = eventsBy(fetch, window)
    const [one, other] = [asking(a.field, a.value), asking(b.field, b.value)]
    const all = await events()
    const among = async (...filters: Query[]) => intersection(await events(...filters), all)
    const [first, second] = [await among(one), await among(other)]
    const counts = countsOf(first, second, all)
    const both = sizeOf(await among(one, other))
    return counts.some(({ least, most }) => both >= least && both <= most)
      ? []
      : [
          `${both} events for ${shownPair(pair)}, ${sizeOf(first)} and ${sizeOf(second)} for each alone, and ${told(counts)}`,
        ]
  })
}

const told = ([both, either]: Counts[]) =>
  `${range(both)} have both values, ${range(either)} have either`

const range = (counts: Counts | undefined) =>
  !counts || counts.least === counts.most ? `${counts?.least}` : `${counts.least} to ${counts.most}`

type Counts = { least: number; most: number }

/** How many events have both values, and how many have either. */
function countsOf(a: Multiset, b: Multiset, all: Multiset): Counts[] {
  const common = commonTo(a, b, all)
  const [least, most] = [sizeOf(common.least), sizeOf(common.most)]
  const sum = sizeOf(a) + sizeOf(b)
  return [
    { least, most },
    { least: sum - most, most: sum - least },
  ]
}

/** A pair for every two parameters that can have one; metadata is a parameter as the others. */
export async function pairsOfParameters(filters: Filters): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (const [at, one] of parameters.entries()) {
    for (const other of parameters.slice(at + 1))
      pairs.push(...listed(await pairOf(filters, one, other)))
    pairs.push(...listed(await withSomeKey(one, filters)))
  }
  if (pairs.length > 0) return pairs
  throw new NotDecidable('no two filters are known each of which has events that the other has not')
}

async function withSomeKey(field: Field, filters: Filters): Promise<Pair | undefined> {
  for (const key of metadataKeys) {
    const pair = await pairOf(filters, field, key)
    if (pair) return pair
  }
  return undefined
}

const listed = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value])

/** The fields of a pair, for a note. */
export const fieldsOf = ([a, b]: Pair): string => `${a.field} with ${b.field}`

const mostPairs = 6

/** Pairs of keys whose counts tell whether both have an effect; each key that can be in one is. */
export async function pairsOfKeys(
  filters: Filters,
  window: Window,
  keys: readonly MetadataKey[],
): Promise<Pair[]> {
  const all = eventsOf(window, window.rows)
  const tells = ([a, b]: Pair) =>
    [a, b].every(({ events }) =>
      countsOf(a.events, b.events, all).every(
        ({ least, most }) => sizeOf(events) < least || sizeOf(events) > most,
      ),
    )
  const pairs: Pair[] = []
  for (const key of keys) {
    const isPaired = pairs.some((pair) => pair.some(({ field }) => field === key))
    if (isPaired || pairs.length >= mostPairs) continue
    const possible: Pair[] = []
    for (const other of keys)
      if (other !== key) possible.push(...(await pairsOf(filters, key, other)).filter(tells))
    pairs.push(...listed(possible.find(isOverlapping) ?? possible[0]))
  }
  if (pairs.length > 0) return pairs
  throw new NotDecidable(
    'no two keys are known with values whose events differ both ways: set METADATA_VALUES',
  )
}
