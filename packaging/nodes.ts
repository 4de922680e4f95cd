// npm run nodes: runs the tests of engine, program and package, and one whole default run, under each
// Node that the suite supports, taken as bare binaries from npm. Prints a row for each.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const root = join(import.meta.dirname, '..')
const binaries = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20.19', '22', '24', '26']
const tested = ['selftest/engine', 'selftest/program', 'selftest/package']

/** Without the settings of this shell; only npm, and the tests that call it, have them. */
const bare = { HOME: process.env.HOME, CI: 'true' }

function run(command: string, args: string[], path: string, given: NodeJS.ProcessEnv = bare) {
  const start = performance.now()
  const env = { ...given, PATH: `${path}${delimiter}${process.env.PATH}` }
  const ran = spawnSync(command, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 28 })
  return { ...ran, seconds: Math.round((performance.now() - start) / 1000) }
}

let failed = 0
for (const version of versions) {
  const place = mkdtempSync(join(tmpdir(), 'node-'))
  // The tests of the package start it as another user too.
  chmodSync(place, 0o755)
  const path = join(place, 'node_modules', binaries, 'bin')
  const install = ['install', '--prefix', place, '--no-audit', '--no-fund', '--ignore-scripts']
  const installed = run('npm', [...install, `${binaries}@${version}`], '', process.env)
  if (installed.status !== 0) {
    process.stdout.write(`| ${version} | not installed: ${installed.stderr.split('\n')[0]} | |\n`)
    failed += 1
    continue
  }
  const node = join(path, 'node')
  const name = run(node, ['--version'], path).stdout.trim()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const tests = run(node, [vitest, 'run', ...tested], path, process.env)
  const check = run(node, ['--import', 'tsx', 'contract.ts', 'check', '--seed', '1'], path)
  const plain =
    /Tests\s+(.*)/.exec(stripVTControlCharacters(tests.stdout))?.[1]?.replace(' |', ',') ??
    'no tests'
  process.stdout.write(
    `| ${name} | ${plain}, ${tests.seconds} s | exit ${check.status}, ${check.seconds} s |\n`,
  )
  if (check.stderr.trim() !== '') process.stdout.write(`on stderr: ${check.stderr.trim()}\n`)
  if (tests.status !== 0) process.stdout.write(`${tests.stderr.slice(0, 3000)}\n`)
  if (tests.status !== 0 || check.status !== 0 || check.stderr.trim() !== '') failed += 1
}
process.exit(failed > 0 ? 1 : 0)
