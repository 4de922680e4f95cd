import { type Case, caseOf } from '../../engine/clause/case.ts'
import type { Some } from '../../engine/clause/law.ts'
import { counted } from '../../engine/counted.ts'
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
import { lineForm } from '../../engine/files/line-frame.ts'
import { intersection, multisetOf, sizeOf } from '../../engine/files/multiset.ts'
import { cellFinding } from '../../engine/findings/cell.ts'
import { type Place, rowsFinding } from '../../engine/findings/file-rows.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { exchangesOf } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../../engine/problem.ts'
import { type PollLimits, poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Waiting } from '../../engine/time/waits.ts'
import { keyOf } from '../contract/metadata-keys.ts'
import { type Exports, needCsv } from '../export/ask/exports.ts'
import { placeOf } from '../export/ask/places.ts'
import { eachLater, filterBy, type Query } from '../export/ask/query.ts'
import { unlessUndecided } from '../export/learn/ranges.ts'
import { farFuture, noEvents } from '../export/learn/spans.ts'
import { lateEvents } from '../findings/not-scripted.ts'
import { type AcceptedUpdate, changesOf, type Ledger } from '../history/accepted-updates.ts'
import type { History } from '../history/history.ts'
import { premise } from '../service/answers.ts'
import type { Ahead } from '../service/clock.ts'
import { lateMsOf, needTask, type Trail } from './sequence-events.ts'

/** Clocks are read to the second: a clock that is slightly behind counts as ours. */
export const slackMs = 10_000
const noTask = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
export const noComments =
  'no event of a task shows a comment; the contract does not specify the fields of an event'

export type RecordedDeps = {
  exports: Exports
  ledger: Ledger
  control: string
  /** how long the last event of that task may take, judged by its others */
  lateMs: number
  limitMs: number
} & Pick<PollLimits, 'stop' | 'waiting'>

type CountedFile = {
  count: number
  records: CsvReading['records']
  exchanges: readonly number[]
}

type Counted = CountedFile & {
  task: string
  start: string
  end?: string
  changes: number
  control: readonly AcceptedUpdate[]
}

export type TaskEvents = Omit<Counted, 'end'>

type Recording = {
  trail: Trail
  ledger: Ledger
  exports: Exports
  session: { stop: AbortSignal; waits: { events: Waiting } }
}

export const askedOf = ({ trail, ledger, session, exports }: Recording): RecordedDeps => ({
  exports,
  ledger,
  control: needTask(trail),
  lateMs: lateMsOf(trail),
  limitMs: trail.waitS * 1000,
  stop: session.stop,
  waiting: session.waits.events,
})

/** Judges what is known; if that is not settled, looks again, because events may still come. */
export async function settled<T>(
  judge: () => T,
  look: (last: T) => Promise<void>,
  isSettled: (found: T) => boolean,
  limits: PollLimits,
): Promise<T> {
  let last: T | undefined
  const lookAgain = async () => {
    if (last !== undefined) await look(last)
    last = judge()
    return last
  }
  return (await poll(lookAgain, isSettled, limits)).last
}

