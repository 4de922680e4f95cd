import type { MemberFinding } from '../../engine/findings/member.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import {
  asksForFile,
  type Breach,
  type ClauseReport,
  type Report,
  toldVerdict,
} from '../../engine/run/report.ts'
import type { Symptom } from './causes/cause.ts'
import { firstToSee } from './evidence.ts'
import { kindOf, symptomsOf, titleOf } from './symptom.ts'

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

type Broken = { clause: ClauseReport; symptoms: Symptom[] }

/**
 * Groups broken clauses by the symptoms of their breaches. What is grave comes first, even if it only
 * warns; then failures before warnings, and large groups before small ones.
 */
export function groupsOf(report: Report): Group[] {
  let groups: Broken[][] = []
  for (const clause of report.clauses.filter(isBreach)) {
    const symptoms = (clause.breaches ?? []).flatMap((each) => symptomsOf(each, clause, report))
    const one = { clause, symptoms }
    const same = groups.filter((group) => group.some((other) => isOneCause(one, other)))
    groups = [...groups.filter((group) => !same.includes(group)), [...same.flat(), one]]
  }
  return groups
    .map((group) => group.toSorted((a, b) => rankOf(a) - rankOf(b)))
    .toSorted(
      (a, b) => gravityOf(a) - gravityOf(b) || mustsOf(b) - mustsOf(a) || b.length - a.length,
    )
    .map((group) => groupOf(group, report))
}

function groupOf(group: Broken[], report: Report): Group {
  const [{ clause, symptoms }] = group as [Broken]
  const breaches = group.flatMap((each) => each.clause.breaches ?? [])
  const kinds = [...new Set(breaches.map((each) => kindOf(each, report)))].filter(Boolean)
  const more = kinds.length > 2 ? ` and ${kinds.length - 2} more` : ''
  return {
    title: (group.length > 1 && symptoms.find((each) => each.title)?.title) || titleOf(clause),
    where: `${kinds.slice(0, 2).join(', ') || clause.operation}${more}`,
    owner: ownerOf(clause, report),
    ...(report.baseline && { since: firstOf(group, report.baseline.since) }),
    verdict: toldVerdict(clause) as Group['verdict'],
    musts: mustsOf(group),
    clauses: group.map((each) => each.clause.id) as Group['clauses'],
  }
}

const firstOf = (group: readonly Broken[], since: Record<string, string>) =>
  group.flatMap(({ clause }) => since[clause.id] ?? []).sort()[0] ?? 'new'

const mustsOf = (group: readonly Broken[]) =>
  group.filter(({ clause }) => clause.level === 'must').length

const isWarning = ({ clause }: Broken) => toldVerdict(clause) === 'warn'

const gravityOf = (group: readonly Broken[]) =>
  (group.some(({ symptoms }) => symptoms.some(({ isGrave }) => isGrave)) ? 0 : 2) +
  (group.every(isWarning) ? 1 : 0)

/** A must before a should, and a judgement of one answer before a comparison of many. */
const rankOf = (broken: Broken) =>
  (isWarning(broken) ? 1000 : 0) +
  Math.min(...(broken.clause.breaches ?? []).map(({ judged }) => judged.length), 999)

const isOneCause = (one: Broken, other: Broken): boolean =>
  one.symptoms.some(({ key }) => other.symptoms.some((each) => each.key === key)) ||
  (one.clause.breaches ?? []).some((a) =>
    (other.clause.breaches ?? []).some((b) => isOneFact(a, b)),
  )

const bare = (value: string) => value.replace(/^"|"$/g, '').toLowerCase()

/** Two clauses find the same in one exchange. */
function isOneFact(a: Breach, b: Breach): boolean {
  if (!a.judged.some((number) => b.judged.includes(number))) return false
  if (a.finding?.kind === 'member' && b.finding?.kind === 'member')
    return isOneMember(a.finding, b.finding)
  if (a.finding?.kind === 'status' && b.finding?.kind === 'status')
    return a.finding.of.status === b.finding.of.status
  return isPart(bare(a.got), bare(b.got))
}

/** What one body lacks is left out together. */
const isOneMember = (one: MemberFinding, other: MemberFinding): boolean =>
  isWithin(one.member, other.member) ||
  isWithin(other.member, one.member) ||
  (one.got === undefined && other.got === undefined)

const isWithin = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}.`)

const isPart = (one: string, other: string): boolean =>
  one !== '' && other !== '' && (one.includes(other) || other.includes(one))

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
