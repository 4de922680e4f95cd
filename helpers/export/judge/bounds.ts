// Whether both bounds of a range are inclusive, judged by the times that the file shows.

import { distinct } from '../../../engine/distinct.ts'
import { day, hour, isoOf } from '../../../engine/files/dates.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import type { Fetch } from '../learn/confirmed.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import type { Span } from '../learn/spans.ts'
import type { TimeColumn, Times } from '../learn/time-column.ts'
import type { Window } from '../learn/window.ts'

/** A time that the file shows of an event. */
type Witness = { time: bigint; text: string }

const maxWitnesses = 8
const minWitnesses = 6
/** So many are never all rounded to the same side by chance. */
const maxInCrowd = 24
const maxFromEdge = 40
/** Of witnesses: some of them lie where a bound that is far off falls into place. */
const maxShareNearby = 1 / 4
const millisecond = 1_000_000n

/** What a judgement of bounds looks at: the file, and one column that may show the time of events. */
type Look = { fetch: Fetch; window: Window; times: Times; column: TimeColumn }

/**
 * What is wrong with range_start: of events at several times T not one is in from T on. A service
 * that rounds the time it shows loses some of them, and never all.
 */
export async function problemsOfStart(look: Look): Promise<string[]> {
  const { column, window } = look
  const witnesses = witnessesIn(look.times, column, 'late')
  const from = (time: bigint) => ({ start: isoOf(time), end: window.end })
  const seen = createPresence(look, witnesses, from)
  if (await seen.some(0n)) return []
  const what = `of events at ${witnesses.length} times T not one is in with range_start = T`
  if (await seen.every(-hairOf(column))) {
    const crowd = createPresence(look, witnessesIn(look.times, column, 'late', maxInCrowd), from)
    if (await crowd.some(0n)) return []
    await needNoRounding(crowd, column, -1n)
    return [`${what}: ${describeWitnesses(witnesses)}`]
  }
  if (
    column.inUtc &&
    (await seen.share(-hour)) <= maxShareNearby &&
    (await isOffByClock(seen, column, -1n))
  )
    return [`${what}, and hardly one with an hour more: ${describeWitnesses(witnesses)}`]
  throw new NotDecidable('freedom', elsewhere)
}

/** What is wrong with range_end, one shown unit granted: what is stored may be finer than is shown. */
export async function problemsOfEnd(look: Look): Promise<string[]> {
  const { column, window } = look
  const witnesses = witnessesIn(look.times, column, 'early')
  const { unit } = column
  const upTo = createPresence(look, witnesses, (to) => ({ start: window.start, end: isoOf(to) }))
  const from = createPresence(look, witnesses, (start) => ({
    start: isoOf(start),
    end: window.end,
  }))
  if (await upTo.some(unit)) return []
  const what = `of events at ${witnesses.length} times T not one is in with range_end a little later than T`
  if (!(await from.some(unit)))
    return [`${what}, nor from there on: ${describeWitnesses(witnesses)}`]
  if (
    column.inUtc &&
    (await upTo.share(hour)) <= maxShareNearby &&
    (await isOffByClock(upTo, column, 1n))
  )
    return [`${what}, and hardly one with an hour more: ${describeWitnesses(witnesses)}`]
  throw new NotDecidable('freedom', elsewhere)
}

/** What is wrong with range_end at the very time that is shown. */
export async function problemsOfExactEnd(look: Look): Promise<string[]> {
  const { column, window } = look
  const witnesses = witnessesIn(look.times, column, 'early')
  const upTo = (time: bigint) => ({ start: window.start, end: isoOf(time) })
  const seen = createPresence(look, witnesses, upTo)
  if (await seen.some(0n)) return []
  const hair = hairOf(column)
  const isFine = column.unit <= millisecond
  // What is stored finer than it is shown lies anywhere within the unit, and so some of it here.
  const within = isFine ? column.unit / 2n : hair
  const some = within > 0n && (await seen.some(within))
  const finer = some ? !(await seen.every(within)) : !isFine
  if (finer || !(await seen.every(hair))) throw new NotDecidable('freedom', storedFiner)
  const crowd = createPresence(look, witnessesIn(look.times, column, 'early', maxInCrowd), upTo)
  if (await crowd.some(0n)) return []
  await needNoRounding(crowd, column, 1n)
  return [
    `of events at ${witnesses.length} times T not one is in with range_end = T: ${describeWitnesses(witnesses)}`,
  ]
}