export async function openCount({ exports, ledger }: Pick<RecordedDeps, 'exports' | 'ledger'>) {
  const changes = changesOf(ledger)
  const [first] = ledger.updates
  if (changes.size === 0 || !first) throw new NotDecidable('data', 'no assignment was changed')
  const ahead = exports.times().map((time) => time - clock.date())
  const timeOf = (at: number) => new Date(at).toISOString()
  const start = timeOf(first.at + Math.min(...ahead) - slackMs)
  const anew = eachLater({ start })
  const untilNow = () => timeOf(clock.date() + Math.max(...ahead) + slackMs)
  /** Of an unknown task; if the service does not filter by task, of ranges long ago and in the future. */
  const emptyOf = async (range: Query) => {
    const ofNobody = filterBy(keyOf.task, noTask)
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
    const query = range ?? anew()
    const file = await exports.fresh.csvFile({ ...query, ...filterBy(keyOf.task, task) })
    const { records } = file
    const lines = files.map((each) => linesInCommon(needCsv(each).records, records, task))
    return { count: records.length - Math.min(...lines), records, exchanges: exchangesOf(file) }
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

export const once = <T>(
  asked: RecordedDeps,
  name: string,
  find: (asked: RecordedDeps) => Promise<T>,
) => asked.exports.once(name, (exports) => find({ ...asked, exports }))

export const record = (asked: RecordedDeps): Promise<TaskEvents[]> =>
  once(asked, 'events of all changes', fetchRecorded)

export async function counterOf({ exports, ledger }: RecordedDeps) {
  const { changes, start, countOf } = await openCount({ exports, ledger })
  return (tasks = [...changes.keys()]) =>
    Promise.all(
      tasks.map(async (task): Promise<TaskEvents> => {
        const control = ledger.updates.filter((update) => update.task === task)
        const file = await countOf(task)
        return { ...file, task, changes: changes.get(task) ?? 0, start, control }
      }),
    )
}

async function fetchRecorded(asked: RecordedDeps): Promise<TaskEvents[]> {
  const { control, lateMs, limitMs, stop, waiting } = asked
  const count = await counterOf(asked)
  const areWhole = (all: TaskEvents[]) => all.every(isWhole)
  const atFirst = { limitMs: lateMs, stop, firstMs: 100, waiting }
  const { met, last } = await poll(() => count([control]), areWhole, atFirst)
  if (!met) throw new NotDecidable('clause', `too few events since ${last[0]?.start}`, 'audit.time')
  const found = new Map<string, TaskEvents>()
  const look = async () => {
    const short = [...found.values()].filter((each) => !isWhole(each)).map(({ task }) => task)
    for (const each of await count(found.size > 0 ? short : undefined)) found.set(each.task, each)
    return [...found.values()]
  }
  const limits = { limitMs, stop, firstMs: 100, waiting, askLate: true }
  return (await poll(look, areWhole, limits)).last
}

export const caseOfCounted = <File extends Counted>(file: File): Case<File> =>
  caseOf(file, { judged: file, control: file.control })

export const isWhole = ({ count, changes }: Counted): boolean => count >= changes

export function problemsOfCount(one: Counted): Problem[] {
  const { changes, count, control } = one
  const finding = rowsFinding({
    wrong: 'number',
    place: placeOfTask(one),
    wanted: { least: changes },
    got: count,
    to: 'the number of changes of the task',
  })
  return problemUnless(isWhole(one), finding, { judged: one, control, again: lateEvents })
}

/** The events of one task. */
export const placeOfTask = ({ task, start, end }: Query & { task: string }): Place =>
  placeOf({ start, end, ...filterBy(keyOf.task, task) }, 'trail')

export const askTimes = (asked: RecordedDeps) => once(asked, 'events around the run', fetchTimes)

export const describeTimes = ([{ count, where }]: Some<Awaited<ReturnType<typeof fetchTimes>>>) =>
  `${counted(count, 'event')} in the range ${where}`

async function fetchTimes(asked: RecordedDeps) {
  const { exports, ledger, control: task, lateMs, stop, waiting } = asked
  const { changes: all, start, untilNow, countOf } = await openCount({ exports, ledger })
  const control = ledger.updates.filter((update) => update.task === task)
  const changes = all.get(task) ?? 0
  const end = untilNow()
  const look = async () => {
    // A bound in the future may be rejected.
    const upToNow = await countOf(task, { start, end }).catch(unlessUndecided)
    return { ...(upToNow ?? (await countOf(task))), upToNow }
  }
  const isEnough = ({ count }: CountedFile) => count >= changes
  const { last, met } = await poll(look, isEnough, {
    limitMs: lateMs,
    stop,
    firstMs: 100,
    waiting,
  })
  const { count, records, exchanges, upToNow } = last
  if (!met) {
    const [lowest, highest] = [Date.parse(start) - dayMs, Date.parse(end) + dayMs]
    const countFrom = (ms: number) => countOf(task, { start: new Date(ms).toISOString() })
    await needFineTimes(await countFrom(lowest), async () => {
      const counts = async (ms: number) => (await countFrom(ms)).count
      return areOfOneInstant(counts, changes, [lowest, highest])
    })
  }
  const where = `from ${start}${upToNow ? ` to ${end}` : ' on'}, in which task ${task} was changed ${counted(changes, 'time')}`
  const until = upToNow ? { end } : {}
  return { count, records, exchanges, changes, task, start, ...until, where, control }
}

const quarterMs = 15 * 60_000

function zoneOf(history: History, ahead: number): number {
  const offs = history.ended.flatMap(({ kind, shown: seen, at }) =>
    kind === 'update' && seen ? [Date.parse(seen.version) - at - ahead] : [],
  )
  const zones = distinct(offs.map((off) => Math.round(off / quarterMs) * quarterMs))
  const [zone = 0] = zones
  const isZone = zones.length === 1 && offs.every((off) => Math.abs(off - zone) < 60_000)
  return isZone && Math.abs(zone) <= 14 * 4 * quarterMs ? zone : 0
}

/** Updates whose updated_at may be off by the offset of a zone, and when the record was made. */
type Local = {
  control: readonly AcceptedUpdate[]
  /** the number of updates of the run, of all tasks */
  run: number
  minutes: number
  file?: CountedFile & { start: string; end: string }
}

export async function askLocalTime(
  { exports, ledger, control: task }: RecordedDeps,
  { history, clock: { ahead } }: { history: History; clock: { ahead: Ahead } },
): Promise<[Case<Local>]> {
  const { date = 0 } = ahead
  const run = ledger.updates.length
  const minutes = zoneOf(history, date) / 60_000
  const control = ledger.updates.filter((update) => update.task === task)
  const [first, last] = [control[0], control.at(-1)]
  premise(first !== undefined, 'data', 'no assignment was changed')
  if (minutes === 0 || !first || !last)
    return [caseOf({ control, run, minutes }, { judged: control })]
  const { changes, countOf } = await openCount({ exports, ledger })
  const timeOf = (at: number) => new Date(at + date).toISOString()
  const [start, end] = [timeOf(first.at - slackMs), timeOf(last.at + slackMs)]
  // By the service's own clock that may still be in the future, and rejected.
  const found = await countOf(task, { start, end }).catch(unlessUndecided)
  const isThere = found && found.count >= (changes.get(task) ?? 0)
  const file = isThere && { file: { ...found, start, end } }
  return [caseOf({ control, run, minutes, ...file }, { judged: [control, found] })]
}

/**
 * An updated_at is off by the offset of a zone if events in the audit trail have the times of our clock or of the
 * header Date: a clock that is off as a whole is off in events too.
 */
export function problemsOfLocalTime({ control: judged, minutes, file }: Local): Problem[] {
  if (!file) return []
  const { count: events, start, end } = file
  const place = placeOfTask({ task: judged[0]?.task ?? '', start, end })
  const finding = cellFinding({ place, column: 'updated_at' }, { wrong: 'clock', minutes, events })
  return [problem(finding, { judged, control: file, again: lateEvents })]
}

const fewestOfOwn = 2
const mostOfOwn = 4

type OwnEnd = { version: string; answer: Answer; upTo: CountedFile; held?: CountedFile }
type OwnEnds = { tried: OwnEnd[] }

export async function askOwnEnds(
  { exports, ledger, control }: RecordedDeps,
  history: History,
): Promise<[Case<OwnEnds>]> {
  const { countOf } = await openCount({ exports, ledger })
  const own = history.endedOf(control).flatMap(({ kind, task, answer, shown }) => {
    const isOwn = kind === 'update' && task === control && answer && isAccepted(answer) && shown
    return isOwn && utc.test(shown.version) ? [{ version: shown.version, answer }] : []
  })
  const tried: OwnEnd[] = []
  for (const { version, answer } of own.slice(-mostOfOwn)) {
    const [time, digits = ''] = [instantAt(version), utc.exec(version)?.[1]]
    // A version in milliseconds may have fewer digits than it is stored with.
    const unit = digits.length > 3 ? 10n ** BigInt(9 - digits.length) : 1n
    const within = (start: bigint, end: bigint) =>
      countOf(control, { start: isoOf(start), end: isoOf(end) })
    const since = (start: bigint) => within(start, time + second)
    const upTo = await within(time - unit, time)
    const one: OwnEnd = { version, answer, upTo }
    tried.push(one)
    if (upTo.count > 0) break
    const [held, beyond] = [await since(time), await since(time + unit)]
    if (held.count <= beyond.count) continue
    // A time may have more digits than the version, unless bounds are cut to the digits of the version.
    const isExact = unit === 1n || (await since(time + 1n)).count === beyond.count
    if (isExact || (await since(time + unit - 1n)).count === held.count) one.held = held
  }
  const judged = tried.map(({ answer, upTo, held }) => [answer, upTo, held])
  return [caseOf({ tried }, { judged })]
}

export const inAtOwnEnd = ({ tried }: OwnEnds) => tried.find(({ upTo }) => upTo.count > 0)

export function problemsOfOwnEnds(ends: OwnEnds): Problem[] {
  if (inAtOwnEnd(ends)) return []
  const lost = ends.tried.filter(({ held }) => held)
  const unshown = 'no updated_at of this run is the exact time of its event'
  const open = `${unshown}; the contract does not specify the precision of stored times`
  premise(lost.length >= fewestOfOwn, 'freedom', open)
  const times = lost.map(({ version }) => version)
  const finding = rowsFinding({
    wrong: 'missing',
    place: { in: 'trail' },
    wanted: { least: lost.length },
    got: 0,
    count: lost.length,
    first: times,
    bound: { names: ['range_end'], at: times[0] ?? '', is: 'at' },
    although: 'ranges that begin there contain them',
  })
  const judged = lost.map(({ upTo }) => upTo)
  const control = lost.flatMap(({ answer, held }) => [answer, held])
  return [problem(finding, { judged, control, again: lateEvents })]
}

const utc = /^[-\d]{10}T\d\d:\d\d:[0-5]\d(?:\.(\d{1,9}))?Z$/

/** Whether as many events are at one instant between two times: files need not show their times. */
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

/** A service may store times only to the day or the hour. */
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

export const orders: Order[] = ['ymd', 'dmy', 'mdy', 'epoch']

export function instantIn(cell: string, order: Order): bigint | undefined {
  const date = dateIn(cell, order)
  return date && instantOf(date)
}

const instantsIn = (records: CountedFile['records'], column: number): bigint[] =>
  orders
    .map((order) => records.flatMap((record) => instantIn(record[column] ?? '', order) ?? []))
    .reduce((most, instants) => (instants.length > most.length ? instants : most))
