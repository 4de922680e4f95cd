import { NotDecidable, type Why } from '../outcome.ts'
import type { Problem } from '../problem.ts'
import { expect } from './matchers.ts'

type Pass<T> = {
  /** why the clause is not decided where there is no case; left out where cases are needed before */
  none?: Why
  /** what the cases are, as in "12 values", or the whole sentence about them */
  of: string | ((decided: readonly T[]) => string)
}

/** Judges every case of a clause. */
export type Each = <T>(
  cases: readonly T[],
  judge: (one: T) => readonly Problem[] | Promise<readonly Problem[]>,
  pass: Pass<T>,
) => Promise<void>

export const nothing: Why = ['data', 'there is nothing that this clause could judge']

/**
 * A pass needs a witness (R10): without a case the clause is not decided, and a pass says of how many
 * cases it is. A case that cannot be decided counts only where none can.
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
    note(typeof of === 'string' ? `${decided.length} ${of}` : of(decided))
    expect(problems).toBeNone()
  }
