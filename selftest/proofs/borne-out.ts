// Whether the finding of each breach is borne out by the exchanges that the breach names.

import { distinct } from '../../engine/distinct.ts'
import type { Finding } from '../../engine/findings/finding.ts'
import type { MemberFinding } from '../../engine/findings/member.ts'
import { describeAnswer, type Head } from '../../engine/head.ts'
import { isObject } from '../../engine/http/answers.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { parsed } from '../../engine/parsed.ts'
import { numbersIn } from '../../engine/problem.ts'
import type { Breach, Report } from '../../engine/run/report.ts'
import { ifMatchOf } from '../../reporting/parts/evidence.ts'

/** Files and mails show these, and reports keep little of files. */
const ofTrail = /^(audit|notify|export)\./

type Evidence = Record<'judged' | 'before' | 'all', readonly Exchange[]>

function evidenceOf(breach: Breach, { exchanges }: Report): Evidence {
  const named = (numbers: readonly number[]) =>
    exchanges.filter(({ number }) => numbers.includes(number))
  return {
    judged: named(breach.judged),
    before: named(breach.before ?? []),
    all: named(numbersIn([breach])),
  }
}

/** What a finding says, and its exchanges do not show. */
function unborneBy(finding: Finding, evidence: Evidence): string[] {
  const { all } = evidence
  const answers = answersIn(finding).filter((answer) => !isAmong(all, answer))
  const isWhole = all.every(({ body, status = 0 }) => body !== undefined || status >= 300)
  const isOfBefore = finding.kind === 'member' && finding.isAsBefore
  const isOfRivals = finding.kind === 'winners'
  return [
    ...answers.map(describeAnswer),
    ...(isWhole ? unshownIn(finding, all) : []),
    ...(isOfBefore && !isAsBefore(evidence) ? ['what was there before'] : []),
    ...(isOfRivals && !hasRivals(all) ? ['another update with its If-Match'] : []),
  ]
}

/** The answers that it names. The value of a member may come from another that is like it. */
function answersIn(finding: Finding): Head[] {
  if (finding.kind === 'member' || !('of' in finding) || !finding.of) return []
  return 'shownBy' in finding ? [finding.of, finding.shownBy] : [finding.of]
}

const isAmong = (all: readonly Exchange[], { method, path, status }: Head): boolean =>
  all.some((each) => each.method === method && each.path === path && each.status === status)

/** The values that came, if none of the exchanges shows them. */
function unshownIn(finding: Finding, all: readonly Exchange[]): string[] {
  if (finding.kind === 'member') return unshownMember(finding, all)
  const written = all.map(unescaped).join()
  return valuesIn(finding).filter(
    (value) => typeof value === 'string' && !written.includes(unescaped(value).slice(1, -1)),
  ) as string[]
}

const unescaped = (value: unknown): string => JSON.stringify(value).replaceAll('\\', '')

/** The versions and comments that came. */
function valuesIn(finding: Finding): unknown[] {
  switch (finding.kind) {
    case 'effect':
      return valuesOfEffect(finding)
    case 'twins':
      return [finding.one, finding.other].flatMap(({ has = [] }) => has)
    case 'undone':
      return [finding.got]
    case 'winners':
      return [finding.ifMatch]
    default:
      return []
  }
}

function valuesOfEffect(finding: Extract<Finding, { kind: 'effect' }>): unknown[] {
  switch (finding.effect) {
    case 'changed':
      return [finding.after]
    case 'changed later':
      return [finding.comment]
    case 'changed another task':
      return [finding.before.updated_at, finding.after.updated_at]
    default:
      return []
  }
}

/** What a member is said to be, if none of the exchanges shows it. */
function unshownMember(finding: MemberFinding, all: readonly Exchange[]): string[] {
  const { member, got, bodies } = finding
  if (member === '' || bodies !== undefined) return []
  // The suite reads a type in any letter case.
  const textOf = (value: unknown) => JSON.stringify(value ?? null).toLowerCase()
  const isShown = all.some(({ body = '' }) => textOf(valueAt(parsed(body), member)) === textOf(got))
  return isShown ? [] : [`${member} ${JSON.stringify(got)}`]
}

const valueAt = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((value: unknown, name) => (isObject(value) ? value[name] : undefined), body)

const isAsBefore = ({ judged: [read], before }: Evidence): boolean =>
  read !== undefined && before.some((each) => assignmentIn(each) === assignmentIn(read))

const assignmentIn = ({ body = '' }: Exchange) => {
  const task = parsed(body)
  return JSON.stringify(isObject(task) ? task.assignment : undefined)
}

function hasRivals(exchanges: readonly Exchange[]): boolean {
  const updates = exchanges.filter(({ method }) => method === 'PUT')
  return updates.some((one) => updates.some((other) => areAlike(one, other)))
}

const areAlike = (one: Exchange, other: Exchange) =>
  one !== other && one.path === other.path && ifMatchOf(one) === ifMatchOf(other)

/** The sentences of two findings on one exchange that cannot both be true. */
export const disagreeingIn = ({ clauses }: Pick<Report, 'clauses'>): string[] =>
  distinct(clauses.flatMap(({ breaches = [] }) => disagreeingAmong(breaches)))

function disagreeingAmong(breaches: readonly Breach[]): string[] {
  const changed = breaches.filter(isChanged)
  return breaches
    .filter(isUnchanged)
    .flatMap((breach) =>
      changed
        .filter(({ judged }) => judged.some((number) => breach.judged.includes(number)))
        .map(({ sentence }) => `"${breach.sentence}" and "${sentence}" disagree`),
    )
}

const isUnchanged = ({ finding }: Breach): boolean =>
  finding?.kind === 'member' && finding.isAsBefore === true

const isChanged = ({ finding }: Breach): boolean =>
  finding?.kind === 'effect' && (finding.effect === 'changed' || finding.effect === 'changed later')

/** Findings of breaches that say more than their exchanges show, and those that disagree. */
export function unborneIn({ report }: { report?: Report | undefined }): string[] {
  if (!report) return []
  const judged = report.clauses.filter(({ id }) => !ofTrail.test(id))
  return [
    ...disagreeingIn(report),
    ...judged.flatMap(({ id, breaches = [] }) =>
      breaches.flatMap((breach) =>
        unborneOf(breach, report).map((what) => `${id} does not show ${what}: ${breach.sentence}`),
      ),
    ),
  ]
}

const unborneOf = (breach: Breach, report: Report): string[] =>
  breach.finding ? unborneBy(breach.finding, evidenceOf(breach, report)) : []
