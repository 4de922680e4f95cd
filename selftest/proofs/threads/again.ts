import { expect } from 'vitest'
import { forgetChosen } from '../../../engine/clause/chosen.ts'
import { clauses, declareClauses, type Noted } from '../../../engine/clause/clause.ts'
import type { Job, Said } from '../../../engine/run/runner.ts'
import { runHere } from '../../../engine/run/vitest-runner.ts'

/** Runs the clauses in this thread, where they stay loaded: once more without loading them. */
export function runAgain(
  { entry }: Pick<Job, 'entry'>,
  hear: (said: Said) => void,
  inOrder = (all: Noted[]) => all,
) {
  // Matchers would ask vitest.
  expect.setState({ testPath: entry })
  forgetChosen()
  const load = async () => {
    await import('../../../suites/all.ts')
    // Givens can be created only while the runner loads.
    const { test } = await import('../../../helpers/givens.ts')
    declareClauses(test, inOrder([...clauses.values()]))
  }
  return runHere({ file: entry, load }, hear)
}
