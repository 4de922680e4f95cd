import { NotDecidable, type Why } from '../outcome.ts'
import type { Problem } from '../problem.ts'
import { nothing, witnessOf } from './law.ts'
import { expect } from './matchers.ts'

type Pass<T> = {
  /** why the clause is undecided without a case; left out where the caller ensures cases */
  none?: Why
  /** what the cases are, as in "12 values", or a whole sentence about them */
  of: string | ((decided: readonly T[]) => string)
}

export type Each = <T>(
  cases: readonly T[],
  judge: (one: T) => readonly Problem[] | Promise<readonly Problem[]>,
  pass: Pass<T>,
) => Promise<void>

/**
 * A pass needs a witness: without cases the clause is undecided, and a pass says how many cases it
 * judged. Undecidable cases are skipped unless all of them are.
 */
export const eachNoting =
  (note: (text: string) => void): Each =>
  async (cases, judge, { none = nothing, of }) => {
    if (cases.length === 0) throw new NotDecidable(...none)
    const problems: Problem[] = []
    const decided: (typeof cases)[number][] = []
    let undecided: NotDecidable | undefined
    for (const one of cases)
      try {
        problems.push(...(await judge(one)))
        decided.push(one)
      } catch (error) {
        if (!(error instanceof NotDecidable)) throw error
        undecided ??= error
      }
    if (undecided && decided.length === 0) throw undecided
    expect(problems).toBeNone()
    note(witnessOf({ of }, decided))
  }
