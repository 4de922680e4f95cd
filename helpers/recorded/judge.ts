// The laws of the clauses on requests of other clients: `seen` of each finds its cases, or its body asks for them.

import type { ClauseFacts, clauses, Noted } from '../../engine/clause/clause.ts'
import { type Cases, caseOrWhy } from '../../engine/clause/law.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { brokenBy, NotDecidable } from '../../engine/outcome.ts'
import type { Outcome } from '../../engine/verdict.ts'
import { isKeyed, type Moment, notShown, type Seen } from '../service/seen.ts'
import { type Asking, judgeExports } from './asked.ts'
import { createFindings, decide, type Finding, type Findings } from './findings.ts'
import { momentsIn } from './moments.ts'
import { clausesOfHistories, updatesAmong } from './updates.ts'

/** The clauses that recorded traffic may decide. */
export const decidableIn = (all: typeof clauses): ReadonlySet<string> =>
  new Set([
    ...[...all].flatMap(([id, { judging }]) => (judging.seen ? [id] : [])),
    ...clausesOfHistories,
  ])

/** The findings in exchanges, which come in the order of their starts; each is read again when it is judged. */
export async function findingsIn(
  all: readonly Seen[],
  asking: Asking,
): Promise<ReadonlyMap<string, Finding>> {
  const { clauses, settings, readAt } = asking
  const findings = createFindings()
  const answered = all.filter(({ isAnswered }) => isAnswered)
  const updates = updatesAmong(all, readAt, findings, settings.actorId)
  for (const moment of momentsIn(answered, readAt, updates))
    for (const one of clauses.values()) await caseOrWhy(judgeMoment(findings, one, moment))
  const ended = [...updates.values()].map(({ op }) => op)
  await judgeExports(answered, findings, { ...asking, ended })
  return findings.all
}

/** A clause gets its case of a moment by its `seen`, or as its body does of a reading. */
async function judgeMoment(findings: Findings, { judging, body, facts }: Noted, moment: Moment) {
  const { id, answer, operation, body: came } = moment.seen
  if (typeof judging.seen === 'function') {
    const found = judging.seen(moment as never)
    if (found) await decide(findings, facts.id, judging, () => [found])
  }
  const isReading = operation === facts.operation && isAccepted(answer) && isKeyed(moment.seen)
  if (judging.seen !== 'reads' || !isReading || !body || !came) return
  const readAssessment = async (named: string) => {
    const read = moment.read('assessment', named)
    if (!read) throw new NotDecidable('data', notShown)
    return read.answer
  }
  const shared = (_: string, find: (service: object) => unknown) => find({ readAssessment })
  // No update of the recording excuses what a read shows.
  const given = { readings: [{ id, answer }], shared, session: { history: { begunOf: () => [] } } }
  const ask = () => (body as (given: object) => Cases<object>)(given)
  await decide(findings, facts.id, judging, ask)
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
  if (problems.length > 0) return brokenBy(problems)
  const [first, ...others] = cases
  return level === 'observe' && first && judging && 'look' in judging
    ? { kind: 'held', observed: judging.look([first, ...others]) }
    : { kind: 'held' }
}
