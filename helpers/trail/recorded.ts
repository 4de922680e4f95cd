// Counts the events that the export shows of this run's changes, task by task, and checks their times.

import { distinct } from '../../engine/distinct.ts'
import type { CsvReading } from '../../engine/files/csv.ts'
import {
  dateIn,
  dayMs,
  hour,
  instantAt,
  instantOf,
  isoOf,
  type Order,
  second,
} from '../../engine/files/dates.ts'
import { intersection, multisetOf, sizeOf } from '../../engine/files/multiset.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { type PollLimits, poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import { type Exports, needCsv } from '../export/ask/exports.ts'
import type { Query } from '../export/ask/query.ts'
import { lineForm } from '../export/learn/dated-rows.ts'
import { unlessUndecided } from '../export/learn/ranges.ts'
import { farFuture, noEvents } from '../export/learn/spans.ts'
import { changesOf, type Ledger } from '../history/accepted-updates.ts'
import type { History } from '../history/history.ts'
import { premise } from '../service/answers.ts'
import type { Ahead } from '../service/clock.ts'
import type { Settings } from '../settings/table.ts'
import { lateMsOf, needTask, type Trail } from './sequence-events.ts'

/** Clocks are read to the second, and one that is slightly behind counts as ours. */
export const slackMs = 10_000
const noTask = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
/** Why no script shows that an event is missing. */
export const late = { why: 'updates have to be made first, and their events come some time later' }

export type RecordedDeps = {
  exports: Exports
  ledger: Ledger
  /** a task whose updates the export is known to show */
  control: string
  /** how long the last event of that task may take, judged by its others */
  lateMs: number
  limitMs: number
  stop: AbortSignal
}

export type CountedFile = { count: number; records: CsvReading['records'] }

export type TrailEvents = {
  changes: ReadonlyMap<string, number>
  files: ReadonlyMap<string, CountedFile>
  /** the start, by the service's clock */
  start: string
}

type Recording = {
  trail: Trail
  ledger: Ledger
  exports: Exports
  settings: Pick<Settings, 'auditWaitS'>
  session: { stop: AbortSignal }
}

/** The inputs for the events of all changes, given the events of a sequence. */
export const askedOf = (
  { trail, ledger, session, settings, exports }: Recording,
  inner = exports,
): RecordedDeps => ({
  exports: inner,
  ledger,
  control: needTask(trail),
  lateMs: lateMsOf(trail, settings),
  limitMs: settings.auditWaitS * 1000,
  stop: session.stop,
})

/** Judges what is known; if that is not settled, looks again, because events may still come. */
export async function settled<T>(
  judge: () => T,
  look: (last: T) => Promise<void>,
  isSettled: (found: T) => boolean,
  limits: PollLimits,
): Promise<T> {
  let last = judge()
  if (isSettled(last)) return last
  const lookAgain = async () => {
    await look(last)
    last = judge()
    return last
  }
  await poll(lookAgain, isSettled, limits)
  return last
}

/** Counts the events of a task within a range, by default since this run began. */
export async function openCount({ exports, ledger }: Pick<RecordedDeps, 'exports' | 'ledger'>) {
  const changes = changesOf(ledger)
  const [first] = ledger.updates
  if (changes.size === 0 || !first) throw new NotDecidable('data', 'no assignment was changed')
  const ahead = exports.times().map((time) => time - clock.date())
  const timeOf = (at: number) => new Date(at).toISOString()
  let asked = first.at + Math.min(...ahead) - slackMs
  const start = timeOf(asked)
  /** A file may be kept for some seconds under its whole query. */
  const anew = () => timeOf(asked++)
  const untilNow = () => timeOf(clock.date() + Math.max(...ahead) + slackMs)
  /**
   * Files without events, to learn the other lines of a file. First those of an unknown task; if the
   * service does not filter by task, ranges long ago and in the future.
   */
  const emptyOf = async (range: Query) => {
    const ofNobody = { metadata: { task_id: noTask } }
    const toCome = range.end === undefined ? [{ start: farFuture(exports) }] : []
    const ofUnknown = [range, noEvents].map((each) => ({ ...each, ...ofNobody }))
    for (const some of [ofUnknown, toCome]) {
      const found = await Promise.all(some.map((query) => exports.csv(query)))
      const accepted = found.filter(({ answer }) => isAccepted(answer))
      if (accepted.length > 0) return accepted
    }
    return [await exports.csv(noEvents)]
  }
  const countOf = async (task: string, range?: Query): Promise<CountedFile> => {
    const files = await emptyOf(range ?? { start })
    const query = range ?? { start: anew() }
    const { records } = await exports.fresh.csvFile({ ...query, metadata: { task_id: task } })
    const lines = files.map((each) => linesInCommon(needCsv(each).records, records, task))
    return { count: records.length - Math.min(...lines), records }
  }
  return { changes, start, anew, untilNow, countOf }
}

