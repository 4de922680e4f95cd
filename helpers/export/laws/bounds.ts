import { distinct } from '../../../engine/distinct.ts'
import {
  day,
  hour,
  instantAt,
  isoOf,
  millisecond,
  minute,
  second,
  unitOf,
} from '../../../engine/files/dates.ts'
import { type Bound, type RowsFacts, rowsFinding } from '../../../engine/findings/file-rows.ts'
import type { Context } from '../../../engine/findings/kind.ts'
import { exchangesOf } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Decides, type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import { sentenceOf } from '../../findings/kinds.ts'
import { premise } from '../../service/answers.ts'
import type { Span } from '../ask/query.ts'
import { ask, type Dialogue, held, ifDecided } from '../learn/confirmed.ts'
import type { Ranges } from '../learn/ranges.ts'
import { problemsByAllColumns, type TimeColumn, type Times } from '../learn/time-column.ts'
import type { Window } from '../learn/window.ts'

/** What a judgement of bounds uses: one column that may show the time of events. */
export type Look = { window: Window; times: Times; column: TimeColumn }

type End = 'start' | 'end'

type Witness = { time: bigint; text: string }

const maxWitnesses = 8
const minWitnesses = 6
/** Chance does not round so many times to the same side. */
const maxInCrowd = 24
const maxFromEdge = 40

export async function heldByTimes(ranges: Ranges, judge: (look: Look) => Dialogue<Problem[]>) {
  const [window, times] = [await ranges.window(), await ranges.times()]
  return held(ranges.exports, window, () =>
    problemsByAllColumns(times, (column) => judge({ window, times, column })),
  )
}

/** For an end the first times of the window, for a start the last: their ranges hold few events. */
function witnessesFor({ times, column }: Look, bound: End, maxCount = maxWitnesses): Witness[] {
  const texts = new Map(times.rows.map((row, n) => [column.times[n] ?? 0n, column.textIn(row)]))
  const sorted = distinct(column.times)
  const half = Math.max(minWitnesses, Math.min(maxFromEdge, sorted.length >> 1))
  const part = bound === 'end' ? sorted.slice(0, half) : sorted.slice(-half)
  const count = Math.min(maxCount, part.length)
  const tooFew = `the window contains events at ${count} different times; at least ${minWitnesses} are needed`
  premise(count >= minWitnesses, 'data', tooFew)
  return Array.from({ length: count }, (_, n) => {
    const time = part[Math.floor((n * part.length) / count)] ?? 0n
    return { time, text: texts.get(time) ?? '' }
  })
}

const textsOf = (witnesses: readonly Witness[]) => witnesses.slice(0, 3).map(({ text }) => text)

/** Events at their own times are missing, each in a file whose bound is there. */
const missingAt = (witnesses: readonly Witness[], bound: Bound): RowsFacts => ({
  wrong: 'missing',
  place: { in: 'csv' },
  wanted: { least: witnesses.length },
  got: 0,
  count: witnesses.length,
  first: textsOf(witnesses),
  bound,
  texts: { present: textsOf(witnesses.slice(0, 1)) },
})

type At = (time: bigint) => bigint

/** Asks for ranges with one bound made from the times of events; the other is the window's or, if short, nearby. */
function createProbe({ window, times, column }: Look, bound: End, isShort = false) {
  const asked = new Set<number>()
  // Also covers a bound that lies a unit before the event.
  const reach = 2n * column.unit + minute
  const rangeAt = (at: bigint): Span => {
    const isBeyond = bound === 'start' ? at > instantAt(window.end) : at < instantAt(window.start)
    const { start, end } =
      isShort || isBeyond ? { start: isoOf(at - reach), end: isoOf(at + reach) } : window
    return bound === 'start' ? { start: isoOf(at), end } : { start, end: isoOf(at) }
  }
  function* isWithin({ text }: Witness, span: Span): Dialogue<boolean> {
    const rows = yield* ask(({ fetch }) => fetch({ ...times.utc, ...span }))
    for (const each of exchangesOf(rows)) asked.add(each)
    return rows.some((row) => column.textIn(row) === text)
  }
  const isIn = (witness: Witness, at: bigint) => isWithin(witness, rangeAt(at))
  function* isAny(witnesses: readonly Witness[], at: At, wanted: boolean): Dialogue<boolean> {
    for (const witness of witnesses)
      if ((yield* isIn(witness, at(witness.time))) === wanted) return true
    return false
  }
  return {
    asked: () => [...asked],
    isWithin,
    isIn,
    some: (witnesses: readonly Witness[], at: At) => isAny(witnesses, at, true),
    *every(witnesses: readonly Witness[], at: At): Dialogue<boolean> {
      return !(yield* isAny(witnesses, at, false))
    },
  }
}

