// Replaces vitest if proofs run in one process: suites are loaded once, and declared anew for each
// run.
import { describe as describeNow } from 'vitest'

export * from 'vitest'

type Describing = Parameters<typeof describeNow>

const suites: Describing[] = []

/** Notes a suite until the clauses are run. */
export const describe = (...given: Describing): void => void suites.push(given)

/** Declares every suite that was noted, in order. */
export function declareSuites(): void {
  for (const each of suites) describeNow(...each)
}

let provided: Record<string, unknown> = {}

/** Gives what clauses ask for by name. */
export const provide = (values: Record<string, unknown>): void => {
  provided = values
}
export const inject = (name: string): unknown => provided[name]
