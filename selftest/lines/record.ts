import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKept, digestOf, root } from '../kept.ts'
import type { Ended } from './child.ts'
import type { Module } from './modules.ts'
import type { Mutant } from './mutants.ts'
import { isTestFile } from './order.ts'

/** Where one file of tests, or one proof, goes when no mutant is awake. */
export type Recorded = {
  step: string
  /** of the test's own text */
  digest: string
  seconds: number
  /** why nothing can be said by it: it is not green in this place */
  red?: string
  /** the lines of each module, with the digest of its text */
  lines: Record<string, [digest: string, lines: number[]]>
  /** the files of the sites that decided in a proof */
  deciding: string[]
}

export const keptLines = createKept<Recorded>('lines.jsonl')

export const digestOfStep = (step: string): string =>
  isTestFile(step) ? digestOf(readFileSync(join(root, step), 'utf8')) : ''

export function recordedOf(
  { step, seconds, red, reached, deciding }: Ended,
  modules: readonly Module[],
): Recorded {
  const lines: Recorded['lines'] = {}
  for (const { file, digest, mutants, base } of modules) {
    const own = mutants.map(({ line }) => line).filter((line) => reached.includes(base + line))
    if (own.length > 0) lines[file] = [digest, own]
  }
  return { step, digest: digestOfStep(step), seconds, lines, deciding, ...(red ? { red } : {}) }
}

/**
 * Whether a step may come by a mutant. What runs while a module loads, it runs once for all; where a
 * module has changed since, all that is known is that the step comes by the module.
 */
export function mayReach({ lines, red }: Recorded, { file, line, name }: Mutant, digest: string) {
  const found = lines[file]
  if (!found || red) return false
  const isLoading = name.startsWith(`${file} module `)
  return isLoading || found[0] !== digest || found[1].includes(line)
}
