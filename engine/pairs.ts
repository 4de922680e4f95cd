import type { Faker } from './random.ts'

/** What a request can vary in: for each dimension the values that it can have. */
export type Dimensions = Record<string, readonly string[]>

/** One value of each dimension. */
export type Row<D extends Dimensions> = { [Name in keyof D]: D[Name][number] }

const maxTried = 30

/**
 * Rows in which every two values of different dimensions meet at least once; few, and the same for the
 * same random source. `isPossible` says which values can stand in one row.
 */
export function pairwise<const D extends Dimensions>(
  dimensions: D,
  random: Faker,
  isPossible: (row: Partial<Row<D>>) => boolean = () => true,
): Row<D>[] {
  const names = Object.keys(dimensions)
  const open = new Set(pairsOf(dimensions, isPossible))
  const rows: Row<D>[] = []
  while (open.size > 0) {
    const tried = Array.from({ length: maxTried }, () => {
      const row = grow(dimensions, open, random, isPossible)
      return { row, met: row ? pairsIn(names, row).filter((pair) => open.has(pair)) : [] }
    })
    const best = tried.reduce((a, b) => (b.met.length > a.met.length ? b : a))
    // What is left can stand in no whole row.
    if (!best.row || best.met.length === 0) break
    for (const pair of best.met) open.delete(pair)
    rows.push(best.row as Row<D>)
  }
  return rows
}

type Cells = Record<string, string>

/** A row that begins with a pair that has not met yet, and goes on with what meets most. */
function grow<D extends Dimensions>(
  dimensions: D,
  open: ReadonlySet<string>,
  random: Faker,
  isPossible: (row: Partial<Row<D>>) => boolean,
): Cells | undefined {
  const [one, other] = JSON.parse(random.helpers.arrayElement([...open])) as [Cell, Cell]
  const row: Cells = { [one[0]]: one[1], [other[0]]: other[1] }
  for (const name of random.helpers.shuffle(Object.keys(dimensions))) {
    if (name in row) continue
    const values = random.helpers
      .shuffle([...(dimensions[name] ?? [])])
      .filter((value) => isPossible({ ...row, [name]: value } as Partial<Row<D>>))
    const gain = (value: string) =>
      Object.entries(row).filter((cell) => open.has(pairOf(cell, [name, value]))).length
    const [best] = values.sort((a, b) => gain(b) - gain(a))
    if (best === undefined) return undefined
    row[name] = best
  }
  return row
}

type Cell = [name: string, value: string]

const pairOf = (...cells: [Cell, Cell]): string =>
  JSON.stringify(cells.sort(([a], [b]) => (a < b ? -1 : 1)))

function pairsOf<D extends Dimensions>(
  dimensions: D,
  isPossible: (row: Partial<Row<D>>) => boolean,
): string[] {
  const cells = Object.entries(dimensions).flatMap(([name, values]) =>
    values.map((value): Cell => [name, value]),
  )
  return cells.flatMap((one, at) =>
    cells
      .slice(at + 1)
      .filter((other) => other[0] !== one[0])
      .filter((other) => isPossible(Object.fromEntries([one, other]) as Partial<Row<D>>))
      .map((other) => pairOf(one, other)),
  )
}

/** The pairs of values that meet in a row. */
const pairsIn = (names: readonly string[], row: Cells): string[] =>
  names.flatMap((name, at) =>
    names.slice(at + 1).map((other) => pairOf([name, row[name] ?? ''], [other, row[other] ?? ''])),
  )
