import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { TestProject, Vite } from 'vitest/node'
import { fileOf } from '../sites/install.ts'
import { instrumented } from './instrument.ts'
import { readModule } from './modules.ts'
import { memory } from './runtime.ts'

const here = import.meta.dirname

/** vitest keeps what it transformed, by the names of plugins: another way of changing is another name. */
const version = createHash('sha256')
  .update(
    ['instrument.ts', 'modules.ts', 'mutants.ts']
      .map((name) => readFileSync(join(here, name)))
      .join(),
  )
  .digest('hex')
  .slice(0, 12)

/** Puts the mutants of a seed into every module that has some. */
export const changingLines = (seed: number): Vite.Plugin => ({
  name: `lines ${version} ${seed}`,
  transform: {
    order: 'pre',
    handler(text: string, id: string) {
      const module = readModule(fileOf(id), seed)
      if (!module) return undefined
      const path = relative(dirname(id), join(here, 'runtime.ts')).replaceAll('\\', '/')
      const runtime = path.startsWith('.') ? path : `./${path}`
      return { code: instrumented(text, module.mutants, { runtime, base: module.base }), map: null }
    },
  },
})

const plugin = memory && changingLines(memory.seed)

/** Puts them into what a run in this process loads too, where lines are being changed at all. */
export function installLines({ vite }: TestProject): void {
  if (!plugin) return
  const environments = Object.values(vite.environments)
  // First of all: what leads sites finds the places that are changed, and not the other way round.
  for (const plugins of new Set([vite.config.plugins, ...environments.map((each) => each.plugins)]))
    if (!plugins.includes(plugin)) (plugins as Vite.Plugin[]).unshift(plugin)
}
