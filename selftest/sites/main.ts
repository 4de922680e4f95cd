// npm run prove: every fault and variant, or those of a file, against all clauses; with --sites:
// whether every line that decides is needed (command.ts).
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../kept.ts'

const args = process.argv.slice(2)

if (process.env.npm_config_sites) {
  process.stderr.write('npm took --sites for itself; run npm run prove -- --sites\n')
  process.exit(2)
}

if (args.includes('--sites')) {
  const { proveSites } = await import('./command.ts')
  process.exit(await proveSites(args))
}

const env = join(root, 'selftest/env/everything.env')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const isNarrowed = args.some((arg) => existsSync(join(root, arg)))
const run = spawn(
  process.execPath,
  [`--env-file=${env}`, vitest, 'run', ...(isNarrowed ? [] : ['selftest/proofs']), ...args],
  { cwd: root, stdio: 'inherit' },
)
// A Ctrl-C reaches both: the tests end by themselves, and this with them.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => run.kill('SIGTERM'))
run.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
