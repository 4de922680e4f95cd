import fc from 'fast-check'
import type { Faker } from './random.ts'

type Dimensions = Record<string, readonly string[]>

type Row<D extends Dimensions> = { [Name in keyof D]: D[Name][number] }

const maxDrawn = 1000

/** Every two values of different dimensions meet in some row. */
export function pairwise<const D extends Dimensions>(dimensions: D, random: Faker): Row<D>[] {
  const cells = Object.entries(dimensions).map(([name, values]) => [
    name,
    fc.constantFrom(...values),
  ])
  const drawn = fc
    .sample(fc.record(Object.fromEntries(cells)), { seed: random.number.int(), numRuns: maxDrawn })
    .map((row) => ({ row: row as Row<D>, pairs: pairsIn(row as Row<D>) }))
  const open = new Set(drawn.flatMap(({ pairs }) => pairs))
  const rows: Row<D>[] = []
  // First the rows in which most new pairs meet.
  for (let fewest = drawn[0]?.pairs.length ?? 0; fewest > 0; fewest -= 1)
    for (const { row, pairs } of drawn) {
      if (pairs.filter((pair) => open.has(pair)).length < fewest) continue
      rows.push(row)
      for (const pair of pairs) open.delete(pair)
    }
  return rows
}

function pairsIn(row: Record<string, string>): string[] {
  const cells = Object.entries(row)
  return cells.flatMap((one, at) =>
    cells.slice(at + 1).map((other) => JSON.stringify([one, other])),
  )
}
