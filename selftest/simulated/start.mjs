// node selftest/simulated/start.mjs FILE …   runs a TypeScript file with proofs in simulated time: all in
// one bundle, so that nothing is loaded while the clock stands, with replacements for a few modules.
import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')
const [file = ''] = process.argv.splice(2, 1)
const entry = resolve(file)
const name = createHash('sha256')
  .update(`${root} ${entry} ${process.pid}`)
  .digest('hex')
  .slice(0, 12)
const outfile = join(root, 'node_modules/.cache/simulated', `${name}.mjs`)

/** Modules with a replacement beside this file. */
const replaced = {
  vitest: 'vitest.ts',
  'selftest/proofs/way.ts': 'way.ts',
  'engine/files/csv.ts': 'csv.ts',
  'engine/files/pdf-thread.ts': 'pdf-thread.ts',
  'reference/export/pdf-pages.ts': 'pdf-pages.ts',
}

/** ../mutants/own/disarm.ts switches off single calls of these functions: each call asks siteOf what to call. */
const isDisarmed = file.endsWith('disarm.ts')
const calls = /(?<![\w.]|function )(premise|problem|problemUnless)\(/g

function withSites(place, contents) {
  if (place === 'engine/clause/law.ts')
    return contents.replace(
      'found: law(last)',
      'found: law(last).filter((each) => !isHarmless(each))',
    )
  if (!/^(suites|helpers)\//.test(place)) return contents
  // A problem of a switched-off site is not handed to its owner either.
  const code = contents.replaceAll('channel.met', '((one) => isHarmless(one) || channel.met(one))')
  const sites = []
  const lines = code.split('\n').map((line, n) =>
    /^\s*(\/\/|\/?\*)/.test(line)
      ? line
      : line.replace(calls, (_, name) => {
          const site = `${place}:${n + 1} ${name}`
          sites.push(site)
          return `siteOf(${JSON.stringify(site)}, ${JSON.stringify(name)}, ${name})(`
        }),
  )
  return `${lines.join('\n')}\n;globalThis.sites ??= []; globalThis.sites.push(...${JSON.stringify(sites)})\n`
}

const inPlace = {
  name: 'in place',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, resolveDir, importer }) => {
      const original = path.startsWith('.') ? join(resolveDir, path) : path
      const name = replaced[relative(root, original)] ?? replaced[original]
      // A replacement may use the module that it replaces; tests are declared as usual.
      const isOriginal =
        name === undefined ||
        dirname(importer) === import.meta.dirname ||
        importer.endsWith('.test.ts')
      return isOriginal ? undefined : { path: join(import.meta.dirname, name) }
    })
    // Each file still finds its neighbours.
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const contents = (await readFile(path, 'utf8'))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      const place = relative(root, path)
      return { contents: isDisarmed ? withSites(place, contents) : contents, loader: 'ts' }
    })
  },
}

await build({
  absWorkingDir: root,
  entryPoints: [entry],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  plugins: [inPlace],
  logLevel: 'warning',
})
// An in-memory disk: journals are flushed after each change.
if (existsSync('/dev/shm')) process.env.TMPDIR ??= '/dev/shm'
// Forks load it too; they end before their parent does.
process.env.SIMULATED_BUNDLE = outfile
process.on('exit', () => rmSync(outfile, { force: true }))
await import(pathToFileURL(outfile).href)
