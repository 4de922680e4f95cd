import { differencesIn } from '../../reporting/comparison/values.ts'
import type { Sight } from './sight.ts'

/** A clause of which two runs on one unchanged service say different things, and both are decided. */
export type Flip = { id: string; runs: readonly [string, string]; said: readonly [string, string] }

type Said = Sight['clauses'][number]

const isSettled = ({ verdict }: Said) => verdict !== 'inconclusive'

const told = ({ verdict, cause }: Said) => (cause ? `${verdict}, ${cause}` : verdict)

/** Where one service has several ways, what is observed of it depends on which of them a run meets. */
export type Comparing = 'verdicts' | 'verdicts and observed values'

export const comparingOf = ({ ways }: { ways?: string }): Comparing =>
  ways === undefined ? 'verdicts and observed values' : 'verdicts'

/** What two settled runs say differently of a clause, if they do. */
function apart(
  one: Said,
  other: Said,
  comparing: Comparing,
): readonly [string, string] | undefined {
  if (told(one) !== told(other)) return [told(one), told(other)]
  if (comparing === 'verdicts') return undefined
  if (one.verdict !== 'observed' || one.varies !== undefined) return undefined
  if (differencesIn(one.observed, other.observed).length === 0) return undefined
  return [JSON.stringify(one.observed), JSON.stringify(other.observed)]
}

/** Each clause that flips, with the first two runs that show it. */
export function flipsIn(
  sights: readonly Sight[],
  comparing: Comparing = 'verdicts and observed values',
): Flip[] {
  const ids = [...new Set(sights.flatMap(({ clauses }) => clauses.map(({ id }) => id)))]
  return ids.flatMap((id) => {
    const settled = sights.flatMap(({ manner, clauses }) => {
      const said = clauses.find((each) => each.id === id)
      return said && isSettled(said) ? [{ manner, said }] : []
    })
    for (const [at, one] of settled.entries())
      for (const other of settled.slice(at + 1)) {
        const said = apart(one.said, other.said, comparing)
        if (said) return [{ id, runs: [one.manner, other.manner] as const, said }]
      }
    return []
  })
}

/** Verdicts that a run could not come to, with the run and the reason. */
export const unsettledIn = (sights: readonly Sight[]) =>
  sights.flatMap(({ manner, clauses }) =>
    clauses
      .filter((said) => !isSettled(said))
      .map(({ id, reason = '' }) => ({ id, manner, reason })),
  )

/** The share of verdicts that runs could not come to. */
export function unsettledShare(sights: readonly Sight[]): number {
  const all = sights.reduce((sum, { clauses }) => sum + clauses.length, 0)
  return all === 0 ? 0 : unsettledIn(sights).length / all
}
