import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * Makes one file of the suites and all that they import: each run loads it in a thread of its own, and to
 * find and link more than 200 files takes Node a quarter of a start.
 */
export async function bundleSuites(dist: string): Promise<void> {
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
}
