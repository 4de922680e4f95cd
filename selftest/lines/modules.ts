import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, listSources, root } from '../kept.ts'
import { type Mutant, mutantsIn } from './mutants.ts'

/** The rooms of which lines are changed: what lends, updates, reads files, judges them, and gives verdicts. */
const rooms = [
  'engine/files',
  'helpers/export',
  'helpers/loans',
  'helpers/updates',
  'helpers/watch',
]
const verdictPath = [
  'engine/outcome.ts',
  'engine/verdict.ts',
  ...['exit-code', 'met', 'reach', 'references', 'report-of', 'waive', 'with-owners'].map(
    (name) => `engine/run/${name}.ts`,
  ),
]

/** The made-up module of our own tests comes last. */
const paths = [...rooms, ...verdictPath, 'selftest/lines/made-up/lamps.ts']

export type Module = {
  file: string
  /** of its text: mutants of another one are to be tried again */
  digest: string
  mutants: Mutant[]
  /** what is added to a line, so that no two modules share a place in memory */
  base: number
}

const mostLines = 1_000

let listed: string[] | undefined

/** The files whose lines are changed, and how many places their lines need. */
export function listFiles(): string[] {
  listed ??= listSources(...paths)
  return listed
}

export const placesOf = (files: readonly string[]): number => files.length * mostLines

/** A module with its mutants; undefined: its lines are not changed. */
export function readModule(file: string, seed: number): Module | undefined {
  const at = listFiles().indexOf(file)
  if (at < 0) return undefined
  const text = readFileSync(join(root, file), 'utf8')
  const mutants = mutantsIn(text, file, seed)
  return { file, digest: digestOf(text), mutants, base: at * mostLines }
}

export const readModules = (seed: number): Module[] =>
  listFiles().flatMap((file) => readModule(file, seed) ?? [])
