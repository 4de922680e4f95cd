import type { Settings } from '../../helpers/settings/settings.ts'
import type { Order } from '../../program/input/order.ts'
import { waive } from '../../program/input/waivers.ts'
import { titleOf } from '../../program/run/manifest.ts'
import { type ClauseReport, countsOf, nothingChecked, type Report } from '../../reporting/report.ts'
import { matchesAny } from '../glob.ts'
import type { Exchange } from '../http/exchange.ts'
import { isChecked, runVerdictOf, verdictOf } from '../verdict.ts'
import type { Judged } from './run-clauses.ts'
import { timeOf } from './time-of.ts'

export type Found = {
  judged: Judged[]
  /** what kept suites from loading, or the runner from ending well */
  errors: string[]
  /** the ids of all clauses, those that were not to run too; left out where they are not known */
  declared?: string[]
  settings: Settings
  order: Pick<Order, 'require' | 'waived' | 'shard'>
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

/** Makes the report of a run from what became of its clauses. */
export function reportOf(found: Found): Report {
  const { settings, errors, order, startedAt } = found
  // Clauses of a suite that did not load exist all the same.
  const declared = errors.length > 0 ? undefined : found.declared
  const judged = found.judged.map((each) => clauseReport(each, settings))
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
    notices: [...found.notices, ...notices, ...toldRestoring(found)],
    restored: found.restored,
    residue: found.residue,
    counts: countsOf(clauses),
    clauses,
  }
}

/** Nobody looks at what becomes of the embedded service. */
const toldRestoring = ({ restored, settings }: Found) =>
  restored === 0 || settings.embedded
    ? []
    : [
        `${restored === 1 ? '1 task was' : `${restored} tasks were`} put back by an update: ACTOR_ID is the assigner now, and each update added audit events and may have sent mails`,
      ]

/** Clauses of a suite that did not load are missing from every count: that is never green. */
function verdictDespite(errors: string[], clauses: ClauseReport[]): Report['verdict'] {
  const verdict = runVerdictOf(clauses)
  return verdict === 'conformant' && errors.length > 0 ? 'inconclusive' : verdict
}

function clauseReport(judged: Judged, settings: Settings): ClauseReport {
  const { facts, suite, outcome, evidence, note } = judged
  const verdict = verdictOf(facts.level, outcome, settings.strict)
  const green = verdict === 'pass' || verdict === 'observed' || verdict === 'skip'
  const keep = settings.bodies === 'all' || (settings.bodies === 'failed' && !green)
  return {
    id: facts.id,
    level: facts.level,
    statement: facts.statement,
    section: facts.section,
    operation: titleOf(facts, suite),
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
