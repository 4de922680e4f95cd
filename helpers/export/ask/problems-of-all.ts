import { NotDecidable } from '../../../engine/outcome.ts'
import type { Problem } from '../../../engine/problem.ts'

/** What is wrong with any of these; those that cannot be decided count only where none can. */
export async function problemsOfAll<T>(
  all: readonly T[],
  judge: (one: T) => Promise<Problem[]>,
): Promise<Problem[]> {
  const problems: Problem[] = []
  const undecided: NotDecidable[] = []
  for (const one of all)
    try {
      problems.push(...(await judge(one)))
    } catch (error) {
      if (!(error instanceof NotDecidable)) throw error
      undecided.push(error)
    }
  if (undecided[0] && undecided.length === all.length) throw undecided[0]
  return problems
}
