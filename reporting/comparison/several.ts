import type { Report } from '../../engine/run/report.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import type { Compared, Facts } from './compare.ts'
import { type Comparison, comparisonOf } from './comparison.ts'
import { targetOf } from './remarks.ts'
import { differencesIn } from './values.ts'
import { differenceTold } from './words.ts'

/** A report, and what it is called: its path, as it was given. */
export type Named = { name: string; report: Report }

/** What differs for what reason, the gravest first. */
export const kinds = ['breaks', 'silent', 'stale', 'not comparable'] as const
export type Kind = (typeof kinds)[number]

/** One clause, and what is told of each report in which it differs from the reference. */
export type Row = { facts: Facts; kind: Kind; told: { name: string; lines: string[] }[] }

/** Several reports, each held against the first. */
export type Several = {
  reference: Named
  others: (Named & { comparison: Comparison })[]
  remarks: string[]
  rows: Row[]
}

/** After how many days a reference is stale beside a newer report. */
export const staleAfterDays = 30

/** Holds reports against a reference: what differs stands once, with all in which it does. */
export function severalOf(
  reference: Named,
  others: readonly Named[],
  manifest: readonly Facts[],
): Several {
  const compared = others.map((other) => {
    const names = [reference.name, other.name] as const
    return {
      ...other,
      comparison: comparisonOf(reference.report, other.report, { manifest, names }),
    }
  })
  const clauses = compared.flatMap(({ name, comparison }) =>
    comparison.compared.map((each) => ({ name, each })),
  )
  const remarks = compared.flatMap(({ comparison }) => comparison.remarks)
  return {
    reference,
    others: compared,
    remarks: [...new Set([...ageRemarks(reference, others), ...remarks])],
    rows: [...groupedBy(clauses, ({ each }) => each.facts.id).values()].flatMap((of) =>
      rowOf(reference.name, of),
    ),
  }
}

type Of = { name: string; each: Compared }

function rowOf(reference: string, all: readonly Of[]): Row[] {
  const [first] = all
  const kind = kindOf(all.map(({ each }) => each))
  if (!first || !kind) return []
  const told = all.flatMap(({ name, each }) => {
    const { outcome, why = '', grade } = each
    // Who cannot be held against the reference is not among those that agree with it.
    if (outcome === 'not comparable')
      return [{ name, lines: [kind === 'not comparable' ? why : `not comparable: ${why}`] }]
    return grade === undefined ? [] : [{ name, lines: differenceTold(each, [reference, name]) }]
  })
  return [{ facts: first.each.facts, kind, told }]
}

function kindOf(all: readonly Compared[]): Kind | undefined {
  if (isReferenceAlone(all)) return 'stale'
  if (all.some(({ grade }) => grade && grade !== 'observed')) return 'breaks'
  if (all.some(({ grade }) => grade === 'observed')) return 'silent'
  return all.some(({ outcome }) => outcome === 'not comparable') ? 'not comparable' : undefined
}

/** Whether all others do the same and the reference does not: it may have been another one since. */
function isReferenceAlone(all: readonly Compared[]): boolean {
  const [first, ...rest] = all
  if (!first || rest.length === 0) return false
  if (!all.every(({ outcome, grade }) => outcome === 'diverge' && grade !== 'other only'))
    return false
  return rest.every(({ grade, sides }) => {
    const [one, other] = [first.sides[1], sides[1]]
    return grade === first.grade && differencesIn(one?.observed, other?.observed).length === 0
  })
}

const day = 86_400_000

function ageRemarks(reference: Named, others: readonly Named[]): string[] {
  const times = others.map(({ report }) => Date.parse(report.startedAt))
  const days = Math.floor((Math.max(...times) - Date.parse(reference.report.startedAt)) / day)
  if (!(days > staleAfterDays)) return []
  return [
    `the report of ${reference.name} is ${days} days older than the newest; run the suite on it again`,
  ]
}

/** The heading of a kind. */
export const kindTold: Record<Kind, string> = {
  breaks: 'Breaks the contract',
  silent: 'Differs where the contract is silent',
  stale: 'Only the reference differs; its report may be stale',
  'not comparable': 'Not comparable',
}

/** The same for programs. */
export function severalJson(
  { reference, others, remarks, rows }: Several,
  { diverging, word }: { diverging: boolean; word: string },
): string {
  const side = ({ name, report }: Named) => ({
    name,
    target: targetOf(report),
    startedAt: report.startedAt,
    suiteVersion: report.suiteVersion,
    verdict: report.verdict,
  })
  const value = {
    comparisonVersion: 2,
    verdict: word,
    diverging,
    reference: side(reference),
    others: others.map((other) => ({ ...side(other), figures: other.comparison.figures })),
    notices: remarks,
    differences: rows.map(({ facts, kind, told }) => ({ ...facts, kind, told })),
  }
  return `${JSON.stringify(value, null, 1)}\n`
}
