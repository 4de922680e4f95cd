import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const dir = join(import.meta.dirname, '../../node_modules/.cache/modules')

/**
 * Where vitest keeps transformed modules from run to run: half of a start is transforming the same
 * files again. An installed copy may be read-only; then nothing is kept, rather than in a folder
 * that others can write to, for what is kept there is executed.
 */
export function moduleCache(): { fsModuleCache: boolean; fsModuleCachePath?: string } {
  try {
    mkdirSync(dir, { recursive: true })
    accessSync(dir, constants.W_OK)
    return { fsModuleCache: true, fsModuleCachePath: dir }
  } catch {
    return { fsModuleCache: false }
  }
}
