// npm run build: makes dist/, the plain JavaScript that the package holds. --noCheck: types are not checked again.
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundleSuites } from './bundle.ts'
import { keepDeclarations } from './declarations.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { resolve } = createRequire(import.meta.url)

rmSync(dist, { recursive: true, force: true })
const tsc = join(dirname(resolve('typescript/package.json')), 'bin/tsc')
const argv = ['-p', join(import.meta.dirname, 'tsconfig.json'), ...process.argv.slice(2)]
execFileSync(process.execPath, [tsc, ...argv], { stdio: 'inherit' })
keepDeclarations(dist, ['index.d.ts', 'vitest.d.ts'])
await bundleSuites(dist)

// Files that are read as they are.
for (const page of ['html', 'board', 'repeat'])
  cpSync(join(root, `reporting/${page}/assets`), join(dist, `reporting/${page}/assets`), {
    recursive: true,
  })

// Of a package of 12 MB one font is used.
const font = 'dejavu-fonts-ttf'
copyFileSync(resolve(`${font}/ttf/DejaVuSansMono.ttf`), join(dist, 'reference/export/mono.ttf'))
copyFileSync(resolve(`${font}/LICENSE`), join(dist, 'reference/export/mono.ttf.LICENSE'))
copyFileSync(join(root, 'engine/files/pdf-worker.mjs'), join(dist, 'engine/files/pdf-worker.mjs'))
copyFileSync(join(root, 'schemas/openapi.yaml'), join(dist, 'schemas/openapi.yaml'))

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
