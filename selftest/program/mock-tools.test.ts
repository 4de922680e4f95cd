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
const [, section = ''] = readFileSync(join(root, 'docs/mocks.md'), 'utf8').split(
  '## Tried on mocks',
)
const [prism = '', mockoon = '', run = ''] = section.match(/(?:^ {4}.*\n)+/gm) ?? []

/** The tools are installed from the npm registry. */
const hasNoRegistry = skipWithout(
  spawnSync('npm', ['view', '@mockoon/cli', 'version'], { timeout: 30_000 }).status === 0,
  'the mocks of docs/mocks.md, as the npm registry does not answer',
)

/** Starts a mock by the commands of the page, runs some clauses by its last one, and returns their verdicts. */
async function verdictsOn(commands: string, path: string) {
  const [place, port] = [openTestFolder(), new URL(await deadUrl()).port]
  const start = commands.replace('place=$(mktemp -d)', '').replaceAll('4010', port)
  const env = { ...cleanEnv(), place }
  const child = spawn('sh', ['-ec', start], { cwd: root, env, detached: true, stdio: 'ignore' })
  atTestEnd(() => process.kill(-(child.pid ?? 0), 'SIGTERM'))
  const address = `http://127.0.0.1:${port}${path}`
  const answers = () => fetch(address).then(Boolean)
  await expect.poll(answers, { timeout: 400_000, interval: 1000 }).toBe(true)
  const ids = ['task.read.fields', 'task.read.not-found', 'auth.missing-key.task.read']
  const check = run
    .replace('http://127.0.0.1:4010', address)
    .replace('REPORTS_DIR=mock', `REPORTS_DIR=${place}`)
    .replace('npm run contract', `npm run contract -- --clauses ${ids}`)
  spawnSync('sh', ['-c', check], { cwd: root, env })
  const report: Report = JSON.parse(readFileSync(join(place, 'report.json'), 'utf8'))
  const verdicts = new Map(report.clauses.map(({ id, verdict }) => [id, verdict]))
  return ids.map((id) => verdicts.get(id))
}

describe.skipIf(hasNoRegistry)('a mock of docs/mocks.md', { timeout: 600_000 }, () => {
  test('is served by Prism, which refuses a missing key and knows every id', async () => {
    expect(await verdictsOn(prism, '')).toEqual(['pass', 'fail', 'pass'])
  })

  test('is imported and served by Mockoon, which refuses no request', async () => {
    expect(await verdictsOn(mockoon, '/v5')).toEqual(['pass', 'fail', 'fail'])
  })
})
