import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type PoolOptions,
  type PoolWorker,
  ThreadsPoolWorker,
  type WorkerRequest,
} from 'vitest/node'
import type { Runner } from '../../../engine/run/runner.ts'
import { ClauseVitest } from './in-vitest.ts'

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
