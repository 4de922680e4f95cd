import { readFileSync } from 'node:fs'

/** What one process of vitest is asked to do; it is read from the file that LINES names. */
export type Order = {
  seed: number
  /** the place of the mutant that is awake; none: where tests go is recorded */
  on?: number
  /** files of tests, in this order; that of the proofs is one of them */
  files: string[]
  proofs: string[]
}

/** What it says while it works, a line each: a step is a file of tests, or a proof. */
export type Told =
  | { says: 'begins'; step: string }
  | {
      says: 'ends'
      step: string
      /** why it is not green */
      red?: string
      seconds: number
      /** the places that it went to; where a mutant is awake, no other than its own */
      reached: number[]
      /** the files of the sites that decided in a proof */
      deciding: string[]
    }

export const mark = '@line '

export const readOrder = (): Order => {
  const file = process.env.LINES
  if (!file) throw new Error('LINES names no order; run npm run mutants -- --lines')
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The file of tests that runs proofs. */
export const proofsFile = 'selftest/lines/proofs.ts'

/** A proof by its name and by who judges it. */
export const stepOf = ({ name, by }: { name: string; by: readonly string[] }): string =>
  `${name} (${by.join(', ') || 'all'})`

/** A step is a file of tests, or a proof. */
export const isTestFile = (step: string): boolean => step.endsWith('.test.ts')
