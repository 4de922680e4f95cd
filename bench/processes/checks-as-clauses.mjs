// The checks of checks.json as the installed suite makes them: its runner, its client, its schemas, all of
// them built. Argument: the folder.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { runnerOptions } from '../../dist/engine/run/runner-options.js'
import { readSettings } from '../../dist/helpers/settings/read.js'

const folder = process.argv[2] ?? ''
const { baseUrl, apiKey, checks } = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'))
const env = { BASE_URL: baseUrl, API_KEY: apiKey }
const settings = readSettings(env, { cwd: folder, flags: {} })
const vitest = await createVitest('test', {
  ...runnerOptions(join(import.meta.dirname, 'checks-suite.mjs'), {
    checked: { checks, settings },
  }),
  reporters: [{}],
})
await vitest.start()
const failed = vitest.state.getCountOfFailedTests()
await vitest.close()
process.exit(failed === 0 ? 0 : 1)
