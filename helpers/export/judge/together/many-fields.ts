// Values of three fields and more that some event has together: what is left out of a longer request shows.

import { intersection, isEqual, type Multiset } from '../../../../engine/files/multiset.ts'
import type { Known } from '../../learn/filters.ts'

/** With two fields every pair is asked for anyway. */
const fewest = 3
const maxTried = 60

/**
 * A value for each of several fields, of which some events have all: as many as can be of which each
 * keeps events out that the others let through. Undefined: no event has values of three fields.
 */
export function valuesTogether(known: readonly Known[][]): Known[] | undefined {
  const tried = new Set<string>()
  let best: Known[] = []
  let most = -1
  for (const event of eventsOf(known)) {
    if (tried.size === maxTried) break
    const held = known.flatMap((each) => each.find(({ events }) => events.has(event)) ?? [])
    const name = JSON.stringify(held.map(({ field, value }) => [field, value]))
    if (held.length < fewest || tried.has(name)) continue
    tried.add(name)
    const chosen = withoutIdle(held)
    const count = chosen.filter((one) => isNeeded(one, chosen)).length
    if (count > most) {
      most = count
      best = chosen
    }
  }
  return best.length < fewest ? undefined : best
}

const eventsOf = (known: readonly Known[][]) => [
  ...new Set(known.flat().flatMap(({ events }) => [...events.keys()])),
]

/** Leaves out one after another that keeps nothing out, as long as enough are left. */
function withoutIdle(held: readonly Known[]): Known[] {
  let left = [...held]
  for (const one of held) {
    if (left.length === fewest) break
    if (!isNeeded(one, left)) left = left.filter((other) => other !== one)
  }
  return left
}

function isNeeded(one: Known, all: readonly Known[]): boolean {
  return !isEqual(sharedBy(all), sharedBy(all.filter((other) => other !== one)))
}

const sharedBy = ([first, ...others]: readonly Known[]): Multiset =>
  others.reduce((shared, { events }) => intersection(shared, events), first?.events ?? new Map())
