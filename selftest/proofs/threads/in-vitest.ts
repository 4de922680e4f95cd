import { basename, dirname } from 'node:path'
import type { InlineConfig, Reporter, TestCase, TestModule } from 'vitest/node'
import { createVitest } from 'vitest/node'
import type { Declared, Ended, Failure, Runner } from '../../../engine/run/runner.ts'
import { moduleCache } from './module-cache.ts'

/** Where and how vitest runs them: in warm threads, in another order. */
type Manner = Pick<InlineConfig, 'pool' | 'runner'> & { seed?: number }

/**
 * Runs clauses as the program's own thread does, but by vitest, whose server changes modules on their
 * way: what leads sites or changes lines is put in there.
 */
export const inVitest =
  ({ pool, runner, seed }: Manner): Runner =>
  ({ entry, provide }, hear) => {
    const reporter: Reporter = {
      onTestCaseReady: ({ name }) => hear({ says: 'began', id: name }),
      onTestCaseResult: (test) => hear({ says: 'ended', clause: endedBy(test) }),
      onTestModuleCollected: (module) => {
        const clauses = [...module.children.allTests()].map(declaredBy)
        hear({
          says: 'collected',
          clauses,
          declared: declaredIn(module),
          errors: failuresOf(module),
        })
      },
      onTestRunEnd: (_, unhandled) => {
        for (const error of unhandled) hear({ says: 'stumbled', error: { ...error } })
      },
    }
    const options: InlineConfig = {
      root: dirname(entry),
      include: [basename(entry)],
      exclude: [],
      pool,
      ...(runner === undefined ? {} : { runner }),
      isolate: false,
      maxWorkers: 1,
      // A suite of which nothing is chosen is no error: each would be looked up in its source.
      passWithNoTests: true,
      watch: false,
      sequence: { concurrent: true, ...(seed === undefined ? {} : { seed }) },
      maxConcurrency: 10_000,
      testTimeout: 0,
      hookTimeout: 0,
      provide,
      cache: false,
      reporters: [reporter],
      experimental: moduleCache,
    }
    const creating = createVitest('test', { config: false, ...options } as InlineConfig)
    const run = async () => {
      const vitest = await creating
      await vitest.start()
      await vitest.close()
    }
    return {
      done: run(),
      cancel: () => void creating.then((vitest) => vitest.cancelCurrentRun('keyboard-input')),
      // It has no hold on threads that other runs go on using.
      terminate: () => {},
    }
  }

const declaredBy = (test: TestCase): Declared => ({
  id: test.name,
  suite: test.parent.type === 'suite' ? test.parent.name : '',
  meta: test.meta(),
})

const endedBy = (test: TestCase): Ended => ({
  ...declaredBy(test),
  tookMs: test.diagnostic()?.duration,
  error: test.result().errors?.[0] as Failure | undefined,
})

const declaredIn = (module: TestModule): string[] =>
  [...module.children.allSuites()].flatMap((suite) => suite.meta().declared ?? [])

const failuresOf = (module: TestModule): Failure[] =>
  module.errors().map((error) => ({ ...error, name: error.name, message: error.message }))
