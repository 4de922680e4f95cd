import { sampleOf } from './sample.ts'

/** The slowest test files. `npm test` runs some of them, `npm run long` all. */
const long = [
  'board/browser',
  'files/bad-runs',
  'files/cut',
  'helpers/updates/beside/another-writer',
  'helpers/updates/max-writes',
  'hostile/bombs',
  'hostile/hostile',
  'hostile/endless',
  'hostile/midway',
  'learned/docs',
  'package/ci',
  'program/at-once',
  'program/secrets/keys',
  'program/secrets/secrets',
  'proofs/threads/warm-threads',
  'steady/steady',
].map((name) => `selftest/${name}.test.ts`)

const { LONG, LONG_SEED = '2' } = process.env

/** Whether to try everything; `npm test` tries a part. */
export const isLong = LONG === 'all'

/** The number of cases of a property; `npm test` tries a part. */
export const cases = (count: number): number => (isLong ? count : count / 5)
const chosen = isLong ? long : sampleOf(long, Math.floor(long.length / 36), Number(LONG_SEED))

/** A file named on the command line always runs. */
const isNamed = (file: string) =>
  process.argv.some(
    (word) =>
      word.length > 3 && file.replace('.test.ts', '').endsWith(word.replace('.test.ts', '')),
  )

export const leftOut = long.filter((file) => !chosen.includes(file) && !isNamed(file))