const storedFiner =
  'the service may store times finer than the file shows them; their precision is not shown'
const elsewhere =
  'the file may show another time of events than the one that ranges go by; which it shows is not shown'

/** So little that nothing lies within, and so much that a service that reads milliseconds sees it. */
const hairOf = ({ unit }: TimeColumn): bigint =>
  unit / 1000n > millisecond ? unit / 1000n : millisecond

/** Times of the file near its end or its beginning, so that ranges from or up to them hold little. */
function witnessesIn(
  times: Times,
  column: TimeColumn,
  where: 'early' | 'late',
  maxCount = maxWitnesses,
): Witness[] {
  const texts = new Map(times.rows.map((row, n) => [column.times[n] ?? 0n, column.textIn(row)]))
  const sorted = distinct(column.times)
  const half = Math.max(minWitnesses, Math.min(maxFromEdge, sorted.length >> 1))
  const part = where === 'early' ? sorted.slice(0, half) : sorted.slice(-half)
  const count = Math.min(maxCount, part.length)
  if (count < minWitnesses)
    throw new NotDecidable(
      'data',
      `the window shows events at ${count} different times; ${minWitnesses} are needed`,
    )
  return Array.from({ length: count }, (_, n) => {
    const time = part[Math.floor((n * part.length) / count)] ?? 0n
    return { time, text: texts.get(time) ?? '' }
  })
}

type Presence = ReturnType<typeof createPresence>

/**
 * Ends the clause where a bound within the shown unit has some of the events in and others not: then
 * they were rounded. Whether bounds that fine are taken is not shown.
 */
async function needNoRounding(seen: Presence, { unit }: TimeColumn, sign: bigint): Promise<void> {
  for (const by of [unit / 2n, unit / 4n]) {
    if (by === 0n) continue
    const some = await seen.some(sign * by).catch(unlessUndecided)
    if (some && !(await seen.every(sign * by))) throw new NotDecidable('freedom', storedFiner)
  }
}

const maxHours = 14n

/**
 * Whether bounds are off as clocks and days are: by the same hours for all events, or up to where
 * their days begin or end. An event may be shown at another time than the one that ranges go by, as
 * when it was recorded, and then it is off by something of its own.
 */
async function isOffByClock(
  seen: Presence,
  { unit }: TimeColumn,
  sign: 1n | -1n,
): Promise<boolean> {
  const isPast = (turn: Moved) => seen.every((time) => turn(time) + sign * millisecond)
  const isShort = async (turn: Moved) =>
    !(await seen.some((time) => turn(time) - sign * (unit + millisecond)))
  const dayEdge = (time: bigint) => time - (time % day) + (sign > 0n ? day : 0n)
  if ((await isPast(dayEdge)) && (await isShort(dayEdge))) return true
  for (let hours = 1n; hours <= maxHours; hours += 1n) {
    const shifted = (time: bigint) => time + sign * hours * hour
    if (await isPast(shifted)) return isShort(shifted)
  }
  return false
}

/** The bound that is made from a time. */
type Moved = (time: bigint) => bigint

/** Whether events at the witnesses' times are in a range that is made from them, moved by a little. */
function createPresence(
  { fetch, times, column }: Look,
  witnesses: readonly Witness[],
  range: (time: bigint) => Span,
) {
  const isIn = async ({ time, text }: Witness, by: bigint | Moved) => {
    const bound = typeof by === 'bigint' ? time + by : by(time)
    const rows = await fetch({ ...times.utc, ...range(bound) })
    return rows.some((row) => column.textIn(row) === text)
  }
  return {
    some: async (by: bigint | Moved) => {
      for (const witness of witnesses) if (await isIn(witness, by)) return true
      return false
    },
    share: async (by: bigint | Moved) => {
      let found = 0
      for (const witness of witnesses) if (await isIn(witness, by)) found += 1
      return found / witnesses.length
    },
    every: async (by: bigint | Moved) => {
      for (const witness of witnesses) if (!(await isIn(witness, by))) return false
      return true
    },
  }
}

const describeWitnesses = (witnesses: readonly Witness[]) =>
  witnesses
    .slice(0, 3)
    .map(({ text }) => text)
    .join(', ')
