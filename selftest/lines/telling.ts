import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node'
import { root } from '../kept.ts'
import { mark, proofsFile, readOrder, type Told } from './order.ts'
import { type Memory, takeReached } from './runtime.ts'

const nameOf = (id: string) => relative(root, id).replaceAll('\\', '/')

/** vitest runs files in the order in which they were asked for. */
export class InOrder {
  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = readOrder().files
    const placeOf = ({ moduleId }: TestSpecification) => places.indexOf(nameOf(moduleId))
    return files.toSorted((one, two) => placeOf(one) - placeOf(two))
  }

  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
  }
}

type Ended = Extract<Told, { says: 'ends' }>

const say = (told: Told) => process.stdout.write(`${mark}${JSON.stringify(told)}\n`)

/** Says which file or proof begins, how it ended, and which places it has reached. */
export class Telling implements Reporter {
  readonly #on: number
  readonly #memory: Memory
  #began = 0
  #isOver = false

  constructor(on: number, memory: Memory) {
    this.#on = on
    this.#memory = memory
  }

  onTestModuleQueued(module: TestModule): void {
    this.#begin(nameOf(module.moduleId))
  }

  onTestModuleEnd(module: TestModule): void {
    const step = nameOf(module.moduleId)
    const isProofs = step === proofsFile
    // A file that does not even load has no test.
    const [error] = module.errors()
    if ((isProofs && !error) || this.#isOver) return
    const tests = [...module.children.allTests()]
    const reds = tests.filter((each) => each.result().state === 'failed')
    const hooks = [...module.children.allSuites()].flatMap((suite) => suite.errors())
    const said = error ?? hooks[0]
    const red = said ? said.message : reds[0] && redOf(reds[0])
    const idle = tests.length === 0 ? 'it has no test' : undefined
    this.#end(step, { red: red ?? idle, deciding: [], reached: module.meta().reached ?? [] })
  }

  onTestCaseReady(test: TestCase): void {
    if (nameOf(test.module.moduleId) === proofsFile) this.#begin(test.name)
  }

  onTestCaseResult(test: TestCase): void {
    // After the first that is red, others are told of and were not run.
    if (nameOf(test.module.moduleId) !== proofsFile || this.#isOver) return
    const { deciding = [], reached = [] } = test.meta()
    const red = test.result().state === 'failed' ? redOf(test) : undefined
    this.#end(test.name, { red, deciding, reached })
  }

  /** Where a run is given up after the first that is red, nobody may have been told of it. */
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#on < 0 || this.#isOver) return
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failed = tests.find((each) => each.result().state === 'failed')
    if (!failed) return
    const file = nameOf(failed.module.moduleId)
    const step = file === proofsFile ? failed.name : file
    this.#end(step, { red: redOf(failed), deciding: [], reached: takeReached(this.#memory) })
  }

  #begin(step: string): void {
    this.#began = performance.now()
    say({ says: 'begins', step })
  }

  #end(step: string, did: Omit<Ended, 'says' | 'step' | 'seconds'>): void {
    const seconds = Math.round((performance.now() - this.#began) / 10) / 100
    this.#isOver ||= this.#on >= 0 && did.red !== undefined
    const isAsked = (place: number) => this.#on < 0 || place === this.#on
    say({ says: 'ends', step, seconds, ...did, reached: did.reached.filter(isAsked) })
  }
}

const redOf = (test: TestCase): string => {
  const [error] = test.result().errors ?? []
  return `${test.fullName}: ${error?.message ?? 'it failed'}`.slice(0, 300)
}
