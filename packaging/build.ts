// npm run build: makes dist/, the plain JavaScript that the package holds. --noCheck: types are not checked again.
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { resolve } = createRequire(import.meta.url)

rmSync(dist, { recursive: true, force: true })
const tsc = join(dirname(resolve('typescript/package.json')), 'bin/tsc')
const argv = ['-p', join(import.meta.dirname, 'tsconfig.json'), ...process.argv.slice(2)]
execFileSync(process.execPath, [tsc, ...argv], { stdio: 'inherit' })

// Of the declarations, only those of these files and of those that they name are public.
const kept = new Set<string>()
const keep = (file: string) => {
  if (kept.has(file)) return
  kept.add(file)
  const text = readFileSync(join(dist, file), 'utf8')
  // The compiler leaves the names of the sources in declarations.
  writeFileSync(join(dist, file), text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  for (const [, other = ''] of text.matchAll(/from '(\.[^']*)\.[tj]s'/g))
    keep(`${join(dirname(file), other)}.d.ts`)
}
for (const entry of ['index.d.ts', 'vitest.d.ts']) keep(entry)
for (const file of readdirSync(dist, { recursive: true }).map(String))
  if (file.endsWith('.d.ts') && !kept.has(file)) rmSync(join(dist, file))

// One file of the suites and all that they import: each run loads it in a thread of its own, and to
// find and link more than 200 files takes Node a quarter of a start.
const entry = join(dist, 'suites/entry.js')
await build({
  absWorkingDir: dist,
  entryPoints: [entry],
  outfile: entry,
  allowOverwrite: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  // The first looks for a file beside itself; the state of the others is that of the thread, which opens the record.
  external: ['files/pdf-thread', 'time/entering', 'http/record/tape'].map(
    (it) => `./engine/${it}.js`,
  ),
  logLevel: 'warning',
})

for (const page of ['html', 'repeat'])
  cpSync(join(root, `reporting/${page}/assets`), join(dist, `reporting/${page}/assets`), {
    recursive: true,
  })

// Only one font of this package of 12 MB is used.
const font = 'dejavu-fonts-ttf'
copyFileSync(resolve(`${font}/ttf/DejaVuSansMono.ttf`), join(dist, 'reference/export/mono.ttf'))
copyFileSync(resolve(`${font}/LICENSE`), join(dist, 'reference/export/mono.ttf.LICENSE'))
copyFileSync(join(root, 'engine/files/pdf-worker.mjs'), join(dist, 'engine/files/pdf-worker.mjs'))
cpSync(join(root, 'schemas'), join(dist, 'schemas'), { recursive: true })
copyFileSync(join(root, 'helpers/contract/contract.md'), join(dist, 'helpers/contract/contract.md'))

/** A build outside a clone, such as an image, gets its commit as an argument. */
function commit(): string | undefined {
  if (process.env.SUITE_COMMIT) return process.env.SUITE_COMMIT
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, stdio: [...stdio] })
      .toString()
      .trim()
  } catch {
    return undefined
  }
}
const { name, version, type } = manifest
writeFileSync(
  join(dist, 'package.json'),
  `${JSON.stringify({ name, version, type, private: true, commit: commit() }, null, 2)}\n`,
)
