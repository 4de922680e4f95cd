// What became of the causes that an earlier run on the same service found.

import type { CauseChange, ClauseReport, Report } from '../../engine/run/report.ts'
import { type BreachCause, breachCausesOf, titleOf } from '../parts/groups.ts'

/** A cause, and by what another report shows it. */
type KnownCause = {
  title: string
  clauses: readonly string[]
  keys: ReadonlySet<string>
  facts: readonly KnownFact[]
}

/** A breach of a clause. */
type KnownFact = { id: string; title: string; keys: readonly string[] }

/** A warning counts as a failure: --strict alone distinguishes them. */
export const isBroken = ({ verdict }: ClauseReport): boolean =>
  verdict === 'fail' || verdict === 'warn'

export const isUndecided = ({ verdict }: ClauseReport): boolean =>
  verdict === 'skip' || verdict === 'inconclusive'

/** A cause of clauses that the later run did not check has not changed. */
export function changesOfCauses(earlier: Report, now: Report): CauseChange[] {
  const isById = [earlier, now].some(lacksFindings)
  const causesThen = knownCausesIn(earlier, isById)
  const causesNow = knownCausesIn(now, isById)
  const isChecked = new Set(now.clauses.map(({ id }) => id))
  const gone = causesThen
    .filter((cause) => !causesNow.some((other) => areOneCause(cause, other)))
    .filter(({ clauses }) => clauses.some((id) => isChecked.has(id)))
  return [
    ...causesNow.flatMap((cause) => {
      const same = causesThen.filter((other) => areOneCause(cause, other))
      if (same.length === 0) return newCause(cause)
      return [stillThere(cause, same, { earlier, now }), ...newBeside(cause, same)]
    }),
    ...gone.map((cause) => goneCause(cause, { earlier, now })),
  ]
}

/** Older reports have breaches in words alone, or none. */
const lacksFindings = ({ clauses }: Report): boolean =>
  clauses
    .filter(isBroken)
    .some(
      ({ breaches = [] }) =>
        breaches.length === 0 || breaches.some(({ finding }) => finding === undefined),
    )

/** Says which reports have no findings, if a clause is broken in both: its causes may differ. */
export function remarksOfMatching(reports: readonly Report[], names: readonly string[]): string[] {
  const older = names.filter((_, at) => reports[at] && lacksFindings(reports[at]))
  const [ids, others] = reports.map(({ clauses }) => clauses.filter(isBroken).map(({ id }) => id))
  if (older.length === 0 || !ids?.some((id) => others?.includes(id))) return []
  const verb = older.length === 1 ? 'has' : 'have'
  return [`${older.join(' and ')} ${verb} no findings: breaches are matched by clause id`]
}

function knownCausesIn(report: Report, isById: boolean): KnownCause[] {
  const broken = report.clauses.filter(isBroken)
  if (isById)
    return broken.map((clause) => ({
      title: clause.statement,
      clauses: [clause.id],
      keys: new Set([clause.id]),
      facts: [],
    }))
  return breachCausesOf(broken, report).map(({ title, facts, clauses }) => ({
    title,
    clauses: clauses.map(({ id }) => id),
    keys: new Set(facts.flatMap(keysOf)),
    facts: facts.map((fact) => ({
      id: fact.clause.id,
      title: titleOf(fact),
      keys: keysOf(fact),
    })),
  }))
}

const keysOf = ({ symptoms }: BreachCause['facts'][number]): string[] =>
  symptoms.map(({ key }) => key)

const areOneCause = ({ keys }: KnownCause, other: KnownCause): boolean =>
  [...keys].some((key) => other.keys.has(key))

const newCause = ({ title, clauses }: KnownCause): CauseChange => ({
  change: 'new',
  title,
  clauses: [...clauses],
})

/** What a clause of a known cause did not show then, though it was broken: no such finding is known. */
function newBeside({ facts }: KnownCause, same: readonly KnownCause[]): CauseChange[] {
  const clausesThen = new Set(same.flatMap(({ clauses }) => clauses))
  const isKnown = ({ keys }: KnownFact) =>
    keys.some((key) => same.some((cause) => cause.keys.has(key)))
  const others = facts.filter((fact) => clausesThen.has(fact.id) && !isKnown(fact))
  const [first] = others
  if (!first) return []
  return [{ change: 'new', title: first.title, clauses: [...new Set(others.map(({ id }) => id))] }]
}

type Runs = { earlier: Report; now: Report }

function stillThere(
  { title, clauses }: KnownCause,
  same: readonly KnownCause[],
  { earlier, now }: Runs,
): CauseChange {
  const clausesThen = [...new Set(same.flatMap((cause) => cause.clauses))]
  const passedThen = passingIn(clauses, earlier)
  const passNow = passingIn(clausesThen, now)
  const dates = clausesThen.map((id) => earlier.baseline?.since[id] ?? earlier.startedAt)
  return {
    change: 'still',
    title,
    clauses: [...clauses],
    ...(passedThen.length > 0 ? { passedThen } : {}),
    ...(passNow.length > 0 ? { passNow } : {}),
    since: dates.toSorted()[0] ?? earlier.startedAt,
  }
}

function goneCause({ title, clauses }: KnownCause, { earlier, now }: Runs): CauseChange {
  const passNow = passingIn(clauses, now)
  if (passNow.length === clauses.length) {
    const change = earlier.seed === now.seed ? 'fixed' : 'passing'
    return { change, title, clauses: passNow }
  }
  const brokenNow = new Set(now.clauses.filter(isBroken).map(({ id }) => id))
  const others = clauses.filter((id) => !passNow.includes(id))
  const open = others.filter((id) => !brokenNow.has(id))
  return {
    change: open.length > 0 ? 'not decided' : 'replaced',
    title,
    clauses: open.length > 0 ? open : others,
    ...(passNow.length > 0 ? { passNow } : {}),
  }
}

function passingIn(ids: readonly string[], { clauses }: Report): string[] {
  const passing = new Set(clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id))
  return ids.filter((id) => passing.has(id))
}