type Probe = ReturnType<typeof createProbe>

/** The last bound for which a condition holds, by bisection in steps. */
export function* lastOf(
  holds: (bound: bigint) => Dialogue<boolean>,
  [within, without]: readonly [bigint, bigint],
  step: bigint,
): Dialogue<bigint | undefined> {
  if (!(yield* holds(within)) || (yield* holds(without))) return undefined
  for (let [last, end] = [within, without]; ; ) {
    const middle = last + ((end - last) / 2n / step) * step
    if (middle === last) return last
    if (yield* holds(middle)) last = middle
    else end = middle
  }
}

const elsewhere =
  'the file may show another event time than ranges use; the contract does not say which time a file shows'
const storedFiner =
  'the service may store times more precisely than the file shows; the contract does not specify their precision'

const outward = { start: -1n, end: 1n }
/** Rounding loses some of several events, never all; truncating none up to a unit later. */
export function* problemsOfInclusive(look: Look, bound: End): Dialogue<Problem[]> {
  const { unit, inUtc } = look.column
  const [sign, granted] = [outward[bound], bound === 'end' ? unit : 0n]
  const witnesses = witnessesFor(look, bound)
  const probe = createProbe(look, bound)
  if (yield* probe.some(witnesses, (time) => time + granted)) return []
  const judged = probe.asked()
  const problemsOf = (context: Context = {}, control = probe): Problem[] => {
    const at = isoOf((witnesses[0]?.time ?? 0n) + granted)
    const is = bound === 'end' ? 'just after' : 'at'
    const facts = missingAt(witnesses, { names: [`range_${bound}`], at, is })
    const decides = decidesOf(bound, witnesses[0], granted)
    const finding = rowsFinding({ ...facts, ...context })
    return [problem(finding, { judged, control: control.asked(), decides })]
  }
  const others = createProbe(look, 'start')
  if (bound === 'end' && !(yield* others.some(witnesses, (time) => time + unit)))
    return problemsOf({ to: 'also when range_start is there' }, others)
  if (bound === 'start' && (yield* probe.every(witnesses, (time) => time - hairOf(look)))) {
    const crowd = witnessesFor(look, bound, maxInCrowd)
    if (yield* probe.some(crowd, (time) => time)) return []
    const isRight = (yield* isRounded(look, probe, crowd, bound)) === true
    premise(!isRight, 'freedom', storedFiner)
    return problemsOf()
  }
  for (const [what, at] of inUtc ? placesBeyond(bound, unit) : []) {
    const isThere = yield* probe.every(witnesses, (time) => at(time) + sign * millisecond)
    const before = (time: bigint) => at(time) - sign * (unit + millisecond)
    if (isThere && !(yield* probe.some(witnesses, before)))
      return problemsOf({ although: `they are included when it is ${what}` })
  }
  throw new NotDecidable('freedom', elsewhere)
}

/** Not the second: a service may store times to whole seconds. */
const fullSpans = { minute, hour, day }
const maxHours = 14

/** A bound may be read as a full span, or in another time zone. */
const placesBeyond = (bound: End, unit: bigint): [what: string, at: At][] => [
  ...Object.entries(fullSpans)
    .filter(([, span]) => span > unit)
    .map(([name, span]): [string, At] => [
      `at the ${bound} of that ${name}`,
      (time) => time - (time % span) + (bound === 'end' ? span : 0n),
    ]),
  ...Array.from({ length: maxHours - 1 }, (_, at): [string, At] => [
    `${at + 2} hours ${bound === 'end' ? 'later' : 'earlier'}`,
    (time) => time + outward[bound] * BigInt(at + 2) * hour,
  ]),
]

const decidesOf = (bound: End, witness: Witness | undefined, further = 0n): Decides =>
  witness
    ? { [`range_${bound}`]: isoOf(witness.time + further), 'time of the event': witness.text }
    : {}

