// `seen` of each clause finds its cases in requests of other clients.

import type { ClauseFacts, clauses, Noted } from '../../engine/clause/clause.ts'
import { reasonOf } from '../../engine/problem.ts'
import type { Outcome } from '../../engine/verdict.ts'
import { type AskingOf, createExportLaws } from './asked.ts'

import { createFindings, type Finding, type Findings, unlessUndecided } from './findings.ts'
import { notShown } from './looks.ts'
import type { Moment } from './moments.ts'
import type { Seen } from './recorded.ts'
import { createTimeline } from './timeline.ts'
import { clausesOfAccounts, createAccounts } from './updates.ts'

/** The declared clauses, passed in by the suites, which are above this room. */
type Clauses = typeof clauses
type Judging = Noted['judging']

export const decidableIn = (all: Clauses): ReadonlySet<string> =>
  new Set([
    ...[...all].flatMap(([id, { judging }]) => (judging.seen ? [id] : [])),
    ...clausesOfAccounts,
  ])

/** An answer from a cache, or a redirect, does not show the current state. */
const isOfService = ({ status, headers }: Seen): boolean =>
  status >= 200 &&
  (status < 300 || status >= 400) &&
  !(Number(headers.age) > 0) &&
  !['x-cache', 'cf-cache-status', 'cache-status'].some((name) =>
    /\bhit\b/i.test(headers[name] ?? ''),
  )

/** exchanges come in the order of their starts */
export function createJudgement(
  all: Clauses,
  told: Pick<AskingOf, 'settings' | 'bodyOf' | 'pdfLimit'>,
) {
  const findings = createFindings()
  const accounts = createAccounts(findings, told.settings.actorId)
  const files = createExportLaws({ ...told, clauses: all, findings })
  const timeline = createTimeline((moment) => {
    for (const [id, { judging }] of all) judge(findings, id, judging, moment)
  })
  return {
    async see(seen: Seen) {
      const isJudged = isOfService(seen)
      const update = accounts.see(seen, isJudged)
      if (!isJudged) return
      timeline.see(seen, update)
      await files.see(seen)
    },
    async end() {
      accounts.end()
      timeline.end()
      await files.end()
      return findings.all
    },
  }
}

export function outcomeOf(
  { level }: Pick<ClauseFacts, 'level'>,
  { judging }: Partial<Pick<Noted, 'judging'>> = {},
  finding?: Finding,
): Outcome {
  if (!finding) {
    const needs = judging?.seen === 'files' ? 'exported files' : 'requests that show it'
    const reason = `${notShown}; it takes ${judging?.needs ?? needs}`
    return { kind: 'undecided', cause: 'data', reason }
  }
  const { problems, cases } = finding
  if (problems.length > 0) return { kind: 'broken', reason: reasonOf(problems), breaches: problems }
  const [first, ...others] = cases
  return level === 'observe' && first && judging && 'look' in judging
    ? { kind: 'held', observed: judging.look([first, ...others]) }
    : { kind: 'held' }
}

/** The case of a clause in a moment; a case that is not enough for a pass decides nothing. */
function judge(findings: Findings, id: string, judging: Judging, moment: Moment): void {
  try {
    const one = typeof judging.seen === 'function' && judging.seen(moment as never)
    if (!one) return
    if ('look' in judging) {
      findings.looked(id, [one], judging.look([one]))
      return
    }
    const problems = judging.law(one)
    if (problems.length > 0 || !judging.lacks?.([one])) findings.judged(id, problems, [one])
  } catch (error) {
    unlessUndecided(error)
  }
}
