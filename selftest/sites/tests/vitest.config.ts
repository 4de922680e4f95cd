import { relative } from 'node:path'
import { setEnvironmentData } from 'node:worker_threads'
import { defineConfig } from 'vitest/config'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { root } from '../../kept.ts'
import { plugin } from '../install.ts'
import { Watch } from '../watch.ts'
import { type Ended, mark, type Order, sharedSites } from './order.ts'

const { files, off } = JSON.parse(process.env.SITE_TESTS ?? '{"files":[]}') as Order
const watch = new Watch(off)
setEnvironmentData(sharedSites, watch.provided)

/** Says how each file of tests ended, and which sites spoke in it. */
class Telling implements Reporter {
  #began = performance.now()

  onTestModuleStart(): void {
    this.#began = performance.now()
  }

  /** With a site off, other tests of the file may never end. */
  onTestCaseResult(test: TestCase): void {
    if (off !== undefined && test.result().state === 'failed')
      this.#tell(test.module, test.fullName)
  }

  onTestModuleEnd(module: TestModule): void {
    const [failed] = module.children.allTests('failed')
    const [error] = module.errors()
    this.#tell(module, error?.message ?? failed?.fullName)
    watch.forget()
  }

  #tell({ moduleId }: TestModule, red: string | undefined): void {
    const { spoke, silenced } = watch.deeds
    const told: Ended = {
      file: relative(root, moduleId).replaceAll('\\', '/'),
      red,
      spoke,
      silenced,
      seconds: Math.round((performance.now() - this.#began) / 100) / 10,
    }
    process.stdout.write(`${mark}${JSON.stringify(told)}\n`)
  }
}

export default defineConfig({
  root,
  plugins: [plugin],
  test: {
    include: files,
    exclude: [],
    // A thread is given what its process shares; another process would not be.
    pool: 'threads',
    fileParallelism: false,
    bail: off === undefined ? 0 : 1,
    reporters: [new Telling()],
    // What waits for ever without a site is red soon.
    testTimeout: off === undefined ? 240_000 : 60_000,
    hookTimeout: 240_000,
    cache: false,
  },
})
