import type { Deeds, Ended, Ending } from './watch.ts'

/** As much of the deeds of sites as says how clauses ended. */
export type Ends = {
  handed: Omit<Deeds['handed'][number], 'sentence'>[]
  ended: Omit<Ended, 'reason'>[]
}

/** What is different where a site is off. */
export const effects = [
  /** a clause no longer finds the fault */
  'missed',
  /** a clause condemns what it left undecided */
  'condemned',
  /** a clause that was skipped, or had trouble, breaks off with an error of the suite */
  'crashed',
  /** a clause that was skipped is inconclusive: the run no longer ends with 0 */
  'stopped',
  /** a clause that was not decided passes, or is skipped where it had trouble: no proof is red */
  'hollow',
  /** a clause is left undecided as before, and the report names another cause: other people are to act */
  'mislabelled',
  /** other sites end the clause in the same way */
  'same',
] as const
export type Effect = (typeof effects)[number]

/** Those that turn a proof red. */
export const isNeeded = (effect: Effect): boolean =>
  !['hollow', 'mislabelled', 'same'].includes(effect)

/** How a clause ended, and by which sites. */
export type End = { kind: Ending | 'held'; sites: string[] }

/** What an observing clause meets is judged by others: it only kept a value from being seen. */
export function endOf(clause: string, { ended, handed }: Ends, isObserving = false): End {
  const own = ended.find((each) => each.clause === clause)
  const met = isObserving ? [] : handed.filter(({ owner }) => owner === clause)
  if (own?.kind !== 'broken' && met.length === 0)
    return own ? { kind: own.kind, sites: own.sites } : { kind: 'held', sites: [] }
  const sites = [...(own?.kind === 'broken' ? own.sites : []), ...met.map(({ site }) => site)]
  return { kind: isObserving ? 'undecided' : 'broken', sites }
}

/** What it does to a clause that a site is off. */
export function effectOf(on: End['kind'], off: End['kind']): Effect {
  if (on === off) return 'same'
  if (on === 'broken') return 'missed'
  if (off === 'broken') return 'condemned'
  if (off === 'crash') return 'crashed'
  return off === 'trouble' ? 'stopped' : 'hollow'
}
