// Replaces vitest if proofs run in one process, once for each run.
export * from 'vitest'

let provided: Record<string, unknown> = {}

/** Gives what clauses ask for by name. */
export const provide = (values: Record<string, unknown>): void => {
  provided = values
}
export const inject = (name: string): unknown => provided[name]
