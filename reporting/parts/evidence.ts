import { isRejectionDue } from '../../engine/findings/status.ts'
import { isObject } from '../../engine/http/answers.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { parsed } from '../../engine/parsed.ts'
import type { Breach, ClauseReport, Report, Role } from '../../engine/run/report.ts'
import { curlOf } from './curl.ts'
import { cut, present } from './texts.ts'

/** A cache: each line of a report looks up exchanges by number. */
const numbered = new WeakMap<readonly Exchange[], Map<number, Exchange>>()

export function exchangeBy(number: number, { exchanges }: Pick<Report, 'exchanges'>) {
  const known = numbered.get(exchanges) ?? new Map(exchanges.map((each) => [each.number, each]))
  numbered.set(exchanges, known)
  return known.get(number)
}

export const exchangesBy = (numbers: readonly number[], report: Pick<Report, 'exchanges'>) =>
  numbers.flatMap((number) => exchangeBy(number, report) ?? [])

/** The exchanges of a clause in request order; a control stands beside what was judged. */
export const evidenceOf = ({ evidence }: ClauseReport, report: Report) =>
  evidence.flatMap(({ exchange: number, role }) => {
    const exchange = exchangeBy(number, report)
    return exchange ? [{ role: role === 'control' ? 'beside' : role, exchange }] : []
  })

const mostTold = 3

/** The answers to other queries whose bytes a judged file has. */
export const equalAnswersIn = ({ breaches = [] }: Pick<ClauseReport, 'breaches'>): number[] =>
  breaches.flatMap(({ finding }) =>
    finding?.why?.is === 'given before' ? finding.why.exchange : [],
  )

/** What a verdict depends on, as "judged by #12, #31, #40 and 4 more, beside #11, after #10". */
export function toldEvidence(clause: ClauseReport): string {
  const { evidence, judgedBy } = clause
  const told = (role: Role, word: string, count?: number) => {
    const own = evidence.flatMap((each) => (each.role === role ? `#${each.exchange}` : []))
    const left = (count ?? own.length) - mostTold
    const shown = `${word} ${own.slice(0, mostTold).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
    return own.length > 0 ? [shown] : []
  }
  const besides = [...told('control', 'beside'), ...told('before', 'after')]
  const [equal] = equalAnswersIn(clause)
  const bytes = equal === undefined ? [] : [`with the bytes of #${equal}`]
  return [...told('judged', 'judged by', judgedBy), ...besides, ...bytes].join(', ')
}

/** The numbers of what was judged, what the first breach judged first. */
export function judgedIn({ breaches = [], evidence }: ClauseReport): number[] {
  const judged = evidence.filter(({ role }) => role === 'judged').map(({ exchange }) => exchange)
  return [...new Set([...breaches.flatMap((each) => each.judged), ...judged])]
}

/** The exchange to look at first: the first judged, or the one with trouble that left the clause undecided. */
export function firstToSee(clause: ClauseReport, report: Report): Exchange | undefined {
  const [number] = judgedIn(clause)
  if (number !== undefined) return exchangeBy(number, report)
  if (clause.verdict !== 'inconclusive') return undefined
  return evidenceOf(clause, report).findLast(({ exchange }) => exchange.trouble)?.exchange
}

/** On one line. */
export function curlLine(clause: ClauseReport, report: Report): string | undefined {
  const exchange = firstToSee(clause, report)
  return exchange && curlOf(exchange, report).replaceAll(' \\\n  ', ' ')
}

export const cameOf = ({ status, milliseconds, attempt, trouble }: Exchange): string =>
  present([
    `${status ?? 'no answer'} in ${Math.round(milliseconds)} ms`,
    attempt > 1 && `attempt ${attempt}`,
    trouble && cut(trouble, 200),
  ]).join(', ')

export const exchangeLine = (exchange: Exchange): string =>
  `${exchange.method} ${exchange.path} → ${cameOf(exchange)}`

export const ifMatchOf = ({ requestHeaders }: Exchange): string | undefined =>
  Object.entries(requestHeaders).find(([name]) => /^if-match$/i.test(name))?.[1]

/** The updated_at of a task in an accepted answer. */
export function versionIn({ status = 0, body = '' }: Exchange): string | undefined {
  const task = status < 300 ? parsed(body) : undefined
  return isObject(task) && typeof task.updated_at === 'string' ? task.updated_at : undefined
}

/** Where a refused request differs from its control: by the law, or else by the exchanges. */
export function differsOf(breach: Breach, report: Report): string[] | undefined {
  if (breach.differs) return breach.differs
  const [judged] = exchangesBy(breach.judged, report)
  const control = exchangesBy(breach.control, report).find(
    ({ method }) => method === judged?.method,
  )
  return judged && control && isRejectionDue(breach.again?.due)
    ? placesOf(judged, control)
    : undefined
}

/** The places in which two requests differ, such as "header apikey" or "query range_start". */
export function placesOf(one: Exchange, other: Exchange): string[] {
  const [a, b] = [partsOf(one), partsOf(other)]
  const names = new Set([...a.keys(), ...b.keys()])
  return [...names].filter((name) => a.get(name) !== b.get(name))
}

/** The parts of a request by place. metadata is one parameter, so the key of metadata[key] belongs to its value. */
function partsOf({ method, base = '', path, requestHeaders, requestBody }: Exchange) {
  const [resource = '', query = ''] = path.split(/\?(.*)/s)
  const parts = new Map([
    ['method', method],
    ['address', base],
    ['path', resource],
  ])
  const add = (place: string, value: string) =>
    parts.set(place, `${parts.get(place) ?? ''}&${value}`)
  for (const pair of query.split('&').filter(Boolean)) {
    const [, name = '', rest = ''] = /^([^=[%]*)(.*)$/s.exec(pair) ?? []
    add(`query ${name}`, rest)
  }
  for (const [name, value] of Object.entries(requestHeaders))
    if (name !== 'traceparent') parts.set(`header ${name}`, value)
  const walk = (value: unknown, place: string) => {
    if (!isObject(value)) return add(place, JSON.stringify(value))
    for (const [name, member] of Object.entries(value)) walk(member, `${place} ${name}`)
  }
  if (requestBody !== undefined) walk(parsed(requestBody) ?? requestBody, 'body')
  return parts
}
