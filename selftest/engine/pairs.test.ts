import { expect, test } from 'vitest'
import { pairwise } from '../../engine/pairs.ts'
import { randomFor } from '../../engine/random.ts'

const dimensions = {
  format: ['csv', 'pdf'],
  filter: ['none', 'one', 'many', 'metadata'],
  zone: ['UTC', 'Asia/Kolkata', 'America/St_Johns'],
  language: ['en', 'de'],
  bounds: ['round', 'odd', 'none'],
} as const

type PickedPairs = { [Name in keyof typeof dimensions]?: string }

const cells = Object.entries(dimensions).flatMap(([name, values]) =>
  values.map((value) => ({ [name]: value }) as PickedPairs),
)
const pairs = cells.flatMap((one) => cells.map((other) => ({ ...other, ...one })))

/** The pairs of values of different dimensions that no row contains. */
const missing = (rows: PickedPairs[]) =>
  pairs.filter((pair) => !rows.some((row) => isMatch(row, pair)))

const isMatch = (row: PickedPairs, pair: PickedPairs) =>
  Object.entries(pair).every(([name, value]) => row[name as keyof PickedPairs] === value)

test('every two values of different dimensions meet in few rows, for any seed', () => {
  for (let seed = 0; seed < 10; seed += 1) {
    const rows = pairwise(dimensions, randomFor(seed, 'pairs'))
    expect(missing(rows)).toEqual([])
    expect(rows).toEqual(pairwise(dimensions, randomFor(seed, 'pairs')))
    expect(rows.length).toBeLessThanOrEqual(16)
  }
})
