import { type Effect, type End, type Ends, effectOf, endOf, isNeeded } from './judge.ts'
import type { Proof } from '../proofs/proofs.ts'
import type { Recorded } from './record.ts'
import type { Site } from './site.ts'
import type { Deeds } from './watch.ts'

/**
 * What a site is needed for. Necessary: a proof is red without it. Hollow: without it a clause passes
 * that saw nothing, and no proof is red. Mislabelled: without it a clause is left undecided for another
 * cause. Tested: no proof provokes it, and without it a test is red. Redundant: other sites do the same
 * in every case tried.
 * Unproven: nothing differs, or no proof provokes it. Unreached: it was off and never asked, a mistake
 * of this tool.
 */
export const states = [
  'necessary',
  'hollow',
  'mislabelled',
  'tested',
  'redundant',
  'unproven',
  'unreached',
] as const
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
  /** the file of tests that is red without it */
  test?: string
  /** the sites that do the same */
  others?: string[]
  /** how many of its cases were tried, and how many there are */
  tried: number
  of: number
  seconds: number
}

/**
 * What a run shows: what sites did, which clauses only observe, and why those were not decided that were
 * not, as the report says it in the end.
 */
export type Shown = {
  deeds: Deeds
  observing: ReadonlySet<string>
  causes: ReadonlyMap<string, string>
}
/** Runs clauses of a proof, with a site off; undefined: such a run could not be made. */
export type Run = (
  proof: Proof,
  clauses: readonly string[],
  off?: string,
) => Promise<Shown | undefined>

/** What is known of a site before it is switched off, and how it is. */
export type Searching = {
  recorded: readonly [Proof, Recorded][]
  /** an earlier record says where to look: there may be nothing any more */
  commit: string
  run: Run
  /** what it was needed for before: that is tried first */
  last?: Pick<Outcome, 'proof' | 'clause'> | undefined
  /** how many of its cases are tried at most */
  most?: number
}

const mostTried = 4
/** Where no clause is known, all of an area are asked. */
const mostWhole = 2

/** The cases of a site, nearest first: each clause once in its cheapest proof, then in others. */
export function casesOf(
  site: Site,
  recorded: readonly [Proof, Recorded][],
  last: Searching['last'] = {},
): Case[] {
  const decided = recorded.flatMap(([proof, on]): Case[] => {
    const own = on.ended.filter(([, , sites]) => sites.includes(site.name)).map(([id]) => id)
    const handed = on.handed.filter(([, name]) => name === site.name).map(([owner]) => owner)
    return [...new Set([...own, ...handed])].map((clause) => ({ proof, clause, on }))
  })
  const spoke = () =>
    recorded.flatMap(([proof, on]): Case[] => (on.spoke.includes(site.name) ? [{ proof, on }] : []))
  const cases = decided.length > 0 ? decided : spoke()
  // What excuses is missed by a service that obeys, what condemns by one that does not. A clause that
  // observes condemns nobody. Where others end the clause with it, they do so without it.
  const isAlone = ({ clause, on }: Case) =>
    clause === undefined || endOf(clause, deedsOf(on)).sites.every((each) => each === site.name)
  const isLast = ({ proof, clause }: Case) => proof.name === last.proof && clause === last.clause
  const distance = (each: Case) => {
    const { proof, clause, on } = each
    if (isLast(each)) return -1
    const isStranger = proof.isVariant === ['assertion', 'handed'].includes(site.kind)
    const isObserving = clause !== undefined && on.observing.includes(clause)
    return Number(isStranger) + (isAlone(each) ? 0 : 1) + (isObserving ? 2 : 0)
  }
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
  searching: Searching,
): Promise<Omit<Outcome, 'commit' | 'seconds'>> {
  const cases = casesOf(site, searching.recorded, searching.last)
  const isWhole = cases[0]?.clause === undefined
  const found = { site: site.name, of: cases.length }
  const others = new Set<string>()
  const weak: Partial<Record<Effect, { proof: string; clause?: string }>> = {}
  let [tried, unreached, same] = [0, 0, 0]
  for (const each of cases) {
    if (tried === (isWhole ? mostWhole : (searching.most ?? mostTried))) break
    const seen = await tryCase(each, site.name, searching)
    if (seen === 'gone') continue
    tried += 1
    if (seen === 'unreached') {
      unreached += 1
      continue
    }
    const { effect, clause, off } = seen
    const place = { proof: each.proof.name, ...(clause ? { clause } : {}) }
    if (isNeeded(effect)) return { ...found, state: 'necessary', effect, ...place, tried }
    if (effect !== 'same') weak[effect] ??= place
    else {
      same += 1
      for (const other of off.sites) if (other !== site.name) others.add(other)
    }
  }
  for (const effect of ['hollow', 'mislabelled'] as const)
    if (weak[effect]) return { ...found, state: effect, effect, ...weak[effect], tried }
  if (unreached > 0 && same === 0) return { ...found, state: 'unreached', tried }
  if (others.size > 0 && !isWhole)
    return { ...found, state: 'redundant', effect: 'same', others: [...others], tried }
  return { ...found, of: tried === 0 ? 0 : cases.length, state: 'unproven', tried }
}

type Seen = { effect: Effect; clause?: string | undefined; off: End }

/**
 * The effect on the clause that it decided; where it decided none, on the first that it changes. Gone:
 * the site no longer does what an earlier record says.
 */
async function tryCase(
  { proof, clause, on }: Case,
  site: string,
  { commit, run }: Searching,
): Promise<Seen | 'gone' | 'unreached'> {
  const before = deedsOf(on)
  // Alone a clause takes a tenth of the time; some decide only where others have asked before.
  for (const clauses of clause === undefined ? [proof.by] : [[clause], proof.by]) {
    const seen = await run(proof, clauses, site)
    // Had the site not been off, it would have ended something: what the record says of it is so still.
    if (!seen?.deeds.silenced) continue
    const effectOn = (id: string): Seen => {
      const isObserving = seen.observing.has(id)
      const off = endOf(id, seen.deeds, isObserving)
      return { effect: effectOf(endOf(id, before, isObserving).kind, off.kind), clause: id, off }
    }
    if (clause !== undefined) {
      const found = effectOn(clause)
      if (found.effect !== 'same' || found.off.kind !== 'undecided') return found
      const causes = (await run(proof, clauses))?.causes ?? seen.causes
      const isSame = causes.get(clause) === seen.causes.get(clause)
      return isSame ? found : { ...found, effect: 'mislabelled' }
    }
    const ids = new Set([...before.ended, ...seen.deeds.ended].map((each) => each.clause))
    const none: Seen = { effect: 'same', off: { kind: 'held', sites: [] } }
    return [...ids].map(effectOn).find(({ effect }) => isNeeded(effect)) ?? none
  }
  return on.commit === commit ? 'unreached' : 'gone'
}

const deedsOf = ({ ended, handed }: Recorded): Ends => ({
  ended: ended.map(([clause, kind, sites]) => ({ clause, kind, sites })),
  handed: handed.map(([owner, site]) => ({ owner, site })),
})
