import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { builtProgram } from '../built.ts'

export const root = join(import.meta.dirname, '../..')

/** A folder that is removed when the tests of the file have ended, with any permissions. */
export function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'package-'))
  chmodSync(folder, 0o755)
  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** Packs this commit as npm would publish it, and returns the path of the tarball. */
export function pack(folder: string): string {
  builtProgram()
  const argv = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(String(execFileSync('npm', argv, { cwd: root, stdio: quiet })))
  return join(folder, filename)
}

const quiet: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']

type Locked = { dev?: boolean }

/** Optional peers of vite that nobody has to install. */
const optionalPeers = ['node_modules/tsx', 'node_modules/esbuild', 'node_modules/yaml']

/** Unpacks a tarball with its dependencies alone, as npm lays them out, without a registry. */
export function install(tarball: string, place: string): string {
  const modules = join(place, 'node_modules')
  const home = join(modules, 'task-assignment-contract')
  mkdirSync(home, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', home, '--strip-components=1'])
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  for (const [path, { dev }] of Object.entries<Locked>(packages)) {
    const isWithin = path.slice(1).includes('node_modules/')
    if (path === '' || dev || isWithin || optionalPeers.includes(path)) continue
    // Packages for other platforms are absent.
    if (!existsSync(join(root, path))) continue
    const to = join(place, path)
    mkdirSync(dirname(to), { recursive: true })
    // Links instead of 160 MB.
    execFileSync('cp', ['-al', join(root, path), to])
  }
  return home
}
