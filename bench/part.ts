import type { Row } from './figures.ts'

/** How much a part measures; small is for trying the bench itself. */
export type Size = { rounds: number; small: boolean }

/** What a part found. */
export type Measurement = {
  rows: Row[]
  /** sentences below the table */
  notes?: string[]
}

export type Part = {
  title: string
  measure(size: Size): Promise<Measurement>
}
