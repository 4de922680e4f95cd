import { type Effect, type End, effectOf, endOf, isNeeded } from './judge.ts'
import type { Proof } from './proofs.ts'
import type { Recorded } from './record.ts'
import type { Site } from './site.ts'
import type { Deeds } from './watch.ts'

/**
 * What a site is needed for. Necessary: a proof is red without it. Hollow: without it a clause passes
 * that saw nothing, and no proof is red. Redundant: other sites do the same in every case tried.
 * Unproven: nothing differs, or no proof provokes it. Unreached: it was off and never asked, a mistake
 * of this tool.
 */
export const states = ['necessary', 'hollow', 'redundant', 'unproven', 'unreached'] as const
export type State = (typeof states)[number]

/** A proof in which a site decided a clause; without one: in which it spoke, and another took over. */
export type Case = { proof: Proof; clause?: string; on: Recorded }

export type Outcome = {
  site: string
  commit: string
  state: State
  effect?: Effect
  proof?: string
  clause?: string
  /** the sites that do the same */
  others?: string[]
  /** how many of its cases were tried, and how many there are */
  tried: number
  of: number
  seconds: number
}

/** What a run shows with a site off: what sites did, and which clauses only observe. */
export type Off = { deeds: Deeds; observing: ReadonlySet<string> }
/** Undefined: such a run could not be made. */
export type RunOff = (
  proof: Proof,
  clauses: readonly string[],
  off: string,
) => Promise<Off | undefined>

const mostTried = 6
/** Where no clause is known, all of an area are asked. */
const mostWhole = 2

/** The cases of a site, nearest first: each clause once in its cheapest proof, then in others. */
export function casesOf(site: Site, recorded: readonly [Proof, Recorded][]): Case[] {
  const decided = recorded.flatMap(([proof, on]): Case[] => {
    const own = on.ended.filter(([, , sites]) => sites.includes(site.name)).map(([id]) => id)
    const handed = on.handed.filter(([, name]) => name === site.name).map(([owner]) => owner)
    return [...new Set([...own, ...handed])].map((clause) => ({ proof, clause, on }))
  })
  const spoke = () =>
    recorded.flatMap(([proof, on]): Case[] => (on.spoke.includes(site.name) ? [{ proof, on }] : []))
  const cases = decided.length > 0 ? decided : spoke()
  // What excuses is missed by a service that obeys, what condemns by one that does not. A clause that
  // observes condemns nobody.
  const distance = ({ proof, clause, on }: Case) =>
    Number(proof.isVariant === (site.kind === 'assertion')) +
    (clause !== undefined && on.observing.includes(clause) ? 2 : 0)
  const sorted = cases.toSorted(
    (one, two) => distance(one) - distance(two) || one.on.seconds - two.on.seconds,
  )
  const turns = new Map<string, number>()
  const turnOf = (each: Case) => {
    const key = each.clause ?? each.proof.by.join()
    turns.set(key, (turns.get(key) ?? 0) + 1)
    return turns.get(key) ?? 0
  }
  const turned = sorted.map((each) => ({ each, turn: turnOf(each) + 2 * distance(each) }))
  return turned.toSorted((one, two) => one.turn - two.turn).map(({ each }) => each)
}

/** Switches a site off in its cases until it is shown to be necessary, or the nearest ones are tried. */
export async function search(
  site: Site,
  recorded: readonly [Proof, Recorded][],
  runOff: RunOff,
): Promise<Omit<Outcome, 'commit' | 'seconds'>> {
  const cases = casesOf(site, recorded)
  const isWhole = cases[0]?.clause === undefined
  const nearest = cases.slice(0, isWhole ? mostWhole : mostTried)
  const found = { site: site.name, of: cases.length }
  const others = new Set<string>()
  let hollow: { case: Case; clause?: string | undefined } | undefined
  let [tried, unreached, same] = [0, 0, 0]
  for (const each of nearest) {
    tried += 1
    const seen = await tryCase(each, site.name, runOff)
    if (!seen) {
      unreached += 1
      continue
    }
    const { effect, clause, off } = seen
    const place = { proof: each.proof.name, ...(clause ? { clause } : {}) }
    if (isNeeded(effect)) return { ...found, state: 'necessary', effect, ...place, tried }
    if (effect === 'hollow') hollow ??= { case: each, clause }
    else {
      same += 1
      for (const other of off.sites) if (other !== site.name) others.add(other)
    }
  }
  if (hollow) {
    const place = {
      proof: hollow.case.proof.name,
      ...(hollow.clause ? { clause: hollow.clause } : {}),
    }
    return { ...found, state: 'hollow', effect: 'hollow', ...place, tried }
  }
  if (unreached > 0 && same === 0) return { ...found, state: 'unreached', tried }
  if (others.size > 0 && !isWhole)
    return { ...found, state: 'redundant', effect: 'same', others: [...others], tried }
  return { ...found, state: 'unproven', tried }
}

type Seen = { effect: Effect; clause?: string | undefined; off: End }

/** The effect on the clause that it decided; where it decided none, on the first that it changes. */
async function tryCase({ proof, clause, on }: Case, off: string, runOff: RunOff) {
  const before = { ended: on.ended.map(([id, kind, sites]) => ({ clause: id, kind, sites })) }
  const handed = on.handed.map(([owner, site]) => ({ owner, site }))
  const effectOn = (id: string, { deeds, observing }: Off): Seen => {
    const isObserving = observing.has(id)
    const with_ = endOf(id, { ...before, handed }, isObserving)
    const without = endOf(id, deeds, isObserving)
    return { effect: effectOf(with_.kind, without.kind), clause: id, off: without }
  }
  if (clause !== undefined) {
    // Alone it takes a tenth of the time; some decide only where others have asked before.
    for (const clauses of [[clause], proof.by]) {
      const seen = await runOff(proof, clauses, off)
      if (seen?.deeds.silenced) return effectOn(clause, seen)
    }
    return undefined
  }
  const seen = await runOff(proof, proof.by, off)
  if (!seen?.deeds.silenced) return undefined
  const ids = new Set([
    ...on.ended.map(([id]) => id),
    ...seen.deeds.ended.map((each) => each.clause),
  ])
  const effects = [...ids].map((id) => effectOn(id, seen))
  const none: Seen = { effect: 'same', off: { kind: 'held', sites: [] } }
  return effects.find(({ effect }) => isNeeded(effect)) ?? none
}
