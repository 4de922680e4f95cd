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
  /** `first`: the one that may be accepted; `too`: accepted with a used version */
  fate: 'first' | 'too' | 'refused' | 'unknown'
}

export type Race = {
  /** in sending order */
  writers: Writer[]
  /** in order of appearance */
  versions: string[]
  /** the first read after it, and its version */
  read?: { number: number; shows: string }
  headline: string
}

const mostWriters = 12

/**
 * The race that a breach judged: the updates of its task with the same If-Match as the first update that it
 * names. Undefined if there was no race: fewer than two updates, or one winner and no 409 in question.
 */
export function raceOf(
  { judged, control, expected }: Problem,
  report: Pick<Report, 'exchanges'>,
): Race | undefined {
  const updates = (numbers: readonly number[]) =>
    exchangesBy(numbers, report).filter(
      (each) => each.method === 'PUT' && ifMatchOf(each) !== undefined,
    )
  const [own, beside] = [updates(judged), updates(control)]
  const [key] = [...own, ...beside]
  if (!key) return undefined
  // A judged read is compared with simultaneous updates.
  const isNamed = (each: Exchange) => own.length === 0 && beside.includes(each)
  const isIn = (each: Exchange) =>
    each.method === 'PUT' &&
    each.path === key.path &&
    (ifMatchOf(each) === ifMatchOf(key) || isNamed(each))
  const writers = writersOf(report.exchanges.filter(isIn).slice(0, mostWriters))
  const accepted = acceptedOf(writers)
  const isAtStake = accepted.length > 1 || expected.includes('409')
  if (writers.length < 2 || !isAtStake) return undefined
  const read = readAfter(writers, key.path, report.exchanges)
  const all = [...writers.map(({ ifMatch }) => ifMatch), ...writers.map(({ made }) => made)]
  const versions = [...new Set(all.flatMap((version) => version ?? []))]
  return { writers, versions, ...(read && { read }), headline: headlineOf(writers, read) }
}

export const ifMatchOf = ({ requestHeaders }: Exchange): string | undefined =>
  requestHeaders['if-match']
const endOf = ({ start, milliseconds }: Exchange): number => Date.parse(start) + milliseconds

/** Of the updates accepted with a version, the one answered first may be. */
function writersOf(exchanges: readonly Exchange[]): Writer[] {
  const used = new Set<string | undefined>()
  const fates = new Map<number, Writer['fate']>()
  for (const each of exchanges.toSorted((a, b) => endOf(a) - endOf(b))) {
    const { number, status = 500 } = each
    const version = ifMatchOf(each)
    if (status < 300) {
      fates.set(number, used.has(version) ? 'too' : 'first')
      used.add(version)
    } else if (status < 500) fates.set(number, 'refused')
  }
  return exchanges
    .map((each) => ({
      number: each.number,
      from: Date.parse(each.start),
      to: endOf(each),
      ifMatch: ifMatchOf(each),
      status: each.status,
      made: versionIn(each),
      fate: fates.get(each.number) ?? 'unknown',
    }))
    .sort((a, b) => a.from - b.from || a.number - b.number)
}

/** The updated_at of a task in an accepted answer. */
function versionIn({ status = 0, body = '' }: Exchange): string | undefined {
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

const named = (writers: readonly Writer[]) => writers.map(({ number }) => `#${number}`).join(', ')

function headlineOf(writers: readonly Writer[], read: Race['read']): string {
  const accepted = acceptedOf(writers)
  const isOne = new Set(writers.map(({ ifMatch }) => ifMatch)).size === 1
  const count = `${accepted.length} of ${writers.length} updates${isOne ? ' with the same version' : ''} were accepted`
  if (accepted.length === 0)
    return 'No update was accepted, though its version was the current one.'
  if (accepted.length === 1) {
    const other = writers.find(({ fate, status }) => fate === 'refused' && status !== 409)
    return other ? `${count}; #${other.number} was answered ${other.status}, not 409.` : `${count}.`
  }
  const kept = read && accepted.find(({ made }) => made === read.shows)
  if (!isOne) return `${count}.`
  const lost = accepted.filter((each) => each !== kept)
  if (!kept) return `${count}: one can last, and the others are lost.`
  if (lost.every(({ to }) => to <= kept.from))
    return `${count}. ${named([kept])} overwrote what ${named(lost)} wrote, though its version was outdated.`
  return `${count}. ${named([kept])} lasted; what ${named(lost)} wrote is lost.`
}
