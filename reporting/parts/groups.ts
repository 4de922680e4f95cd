import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../../engine/http/exchange.ts'
import {
  asksForFile,
  type ClauseReport,
  type Report,
  toldVerdict,
} from '../../engine/run/report.ts'
import { type ClauseFact, depthOf, factsByCause } from './causes/by-cause.ts'
import { firstToSee } from './evidence.ts'
import { kindOf, symptomsOf } from './symptoms-of-breach.ts'

export type Group = {
  title: string
  /** the kinds of requests, or the operation */
  where: string
  /** who can mend it, as far as the evidence tells */
  owner: 'gateway' | 'service' | 'export' | 'mail'
  /** the run that showed it first, or "new"; default: no baseline is known */
  since?: string
  verdict: 'fail' | 'warn'
  musts: number
  clauses: [string, ...string[]]
}

const isBreach = (clause: ClauseReport) => ['fail', 'warn'].includes(toldVerdict(clause))

/** What is broken by one cause: its facts and their clauses, the first to read first. */
export type BreachCause = {
  title: string
  facts: readonly ClauseFact[]
  clauses: readonly ClauseReport[]
}

/**
 * Groups broken clauses by the causes of their breaches. What is grave comes first, even if it only
 * warns; then failures before warnings, and large groups before small ones.
 */
export function groupsOf(report: Report): Group[] {
  return breachCausesOf(report.clauses.filter(isBreach), report)
    .toSorted(
      (a, b) =>
        gravityOf(a) - gravityOf(b) ||
        mustsOf(b) - mustsOf(a) ||
        b.clauses.length - a.clauses.length,
    )
    .map((cause) => groupOf(cause, report))
}

export const breachCausesOf = (broken: readonly ClauseReport[], report: Report): BreachCause[] =>
  factsByCause(broken.flatMap((clause) => factsOf(clause, report))).map(breachCauseOf)

function factsOf(clause: ClauseReport, report: Report): ClauseFact[] {
  const { breaches = [] } = clause
  const { statuses = {} } = report
  if (breaches.length === 0) return [{ clause, symptoms: [], statuses }]
  return breaches.map((breach) => ({
    clause,
    breach,
    symptoms: symptomsOf(breach, report),
    statuses,
  }))
}

/** What explains the others stands first; of equals, what is easier to read. */
function breachCauseOf(facts: readonly ClauseFact[]): BreachCause {
  const sorted = facts
    .map((fact) => ({ fact, depth: depthOf(fact, facts), rank: rankOf(fact) }))
    .toSorted((a, b) => a.depth - b.depth || a.rank - b.rank)
    .map(({ fact }) => fact)
  const clauses = [...new Set(sorted.map(({ clause }) => clause))]
  const [root] = sorted as [ClauseFact]
  return { title: titleOf(root), facts: sorted, clauses }
}

/** The findings of older reports are in words alone: they have the statement as their title. */
export function titleOf({ clause, symptoms }: ClauseFact): string {
  const { title } = symptoms.find(({ title }) => title) ?? {}
  return title ?? clause.statement
}

function groupOf({ title, facts, clauses }: BreachCause, report: Report): Group {
  const [{ clause }] = facts as [ClauseFact]
  const breaches = facts.flatMap((fact) => fact.breach ?? [])
  const kinds = [...new Set(breaches.map((each) => kindOf(each, report)))].filter(Boolean)
  const more = kinds.length > 2 ? ` and ${kinds.length - 2} more` : ''
  return {
    title,
    where: `${kinds.slice(0, 2).join(', ') || clause.operation}${more}`,
    owner: ownerOf(clause, report),
    ...(report.baseline && { since: sinceOf(clauses, report.baseline) }),
    verdict: clauses.every(isWarning) ? 'warn' : 'fail',
    musts: mustsOf({ clauses }),
    clauses: clauses.map(({ id }) => id) as Group['clauses'],
  }
}

/** The date of the cause that breaks these clauses; in older reports that of the clauses. */
function sinceOf(
  clauses: readonly ClauseReport[],
  { causes = [], since }: NonNullable<Report['baseline']>,
): string {
  const ids = clauses.map(({ id }) => id)
  const change = causes.find((cause) => isDeepStrictEqual(cause.clauses.toSorted(), ids.toSorted()))
  const dates = change ? [change.since ?? 'new'] : ids.flatMap((id) => since[id] ?? [])
  return dates.sort()[0] ?? 'new'
}

const mustsOf = ({ clauses }: Pick<BreachCause, 'clauses'>): number =>
  clauses.filter(({ level }) => level === 'must').length

const isWarning = (clause: ClauseReport) => toldVerdict(clause) === 'warn'

const gravityOf = ({ facts, clauses }: BreachCause): number =>
  (facts.some(({ symptoms }) => symptoms.some(({ isGrave }) => isGrave)) ? 0 : 2) +
  (clauses.every(isWarning) ? 1 : 0)

/** A must before a should, and a judgement of one answer before a comparison of many. */
const rankOf = ({ clause, breach }: ClauseFact): number =>
  (isWarning(clause) ? 1000 : 0) + Math.min(breach?.judged.length ?? 999, 999)

const gateways = /nginx|envoy|cloudflare|awselb|haproxy|varnish|traefik|kong|apigee|gateway|istio/i

function ownerOf(clause: ClauseReport, report: Report): Group['owner'] {
  const seen = firstToSee(clause, report)
  if (seen && isOfGateway(seen, report)) return 'gateway'
  if (clause.id.startsWith('notify.')) return 'mail'
  return seen && asksForFile(seen, report) ? 'export' : 'service'
}

/** A page in place of an answer, or the name of a gateway that accepted answers do not bear. */
function isOfGateway(
  { status = 200, headers = {}, body = '' }: Exchange,
  { exchanges }: Report,
): boolean {
  const { server = '' } = headers
  const isUsual = exchanges.some((each) => each.status === 200 && each.headers?.server === server)
  return (
    status >= 400 && (/^\s*<(!doctype|html)/i.test(body) || (!isUsual && gateways.test(server)))
  )
}
