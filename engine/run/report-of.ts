import { createHash } from 'node:crypto'
import type { Kinds } from '../findings/finding.ts'
import { matchesAny } from '../glob.ts'
import { isObject } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import { parsed } from '../parsed.ts'
import { numbersIn, type Problem } from '../problem.ts'
import { chance } from '../time/timers.ts'
import {
  type Area,
  type Outcome,
  runVerdictOf,
  type Verdict,
  verdictOf,
  type WhyUndecided,
} from '../verdict.ts'
import { type Contract, type Operations, titleOf } from './contract.ts'
import { withEqualAnswers } from './equal-answers.ts'
import { metOfOthers, settleReferences, withMet } from './graph.ts'
import { reasonOf, worded } from './in-words.ts'
import { reasonsOfClauses } from './reach.ts'
import {
  type ClauseReport,
  countsOf,
  describeOwed,
  describeReason,
  type Evidence,
  isCounted,
  isOwed,
  type MadeBy,
  type Met,
  type MetHere,
  type Reason,
  type Report,
  type Role,
} from './report.ts'
import type { Judged } from './run-clauses.ts'
import { type Waived, waive } from './waive.ts'

export type RunResult = {
  judged: Judged[]
  met?: MetHere[]
  areas?: Area[]
  errors: string[]
  /** left out if the clauses of unloaded suites are unknown */
  declared?: string[]
  contract: Pick<Contract, 'operations' | 'statuses' | 'findings' | 'placeAt'>
  settings: Reported
  order: { require: string[]; waived: Waived[] }
  asOf?: string
  selection?: string
  reasons: Reason[]
  endedEarly?: true
  notices: string[]
  details?: string[]
  restored: number
  residue: Report['residue']
  startedAt: Date
  durationMs: number
  requests: number
  madeBy: MadeBy
  revision?: string
  interrupted: boolean
}

type Reported = {
  baseUrl: string
  embedded: boolean
  seed: number
  strict: boolean
  readOnly?: boolean
  bodies: 'none' | 'failed' | 'all'
  given?: Record<string, string | null>
  files?: Record<string, string[]>
}

export function reportOf(found: RunResult): Report {
  const { settings, errors, order, startedAt } = found
  // After an error the clauses of unloaded suites are unknown.
  const declared = errors.length > 0 ? undefined : found.declared
  const met = found.met ?? []
  const all = allIn(found.judged, met)
  const ran = withEqualAnswers(withMet(found.judged, met), { all, contract: found.contract })
  const reports = ran.map((each) => clauseReport(each, found, all))
  const judged = settleReferences(reports)
  const { clauses, stale, notices } = waive(judged, order.waived, { declared, now: startedAt })
  const counted = clauses.filter(isCounted)
  const unmet = counted
    .filter(({ id, verdict }) => verdict === 'skip' && matchesAny(id, order.require))
    .map(({ id, reason }) => ({
      fact: `${id} is required and was skipped`,
      details: `: ${reason}`,
    }))
  const { areas = [] } = found
  const reasons = reasonsIn(found, { clauses: counted, areas, stale, unmet })
  const others = metOfOthers(met, new Set(clauses.map(({ id }) => id)))
  return {
    reportVersion: 2,
    run: chance.uuid(),
    clausesSha256: digestOfClauses(clauses),
    ...found.madeBy,
    target: {
      baseUrl: settings.baseUrl,
      embedded: settings.embedded,
      ...(found.revision === undefined ? {} : { revision: found.revision }),
    },
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(found.durationMs),
    requests: found.requests,
    seed: settings.seed,
    ...(settings.strict ? { strict: true } : {}),
    ...(settings.readOnly ? { readOnly: true } : {}),
    ...(settings.given ? { settings: settings.given } : {}),
    ...(settings.files ? { settingsFiles: settings.files } : {}),
    verdict: verdictDespite(found, { clauses: counted, areas, stale, unmet }),
    ...(found.interrupted ? { interrupted: true } : {}),
    ...(found.selection === undefined ? {} : { selection: found.selection }),
    reasons: reasons.map(describeReason),
    ...(reasons[0] ? { shortReason: reasons[0].fact } : {}),
    ...(found.endedEarly ? { endedEarly: true } : {}),
    notices: [...found.notices, ...notices],
    ...(found.details?.length ? { details: found.details } : {}),
    restored: found.restored,
    residue: found.residue,
    counts: countsOf(counted),
    exchanges: exchangesOf(ran, others, { all, settings }),
    clauses,
    areas,
    operations: rowsOf(found.contract),
    statuses: found.contract.statuses,
    ...(others.length > 0 ? { met: metInWords(others, found.contract.findings) } : {}),
  }
}

