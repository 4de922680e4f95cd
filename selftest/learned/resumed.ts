import type { createKept } from '../kept.ts'
import type { Measured } from './measure.ts'

type Line = { name: string; commit: string; found: Measured }

/** Measures what was not measured at this commit before, and keeps it at once. */
export function createResumed(
  kept: Pick<ReturnType<typeof createKept<Line>>, 'read' | 'keep'>,
  commit: string,
) {
  const known = new Map(
    kept.read().flatMap((line) => (line.commit === commit ? [[line.name, line.found]] : [])),
  )
  return async (name: string, measure: () => Promise<Measured>): Promise<Measured> => {
    const before = known.get(name)
    if (before) return before
    const found = await measure()
    kept.keep({ name, commit, found })
    return found
  }
}
