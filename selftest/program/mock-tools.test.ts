import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { cleanEnv } from '../clean-env.ts'
import { deadUrl } from '../engine/http/servers.ts'
import { atTestEnd, openTestFolder } from '../test-end.ts'
import { skipWithout } from '../worker-folders.ts'

const root = join(import.meta.dirname, '../..')

const prism = `
npm install --prefix "$place" --ignore-scripts @stoplight/prism-cli@5.14.2
"$place/node_modules/.bin/prism" mock schemas/openapi.yaml --port 4010
`

/** Its import keeps an example only behind an empty response, which the third command removes. */
const mockoon = `
npm install --prefix "$place" --ignore-scripts @mockoon/cli@9.9.0
"$place/node_modules/.bin/mockoon-cli" import --input schemas/openapi.yaml --output "$place/mockoon.json"
node -e 'const [file] = process.argv.slice(1), mock = JSON.parse(fs.readFileSync(file))
  for (const { responses } of mock.routes)
    if (responses[1].statusCode === 200) responses.forEach((each, at) => { each.default = at === 1 })
  fs.writeFileSync(file, JSON.stringify(mock))' "$place/mockoon.json"
"$place/node_modules/.bin/mockoon-cli" start --data "$place/mockoon.json" --port 4010
`

const settings = {
  API_KEY: 'any',
  TASK_IDS: '5b0f9a52-3c1e-4a57-9d2b-0c6f1f4e7a10',
  ASSESSMENT_IDS: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ACTOR_ID: '0d5f2f2e-9a51-4b2f-8a4b-5d7f7f9d2a11',
  USER_IDS: '3e7a1c64-27f4-4a35-bb0e-91f1a6a0c522,0d5f2f2e-9a51-4b2f-8a4b-5d7f7f9d2a11',
  TEAM_IDS: '2b1a0f9e-8d7c-4b6a-9f5e-4d3c2b1a0f9e',
  SETTLE_MS: '100',
  AUDIT_WAIT_S: '1',
}

/** The tools are installed from the npm registry. */
const hasNoRegistry = skipWithout(
  spawnSync('npm', ['view', '@mockoon/cli', 'version'], { timeout: 30_000 }).status === 0,
  'mocks of other programs, as the npm registry does not respond',
)

/** Starts a mock, runs some clauses on it, and returns their verdicts. */
async function verdictsOn(commands: string, path: string) {
  const [place, port] = [openTestFolder(), new URL(await deadUrl()).port]
  const start = commands.replaceAll('4010', port)
  const env = { ...cleanEnv(), place }
  const child = spawn('sh', ['-ec', start], { cwd: root, env, detached: true, stdio: 'ignore' })
  atTestEnd(() => process.kill(-(child.pid ?? 0), 'SIGTERM'))
  const address = `http://127.0.0.1:${port}${path}`
  const answers = () => fetch(address).then(Boolean)
  await expect.poll(answers, { timeout: 400_000, interval: 1000 }).toBe(true)
  const ids = ['task.read.fields', 'task.read.not-found', 'auth.missing-key.task.read']
  const check = ['run', '-s', 'contract', '--', '--clauses', String(ids)]
  spawnSync('npm', check, {
    cwd: root,
    env: { ...env, ...settings, BASE_URL: address, REPORTS_DIR: place },
  })
  const report: Report = JSON.parse(readFileSync(join(place, 'report.json'), 'utf8'))
  const verdicts = new Map(report.clauses.map(({ id, verdict }) => [id, verdict]))
  return ids.map((id) => verdicts.get(id))
}

describe.skipIf(hasNoRegistry)('a mock of openapi.yaml', { timeout: 600_000 }, () => {
  test('is served by Prism, which rejects a missing key and knows every id', async () => {
    expect(await verdictsOn(prism, '')).toEqual(['pass', 'fail', 'pass'])
  })

  test('is imported and served by Mockoon, which rejects no request', async () => {
    expect(await verdictsOn(mockoon, '/v5')).toEqual(['pass', 'fail', 'fail'])
  })
})
