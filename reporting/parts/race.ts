import { isObject } from '../../engine/http/answers.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { parsed } from '../../engine/parsed.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Report } from '../../engine/run/report.ts'
import { exchangesBy } from './evidence.ts'

/** An update of a race: when it was under way, with which version, and its result. */
export type Writer = {
  number: number
  from: number
  to: number
  ifMatch: string | undefined
  status: number | undefined
  /** the updated_at in its answer */
  made: string | undefined
  /** `first`: the one that may be accepted; `too`: accepted besides */
  fate: 'first' | 'too' | 'refused' | 'unknown'
}

export type Race = {
  writers: Writer[]
  /** the one that they were sent with, then those that they made */
  versions: string[]
  /** the first read after it, and its version */
  read?: { number: number; shows: string }
  headline: string
}

const mostWriters = 12

/**
 * The race that a breach judged: the updates of its task that were under way together with one If-Match.
 * Undefined if there was none: updates that followed one another are not a race, nor is one winner with no 409 in
 * question.
 */
export function raceOf(
  { judged, expected }: Problem,
  report: Pick<Report, 'exchanges'>,
): Race | undefined {
  const all = exchangesBy(judged, report)
  const key = all.find((each) => each.method === 'PUT' && ifMatchOf(each) !== undefined)
  if (!key) return undefined
  const isAlike = (each: Exchange) =>
    each.method === 'PUT' && each.path === key.path && ifMatchOf(each) === ifMatchOf(key)
  const together = groupsOf(report.exchanges.filter(isAlike)).find((each) => each.includes(key))
  const areIn = all.filter(isAlike).every((each) => together?.includes(each))
  const writers = writersOf(together?.slice(0, mostWriters) ?? [])
  const isAtStake = expected.includes('409')
  if (writers.length < 2 || !areIn || !isAtStake) return undefined
  const read = readAfter(writers, key.path, report.exchanges)
  const made = writers.map((each) => each.made)
  const versions = [...new Set([ifMatchOf(key), ...made].flatMap((version) => version ?? []))]
  return { writers, versions, ...(read && { read }), headline: headlineOf(writers, read) }
}

/** In sending order, divided where nothing was under way, but for the millisecond that clocks are rounded by. */
function groupsOf(updates: readonly Exchange[]): Exchange[][] {
  const groups: Exchange[][] = []
  for (const each of updates.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start))) {
    const last = groups.at(-1)
    const start = Date.parse(each.start)
    if (last?.some((other) => start + 1 < endOf(other) || each.start === other.start))
      last.push(each)
    else groups.push([each])
  }
  return groups
}

export const ifMatchOf = ({ requestHeaders }: Exchange): string | undefined =>
  Object.entries(requestHeaders).find(([name]) => /^if-match$/i.test(name))?.[1]
const endOf = ({ start, milliseconds }: Exchange): number => Date.parse(start) + milliseconds

/** Of the accepted updates, the one answered first may be. */
function writersOf(exchanges: readonly Exchange[]): Writer[] {
  const fates = new Map<number, Writer['fate']>()
  for (const each of exchanges.toSorted((a, b) => endOf(a) - endOf(b))) {
    const { number, status = 500 } = each
    const isFirst = ![...fates.values()].includes('first')
    if (status < 300) fates.set(number, isFirst ? 'first' : 'too')
    else if (status < 500) fates.set(number, 'refused')
  }
  return exchanges.map((each) => ({
    number: each.number,
    from: Date.parse(each.start),
    to: endOf(each),
    ifMatch: ifMatchOf(each),
    status: each.status,
    made: versionIn(each),
    fate: fates.get(each.number) ?? 'unknown',
  }))
}

/** The updated_at of a task in an accepted answer. */
export function versionIn({ status = 0, body = '' }: Exchange): string | undefined {
  const task = status < 300 ? parsed(body) : undefined
  return isObject(task) && typeof task.updated_at === 'string' ? task.updated_at : undefined
}

/** The task after the race: the first read that begins after all writers and before another update. */
function readAfter(writers: readonly Writer[], path: string, exchanges: readonly Exchange[]) {
  const last = Math.max(...writers.map(({ to }) => to))
  const task = path.replace(/\/update-assignment.*$/s, '')
  const next = exchanges.find(
    (each) => Date.parse(each.start) >= last && (each.path === task || each.path === path),
  )
  const shows = next && next.method === 'GET' ? versionIn(next) : undefined
  return next && shows !== undefined ? { number: next.number, shows } : undefined
}

const acceptedOf = (writers: readonly Writer[]) =>
  writers.filter(({ fate }) => fate === 'first' || fate === 'too')

function headlineOf(writers: readonly Writer[], read: Race['read']): string {
  const accepted = acceptedOf(writers)
  const of = `${writers.length} simultaneous updates with the same version`
  if (accepted.length === 0) return `None of ${of} was accepted.`
  const count = `${accepted.length} of ${of} ${accepted.length === 1 ? 'was' : 'were'} accepted`
  const other = writers.find(({ fate, status }) => fate === 'refused' && status !== 409)
  if (accepted.length === 1)
    return other
      ? `${count}; the response to #${other.number} is ${other.status}, not 409.`
      : `${count}.`
  const kept = read && accepted.find(({ made }) => made === read.shows)
  if (!kept) return `${count}; 409 was expected for all but one update.`
  const others = accepted.flatMap((each) => (each === kept ? [] : `#${each.number}`)).join(', ')
  return `${count}. #${read.number} shows the version of #${kept.number}, not of ${others}.`
}
