import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { randomFor } from '../engine/random.ts'

export const root = join(import.meta.dirname, '..')

/** The sources of a run against the reference service. */
export const product = ['engine', 'helpers', 'program', 'reference', 'schemas', 'suites']

/** The commit of these paths; with a mark if they are changed. */
export function commitOf(...paths: string[]): string {
  const git = (...argv: string[]) =>
    execFileSync('git', argv, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim()
  const commit = git('log', '-1', '--format=%h', '--', ...paths)
  const changes = git('diff', 'HEAD', '--', ...paths)
  const digest = createHash('sha256').update(changes).digest('hex').slice(0, 6)
  return changes === '' ? commit : `${commit}+${digest}`
}

/** A sample of a list in its order, the same for the same seed. */
export function sampleOf<T>(list: readonly T[], size: number, seed: number): T[] {
  if (size >= list.length) return [...list]
  const chosen = new Set(randomFor(seed, 'sample').helpers.arrayElements(list, size))
  return list.filter((one) => chosen.has(one))
}