/** Smaller than any gap between events, and large enough for a service that reads milliseconds. */
const hairOf = ({ column: { unit } }: Look): bigint =>
  unit / 1000n > millisecond ? unit / 1000n : millisecond

/** Whether a bound within the shown unit includes some of the events; undefined if bounds that fine are refused. */
function* isRounded(
  { column: { unit } }: Look,
  probe: Probe,
  crowd: readonly Witness[],
  bound: End,
): Dialogue<boolean | undefined> {
  let found: boolean | undefined = false
  for (const by of [unit / 2n, unit / 4n].filter((each) => each > 0n)) {
    const at = (time: bigint) => time + outward[bound] * by
    const some = yield* ifDecided(probe.some(crowd, at))
    if (some && !(yield* probe.every(crowd, at))) return true
    if (some === undefined) found = undefined
  }
  return found
}

/** The steps by which bounds move, from nine fraction digits on. */
const steps = [1n, 1_000n, millisecond, second]

/**
 * The time of an event is the latest range_start with which it is in: the file may show less of it, or
 * round it. `storesFiner`: the service shows finer times elsewhere.
 */
export function* problemsOfExactEnd(look: Look, storesFiner: boolean): Dialogue<Problem[]> {
  const probe = createProbe(look, 'start', true)
  const { unit } = look.column
  function* isInAt(witness: Witness, time: bigint): Dialogue<boolean> {
    const [before, at] = [isoOf(time - unit), isoOf(time)]
    const inInstant = yield* ifDecided(probe.isWithin(witness, { start: at, end: at }))
    // A range of one instant may be refused.
    return inInstant ?? (yield* probe.isWithin(witness, { start: before, end: at }))
  }
  const [seen, others]: [Witness[], Witness[]] = [[], []]
  for (const witness of witnessesFor(look, 'end', 2 * minWitnesses)) {
    const isSeen = yield* isInAt(witness, witness.time)
    // A bound without its fraction includes an event at a full second too.
    if (isSeen && witness.time % second !== 0n) return []
    ;(isSeen ? seen : others).push(witness)
  }
  const latest: { witness: Witness; start: bigint; step: bigint }[] = []
  for (const witness of others.slice(0, minWitnesses)) {
    const found = yield* ifDecided(latestStart(probe, witness, unit))
    if (!found) break
    if (yield* isInAt(witness, found.start)) return []
    latest.push({ witness, ...found })
  }
  // If bounds are truncated to a coarser step than is accepted, these are the last that truncate to the time.
  const finest = latest.reduce((most, { step }) => (step > most ? step : most), 1n)
  const step = unitOf(latest.map(({ start }) => start + finest))
  const times = latest.map(({ start }) => start + finest - step)
  for (const [n, { witness }] of latest.entries())
    if (yield* isInAt(witness, times[n] ?? 0n)) return []
  // Bounds are finer than stored times, or as fine as any clock: no event lies between one that was found and the next.
  const isFine = step === 1n || unitOf(times) >= 10n * step
  const isExact = latest.length >= minWitnesses && isFine
  const isAnySeen = seen.length > 0
  const at = isoOf(others[0]?.time ?? 0n)
  const finding = rowsFinding(
    missingAt(others, { names: ['range_start', 'range_end'], at, is: 'at' }),
  )
  const isSuspect = !isExact && !isAnySeen && (yield* isExclusive(look))
  premise(!isSuspect || !storesFiner, 'freedom', storedFiner)
  const open = `${sentenceOf(finding)}; the contract does not specify the precision of stored times`
  premise(isExact || isSuspect || isAnySeen, 'freedom', open)
  return problemUnless(!isExact && !isSuspect, finding, {
    judged: probe.asked(),
    decides: { ...decidesOf('start', others[0]), ...decidesOf('end', others[0]) },
  })
}

function* latestStart(probe: Probe, witness: Witness, unit: bigint) {
  const { time } = witness
  const isInFrom = (start: bigint) => probe.isIn(witness, start)
  for (const step of steps) {
    if ((yield* ifDecided(isInFrom(time + step))) === undefined) continue
    // A shown time is truncated or rounded by less than a unit.
    const start = yield* lastOf(isInFrom, [time - unit, time + unit], step)
    return start === undefined ? undefined : { start, step }
  }
  return undefined
}

