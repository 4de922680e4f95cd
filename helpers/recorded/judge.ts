// Judges recorded traffic by the laws of the clauses: `seen` of each finds its cases in requests of other clients.

import { commandLine } from '../../engine/called.ts'
import type { ClauseFacts, clauses } from '../../engine/clause/clause.ts'
import { type Judging, type Looking, restsOf } from '../../engine/clause/law.ts'
import { reasonOf } from '../../engine/problem.ts'
import type { Outcome } from '../../engine/verdict.ts'
import type { AskingOf } from './asked.ts'
import { clausesOfFiles, createExportLaws } from './exports.ts'
import { createFindings, type Findings, unlessUndecided } from './findings.ts'
import { notShown } from './looks.ts'
import type { Moment } from './moments.ts'
import type { Seen } from './recorded.ts'
import { createTimeline } from './timeline.ts'
import { clausesOfUpdates, createUpdateLaws } from './updates.ts'

/** The declared clauses, passed in by the suites, which are above this room. */
type Clauses = typeof clauses
type Judged = (Judging<object> | Looking<object>) & { seen(moment: Moment): object | undefined }

/** The clauses that recorded traffic can decide. */
export const decidableIn = (all: Clauses): ReadonlySet<string> =>
  new Set([
    ...[...all].flatMap(([id, { judging }]) => (judging.seen ? [id] : [])),
    ...clausesOfUpdates,
    ...clausesOfFiles,
  ])

function judgesOf(all: Clauses): Map<string, Judged> {
  return new Map(
    [...all].flatMap(([id, { judging }]) =>
      typeof judging.seen === 'function' ? [[id, judging as Judged] as const] : [],
    ),
  )
}

/** An answer from a cache, or a redirect, does not show the current state. */
const isOfService = ({ status, headers }: Seen): boolean =>
  status >= 200 &&
  (status < 300 || status >= 400) &&
  !(Number(headers.age) > 0) &&
  !/\bhit\b/i.test(
    `${headers['x-cache'] ?? ''} ${headers['cf-cache-status'] ?? ''} ${headers['cache-status'] ?? ''}`,
  )

/** Judges exchanges, which come in the order of their starts. */
export function createJudgement(
  all: Clauses,
  told: Pick<AskingOf, 'settings' | 'bodyOf' | 'pdfLimit'>,
) {
  const findings = createFindings()
  const judges = judgesOf(all)
  const decidable = decidableIn(all)
  const close = (moment: Moment) => {
    for (const [id, judging] of judges) judge(findings, id, judging, moment)
  }
  const { see, end } = createTimeline(close)
  const laws: { see(seen: Seen): unknown; miss?(seen: Seen): void; end?(): unknown }[] = [
    { see, end },
    createUpdateLaws(findings, told.settings, close),
    createExportLaws({ ...told, clauses: all, findings }),
  ]
  return {
    async see(seen: Seen) {
      const isJudged = isOfService(seen)
      for (const law of laws) await (isJudged ? law.see(seen) : law.miss?.(seen))
    },
    async end() {
      for (const law of laws) await law.end?.()
      return findings
    },
    outcomeOf({ id, level }: Pick<ClauseFacts, 'id' | 'level'>): Outcome {
      const finding = findings.all.get(id)
      const judging = all.get(id)?.judging
      const needs = judging?.needs
      const more = decidable.has(id)
        ? `${notShown}; ${needs ? `it takes ${needs}` : 'record requests that show it'}`
        : `decided by no traffic${needs ? `, as it takes ${needs}` : ''}; ${commandLine('check')} checks it`
      if (!finding) return { kind: 'undecided', cause: 'data', reason: more }
      const { problems, observed, cases } = finding
      const [first, ...others] = cases
      if (problems.length > 0)
        return { kind: 'broken', reason: reasonOf(problems), breaches: problems }
      if (level !== 'observe') return { kind: 'held' }
      return {
        kind: 'held',
        observed:
          first && judging && 'look' in judging
            ? judging.look([first, ...others])
            : [...observed].sort(),
      }
    },
  }
}

/** The case of a clause in a moment; a case that is not enough for a pass decides nothing. */
function judge(findings: Findings, id: string, judging: Judged, moment: Moment): void {
  try {
    const one = judging.seen?.(moment)
    if (!one) return
    if ('look' in judging) {
      findings.looked(id, one, judging.look([one]))
      return
    }
    const problems = judging.law(one)
    if (problems.length > 0 || !judging.lacks?.([one]))
      findings.judged(id, problems, restsOf([one]))
  } catch (error) {
    unlessUndecided(error)
  }
}