/** How many lines of a file are not events: those that a file without events has, for any task. */
function linesInCommon(
  empty: readonly string[][],
  found: readonly string[][],
  task: string,
): number {
  const formOf = (row: string[]) => lineForm(row.map((cell) => cell.replaceAll(noTask, task)))
  const formsOf = (rows: readonly string[][]) =>
    multisetOf(
      rows.map((row) => [formOf(row)]),
      [0],
    )
  return sizeOf(intersection(formsOf(empty), formsOf(found)))
}

/** Counts the events of every changed task until no task has fewer events than changes. */
export const record = (given: Recording): Promise<TrailEvents> =>
  given.exports.once('events of all changes', (inner) => fetchRecorded(askedOf(given, inner)))

async function fetchRecorded(asked: RecordedDeps): Promise<TrailEvents> {
  const { control, lateMs, limitMs, stop } = asked
  const { changes, start, countOf } = await openCount(asked)
  const files = new Map<string, CountedFile>()
  const short = async (tasks: readonly string[]) => {
    const counted = tasks.map(async (task) => [task, await countOf(task)] as const)
    for (const [task, file] of await Promise.all(counted)) files.set(task, file)
    return tasks.filter((task) => !isWhole({ changes, files }, task))
  }
  const isNone = (tasks: readonly string[]) => tasks.length === 0
  const atFirst = { limitMs: lateMs, stop, firstMs: 100 }
  const { met } = await poll(() => short([control]), isNone, atFirst)
  if (!met) throw new NotDecidable('clause', `too few events since ${start}`, 'audit.time')
  let left = [...changes.keys()]
  const look = async () => {
    left = await short(left)
    return left
  }
  await poll(look, isNone, { limitMs, stop, firstMs: 100, askLate: true })
  return { changes, files, start }
}

export const isWhole = ({ changes, files }: Omit<TrailEvents, 'start'>, task: string): boolean =>
  (files.get(task)?.count ?? 0) >= (changes.get(task) ?? 0)

export function problemsOfCount(recorded: TrailEvents, ledger: Ledger, task: string): Problem[] {
  if (isWhole(recorded, task)) return []
  const { changes, files, start } = recorded
  const [wanted, counted] = [changes.get(task), files.get(task)]
  const sentence = `task ${task}: ${wanted} changes, and ${counted?.count} events since ${start}`
  const seen = { expected: `${wanted} events`, got: `${counted?.count} events` }
  const control = ledger.updates.filter((update) => update.task === task)
  return [problem(sentence, { ...seen, judged: counted?.records, control, again: late })]
}

