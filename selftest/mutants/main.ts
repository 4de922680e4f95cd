// npm run mutate                        mutants of our own code, by Stryker, against tests and proofs in one process
//   -- --code engine/run                of this folder or file, or several
//   -- --sample 20 --seed 7             so many of the mutants that are reached, drawn by a seed
//   -- --share 0.5                      with a share of the variants and of a fault for each clause, not all proofs
//   -- --proofs 'export.*'              with those of some areas
//   -- --most 6                         how many proofs a mutant is tried by
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { root } from '../kept.ts'
import { notDrawn, type Ours } from './runner.ts'

const rooms = [
  'engine/run',
  'engine/files',
  'helpers/history',
  'helpers/export/laws',
  'helpers/service/judge.ts',
  'helpers/service/owners.ts',
]

const { values } = parseArgs({
  options: {
    code: { type: 'string', multiple: true, default: rooms },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    share: { type: 'string', default: '1' },
    proofs: { type: 'string', multiple: true, default: ['*'] },
    most: { type: 'string', default: '6' },
  },
})

/** Tests that cannot run one by one in this process: they mock modules, have hooks, or are whole runs. */
const apart = /\b(vi\.|(before|after)(All|Each)\(|test-end\.ts|(prove|judged|listen)\.ts)/

const filesIn = (path: string): string[] =>
  !existsSync(join(root, path))
    ? []
    : statSync(join(root, path)).isFile()
      ? [path]
      : readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
          .map((name) => join(path, name))
          .filter((name) => name.endsWith('.ts'))

/** The tests of a folder stand under its path or its name in selftest, or in a file of that name. */
const testsOf = (code: string) => {
  const folder = code.endsWith('.ts') ? dirname(code) : code
  return [folder, basename(folder)]
    .flatMap((name) => [`selftest/${name}`, `selftest/${name}.test.ts`].flatMap(filesIn))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => !apart.test(readFileSync(join(root, file), 'utf8')))
}

const ours: Ours = {
  files: [...new Set(values.code.flatMap(testsOf))],
  proofs: values.proofs,
  share: Number(values.share),
  seed: Number(values.seed),
  sample: Number(values.sample ?? Number.MAX_SAFE_INTEGER),
  most: Number(values.most),
}
const options = {
  ours,
  mutate: values.code.flatMap(filesIn),
  testRunner: 'in one process',
  plugins: [join(import.meta.dirname, 'runner.ts')],
  testRunnerNodeArgs: ['--import', 'tsx', '--max-semi-space-size=64'],
  checkerNodeArgs: ['--import', 'tsx'],
  coverageAnalysis: 'perTest',
  // The bundle stays loaded: a mutant of code that runs only during loading has no effect.
  ignoreStatic: true,
  incremental: values.sample === undefined,
  incrementalFile: 'reports/mutate/incremental.json',
  concurrency: 1,
  disableTypeChecks: false,
  // Stryker reads it by an interface that TypeScript 7 does not have.
  tsconfigFile: 'none',
  tempDirName: 'reports/mutate/sandbox',
  ignorePatterns: ['/reports', '/dist', '/docs', '/bench', '/journal', '/.git'],
  dryRunTimeoutMinutes: 120,
  timeoutFactor: 0,
  timeoutMS: Number(process.env.MUTANT_TIMEOUT_MS ?? 300_000),
  allowEmpty: true,
  reporters: ['html', 'json'],
  htmlReporter: { fileName: 'reports/mutate/mutants.html' },
  jsonReporter: { fileName: 'reports/mutate/mutants.json' },
  warnings: { unknownOptions: false },
  fileLogLevel: 'off',
  logLevel: process.env.LOG_LEVEL ?? 'warn',
}

const say = (text: string) => process.stdout.write(`${text}\n`)
const began = performance.now()
const results = await new Stryker(options as unknown as PartialStrykerOptions).runMutationTest()

const of = (all: readonly MutantResult[], ...statuses: string[]) =>
  all.filter(({ status }) => statuses.includes(status))

/** Says the percentage that was noticed, of those tried plus those that nothing reaches. */
function sayScore(code: string): void {
  const all = results.filter(({ fileName }) => fileName.startsWith(join(root, code)))
  const noticed = of(all, 'Killed', 'Timeout').length
  const tried = noticed + of(all, 'Survived').length
  const unreached = of(all, 'NoCoverage').length
  const counted = all.length - of(all, 'Ignored').length
  const score = tried === 0 ? 0 : 100 * (noticed / tried) * (1 - unreached / counted)
  say(
    `${code || 'all'}: ${score.toFixed(0)} %; ${noticed} of ${tried} that were tried are noticed, ` +
      `${unreached} of ${counted} not reached, ${of(all, 'Ignored').length} more run only while loading`,
  )
}

for (const each of of(results, 'Survived')) say(`survived: ${describe(each)}`)
for (const each of of(results, 'RuntimeError'))
  if (each.statusReason !== notDrawn) say(`not tried: ${describe(each)}: ${each.statusReason}`)
for (const code of [...values.code, '']) sayScore(code)
say(`seed ${values.seed}; ${Math.round((performance.now() - began) / 1000)} s`)
process.exit()

function describe({ fileName, location, mutatorName, replacement = '' }: MutantResult): string {
  const place = `${fileName.slice(root.length + 1)}:${location.start.line}`
  return `${place} ${mutatorName} ${replacement.slice(0, 100).replaceAll(/\s+/g, ' ')}`
}
