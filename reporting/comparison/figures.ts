import { groupedBy } from '../parts/grouped-by.ts'
import type { Compared } from './compare.ts'

/** How far two services differ where both are known, and how much of them is: never added up. */
export type Figures = { diverging: number; compared: number; all: number }

export type Tables = {
  all: Figures
  levels: Record<string, Figures>
  operations: Record<string, Figures>
}

/** The two figures, in all and for each level and operation. */
export function figuresOf(compared: readonly Compared[]): Tables {
  const by = (name: 'level' | 'operation') =>
    Object.fromEntries(
      [...groupedBy(compared, ({ facts }) => facts[name])].map(([of, group]) => [of, count(group)]),
    )
  return {
    all: count(compared),
    levels: by('level'),
    operations: by('operation'),
  }
}

const count = (compared: readonly Compared[]): Figures => ({
  diverging: compared.filter(({ outcome }) => outcome === 'diverge').length,
  compared: compared.filter(({ outcome }) => outcome !== 'not comparable').length,
  all: compared.length,
})

/** The two figures in words. */
export const divergenceTold = ({ diverging, compared }: Figures) =>
  `${diverging} of ${compared}${shareOf(diverging, compared)}`

export const coverageTold = ({ compared, all }: Figures) =>
  `${compared} of ${all}${shareOf(compared, all)}`

/** None is told as none and all as all: a share that is rounded to either would hide the rest. */
function shareOf(part: number, whole: number): string {
  if (whole === 0) return ''
  const share = (part / whole) * 100
  const between = part > 0 && part < whole
  const shown = between ? Math.min(99.9, Math.max(0.1, share)) : share
  return `, ${shown.toFixed(1)} %`
}
