import type { Shard } from '../clause/shard.ts'
import { matchesAny } from '../glob.ts'
import type { Exchange } from '../http/exchange.ts'
import { isChecked, runVerdictOf, verdictOf } from '../verdict.ts'
import { type Contract, titleOf } from './contract.ts'
import { type ClauseReport, countsOf, nothingChecked, type Report } from './report.ts'
import type { Judged } from './run-clauses.ts'
import { timeOf } from './time-of.ts'
import { type Waived, waive } from './waive.ts'

export type Found = {
  judged: Judged[]
  /** what kept suites from loading, or the runner from ending well */
  errors: string[]
  /** the ids of all clauses, those that were not to run too; left out where they are not known */
  declared?: string[]
  contract: Pick<Contract, 'operations'>
  settings: Reported
  order: { require: string[]; waived: Waived[]; shard?: Shard }
  /** why the run ended before its time, where it did */
  reasons: string[]
  notices: string[]
  /** how many tasks were put back by an update */
  restored: number
  residue: Report['residue']
  startedAt: Date
  durationMs: number
  requests: number
  suiteVersion: string
  interrupted: boolean
}

/** What a report says of the settings of its run, and goes by. */
export type Reported = {
  baseUrl: string
  embedded: boolean
  seed: number
  strict: boolean
  bodies: 'none' | 'failed' | 'all'
}

/** Makes the report of a run from what became of its clauses. */
export function reportOf(found: Found): Report {
  const { settings, errors, order, startedAt } = found
  // Clauses of a suite that did not load exist all the same.
  const declared = errors.length > 0 ? undefined : found.declared
  const judged = found.judged.map((each) => clauseReport(each, found))
  const { clauses, stale, notices } = waive(judged, order.waived, { declared, now: startedAt })
  const unmet = clauses
    .filter(({ id, verdict }) => verdict === 'skip' && matchesAny(id, order.require))
    .map(({ id, reason }) => `${id} is required and was skipped: ${reason}`)
  const faulty = [...unmet, ...stale]
  return {
    reportVersion: 1,
    suiteVersion: found.suiteVersion,
    target: { baseUrl: settings.baseUrl, embedded: settings.embedded },
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(found.durationMs),
    requests: found.requests,
    seed: settings.seed,
    verdict: faulty.length > 0 ? 'nonconformant' : verdictDespite(errors, clauses),
    ...(found.interrupted ? { interrupted: true } : {}),
    ...(order.shard ? { shard: order.shard } : {}),
    reasons: [
      ...faulty,
      ...errors.map((error) => `the runner reported: ${error}`),
      ...found.reasons,
      ...(isChecked(clauses) ? [] : [nothingChecked]),
    ],
    notices: [...found.notices, ...notices],
    restored: found.restored,
    residue: found.residue,
    counts: countsOf(clauses),
    clauses,
  }
}

/** Clauses of a suite that did not load are missing from every count: that is never green. */
function verdictDespite(errors: string[], clauses: ClauseReport[]): Report['verdict'] {
  const verdict = runVerdictOf(clauses)
  return verdict === 'conformant' && errors.length > 0 ? 'inconclusive' : verdict
}

function clauseReport(judged: Judged, { settings, contract }: Found): ClauseReport {
  const { facts, suite, outcome, evidence, note } = judged
  const verdict = verdictOf(facts.level, outcome, settings.strict)
  const green = verdict === 'pass' || verdict === 'observed' || verdict === 'skip'
  const keep = settings.bodies === 'all' || (settings.bodies === 'failed' && !green)
  return {
    id: facts.id,
    level: facts.level,
    statement: facts.statement,
    section: facts.section,
    operation: titleOf(contract, facts, suite),
    ...(facts.reading === undefined ? {} : { reading: facts.reading }),
    ...(facts.varies === undefined ? {} : { varies: facts.varies }),
    verdict,
    ...(note === undefined ? {} : { note }),
    ...('reason' in outcome ? { reason: outcome.reason } : {}),
    ...(outcome.kind === 'held' && facts.level === 'observe'
      ? { observed: outcome.observed ?? null }
      : {}),
    durationMs: Math.round(timeOf(evidence) * 10) / 10,
    evidence: keep ? evidence : evidence.map(withoutBodies),
  }
}

function withoutBodies({ body, requestBody, ...rest }: Exchange): Exchange {
  const bytes = body === undefined ? rest.bodyBytes : Buffer.byteLength(body)
  return bytes === undefined ? rest : { ...rest, bodyBytes: bytes }
}
