// Whether range_end itself is in, to the last digit: judged where stored times are known exactly.

import { isoOf, minute, second, unitOf } from '../../../../engine/files/dates.ts'
import { originOf } from '../../../../engine/origin.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { unlessUndecided } from '../../learn/ranges.ts'
import type { Span } from '../../learn/spans.ts'
import {
  createPresence,
  describeWitnesses,
  fetchWithin,
  isWithin,
  type Look,
  maxInCrowd,
  minWitnesses,
  type Witness,
  witnessesIn,
} from './witnesses.ts'

const millisecond = 1_000_000n
/** Steps by which bounds are moved, down to nine fraction digits. */
const digits = [second, millisecond, 1_000n, 1n]

/** The event that was found in with both bounds at its time, or what is wrong with range_end. */
export type ExactEnd = { seen?: string; problems: Problem[] }

/**
 * What is wrong with a range_end at the very time of an event. That time is the latest range_start
 * with which the event is in: the file may show less of it, or round it.
 */
export async function judgeExactEnd(look: Look): Promise<ExactEnd> {
  const judged = new Set<number>()
  const witnesses = witnessesIn(look.times, look.column, 'early', 2 * minWitnesses)
  const isIn = async (witness: Witness, time: bigint) => {
    const { rows, isShown } = await fetchAt(look, witness, time)
    for (const each of originOf(rows)) judged.add(each)
    return isShown
  }
  // Most files show the whole time: then nothing need be searched for.
  const others: Witness[] = []
  let seen: string | undefined
  for (const witness of witnesses) {
    const isSeen = await isIn(witness, witness.time)
    if (isSeen && witness.time % second !== 0n) return { seen: witness.text, problems: [] }
    // A bound that loses its fraction has it in too.
    if (isSeen) seen ??= witness.text
    else others.push(witness)
  }

  const found: bigint[] = []
  let finest = 1n
  for (const witness of others.slice(0, minWitnesses)) {
    const latest = await findLatestStart(look, witness)
    if (!latest) break
    if (await isIn(witness, latest.start)) return { seen: witness.text, problems: [] }
    found.push(latest.start)
    if (latest.finest > finest) finest = latest.finest
  }
  const cut = cutTimes(found, finest)
  for (const [n, time] of cut.entries()) {
    const witness = others[n]
    if (witness && (await isIn(witness, time))) return { seen: witness.text, problems: [] }
  }
  const what = `with both bounds at the time of an event, the event is missing: ${describeWitnesses(others)}`
  const isExact = found.length >= minWitnesses && (isFiner(finest, found) || cut.length > 0)
  const missing = {
    expected: 'the event whose time both bounds are',
    got: 'not in',
    judged: [...judged],
  }
  if (isExact || (seen === undefined && (await isExclusive(look))))
    return { problems: [problem(what, missing)] }
  if (seen !== undefined) return { seen, problems: [] }
  throw new NotDecidable('freedom', `${what}; the precision of stored times is not shown`)
}

/** Bounds are finer than stored times: no event lies between the one found and the next. */
const isFiner = (step: bigint, times: readonly bigint[]) => unitOf(times) >= 10n * step

/**
 * The times of events where bounds are cut to a coarser step than is accepted: the latest starts are the
 * last that are cut to them. None where bounds are not cut, or to no finer a step than times are stored in.
 */
function cutTimes(starts: readonly bigint[], finest: bigint): bigint[] {
  const next = starts.map((start) => start + finest)
  const step = unitOf(next)
  const times = next.map((time) => time - step)
  return step > finest && isFiner(step, times) ? times : []
}

/** Whether the event is in a range of that one instant; where such ranges are refused, up to it. */
async function fetchAt(look: Look, witness: Witness, time: bigint) {
  const at = isoOf(time)
  const inInstant = await fetchWithin(look, witness, { start: at, end: at }).catch(unlessUndecided)
  const before = isoOf(time - look.column.unit)
  return inInstant ?? fetchWithin(look, witness, { start: before, end: at })
}

/** Undefined where the range is refused: which bounds are accepted is not shown. */
const isInOrRefused = (look: Look, witness: Witness, range: Span) =>
  isWithin(look, witness, range).catch(unlessUndecided)

type Latest = {
  start: bigint
  /** the finest step by which bounds can be moved */
  finest: bigint
}

/** The latest range_start with which an event is in; undefined where there is none to be found. */
async function findLatestStart(look: Look, witness: Witness): Promise<Latest | undefined> {
  const { unit } = look.column
  const { time } = witness
  const end = isoOf(time + unit + minute)
  const isInFrom = (start: bigint) => isInOrRefused(look, witness, { start: isoOf(start), end })

  const finest = await findFinest(isInFrom, time)
  const isInAtTime = await isInFrom(time)
  // A time that is shown is cut or rounded by less than a unit.
  let [low, high] = isInAtTime ? [time, time + unit] : [time - unit, time]
  const isBetween = isInAtTime ? !(await isInFrom(high)) : await isInFrom(low)
  if (finest === undefined || isInAtTime === undefined || !isBetween) return undefined
  const steps = digits.filter((step) => step >= finest)
  for (const step of steps) {
    for (;;) {
      const middle = ((low + high) / 2n / step) * step
      const next = middle > low ? middle : middle + step
      if (next >= high) break
      const isIn = await isInFrom(next)
      if (isIn === undefined) return undefined
      if (isIn) low = next
      else high = next
    }
    if (high - low <= finest) break
    // Stored times seldom have all the digits that bounds may have.
    if (low % step === 0n && (await isInFrom(low + finest)) === false) break
  }
  return { start: low, finest }
}

/** The finest step that bounds may have: more digits may be refused. */
async function findFinest(
  isInFrom: (start: bigint) => Promise<boolean | undefined>,
  time: bigint,
): Promise<bigint | undefined> {
  for (const step of digits.toReversed())
    if ((await isInFrom(time + step)) !== undefined) return step
  return undefined
}

/**
 * Whether a file that shows milliseconds has all of many events in with a range_end of one unit more,
 * none with that of its time, and no bound in between tells them apart: so many are not all rounded.
 */
async function isExclusive(look: Look): Promise<boolean> {
  const { times, column } = look
  const { unit } = column
  const crowd = unit <= millisecond ? witnessesIn(times, column, 'early', maxInCrowd) : []
  if (crowd.length < maxInCrowd) return false
  const from = (end: bigint) => isoOf(end - unit - second)
  const seen = createPresence(look, crowd, (end) => ({ start: from(end), end: isoOf(end) }))
  if ((await seen.some(0n)) || !(await seen.every(unit))) return false
  for (const by of [unit / 2n, unit / 4n]) {
    if (by === 0n) continue
    const some = await seen.some(by).catch(unlessUndecided)
    // Refused: what lies in between cannot be seen.
    if (some === undefined || (some && !(await seen.every(by)))) return false
  }
  return true
}
