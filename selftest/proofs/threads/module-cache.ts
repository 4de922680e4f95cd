import { join } from 'node:path'

/** Where vitest keeps transformed modules between runs: transforming them again is half of a start. */
export const moduleCache = {
  fsModuleCache: true,
  fsModuleCachePath: join(import.meta.dirname, '../../../node_modules/.cache/modules'),
}