/** Whether the events of a task lie between just before its first update and now. */
export async function problemsOfTimes(asked: Omit<RecordedDeps, 'limitMs'>) {
  const { ledger, control, lateMs, stop } = asked
  const { changes, start, untilNow, countOf } = await openCount(asked)
  const updates = ledger.updates.filter(({ task }) => task === control)
  const wanted = changes.get(control) ?? 0
  const end = untilNow()
  const look = async () => {
    // A bound in the future may be refused.
    const upToNow = await countOf(control, { start, end }).catch(unlessUndecided)
    return { ...(upToNow ?? (await countOf(control))), upToNow }
  }
  const isEnough = ({ count }: CountedFile) => count >= wanted
  const { last } = await poll(look, isEnough, { limitMs: lateMs, stop, firstMs: 100 })
  const { count, records, upToNow } = last
  const where = `from ${start}${upToNow ? ` to ${end}` : ' on'}, when task ${control} was changed ${wanted} times`
  const seen = `${count} events in the range ${where}`
  if (count >= wanted) return { problems: [], seen }
  const [lowest, highest] = [Date.parse(start) - dayMs, Date.parse(end) + dayMs]
  const countFrom = (ms: number) => countOf(control, { start: new Date(ms).toISOString() })
  await needFineTimes(await countFrom(lowest), async () => {
    const counts = async (ms: number) => (await countFrom(ms)).count
    return areOfOneInstant(counts, wanted, [lowest, highest])
  })
  const sentence = `${count} of its events lie in the range ${where}; the others are shown with times outside of it`
  const came = { expected: `${wanted} events`, got: `${count} events`, judged: records }
  return { problems: [problem(sentence, { ...came, control: updates, again: late })], seen }
}

const quarterMs = 15 * 60_000

/** How far the times that updates show are from a clock, where it is the whole quarters of a zone. */
function zoneOf(history: History, ahead: number): number {
  const offs = history.ended.flatMap(({ kind, shown: seen, at }) =>
    kind === 'update' && seen ? [Date.parse(seen.version) - at - ahead] : [],
  )
  const zones = distinct(offs.map((off) => Math.round(off / quarterMs) * quarterMs))
  const [zone = 0] = zones
  const isZone = zones.length === 1 && offs.every((off) => Math.abs(off - zone) < 60_000)
  return isZone && Math.abs(zone) <= 14 * 4 * quarterMs ? zone : 0
}

/**
 * That updated_at is off by the offset of a zone, where the record has the updates when they were made, by our clock
 * or that of the header Date: a clock that is off as a whole shows in the record too.
 */
export async function problemsOfLocalTime(
  asked: Pick<RecordedDeps, 'exports' | 'ledger' | 'control'>,
  history: History,
  { date = 0 }: Ahead,
) {
  const zone = zoneOf(history, date)
  const updates = asked.ledger.updates.filter(({ task }) => task === asked.control)
  const [first, last] = [updates[0], updates.at(-1)]
  if (zone === 0 || !first || !last) return []
  const { changes, countOf } = await openCount(asked)
  const timeOf = (at: number) => new Date(at + date).toISOString()
  const [start, end] = [timeOf(first.at - slackMs), timeOf(last.at + slackMs)]
  // By the service's own clock that may be still to come, and refused.
  const found = await countOf(asked.control, { start, end }).catch(unlessUndecided)
  if (!found || found.count < (changes.get(asked.control) ?? 0)) return []
  const { count, records } = found
  const minutes = zone / 60_000
  const sentence = `the record has ${count} updates from ${start} to ${end}, and their updated_at show other times, ${minutes} minutes apart`
  const seen = { expected: 'the time in UTC', got: `${minutes} minutes more`, judged: updates }
  return [problem(sentence, { ...seen, control: records, again: late })]
}

const fewestOfOwn = 2
const mostOfOwn = 4

/**
 * Whether a range that ends at the very time of an update's event holds it. That time is its updated_at, where this is
 * the latest range_start that still holds the event.
 */
