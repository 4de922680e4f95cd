import { basename, dirname, join } from 'node:path'
import type { InlineConfig, Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { createVitest } from 'vitest/node'
import type { Declared, Ended, Failure, Job, Said, UnderWay } from '../../../engine/run/runner.ts'

const cacheFolder = join(import.meta.dirname, '../../../node_modules/.cache')

/**
 * Runs the clauses of an entry as the program's own thread does, but by vitest, whose server caches
 * modules. One vitest runs them again and again: creating it takes longer than many a run.
 */
export class ClauseVitest {
  readonly #creating: Promise<Vitest>
  #hear: (said: Said) => void = () => {}

  constructor(entry: string, pool: InlineConfig['pool']) {
    const reporter: Reporter = {
      onTestCaseReady: ({ name }) => this.#hear({ says: 'began', id: name }),
      onTestCaseResult: (test) => this.#hear({ says: 'ended', clause: endedBy(test) }),
      onTestModuleCollected: (module) => {
        const clauses = [...module.children.allTests()].map(declaredBy)
        const [declared, errors] = [declaredIn(module), failuresOf(module)]
        this.#hear({ says: 'collected', clauses, declared, errors })
      },
      onTestRunEnd: (_, unhandled) => {
        for (const error of unhandled) this.#hear({ says: 'uncaught', error: { ...error } })
      },
    }
    const options: InlineConfig = {
      root: dirname(entry),
      include: [basename(entry)],
      exclude: [],
      pool,
      isolate: false,
      maxWorkers: 1,
      // A suite without a selected clause is not an error: otherwise vitest would look each up in
      // its source.
      passWithNoTests: true,
      watch: false,
      sequence: { concurrent: true },
      maxConcurrency: 10_000,
      testTimeout: 0,
      hookTimeout: 0,
      cache: false,
      reporters: [reporter],
      // Keeps transformed modules between runs: transforming them is half of a start.
      experimental: { fsModuleCache: true, fsModuleCachePath: join(cacheFolder, 'modules') },
    }
    this.#creating = createVitest('test', { config: false, ...options } as InlineConfig)
  }

  /** Runs them once more, when it is done with what it ran before. */
  run({ provide }: Job, hear: (said: Said) => void): UnderWay {
    this.#hear = hear
    const run = async () => {
      const vitest = await this.#creating
      for (const [name, value] of Object.entries(provide))
        vitest.provide(name as never, value as never)
      await vitest.runTestSpecifications(await vitest.globTestSpecifications())
    }
    return {
      done: run(),
      cancel: () => void this.#creating.then((vitest) => vitest.cancelCurrentRun('keyboard-input')),
      // It must not stop threads that other runs still use.
      terminate: () => {},
    }
  }
}

const declaredBy = (test: TestCase): Declared => ({ id: test.name, meta: test.meta() })

const endedBy = (test: TestCase): Ended => ({
  ...declaredBy(test),
  tookMs: test.diagnostic()?.duration,
  error: test.result().errors?.[0] as Failure | undefined,
})

const declaredIn = (module: TestModule): string[] =>
  [...module.children.allSuites()].flatMap((suite) => suite.meta().declared ?? [])

const failuresOf = (module: TestModule): Failure[] =>
  module.errors().map((error) => ({ ...error, name: error.name, message: error.message }))
