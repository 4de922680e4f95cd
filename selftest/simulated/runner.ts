import { expect } from 'vitest'
import { forgetClauses } from '../../engine/clause/chosen.ts'
import type { Runner, Said } from '../../engine/run/runner.ts'
import { runHere } from '../../engine/run/vitest-runner.ts'
import { declareSuites, provide } from './vitest.ts'

let onUncaught: ((thrown: Error) => void) | undefined
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (thrown) => {
    if (!onUncaught) throw thrown
    onUncaught(thrown)
  })

/** Runs the clauses in this thread repeatedly, without loading them again. */
export const here: Runner = ({ entry, provide: values, listing }, hear) => {
  expect.setState({ testPath: entry })
  provide(values)
  forgetClauses()
  onUncaught = ({ name, message }) => hear({ says: 'uncaught', error: { name, message } })
  const tell = (said: Said) =>
    // The list is emptied before the next run.
    hear(said.says === 'collected' ? { ...said, declared: [...said.declared] } : said)
  const load = async () => {
    await import('../../suites/all.ts')
    // Givens can be created only while the runner loads.
    const { declareClauses } = await import('./clause.ts')
    declareClauses()
    declareSuites()
  }
  const { done, cancel } = runHere({ file: entry, load, listing }, tell)
  const ended = done.then(() => {
    onUncaught = undefined
  })
  return { done: ended, cancel, terminate: () => {} }
}
