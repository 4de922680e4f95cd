import { join } from 'node:path'

/** Where vitest keeps transformed modules from run to run: half of a start is transforming them again. */
export const moduleCache = {
  fsModuleCache: true,
  fsModuleCachePath: join(import.meta.dirname, '../../../node_modules/.cache/modules'),
}
