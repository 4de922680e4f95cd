// Stryker's test runner of this project: the mutated code in one bundle, with its tests and proofs,
// which stays loaded.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  INSTRUMENTER_CONSTANTS,
  type InstrumenterContext,
  type StrykerOptions,
} from '@stryker-mutator/api/core'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner'
import { sampleOf } from '../kept.ts'
import type { Check } from './tests.ts'

/** The checks for mutants; a part of Stryker's options. */
export type Ours = {
  files: string[]
  /** areas of proofs, and the share of them */
  proofs: string[]
  share: number
  seed: number
  /** how many of the reached mutants to try; the others end as errors, which no score counts */
  sample: number
  /** how many proofs to try per mutant */
  most: number
}

export const notDrawn = 'not drawn'

/** The findings of the first run, also for a process that replaces an ended one. */
type KnownTimes = {
  /** the successful checks and their duration */
  ms: Record<string, number>
  /** what the proofs say without a mutant */
  said: Record<string, string>
  /** by drawn mutant, how often each check reaches it */
  hits: Record<string, Record<string, number>>
}
const knownFile = 'known.json'
/** Slower checks are left out. */
const mostMs = 20_000

class InOneProcess implements TestRunner {
  static inject = tokens(commonTokens.options)
  readonly #ours: Ours
  readonly #stryker: InstrumenterContext
  #checks = new Map<string, Check>()
  #known: KnownTimes = { ms: {}, said: {}, hits: {} }
  #stumbled: unknown
  /** what ran in this process: nothing yet, mutants, or one that left remains, such as a cached value */
  #past: 'nothing' | 'mutants' | 'remains' = 'nothing'

  constructor(options: StrykerOptions) {
    this.#ours = options.ours as Ours
    this.#stryker = {}
    Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: this.#stryker })
  }

  /** Loaded modules stay loaded: mutants of code that runs once, during loading, are not tried. */
  capabilities = () => ({ reloadEnvironment: true })

  async init(): Promise<void> {
    const { files, proofs, share, seed } = this.#ours
    const entry = resolve('selftest/mutants/entry.ts')
    const loads = files.map((file) => `  '${file}': () => import('../../${file}'),\n`)
    writeFileSync(entry, `export * from './tests.ts'\nexport const files = {\n${loads.join('')}}\n`)
    process.argv.splice(2, process.argv.length, entry)
    await import(pathToFileURL(resolve('selftest/simulated/start.mjs')).href)
    const bundle = pathToFileURL(process.env.SIMULATED_BUNDLE ?? '').href
    const { testsIn, proofsOf, files: loading } = await import(bundle)
    this.#catchStumbles()
    const checks: Check[] = [...proofsOf(proofs, share, seed), ...(await testsIn(loading))]
    // The first proof loads the rest.
    await this.#saidBy(checks[0] as Check)
    this.#checks = new Map(checks.map((check) => [check.id, check]))
    if (existsSync(knownFile)) this.#known = JSON.parse(readFileSync(knownFile, 'utf8'))
  }

  /** An unhandled rejection is a failure of the running check, and ends no process. */
  #catchStumbles(): void {
    for (const event of ['uncaughtException', 'unhandledRejection']) {
      const others = process.listeners(event as 'uncaughtException')
      process.removeAllListeners(event)
      process.on(event, (thrown) => {
        try {
          for (const other of others) other(thrown, 'uncaughtException')
        } catch {
          this.#stumbled = thrown
        }
      })
    }
  }

  /** What a check says; of a test what is wrong. */
  async #saidBy(check: Check): Promise<string> {
    this.#stumbled = undefined
    try {
      const said = await check.run()
      return this.#stumbled === undefined ? said : String(this.#stumbled)
    } catch (error) {
      return String(error)
    }
  }

  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = []
    for (const check of this.#checks.values()) {
      const began = performance.now()
      this.#stryker.currentTestId = check.id
      const said = await this.#saidBy(check)
      this.#stryker.currentTestId = undefined
      const test = { id: check.id, name: check.id, timeSpentMs: performance.now() - began }
      const isGood = check.isProof || said === ''
      tests.push({ ...test, status: isGood ? TestStatus.Success : TestStatus.Skipped })
      if (isGood) this.#known.ms[check.id] = test.timeSpentMs
      if (check.isProof) this.#known.said[check.id] = said
    }
    const { mutantCoverage = { static: {}, perTest: {} } } = this.#stryker
    const covered = Object.entries(mutantCoverage.perTest)
    const reached = new Set(covered.flatMap(([, mutants]) => Object.keys(mutants)))
    for (const mutant of sampleOf([...reached].sort(), this.#ours.sample, this.#ours.seed))
      this.#known.hits[mutant] = Object.fromEntries(
        covered.flatMap(([check, { [mutant]: times }]) => (times ? [[check, times]] : [])),
      )
    writeFileSync(knownFile, JSON.stringify(this.#known))
    return { status: DryRunStatus.Complete, tests, mutantCoverage }
  }

  async mutantRun({ activeMutant: { id }, hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    const hits = this.#known.hits[id]
    if (!hits) return { status: MutantRunStatus.Error, errorMessage: notDrawn }
    // Stryker tries it again in a new process.
    if (this.#past === 'remains') throw new Error('the mutant before it left remains')
    const isFirst = this.#past === 'nothing'
    this.#past = 'mutants'
    const checks = this.#inOrder(hits)
    for (const [n, check] of checks.entries()) {
      Object.assign(this.#stryker, { activeMutant: id, hitCount: 0, hitLimit })
      const said = await this.#saidBy(check)
      const { hitCount = 0 } = this.#stryker
      // Only while counting does it compare with the limit.
      Object.assign(this.#stryker, { activeMutant: undefined, hitCount: undefined })
      if (hitLimit !== undefined && hitCount > hitLimit) return { status: MutantRunStatus.Timeout }
      const before = this.#known.said[check.id] ?? ''
      if (said === before) continue
      const control = await this.#saidBy(check)
      if (check.isProof) this.#known.said[check.id] = control
      // A proof may say something else at another time.
      if (check.isProof && said === control) continue
      const isLeft = !check.isProof && control !== ''
      // In a new process they are its own remains; otherwise they may be of another mutant.
      if (isLeft && !isFirst) throw new Error(`${check.id} fails without the mutant: ${control}`)
      if (isLeft) this.#past = 'remains'
      const killedBy = [check.id]
      return { status: MutantRunStatus.Killed, killedBy, failureMessage: said, nrOfTests: n + 1 }
    }
    return { status: MutantRunStatus.Survived, nrOfTests: checks.length }
  }

  /** Tests first, because they are quick; then this many proofs, starting with those that reach it most often. */
  #inOrder(hits: Record<string, number>): Check[] {
    const ms = ({ id }: Check) => this.#known.ms[id] ?? Number.POSITIVE_INFINITY
    const times = ({ id }: Check) => hits[id] ?? 0
    const all = Object.keys(hits).flatMap((id) => this.#checks.get(id) ?? [])
    const good = all.filter((check) => ms(check) < mostMs).sort((a, b) => ms(a) - ms(b))
    const proofs = good.filter(({ isProof }) => isProof).sort((a, b) => times(b) - times(a))
    return [...good.filter(({ isProof }) => !isProof), ...proofs.slice(0, this.#ours.most)]
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'in one process', InOneProcess as never),
]
