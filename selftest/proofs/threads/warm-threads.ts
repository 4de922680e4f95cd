import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  createVitest,
  type InlineConfig,
  type PoolOptions,
  type PoolWorker,
  type Reporter,
  type TestCase,
  type TestModule,
  ThreadsPoolWorker,
  type Vitest,
  type WorkerRequest,
} from 'vitest/node'
import type {
  Declared,
  Ended,
  Failure,
  Job,
  Runner,
  Said,
  UnderWay,
} from '../../../engine/run/runner.ts'

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

const root = join(import.meta.dirname, '../../..')

const filesIn = (folder: string, recursive = false): string[] =>
  readdirSync(join(root, folder), { encoding: 'utf8', recursive })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, folder, name))

/**
 * The modules that reach the clauses of one run are loaded anew. All others hold only caches and must be
 * loaded once: an error class that is loaded twice would not be recognised.
 */
export const ofOneRun = [
  ...['engine/clause', 'helpers', 'suites'].flatMap((folder) => filesIn(folder)),
  ...filesIn('helpers', true).filter((file) =>
    readFileSync(file, 'utf8').includes('engine/clause/'),
  ),
]

type Listener = (message: unknown) => void

const idle: WarmThread[] = []

/**
 * A thread that outlives its run: starting one and loading everything takes longer than most proofs.
 * Between two runs it is neither started nor stopped, and forgets the clauses.
 */
class WarmThread extends ThreadsPoolWorker implements PoolWorker {
  override readonly name = 'warm'
  readonly #listeners: [string, Listener][] = []
  #state: 'cold' | 'warm' | 'busy' = 'cold'

  override on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener])
    super.on(event, listener)
  }

  override send(message: WorkerRequest): void {
    const type = 'type' in message ? message.type : undefined
    if (type === 'start' && this.#state === 'warm') this.#answer('started')
    else if (type === 'stop' && this.#state === 'warm') this.#answer('stopped')
    else super.send(type === 'run' ? this.#anew(message) : message)
  }

  /** The clauses are declared again, however often they have been. */
  #anew(message: WorkerRequest): WorkerRequest {
    this.#state = 'busy'
    if ('context' in message) {
      Object.assign(message.context, { invalidates: ofOneRun })
    }
    return message
  }

  override async start(): Promise<void> {
    if (this.#state === 'warm') return
    await super.start()
    super.on('message', (message) => {
      if (message?.type === 'testfileFinished') this.#state = 'warm'
    })
  }

  override async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners.splice(0)) this.off(event, listener)
    if (this.#state === 'warm') idle.push(this)
    else await super.stop()
  }

  /** As the thread itself would have, if asked. */
  #answer(type: 'started' | 'stopped'): void {
    const message = { type, __vitest_worker_response__: true }
    for (const [event, listener] of this.#listeners)
      if (event === 'message') setImmediate(listener, message)
  }
}

/** A vitest whose threads are warm. */
class WarmVitest {
  readonly clauses: ClauseVitest

  constructor(entry: string) {
    const createPoolWorker = (options: PoolOptions) => idle.pop() ?? new WarmThread(options)
    this.clauses = new ClauseVitest(entry, { name: 'warm', createPoolWorker })
  }
}

/** By entry. */
const unused = new Map<string, WarmVitest[]>()

/**
 * Runs clauses in reused threads, as many as run at once. It uses what vitest calls very low-level: if a
 * new vitest breaks it, `inThread` instead runs every proof in a thread of its own.
 */
export const warm = (): Runner => (job, hear) => {
  const others = unused.get(job.entry) ?? []
  unused.set(job.entry, others)
  const vitest = others.pop() ?? new WarmVitest(job.entry)
  const { done, ...underWay } = vitest.clauses.run(job, hear)
  const leave = async () => {
    await done
    others.push(vitest)
  }
  return { ...underWay, done: leave() }
}