/** Whether a file with milliseconds has all of many events with range_end a unit later, and none at their time. */
function* isExclusive(look: Look): Dialogue<boolean> {
  const { unit } = look.column
  const crowd = unit <= millisecond ? witnessesFor(look, 'end', maxInCrowd) : []
  const probe = createProbe(look, 'end', true)
  return (
    crowd.length >= maxInCrowd &&
    !(yield* probe.some(crowd, (time) => time)) &&
    (yield* probe.every(crowd, (time) => time + unit)) &&
    (yield* isRounded(look, probe, crowd, 'end')) === false
  )
}

/** Fewer events in two separate ranges are not yet a breach. */
const minInBoth = 3
/** Some databases store times in ticks that are not whole milliseconds. */
const tick = 10n * millisecond

/**
 * A bound includes events from beyond it: the other bound includes them up to some step, and this one still
 * includes them from beyond that step.
 */
export function* problemsOfRangesApart(look: Look): Dialogue<Problem[]> {
  const problems = yield* problemsOfLoose(look, 'start', 'end')
  return [...problems, ...(yield* problemsOfLoose(look, 'end', 'start'))]
}

function* problemsOfLoose(look: Look, loose: End, other: End): Dialogue<Problem[]> {
  const { unit } = look.column
  // Times with fractions are shown as finely as they are stored: bounds within a fraction prove nothing.
  const lone = unit < second ? [] : loneWitnesses(look, loose)
  const isCoarse = lone.length < minInBoth
  const [step, apart] = isCoarse ? [unit, unit] : [millisecond, tick]
  const [judged, control] = [createProbe(look, loose), createProbe(look, other, true)]
  const inward = -outward[loose]
  const inBoth: (Witness & { last: bigint })[] = []
  let [suspected, placed] = [0, 0]
  const witnesses = isCoarse ? witnessesFor(look, loose, minWitnesses) : lone
  for (const [at, witness] of witnesses.entries()) {
    // Too few are left to reach the minimum.
    if (suspected + witnesses.length - at < minInBoth) break
    const { time } = witness
    // An event with this shown time is at most that far away.
    const beyond = (loose === 'start' ? time + unit - step : time) + (isCoarse ? inward * unit : 0n)
    if (!(yield* judged.isIn(witness, beyond))) continue
    suspected += 1
    const around = [time + inward * unit, time - inward * unit] as const
    const last = yield* lastOf((at) => control.isIn(witness, at), around, step)
    if (last === undefined) continue
    placed += 1
    const further = last + inward * apart
    const isFurther = inward * (further - beyond) > 0n
    if (!isFurther || (yield* judged.isIn(witness, further))) inBoth.push({ ...witness, last })
  }
  if (suspected > 0 && placed === 0) throw new NotDecidable('freedom', tooCoarse)
  // If bounds are read coarsely, all events lie at the same place within a unit.
  const isAtOnePlace = distinct(inBoth.map(({ last }) => last % unit)).length === 1
  const isByChance = inBoth.length < minInBoth || (isAtOnePlace && !isCoarse)
  const bounds = inBoth.slice(0, 3).map(({ last }) => isoOf(last))
  const finding = rowsFinding({
    wrong: 'repeated',
    place: { in: 'csv' },
    wanted: { most: 0 },
    got: inBoth.length,
    count: inBoth.length,
    first: textsOf(inBoth),
    bound: { names: [`range_${other}`], at: bounds[0] ?? '' },
    to: `the other with ${loose === 'start' ? 'a later' : 'an earlier'} range_${loose}`,
    texts: { absent: textsOf(inBoth.slice(0, 1)) },
  })
  return problemUnless(isByChance, finding, {
    judged: judged.asked(),
    control: control.asked(),
    decides: {
      [`range_${other} with which it is included`]: bounds[0] ?? '',
      'time of the event': inBoth[0]?.text ?? '',
    },
  })
}

const tooCoarse =
  'the service reads bounds less precisely than it shows times, so no two ranges are known to be separate'

function loneWitnesses(look: Look, bound: End): Witness[] {
  const texts = look.times.rows.map(look.column.textIn)
  return witnessesFor(look, bound, maxInCrowd)
    .filter(({ text }) => texts.filter((each) => each === text).length === 1)
    .slice(0, minWitnesses)
}