const rowsOf = ({ operations }: Pick<Contract, 'operations'>): Operations =>
  Object.fromEntries(
    Object.entries(operations).map(([operation, { title, method, path, file }]) => [
      operation,
      { title, method, path, ...(file ? { file } : {}) },
    ]),
  )

const metInWords = (met: readonly MetHere[], kinds: Kinds): Met[] =>
  met.map(({ exchanges: _, ...breach }) => worded(breach, kinds))

const digestOfClauses = (clauses: readonly ClauseReport[]): string =>
  createHash('sha256')
    .update(JSON.stringify(clauses.map(({ id, level, statement }) => [id, level, statement])))
    .digest('hex')

type Ended = {
  clauses: ClauseReport[]
  areas: Area[]
  stale: readonly Reason[]
  unmet: readonly Reason[]
}

function reasonsIn(
  { errors, reasons, residue }: RunResult,
  { clauses, areas, stale, unmet }: Ended,
): Reason[] {
  return [
    ...stale,
    ...unmet,
    ...errors.map((error) => ({ fact: 'the runner reported an error', details: `: ${error}` })),
    ...reasons,
    ...describeOwed(residue).map((fact) => ({ fact })),
    ...reasonsOfClauses(clauses, areas),
  ]
}

/** A failure ranks above a skipped required clause, and that above inconclusive. */
function verdictDespite(
  { errors, reasons, residue }: RunResult,
  { clauses, areas, stale, unmet }: Ended,
): Report['verdict'] {
  const verdict = runVerdictOf(clauses, areas)
  if (verdict === 'nonconformant' || stale.length > 0) return 'nonconformant'
  if (unmet.length > 0) return 'incomplete'
  const isWhole = errors.length === 0 && reasons.length === 0 && !residue.some(isOwed)
  return isWhole ? verdict : 'inconclusive'
}

function clauseReport(
  judged: Judged,
  { settings, contract, asOf }: RunResult,
  all: ReadonlyMap<number, Exchange>,
): ClauseReport {
  const { facts, outcome, evidence, rests, note } = judged
  const verdict = verdictOf(facts.level, outcome, settings.strict)
  // Other clauses judge what an observing clause meets.
  const broken = outcome.kind === 'broken' && facts.level !== 'observe' ? outcome.breaches : []
  const breaches = broken.map((each) => worded(knownIn(all, each), contract.findings))
  return {
    id: facts.id,
    level: facts.level,
    statement: facts.statement,
    section: facts.section,
    operation: titleOf(contract, facts),
    ...(facts.reading === undefined ? {} : { reading: facts.reading }),
    ...(facts.varies === undefined ? {} : { varies: facts.varies }),
    verdict,
    ...(isNewer(facts.since, asOf) ? { newerThan: asOf } : {}),
    ...(note === undefined ? {} : { note }),
    ...reasonIn(outcome, contract.findings),
    ...causeOf(outcome, verdict),
    ...(outcome.kind === 'held' && facts.level === 'observe'
      ? { observed: outcome.observed ?? null }
      : {}),
    durationMs: Math.round(timeOf(evidence) * 10) / 10,
    ...(judged.tookMs === undefined ? {} : { tookMs: Math.round(judged.tookMs) }),
    ...(breaches.length > 0 ? { breaches } : {}),
    ...(breaches.length > 0 && outcome.kind === 'broken' && outcome.more
      ? { more: outcome.more }
      : {}),
    evidence: evidenceOf(
      evidence,
      breaches.length > 0 || !rests ? breaches : [knownIn(all, rests)],
    ),
    ...(rests && rests.judgedBy > rests.judged.length ? { judgedBy: rests.judgedBy } : {}),
  }
}

function reasonIn(outcome: Outcome, kinds: Kinds): { reason?: string } {
  if (outcome.kind === 'held') return {}
  return { reason: outcome.kind === 'broken' ? reasonOf(outcome, kinds) : outcome.reason }
}

const isNewer = (since = '', asOf = since): boolean =>
  since.localeCompare(asOf, 'en', { numeric: true }) > 0

/** An exchange in no evidence, such as an update between two clauses, cannot be shown. */
function knownIn<Named extends Roles>(all: ReadonlyMap<number, Exchange>, named: Named): Named {
  const known = (numbers: readonly number[]) => numbers.filter((number) => all.has(number))
  const { judged, control, before } = named
  return {
    ...named,
    judged: known(judged),
    control: known(control),
    ...(before ? { before: known(before) } : {}),
  }
}

type Roles = Pick<Problem, 'judged' | 'control' | 'before'>

