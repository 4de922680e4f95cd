import { counted } from '../../engine/counted.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import { breaksContract, type Compared, type Names } from './compare.ts'

export type Figures = ReturnType<typeof figuresOf>

/** Counts of clauses; the compared ones either agree or diverge. */
export function figuresOf(compared: readonly Compared[]) {
  const count = (is: (each: Compared) => boolean) => compared.filter(is).length
  const [agree, diverging] = [
    count(({ outcome }) => outcome === 'agree'),
    count(({ outcome }) => outcome === 'diverge'),
  ]
  return {
    all: compared.length,
    compared: agree + diverging,
    agree,
    diverging,
    /** broken by the other side alone; `failed` is a part of it */
    breaks: count(({ grade }) => grade === 'other only'),
    failed: count(breaksContract),
    both: count(({ grade }) => grade === 'both'),
    /** broken by the reference alone */
    oneOnly: count(({ grade }) => grade === 'one only'),
    /** differing where the contract leaves a choice */
    free: count(({ grade }) => grade === 'observed'),
  }
}

/** The five lines to quote: how faithful the second side is to the first. */
export function fiveLines(compared: readonly Compared[], [one, other]: Names): string[] {
  const figures = figuresOf(compared)
  const { all, agree, both } = figures
  const open = compared.filter(({ outcome }) => outcome === 'not compared')
  const obstacles = [...groupedBy(open, ({ obstacle = '' }) => obstacle)]
    .map(([obstacle, group]) => `${obstacle} (${group.length})`)
    .join(', ')
  return [
    `${figures.compared} of ${counted(all, 'clause')} were judged on both ${one} and ${other}${share(figures.compared, all)}.`,
    `${agree} of them agree${share(agree, figures.compared)}${both > 0 ? `; ${both} of these are broken by both` : ''}.`,
    `${other} breaks ${figures.breaks} that ${one} keeps${figures.breaks > 0 ? ` (${figures.failed} failed, ${figures.breaks - figures.failed} warned or waived)` : ''}; ${one} breaks ${figures.oneOnly} that ${other} keeps.`,
    `In ${figures.free} the contract leaves a choice and they differ.`,
    `${open.length} could not be compared${open.length > 0 ? `: ${obstacles}` : ''}.`,
  ]
}

/** Rounds to 0 % or 100 % only if that is exact: otherwise the rest would be hidden. */
function share(part: number, whole: number): string {
  if (whole === 0) return ''
  const exact = (part / whole) * 100
  const shown = part > 0 && part < whole ? Math.min(99.9, Math.max(0.1, exact)) : exact
  return ` (${shown.toFixed(1)} %)`
}

/** The header of a table of counts, and its rows. */
export const columns = ([one, other]: Names) => [
  'on both',
  'agree',
  `${other} breaks`,
  `${one} breaks`,
  'differ',
  'not compared',
]

export function countsOf(compared: readonly Compared[]): number[] {
  const { all, compared: both, agree, breaks, oneOnly, free } = figuresOf(compared)
  return [both, agree, breaks, oneOnly, free, all - both]
}
