/** The words of a text. */
export const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

/** The slowest test files: `npm run long` runs them, `npm test` only those that the command names. */
const long = wordsOf(`
  files/bad-runs files/pairs helpers/updates/beside/another-writer
  helpers/updates/max-writes hostile/bombs hostile/hostile hostile/midway
  package/ci
  program/secrets/secrets proofs/threads/warm-threads records/other-laws
`).map((name) => `selftest/${name}.test.ts`)

/** Whether to try everything; `npm test` tries a part. */
export const isLong = process.env.LONG === 'all'

/** The seed of all that a test draws without one of its own; `npm run long` draws it anew. */
export const testSeed = Number(process.env.TEST_SEED ?? 1)

/** The number of cases of a property; `npm test` tries a part. */
export const cases = (count: number): number => (isLong ? count : count / 5)

const isNamed = (file: string) =>
  process.argv.some(
    (word) =>
      word.length > 3 && file.replace('.test.ts', '').endsWith(word.replace('.test.ts', '')),
  )

export const leftOut = isLong ? [] : long.filter((file) => !isNamed(file))
