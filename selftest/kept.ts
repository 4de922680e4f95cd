import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomFor } from '../engine/random.ts'

// Results of long proofs: a restart continues where the first one stopped.

export const root = join(import.meta.dirname, '..')

/** A pseudo-random number for a text, the same on every machine. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)

/** The sources of a run against the reference service. */
export const product = ['engine', 'helpers', 'program', 'reference', 'schemas', 'suites']

/** A file of JSON lines in reports/, which git ignores. */
export function createKept<Line>(name: string) {
  const file = join(root, 'reports', name)
  return {
    /** what was kept before; a line that was cut short is run again */
    read: (): Line[] =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .flatMap(linesOf<Line>)
        : [],
    /** line by line, so that an interrupted run loses only what was under way */
    keep: (line: Line): void => {
      mkdirSync(dirname(file), { recursive: true })
      appendFileSync(file, `${JSON.stringify(line)}\n`)
    },
  }
}

function linesOf<Line>(text: string): Line[] {
  try {
    return [JSON.parse(text) as Line]
  } catch {
    return []
  }
}

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
