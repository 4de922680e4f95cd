// npm run mutants: of requests and answers, with --files of the files of exports.
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    files: { type: 'boolean' },
    sample: { type: 'string' },
    seed: { type: 'string' },
  },
  strict: false,
})

for (const flag of ['files', 'only'])
  if (process.env[`npm_config_${flag}`]) {
    process.stderr.write(`npm took --${flag} for itself; run npm run mutants -- --${flag}\n`)
    process.exit(2)
  }

if (values.files) {
  const { runFiles } = await import('./files/run.ts')
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  await runFiles({ sample: text(values.sample), seed: text(values.seed) ?? '1' })
  // Threads that read PDFs are kept for the next one.
  process.exit()
} else await import('./run.ts')
