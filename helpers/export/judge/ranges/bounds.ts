// Whether both bounds of a range are inclusive, judged by the times that the file shows.

import { day, hour, minute } from '../../../../engine/files/dates.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { unlessUndecided } from '../../learn/ranges.ts'
import type { TimeColumn } from '../../learn/time-column.ts'
import {
  createPresence,
  describeWitnesses,
  type Look,
  type Moved,
  maxInCrowd,
  type Presence,
  rangeFrom,
  rangeUpTo,
  witnessesIn,
} from './witnesses.ts'

/** Of witnesses: some of them lie where a bound that is far off falls into place. */
const maxShareNearby = 1 / 4
const millisecond = 1_000_000n

/**
 * What is wrong with range_start: of events at several times T not one is in from T on. A service
 * that rounds the time it shows loses some of them, and never all.
 */
export async function problemsOfStart(look: Look): Promise<Problem[]> {
  const { column } = look
  const witnesses = witnessesIn(look.times, column, 'late')
  const from = (time: bigint) => rangeFrom(look, time)
  const seen = createPresence(look, witnesses, from)
  if (await seen.some(0n)) return []
  const judged = seen.asked()
  const problemOf = (sentence: string): Problem =>
    problem(sentence, {
      expected: `events at ${witnesses.length} times, each in from its time on`,
      got: 'none of them',
      judged,
      control: seen.asked(),
    })
  const what = `with range_start = T the event at T is missing, for ${witnesses.length} times T`
  if (await seen.every(-hairOf(column))) {
    const crowd = createPresence(look, witnessesIn(look.times, column, 'late', maxInCrowd), from)
    if (await crowd.some(0n)) return []
    await needNoRounding(crowd, column, -1n)
    return [problemOf(`${what}: ${describeWitnesses(witnesses)}`)]
  }
  const edge = await edgeOf(seen, column, -1n)
  if (edge)
    return [
      problemOf(
        `${what}, and it is there from the full ${edge} before: ${describeWitnesses(witnesses)}`,
      ),
    ]
  if (
    column.inUtc &&
    (await seen.share(-hour)) <= maxShareNearby &&
    (await isOffByClock(seen, column, -1n))
  )
    return [
      problemOf(
        `${what}, and hardly one is there with an hour more: ${describeWitnesses(witnesses)}`,
      ),
    ]
  throw new NotDecidable('freedom', elsewhere)
}

/** What is wrong with range_end, one shown unit granted: what is stored may be finer than is shown. */
export async function problemsOfEnd(look: Look): Promise<Problem[]> {
  const { column } = look
  const witnesses = witnessesIn(look.times, column, 'early')
  const { unit } = column
  // Where bounds are off, a file shows times beside its window too.
  const upTo = createPresence(look, witnesses, (time) => rangeUpTo(look, time))
  const from = createPresence(look, witnesses, (time) => rangeFrom(look, time))
  if (await upTo.some(unit)) return []
  const judged = upTo.asked()
  const problemOf = (sentence: string): Problem =>
    problem(sentence, {
      expected: `events at ${witnesses.length} times, each in up to a unit later`,
      got: 'none of them',
      judged,
      control: [...from.asked(), ...upTo.asked()],
    })
  const what = `with range_end just after T the event at T is missing, for ${witnesses.length} times T`
  if (!(await from.some(unit)))
    return [problemOf(`${what}, and with range_start there too: ${describeWitnesses(witnesses)}`)]
  const edge = await edgeOf(upTo, column, 1n)
  if (edge)
    return [
      problemOf(
        `${what}, and it is there up to the next full ${edge}: ${describeWitnesses(witnesses)}`,
      ),
    ]
  if (
    column.inUtc &&
    (await upTo.share(hour)) <= maxShareNearby &&
    (await isOffByClock(upTo, column, 1n))
  )
    return [
      problemOf(
        `${what}, and hardly one is there with an hour more: ${describeWitnesses(witnesses)}`,
      ),
    ]
  throw new NotDecidable('freedom', elsewhere)
}

/**
 * What is wrong with bounds that let in an event one unit too far, where a unit is the smallest step that
 * times are shown in. An event shown at T lies less than a unit from T, however its time was rounded.
 */
export const problemsOfLooseBounds = async (look: Look): Promise<Problem[]> =>
  (await looseBounds(look).catch(unlessUndecided)) ?? []

async function looseBounds(look: Look): Promise<Problem[]> {
  const { column } = look
  const { unit } = column
  const from = createPresence(look, witnessesIn(look.times, column, 'late'), (time) =>
    rangeFrom(look, time),
  )
  const upTo = createPresence(look, witnessesIn(look.times, column, 'early'), (time) =>
    rangeUpTo(look, time),
  )
  const problems: Problem[] = []
  for (const [seen, sign, bound] of [
    [from, 1n, 'range_start a unit after T'],
    [upTo, -1n, 'range_end a unit before T'],
  ] as const) {
    // One that is in further off is shown at another time than the one that ranges go by.
    if (!(await seen.every(sign * unit)) || (await seen.some(sign * 3n * unit))) continue
    problems.push(
      problem(`with ${bound} the event shown at T is there, each time`, {
        expected: 'no such event',
        got: 'each of them',
        judged: seen.asked(),
      }),
    )
  }
  return problems
}

const storedFiner =
  'the service may store times finer than the file shows them; their precision is not shown'
const elsewhere =
  'the file may show another time of events than the one that ranges use; which one a file shows is not shown'

/** So little that nothing lies within, and so much that a service that reads milliseconds sees it. */
const hairOf = ({ unit }: TimeColumn): bigint =>
  unit / 1000n > millisecond ? unit / 1000n : millisecond

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

/** Times may be stored to the second and shown more finely: of what is coarser nobody stores less. */
const spans = { minute, hour, day }

/** The unit of clocks that a bound is rounded to for all events: each is in from, or up to, its edge. */
async function edgeOf(
  seen: Presence,
  { inUtc, unit }: TimeColumn,
  sign: 1n | -1n,
): Promise<keyof typeof spans | undefined> {
  for (const [name, span] of Object.entries(spans) as [keyof typeof spans, bigint][]) {
    if (span <= unit || !inUtc) continue
    const edge = (time: bigint) => time - (time % span) + (sign > 0n ? span : 0n)
    const isPast = await seen.every((time) => edge(time) + sign * millisecond)
    const isBeyond = () => seen.some((time) => edge(time) - sign * (unit + millisecond))
    if (isPast && !(await isBeyond())) return name
  }
  return undefined
}

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
  for (let hours = 1n; hours <= maxHours; hours += 1n) {
    const shifted = (time: bigint) => time + sign * hours * hour
    if (await isPast(shifted)) return isShort(shifted)
  }
  return false
}