type Caused = Partial<WhyUndecided> & Pick<ClauseReport, 'ownError' | 'otherWriter'>

/** Other clauses judge what broke in an observing clause: here it only hides a value. */
function causeOf(outcome: Outcome, verdict: Verdict): Caused {
  if (outcome.kind === 'undecided') {
    const { kind: _, reason: __, ...why } = outcome
    return why
  }
  if (outcome.kind === 'error') return { ownError: true }
  if (outcome.kind === 'trouble') return outcome.otherWriter ? { otherWriter: true } : {}
  return verdict === 'skip' ? { cause: 'data' } : {}
}

function allIn(judged: readonly Judged[], met: readonly MetHere[]): Map<number, Exchange> {
  const exchanges = [
    ...judged.map(({ evidence }) => evidence),
    ...met.map((each) => each.exchanges),
  ]
  return new Map(exchanges.flat().map(({ putBack: _, ...each }) => [each.number, each]))
}

/** What is judged anywhere is judged. */
function evidenceOf(own: readonly Exchange[], named: readonly Roles[]): Evidence[] {
  const byNumber = new Map<number, Role>(
    own.map(({ number, putBack }) => [number, putBack ? 'put-back' : 'set-up']),
  )
  for (const role of ['before', 'control', 'judged'] as const)
    for (const { [role]: numbers = [] } of named)
      for (const each of numbers) byNumber.set(each, role)
  return [...byNumber]
    .map(([exchange, role]) => ({ exchange, role }))
    .sort((a, b) => a.exchange - b.exchange)
}

type ExchangeSources = {
  all: ReadonlyMap<number, Exchange>
  settings: { bodies: 'none' | 'failed' | 'all'; strict: boolean }
}

function exchangesOf(
  judged: readonly Judged[],
  met: readonly MetHere[],
  { all, settings: { bodies, strict } }: ExchangeSources,
): Exchange[] {
  const [named, proving, whole] = [new Set<number>(), new Set<number>(), new Set<number>()]
  const note = (numbers: readonly number[], ...places: Set<number>[]) => {
    for (const place of [named, ...places]) for (const number of numbers) place.add(number)
  }
  for (const { facts, outcome, evidence, rests } of judged) {
    const verdict = verdictOf(facts.level, outcome, strict)
    const isGreen = verdict === 'pass' || verdict === 'observed' || verdict === 'skip'
    const breaches = outcome.kind === 'broken' ? outcome.breaches : []
    const numbers = [...evidence.map(({ number }) => number), ...numbersIn(breaches)]
    note(numbers, ...(isGreen ? [] : [whole]))
    if (rests) note(numbersIn([rests]), proving)
    // To repeat what was judged, keep the exchange before it too, of any clause, if the breach names none.
    if (bodies !== 'none' && !isGreen)
      for (const { judged: own, before } of breaches) if (!before) note(lastBefore(own, all), whole)
  }
  note(numbersIn(met), whole)
  const isKept = (exchange: Exchange) => {
    const { number } = exchange
    if (bodies === 'none') return false
    return bodies === 'all' || whole.has(number) || (proving.has(number) && isSmallJson(exchange))
  }
  return [...named]
    .sort((a, b) => a - b)
    .flatMap((number) => all.get(number) ?? [])
    .map((exchange) => (isKept(exchange) ? exchange : withoutBodies(exchange)))
}

const mostOfPass = 2048

/** Files hold personal data: no body of another kind is kept for a pass. */
const isSmallJson = ({ body = '', requestBody = '' }: Exchange) =>
  Math.max(body.length, requestBody.length) <= mostOfPass &&
  (body.trim() === '' || isObject(parsed(body)))

function lastBefore([first]: readonly number[], all: ReadonlyMap<number, Exchange>): number[] {
  const judged = all.get(first ?? 0)
  if (!judged) return []
  return [...all.values()]
    .filter(
      ({ number, path, status = 0 }) =>
        number < judged.number && status < 300 && isWithin(judged.path, path),
    )
    .map(({ number }) => number)
    .sort((a, b) => a - b)
    .slice(-1)
}

const isWithin = (path: string, other: string) =>
  path === other || path.startsWith(`${other}/`) || other.startsWith(`${path}/`)

const withoutBodies = ({ body: _, requestBody: __, ...rest }: Exchange): Exchange => rest

/** Simultaneous exchanges count once: waiting in line says nothing of the service. */
function timeOf(evidence: readonly Exchange[]): number {
  const spans = evidence.map(({ start, milliseconds }) => {
    const from = Date.parse(start)
    return { from, to: from + milliseconds }
  })
  let sum = 0
  let until = Number.NEGATIVE_INFINITY
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return sum
}
