import type { Checked } from '../../program/report/finish.ts'

/** What became of a mutant, from the best to the worst. */
export const ranks = [
  'killed',
  'stopped',
  'warned',
  'observed',
  'survived',
  'never applied',
] as const
export type Rank = (typeof ranks)[number]

/** What a run saw, as far as two runs are compared. */
export type Sight = {
  exitCode: number
  clauses: { id: string; level: string; verdict: string; reason?: string; observed?: unknown }[]
  reasons: string[]
}

export type Outcome = {
  id: string
  commit: string
  rank: Rank
  applied: number
  /** the clauses or reasons that the rank stands on */
  by: string[]
  /** the clauses that were decided without the mutant and are not with it */
  undecided: string[]
  seconds: number
}

export function sightOf({ exitCode, report }: Checked): Sight {
  const clauses = (report?.clauses ?? []).map(({ id, level, verdict, reason, observed }) => ({
    id,
    level,
    verdict,
    reason,
    observed,
  }))
  return { exitCode, clauses, reasons: report?.reasons ?? [] }
}

/** What the reference service itself looks like; what differs from run to run is not compared. */
export type Baseline = { verdicts: Record<string, string>; observed: Record<string, string> }

export function baselineOf(one: Sight, two: Sight = one): Baseline {
  const other = new Map(two.clauses.map((clause) => [clause.id, clause]))
  const steady = one.clauses.filter(({ id, verdict }) => other.get(id)?.verdict === verdict)
  const seen = steady.filter(({ id, observed }) => text(observed) === text(other.get(id)?.observed))
  return {
    verdicts: Object.fromEntries(steady.map(({ id, verdict }) => [id, verdict])),
    observed: Object.fromEntries(seen.map(({ id, observed }) => [id, text(observed)])),
  }
}

const text = (value: unknown) => JSON.stringify(value ?? null)
const decided = ['pass', 'fail', 'warn', 'observed']

/** Sorts one run of a mutant. */
export function judge(sight: Sight, applied: number, baseline: Baseline) {
  const { exitCode, clauses, reasons } = sight
  const ids = (chosen: typeof clauses) => chosen.map(({ id }) => id).sort()
  const isNew = ({ id, verdict }: { id: string; verdict: string }) =>
    baseline.verdicts[id] !== verdict
  const failed = ids(clauses.filter(({ verdict }) => verdict === 'fail'))
  const warned = ids(clauses.filter((clause) => clause.verdict === 'warn' && isNew(clause)))
  const differ = ids(
    clauses.filter(
      ({ id, verdict, observed }) =>
        verdict === 'observed' &&
        baseline.observed[id] !== undefined &&
        baseline.observed[id] !== text(observed),
    ),
  )
  const undecided = ids(
    clauses.filter(
      ({ id, verdict }) =>
        !decided.includes(verdict) && decided.includes(baseline.verdicts[id] ?? ''),
    ),
  )
  const found = (rank: Rank, by: string[]) => ({ rank, by, undecided })
  if (applied === 0) return found('never applied', [])
  if (exitCode === 1) return found('killed', failed)
  if (exitCode !== 0) return found('stopped', [`exit ${exitCode}`, ...causes(sight, reasons)])
  if (warned.length > 0) return found('warned', warned)
  return differ.length > 0 ? found('observed', differ) : found('survived', [])
}

/** Why a run stopped: its own reasons, or those of the clauses that are inconclusive. */
function causes({ clauses }: Sight, reasons: string[]): string[] {
  const open = clauses.filter(({ verdict }) => verdict === 'inconclusive')
  const told = reasons.length > 0 ? reasons : open.map(({ id, reason = '' }) => `${id}: ${reason}`)
  return told.slice(0, 3).map((reason) => reason.slice(0, 160))
}
