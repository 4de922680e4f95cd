import { expect } from 'vitest'
import { forgetChosen } from '../../../engine/clause/chosen.ts'
import { declareClauses, type Noted } from '../../../engine/clause/clause.ts'
import type { Job, Said } from '../../../engine/run/runner.ts'
import { runHere } from '../../../engine/run/vitest-runner.ts'
import { clauses } from '../../../helpers/clause.ts'
import { type Givens, openGivens } from '../../../helpers/givens.ts'

/** Runs the clauses in this thread, where they stay loaded: once more without loading them. */
export function runAgain(
  { entry }: Pick<Job, 'entry'>,
  hear: (said: Said) => void,
  inOrder = (all: Noted<Givens>[]) => all,
) {
  // Matchers would ask vitest.
  expect.setState({ testPath: entry })
  forgetChosen()
  const load = async () => {
    await import('../../../suites/all.ts')
    const givens = openGivens()
    declareClauses(givens, inOrder([...clauses.values()]))
    return givens
  }
  return runHere({ file: entry, load }, hear)
}
