import type { Report } from '../../engine/run/report.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import { summaryOf } from '../parts/summary.ts'
import { type Compared, compare, type Facts, isBroken, rankOf } from './compare.ts'
import { remarksOf } from './remarks.ts'
import { differenceTold, type Proof, proofsOf, verdictTold } from './words.ts'

type Named = { file: string; report: Report }

/** A report by its letter; the others are compared with the first. */
export type Side = Named & { name: string; compared: Compared[]; causes: Map<string, string> }

/** A clause that a side breaks, or on which sides differ where the contract leaves a choice. */
export type Row = { facts: Facts; heading: string; cause: string; lines: string[]; proofs: Proof[] }

export type Comparison = {
  sides: [Side, ...Side[]]
  remarks: string[]
  /** the gravest first */
  rows: Row[]
  notCompared: { why: string; clauses: { facts: Facts }[] }[]
}

export type Judgement = { diverging: boolean; word: string }

export function comparisonOf(
  [first, ...rest]: readonly [Named, ...Named[]],
  manifest: readonly Facts[],
): Comparison {
  const one: Side = { ...first, name: 'A', compared: [], causes: causesIn(first.report) }
  const others = rest.map((side, at): Side => {
    const name = String.fromCharCode(66 + at)
    const how = { manifest, names: ['A', name] as const }
    const compared = compare(one.report, side.report, how)
    return { ...side, name, compared, causes: causesIn(side.report) }
  })
  const pairs = others.flatMap((side) => side.compared.map((each) => ({ ...each, side })))
  const clauses = [...groupedBy(pairs, ({ facts }) => facts.id).values()]
  const listed = clauses.filter((all) => all.some(({ grade }) => grade))
  const open = clauses
    .filter((all) => !listed.includes(all))
    .flatMap((all) => all.filter(({ outcome }) => outcome === 'not compared'))
  const remarks = others.flatMap(({ report, name, compared }) =>
    remarksOf([one.report, report], compared, ['A', name]),
  )
  return {
    sides: [one, ...others],
    remarks: [...new Set(remarks)],
    rows: listed
      .toSorted((a, b) => gravest(a) - gravest(b))
      .map((all) => rowOf(all as [Pair, ...Pair[]], one)),
    notCompared: [...groupedBy(open, ({ why = '' }) => why)].map(([why, of]) => ({
      why,
      clauses: of,
    })),
  }
}

type Pair = Compared & { side: Side }

const gravest = (all: readonly Pair[]) => Math.min(...all.map(rankOf))

function rowOf(all: [Pair, ...Pair[]], one: Side): Row {
  const [{ facts, sides }] = all
  const known = all.filter(({ outcome }) => outcome !== 'not compared')
  const clauses = [
    { side: one, clause: sides[0] },
    ...known.map(({ side, sides }) => ({ side, clause: sides[1] })),
  ].flatMap(({ side, clause }) => (clause ? [{ side, clause }] : []))
  const broken = clauses.filter(({ clause }) => isBroken(clause))
  const kept = clauses.filter(({ clause }) => !isBroken(clause))
  const differing = all.filter(({ grade }) => grade)
  const lines = [
    ...broken.map(({ side, clause }) => `${side.name} ${verdictTold(clause)}`),
    ...differing
      .filter(({ grade }) => grade === 'observed')
      .flatMap((each) => differenceTold(each, ['A', each.side.name])),
  ]
  const open = all.filter((each) => !known.includes(each))
  const worst = broken.at(-1)?.side
  return {
    facts,
    heading: worst
      ? [said(broken, 'break'), said(kept, 'keep')].filter(Boolean).join(', ')
      : 'Differ where the contract leaves a choice',
    cause: worst ? (worst.causes.get(facts.id) ?? facts.id) : lines.join('; '),
    lines: [...lines, ...open.map(({ side, why }) => `${side.name} not compared: ${why}`)],
    proofs: differing.flatMap((each, at) =>
      proofsOf(each, [one.report, each.side.report], ['A', each.side.name]).filter(
        ({ name }) => at === 0 || name !== 'A',
      ),
    ),
  }
}

const said = (of: readonly { side: Side }[], verb: string) =>
  of.length > 0 &&
  `${of.map(({ side }) => side.name).join(' and ')} ${verb}${of.length === 1 ? 's' : ''} it`

/** The shared cause of broken clauses of one report, by id. */
const causesIn = (report: Report) =>
  new Map(
    summaryOf(report).groups.flatMap(({ title, clauses }) =>
      clauses.map((id) => [id, title] as const),
    ),
  )

/** Rows by who breaks the clause; of several with one cause, the first explains it. */
export const partsOf = (rows: readonly Row[]) =>
  [...groupedBy(rows, ({ heading }) => heading)].map(([heading, all]) => ({
    heading: `${heading}: ${all.length}`,
    groups: [...groupedBy(all, ({ cause, facts }) => `${facts.operation}\n${cause}`).values()].map(
      ([first, ...more]) => ({
        cause: more.length > 0 && `${more.length + 1} clauses: ${first?.cause}`,
        rows: [first as Row, ...more.map((row) => ({ ...row, lines: [], proofs: [] }))],
      }),
    ),
  }))
