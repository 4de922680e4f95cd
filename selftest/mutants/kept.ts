import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Baseline, Outcome } from './outcome.ts'

export const root = join(import.meta.dirname, '../..')
/** One JSON line for each run; git does not see it. */
const file = join(root, 'reports/mutants.jsonl')

export type Line = { baseline: Baseline; commit: string } | Outcome

/** What was run before; where the last line was cut short, it is run again. */
export function readLines(): Line[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8').split('\n').flatMap(lineOf)
}

function lineOf(text: string): Line[] {
  try {
    return [JSON.parse(text) as Line]
  } catch {
    return []
  }
}

/** Line by line, so that a run that is ended loses nothing but what was under way. */
export function keepLine(line: Line): void {
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}

/** Only what can change an outcome makes another commit of it. */
const elsewhere = [':!selftest/mutants.md', ':!selftest/mutants/arguments.ts', ':!reports']

/** The commit that the files are of; with a mark of its own where they are changed. */
export function commitOf(): string {
  const git = (...argv: string[]) =>
    execFileSync('git', argv, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim()
  const commit = git('log', '-1', '--format=%h', '--', '.', ...elsewhere)
  const changes = git('diff', 'HEAD', '--', '.', ...elsewhere)
  const digest = createHash('sha256').update(changes).digest('hex').slice(0, 6)
  return changes === '' ? commit : `${commit}+${digest}`
}
