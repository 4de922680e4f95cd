// Judges recorded traffic: the same laws as of a run, over requests of other clients.

import { reasonOf } from '../../engine/problem.ts'
import type { Level, Outcome } from '../../engine/verdict.ts'
import { type Operation, operations } from '../service/operations.ts'
import { clausesOfExports, createExportLaws } from './exports.ts'
import { createFindings, type Findings } from './findings.ts'
import { clausesOfKeys, createKeyLaws } from './keys.ts'
import { type BodyOf, notShown } from './looks.ts'
import { clausesOfReads, createReadLaws } from './reads.ts'
import type { Seen } from './recorded.ts'
import { clausesOfUpdates, createUpdateLaws, type Told } from './updates.ts'

export const decidable: ReadonlySet<string> = new Set([
  ...clausesOfKeys(Object.keys(operations) as Operation[]),
  ...clausesOfReads,
  ...clausesOfUpdates,
  ...clausesOfExports,
])

/** An answer that may come from a cache, or leads elsewhere, says nothing of now. */
const isOfService = ({ status, headers }: Seen): boolean =>
  status >= 200 &&
  (status < 300 || status >= 400) &&
  !(Number(headers.age) > 0) &&
  !/\bhit\b/i.test(
    `${headers['x-cache'] ?? ''} ${headers['cf-cache-status'] ?? ''} ${headers['cache-status'] ?? ''}`,
  )

export type Judgement = { see(seen: Seen): Promise<void>; end(): Promise<Findings> }

/** Judges exchanges that are handed in by their start. */
export function createJudgement(told: Told & { bodyOf: BodyOf }): Judgement {
  const findings = createFindings()
  const laws: { see(seen: Seen): unknown; miss?(seen: Seen): void; end?(): unknown }[] = [
    createKeyLaws(findings),
    createReadLaws(findings),
    createUpdateLaws(findings, told),
    createExportLaws(findings, told.bodyOf),
  ]
  return {
    async see(seen) {
      const isJudged = isOfService(seen)
      for (const law of laws) await (isJudged ? law.see(seen) : law.miss?.(seen))
    },
    async end() {
      for (const law of laws) await law.end?.()
      return findings
    },
  }
}

export function outcomeIn({ all }: Findings, id: string, level: Level): Outcome {
  const finding = all.get(id)
  if (!finding) return { kind: 'undecided', cause: 'data', reason: notShown }
  const { problems, observed } = finding
  if (problems.length > 0) return { kind: 'broken', reason: reasonOf(problems), breaches: problems }
  if (level === 'observe') return { kind: 'held', observed: [...observed].sort() }
  return { kind: 'held' }
}
