import { randomInt } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLong } from './long.ts'

/** Which tests were skipped and why, a line each. */
const skippedIn = (folder: string) => join(folder, 'skipped')

/** For `skipIf`: whether what tests need is missing, which the last lines of the output say. */
export function skipWithout(isHere: boolean, why: string): boolean {
  if (!isHere) appendFileSync(skippedIn(process.env.WORKER_FOLDERS ?? tmpdir()), `${why}\n`)
  return !isHere
}

/** Vitest runs this for each project: creates one folder for what the tests of a worker share, and removes it. */
export default function setup() {
  if (process.env.WORKER_FOLDERS) return undefined
  const place = mkdtempSync(join(tmpdir(), 'contract-'))
  process.env.WORKER_FOLDERS = place
  appendFileSync(skippedIn(place), '')
  if (isLong) process.env.TEST_SEED ??= String(randomInt(2 ** 31))
  return () => {
    const skipped = new Set(readFileSync(skippedIn(place), 'utf8').split('\n').filter(Boolean))
    for (const why of skipped) console.log(`skipped: ${why}`)
    if (isLong) console.log(`TEST_SEED=${process.env.TEST_SEED} npm run long draws the same again`)
    rmSync(place, { recursive: true, force: true })
  }
}