export async function judgeOwnEnds(
  asked: Pick<RecordedDeps, 'exports' | 'ledger' | 'control'>,
  history: History,
): Promise<{ problems: Problem[]; seen: string }> {
  const { control } = asked
  const { countOf } = await openCount(asked)
  const own = history.endedOf(control).flatMap(({ kind, task, answer, shown }) => {
    const isOwn = kind === 'update' && task === control && answer && isAccepted(answer) && shown
    return isOwn && utc.test(shown.version) ? [{ version: shown.version, answer }] : []
  })
  const lost: { version: string; answer: Answer; files: CountedFile[] }[] = []
  for (const { version, answer } of own.slice(-mostOfOwn)) {
    const [time, digits = ''] = [instantAt(version), utc.exec(version)?.[1]]
    // A version in milliseconds may be shown shorter than it is stored.
    const unit = digits.length > 3 ? 10n ** BigInt(9 - digits.length) : 1n
    const within = (start: bigint, end: bigint) =>
      countOf(control, { start: isoOf(start), end: isoOf(end) })
    const from = (start: bigint) => within(start, time + second)
    const upTo = await within(time - unit, time)
    if (upTo.count > 0) return { problems: [], seen: version }
    const [held, beyond] = [await from(time), await from(time + unit)]
    if (held.count <= beyond.count) continue
    // Or bounds are cut to the digits of the version: else the time may have further ones.
    const isExact = unit === 1n || (await from(time + 1n)).count === beyond.count
    if (isExact || (await from(time + unit - 1n)).count === held.count)
      lost.push({ version, answer, files: [upTo, held] })
  }
  const unshown = 'no updated_at of this run is the exact time of its event'
  const open = `${unshown}; the contract does not specify the precision of stored times`
  premise(lost.length >= fewestOfOwn, 'freedom', open)
  const times = lost.map(({ version }) => version).join(', ')
  const sentence = `ranges that end at ${times} lack the events of the updates of these times, and ranges that begin there hold them`
  const seen = { expected: 'a file with the event', got: 'a file without it' }
  const judged = lost.map(({ files: [upTo] }) => upTo?.records)
  const held = lost.flatMap(({ answer, files: [, file] }) => [answer, file?.records])
  const found = problem(sentence, { ...seen, judged, control: held, again: late })
  return { problems: [found], seen: '' }
}

const utc = /:\d\d(?:\.(\d{1,9}))?Z$/

/** Whether as many events lie at one instant between two times: files need not show when they were. */
async function areOfOneInstant(
  countFrom: (ms: number) => Promise<number>,
  wanted: number,
  [lowest, highest]: [number, number],
): Promise<boolean> {
  // A single event is always at one instant.
  if (wanted < 2 || (await countFrom(lowest)) < wanted) return false
  let [from, to] = [lowest, highest]
  // Two successive updates are further apart.
  while (to - from > 2) {
    const middle = Math.round((from + to) / 2)
    const count = await countFrom(middle)
    if (count > 0 && count < wanted) return false
    if (count > 0) from = middle
    else to = middle
  }
  return true
}

/** A service may store times to the day or the hour alone. */
async function needFineTimes({ count, records }: CountedFile, areAtOnce: () => Promise<boolean>) {
  const width = Math.max(0, ...records.map((record) => record.length))
  const columns = Array.from({ length: width }, (_, at) => instantsIn(records, at)).filter(
    (instants) => count > 1 && instants.length >= count,
  )
  const areWholeHoursApart = ([first = 0n, ...others]: bigint[]) =>
    others.every((instant) => (instant - first) % hour === 0n)
  const isCoarse = columns.length > 0 ? columns.every(areWholeHoursApart) : await areAtOnce()
  const open = `${count} events of one task are at one time, or whole hours apart; the contract does not specify the precision of stored times`
  premise(!isCoarse, 'freedom', open)
}

/** How a cell may write a date. */
export const orders: Order[] = ['ymd', 'dmy', 'mdy', 'epoch']

export function instantIn(cell: string, order: Order): bigint | undefined {
  const date = dateIn(cell, order)
  return date && instantOf(date)
}

const instantsIn = (records: CountedFile['records'], column: number): bigint[] =>
  orders
    .map((order) => records.flatMap((record) => instantIn(record[column] ?? '', order) ?? []))
    .reduce((most, instants) => (instants.length > most.length ? instants : most))
