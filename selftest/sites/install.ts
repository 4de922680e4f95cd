import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { TestProject, Vite } from 'vitest/node'
import { root } from '../kept.ts'
import { deciding } from './all-sites.ts'
import { instrumented } from './instrument.ts'

const here = import.meta.dirname
const runtime = join(here, 'runtime.ts')

/** The made-up contract of our own tests with them. */
const folders = [...deciding, 'selftest/sites/made-up']

const isDeciding = (file: string) =>
  file.endsWith('.ts') && folders.some((folder) => file.startsWith(`${folder}/`))

/** Another way of leading sites makes another module of the same text: vitest keeps what it transformed. */
const version = createHash('sha256')
  .update(['site.ts', 'instrument.ts'].map((name) => readFileSync(join(here, name))).join())
  .digest('hex')
  .slice(0, 12)

type Plugin = Vite.Plugin

const posix = (path: string) => path.replaceAll('\\', '/')

export const fileOf = (id: string): string => posix(relative(root, id.split('?')[0] ?? id))

/** Leads the sites of every module through the runtime. */
export const plugin: Plugin = {
  name: `sites ${version}`,
  transform: {
    order: 'pre',
    handler(text: string, id: string) {
      const file = fileOf(id)
      if (!isDeciding(file)) return undefined
      const path = posix(relative(dirname(id), runtime))
      const code = instrumented(text, file, path.startsWith('.') ? path : `./${path}`)
      return code === undefined ? undefined : { code, map: null }
    },
  },
}

/**
 * Leads the sites of every module that this project loads through the runtime, without a switch in the
 * program: vitest hands its server to nobody before the pool.
 */
export function installSites({ vite }: TestProject): void {
  const environments = Object.values(vite.environments)
  const lists = [vite.config.plugins, ...environments.map((each) => each.plugins)]
  for (const plugins of new Set(lists))
    if (!plugins.includes(plugin)) (plugins as Plugin[]).push(plugin)
}
