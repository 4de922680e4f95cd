// The checks of checks.json as the suite makes them: its runner, its client, its schemas. Argument:
// the folder.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { runnerOptions } from '../../engine/run/runner-options.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import type { Check } from '../peers/inputs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    checked: { checks: Check[]; settings: Settings }
  }
}

const folder = process.argv[2] ?? ''
const { baseUrl, apiKey, checks } = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'))
const env = { BASE_URL: baseUrl, API_KEY: apiKey }
const settings = readSettings(env, { cwd: folder, flags: {} })
const vitest = await createVitest('test', {
  ...runnerOptions(join(import.meta.dirname, 'checks-suite.ts'), { checked: { checks, settings } }),
  reporters: [{}],
})
await vitest.start()
const failed = vitest.state.getCountOfFailedTests()
await vitest.close()
process.exit(failed === 0 ? 0 : 1)
