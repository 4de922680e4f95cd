// The checks of checks.json as the installed suite makes them: its runner, its client, its schemas, all of
// them built. Argument: the folder.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inThread } from '../../dist/engine/run/clause-thread.js'
import { readSettings } from '../../dist/helpers/settings/read.js'

const folder = process.argv[2] ?? ''
const { baseUrl, apiKey, checks } = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'))
const env = { BASE_URL: baseUrl, API_KEY: apiKey }
const settings = readSettings(env, { cwd: folder, flags: {} })
const entry = join(import.meta.dirname, 'checks-suite.mjs')
let failed = 0
const { done } = inThread({ entry, provide: { checked: { checks, settings } } }, (said) => {
  if (said.says === 'stumbled' || (said.says === 'ended' && said.clause.error)) failed += 1
})
await done
process.exit(failed === 0 ? 0 : 1)
