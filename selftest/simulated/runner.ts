import { expect } from 'vitest'
import { forgetChosen } from '../../engine/clause/chosen.ts'
import { clauses, declareClauses } from '../../engine/clause/clause.ts'
import { randomFor } from '../../engine/random.ts'
import type { Runner } from '../../engine/run/runner.ts'
import { runHere } from '../../engine/run/vitest-runner.ts'
import { provide } from './vitest.ts'

let onUncaught: ((thrown: Error) => void) | undefined
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (thrown) => {
    if (!onUncaught) throw thrown
    onUncaught(thrown)
  })

/** Runs the clauses in this thread repeatedly, without loading them again. */
export const here: Runner = ({ entry, provide: values }, hear) => {
  expect.setState({ testPath: entry })
  provide(values)
  forgetChosen()
  onUncaught = ({ name, message }) => hear({ says: 'uncaught', error: { name, message } })
  const load = async () => {
    await import('../../suites/all.ts')
    // Givens can be created only while the runner loads.
    const { test } = await import('../../helpers/givens.ts')
    declareClauses(test, inOrder())
  }
  const { done, cancel } = runHere({ file: entry, load }, hear)
  const ended = done.then(() => {
    onUncaught = undefined
  })
  return { done: ended, cancel, terminate: () => {} }
}

/** The clauses in their order, or in an order drawn by ORDER. */
function inOrder() {
  const { ORDER } = process.env
  const all = [...clauses.values()]
  return ORDER ? randomFor(Number(ORDER), 'order').helpers.shuffle(all) : all
}
