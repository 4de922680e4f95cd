// Several reports beside the first: a row for each difference, with a cell for each report.

import { isObject } from '../../engine/http/answers.ts'
import type { ClauseReport } from '../../engine/run/report.ts'
import { groupedBy } from '../parts/texts.ts'
import { type Compared, differencesIn, type Facts, rankOf, valueTold } from './compare.ts'
import { type Comparison, verdictTold } from './comparison.ts'

type Cell = { text: string; differs: boolean }

type Row = {
  facts: Facts
  grade: Exclude<Compared['grade'], 'both' | undefined>
  rank: number
  /** the part of an observation that differs; empty: all of it */
  path: string
  cells: Cell[]
}

/** Those rows in which a report differs from the first, the gravest first. */
export function rowsBeside(comparisons: readonly Comparison[]): Row[] {
  const compared = comparisons.flatMap((each) => each.compared)
  return [...groupedBy(compared, ({ facts }) => facts.id).values()]
    .flatMap(rowsOfClause)
    .toSorted((a, b) => a.rank - b.rank)
}

/** The rows of a clause, which is compared with the first report in each of these. */
function rowsOfClause(pairs: readonly Compared[]): Row[] {
  const diverging = pairs.filter(({ outcome }) => outcome === 'diverge')
  const [gravest] = diverging.toSorted((a, b) => rankOf(a) - rankOf(b))
  if (!gravest?.grade || gravest.grade === 'both') return []
  const { facts, grade } = gravest
  const rank = rankOf(gravest)
  const clauses = [gravest.sides[0], ...pairs.map(({ sides }) => sides[1])]
  const differs = [false, ...pairs.map((pair) => diverging.includes(pair))]
  if (grade !== 'observed') {
    const cells = clauses.map((clause, at) => cellOf(verdictOf(clause), differs[at]))
    return [{ facts, grade, rank, path: '', cells }]
  }
  const places = pairs.map((pair) => (diverging.includes(pair) ? placesIn(pair) : []))
  return [...new Set(places.flat())].map((path) => {
    const cells = clauses.map((clause, at) =>
      cellOf(valueIn(clause, path), at > 0 && places[at - 1]?.includes(path)),
    )
    return { facts, grade, rank, path, cells }
  })
}

const cellOf = (text: string, differs = false): Cell => ({ text, differs })

const placesIn = ({ sides: [one, other] }: Compared) =>
  differencesIn(one?.observed, other?.observed).map(({ path }) => path)

const verdictOf = (clause: ClauseReport | undefined) =>
  clause ? verdictTold(clause) : 'not in the report'

function valueIn(clause: ClauseReport | undefined, path: string): string {
  if (clause?.verdict !== 'observed') return verdictOf(clause)
  const names = path === '' ? [] : path.split(' › ')
  const value = names.reduce<unknown>(
    (within, name) => (isObject(within) ? within[name] : undefined),
    clause.observed,
  )
  return valueTold(value)
}
