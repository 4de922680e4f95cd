// Whether a key of metadata has its effect beside the others that its events have.

import { intersection, type Multiset, sizeOf } from '../../../../engine/files/multiset.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { metadataKeys } from '../../../service/operations.ts'
import { describeFilter, filterBy, mergeQueries } from '../../ask/query.ts'
import { confirmed } from '../../learn/confirmed.ts'
import type { Filters, Known } from '../../learn/filters.ts'
import { createEventFetch, eventsSeen } from '../../learn/relations.ts'
import { spanOf, type Window } from '../../learn/window.ts'

/** Values of keys that some events have, and of one key a value that none of these has. */
export type Odd = { others: Known[]; strange: Known; ofOthers: Multiset }

const mostAsked = 6

/**
 * For each key of an event with as many keys as can be: its other values, and of this key one that no such
 * event has. Keys that go together in all events are told apart by nothing else.
 */
export async function oddValues(filters: Filters): Promise<Odd[]> {
  const known = await Promise.all(metadataKeys.map((key) => filters.known(key)))
  const held = valuesOfOneEvent(known)
  if (held.length < 2) return []
  return held
    .flatMap((one): Odd[] => {
      const others = held.filter((other) => other !== one)
      const ofOthers = sharedBy(others)
      const strange = known
        .flat()
        .find(
          ({ field, events }) =>
            field === one.field && sizeOf(intersection(events, ofOthers)) === 0,
        )
      return strange ? [{ others, strange, ofOthers }] : []
    })
    .slice(0, mostAsked)
}

/** The values of the event that has most of them. */
function valuesOfOneEvent(known: readonly Known[][]): Known[] {
  const counts = new Map<string, number>()
  for (const { events } of known.flat())
    for (const event of events.keys()) counts.set(event, (counts.get(event) ?? 0) + 1)
  const [fullest] = [...counts].sort(([, one], [, other]) => other - one)
  if (!fullest) return []
  return known.flatMap((values) => values.find(({ events }) => events.has(fullest[0])) ?? [])
}

const sharedBy = (all: readonly Known[]): Multiset =>
  all.map(({ events }) => events).reduce((one, other): Multiset => intersection(one, other))

/** What is wrong with a file of values that no event has together. */
export async function problemsOfOddValues(
  { others, strange, ofOthers }: Odd,
  { exports }: Filters,
  window: Window,
): Promise<Problem[]> {
  const asked = mergeQueries(
    ...[...others, strange].map(({ field, value }) => filterBy(field, value)),
  )
  const found = await exports.csv(mergeQueries(spanOf(window), asked))
  // What is refused is not found.
  if (found.answer.status !== 200) return []
  const amongOf = (events: Multiset) => sizeOf(intersection(events, ofOthers))
  if (amongOf(eventsSeen(window, found)) === 0) return []
  return confirmed(exports, window, async (fetch) => {
    const events = await createEventFetch(fetch, window)(asked)
    const among = amongOf(events)
    if (among === 0) return []
    const [what, beside] = [[strange], others].map((all) =>
      all.map(({ field, value }) => describeFilter(field, value)).join(' and '),
    )
    return [
      problem(`${among} events for ${what} beside ${beside}, which have another ${strange.field}`, {
        expected: 'no event',
        got: `${among} events`,
        judged: events,
        control: [strange.events, ...others.map((each) => each.events)],
      }),
    ]
  })
}
