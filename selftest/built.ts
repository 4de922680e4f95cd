import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const lock = join(root, 'node_modules/.cache/build.lock')
const sources = ['bin', 'engine', 'helpers', 'packaging', 'program', 'reference', 'reporting']
const all = [...sources, 'schemas', 'suites', 'contract.ts', 'index.ts', 'package.json']
const longestBuildMs = 120_000

let built: string | undefined

/**
 * The program as the package holds it. Builds dist/ if it is of another commit, or older than its sources.
 * Each worker checks once, because no source changes while tests run.
 */
export function builtProgram(): string {
  built ??= build()
  return built
}

function build(): string {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const waited = performance.now()
  while (!taken()) {
    // The last builder was killed.
    if (performance.now() - waited > longestBuildMs) rmSync(lock, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
  try {
    if (newest(all) > newest(['dist/package.json']) || builtAt() !== commitNow())
      execFileSync(process.execPath, ['--import', 'tsx', 'packaging/build.ts', '--noCheck'], {
        cwd: root,
      })
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
  return join(root, 'bin/task-assignment-contract.cjs')
}

const builtAt = () => JSON.parse(readFileSync(join(root, 'dist/package.json'), 'utf8')).commit

const commitNow = () => String(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root })).trim()

function taken(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

function newest(names: readonly string[]): number {
  const times = names.map((name) => {
    const path = join(root, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0
    return newest(readdirSync(path).map((inner) => join(name, inner)))
  })
  return Math.max(0, ...times)
}

export function cleanEnv(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) =>
    /^(VITEST|VITE_|NODE_ENV|TEST$)/.test(name),
  )
  return { ...process.env, SEED: '1', ...Object.fromEntries(names.map((one) => [one, undefined])) }
}
