import type { Report } from '../../engine/run/report.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import { type Compared, compare, differences, type Facts, type Names } from './compare.ts'
import { figuresOf, type Tables } from './figures.ts'
import { remarksOf } from './remarks.ts'

/** Two reports held against each other: everything that is told of it is made from this. */
export type Comparison = {
  names: Names
  reports: readonly [Report, Report]
  remarks: string[]
  figures: Tables
  compared: Compared[]
  /** what differs or is broken, the gravest first */
  differences: Compared[]
}

/** Whether the comparison is one to fail on, and the word for it. */
export type Judgement = { diverging: boolean; word: string }

/** Compares the report of one side, the measure, with that of the other. */
export function comparisonOf(
  one: Report,
  other: Report,
  how: { manifest: readonly Facts[]; names: Names },
): Comparison {
  const compared = compare(one, other, how)
  const reports = [one, other] as const
  return {
    names: how.names,
    reports,
    remarks: remarksOf(reports, compared, how.names),
    figures: figuresOf(compared),
    compared,
    differences: differences(compared),
  }
}

/** What could not be compared, by the reason. */
export function incomparable({ compared }: Comparison): { why: string; ids: string[] }[] {
  const open = compared.filter(({ outcome }) => outcome === 'not comparable')
  return [...groupedBy(open, ({ why = '' }) => why)].map(([why, group]) => ({
    why,
    ids: group.map(({ facts }) => facts.id),
  }))
}
