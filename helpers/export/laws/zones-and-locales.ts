// Zones and languages that a service accepts, which the contract does not list; and whether a zone moves the bounds
// of a range, tested with windows of under a second.

import type { Unasked } from '../../../engine/clause/case.ts'
import { distinct } from '../../../engine/distinct.ts'
import { inOrderOf } from '../../../engine/files/by-titles.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import {
  day,
  instantAt,
  isoOf,
  millisecond,
  offsetAt,
  second,
} from '../../../engine/files/dates.ts'
import { isEqual, multisetOf } from '../../../engine/files/multiset.ts'
import { rowsFinding } from '../../../engine/findings/file-rows.ts'
import { statusFinding } from '../../../engine/findings/status.ts'
import { twinsFinding } from '../../../engine/findings/twins.ts'
import { isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Answered } from '../../../engine/http/status-problems.ts'
import { from, type Origin } from '../../../engine/origin.ts'
import { NotDecidable, type Why } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { defaultLanguage } from '../../contract/parameters.ts'
import { statuses } from '../../contract/statuses.ts'
import { sentenceOf } from '../../findings/kinds.ts'
import { premise } from '../../service/answers.ts'
import { type CsvExport, type Exports, needCsv } from '../ask/exports.ts'
import { placeOf } from '../ask/places.ts'
import type { Query, Span } from '../ask/query.ts'
import { ask, type Dialogue, gathered, held, ifDecided, wholeRecords } from '../learn/confirmed.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { inZones, type Times } from '../learn/time-column.ts'
import { eventRows, eventsShown, rowsSeen, type Window } from '../learn/window.ts'

/** 25 hours apart: their dates always differ. */
export const zonesFarApart = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const

/** Further pairs, for services that ignore unknown zones. */
const pairsOfZones = [
  zonesFarApart,
  ['Asia/Tokyo', 'America/Los_Angeles'],
  ['Asia/Kolkata', 'Europe/London'],
] as const

/**
 * With and without daylight saving, in both directions and on both hemispheres, off by halves and quarters,
 * with a three-part name, with an offset in the name, and more than half a day from UTC.
 */
const zonesToTry = [
  'America/St_Johns',
  'Etc/GMT+9',
  'Australia/Sydney',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'America/Argentina/Buenos_Aires',
  ...zonesFarApart,
] as const

/** Names of every form in the list of zones. */
const formsOfZones =
  'UTC Europe/Berlin Asia/Kathmandu America/Argentina/Buenos_Aires Etc/GMT+9'.split(' ')
/** A one-part name: systems may leave it out as a former name. */
const formerName = 'Japan'

export const languages = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja', 'zh', 'ar'] as const

export const noZone =
  'too few of the time zones tried are accepted; the contract does not list the supported time zones'
export const noLanguage =
  'no other language tried is accepted; the contract does not list the supported locales'

const acceptedAs =
  (kind: 'timezone' | 'locale') =>
  async (exports: Exports, query: Query, values: readonly string[], maxCount = values.length) => {
    const accepted: string[] = []
    for (const value of values) {
      if (accepted.length === maxCount) break
      const asked = await exports.csv({ ...query, [kind]: value })
      const { status } = asked.answer
      if (status === 403 || status >= 500) needCsv(asked)
      if (isAccepted(asked.answer)) accepted.push(value)
    }
    return accepted
  }

export const acceptedZones = acceptedAs('timezone')

export const acceptedLanguages = (exports: Exports, query: Query, maxCount: number) =>
  acceptedAs('locale')(exports, query, languages, maxCount)

export async function shownOtherwise(exports: Exports, span: Span): Promise<Query[]> {
  const [timezone] = await acceptedZones(exports, span, zonesFarApart, 1)
  const [locale] = await acceptedLanguages(exports, span, 1)
  return [...(timezone ? [{ ...span, timezone }] : []), ...(locale ? [{ ...span, locale }] : [])]
}

/** the file in UTC comes first */
type NamedZones =
  | { zone: string; accepted: string; answer: Answered; control: Origin }
  | { files: readonly { zone: string; rows: string[][] }[] }

export async function fetchNamedZones(exports: Exports, window: Window, span: Span) {
  const queryFor = (timezone: string) => ({ ...span, timezone })
  const all = await acceptedZones(exports, span, [...formsOfZones, formerName])
  const accepted = formsOfZones.find((zone) => all.includes(zone))
  if (accepted === undefined) throw new NotDecidable('freedom', noZone)
  const control = await exports.csv(queryFor(accepted))
  const cases: (NamedZones | Unasked)[] = [
    await gathered(exports, window, async (fetch): Promise<NamedZones> => {
      const files: { zone: string; rows: string[][] }[] = []
      for (const zone of all[0] === 'UTC' ? all : [])
        files.push({ zone, rows: await fetch(queryFor(zone)) })
      return from({ files }, control, ...files.map(({ rows }) => rows))
    }),
  ]
  for (const zone of formsOfZones.filter((each) => !all.includes(each))) {
    const { answer } = await exports.csv(queryFor(zone))
    if (!isAccepted(answer)) cases.push({ zone, accepted, answer, control })
  }
  return cases
}

export function problemsOfZones(one: NamedZones): Problem[] {
  if ('answer' in one) {
    const { zone, accepted, answer, control } = one
    const context = { to: `to ${zone}`, although: `${accepted} is accepted` }
    return [problem(statusFinding(answer, statuses.exported, context), { judged: answer, control })]
  }
  const [{ rows: inUtc } = { rows: [] }, ...others] = one.files
  const same = others.filter(({ rows }) => isEqual(textsOf(rows), textsOf(inUtc)))
  // If the file shows no time of day, one zone may show the same dates as another.
  const isTimed = inUtc.flat().some((cell) => /\d[:.h]\d\d/.test(cell))
  return (isTimed && same.length * 2 < others.length ? same : []).map(({ zone, rows }) =>
    problem(sameDates([zone, 'UTC']), { judged: rows, control: inUtc }),
  )
}

export async function heldZones(ranges: Ranges, query: Query) {
  const window = await ranges.window()
  return held(ranges.exports, window, function* hold(): Dialogue<Problem[]> {
    const problems = yield* problemsOfAlikeZones(ranges, window, query)
    // A file without dates is the same in every zone, and so is a count of seconds.
    const columns = problems.length > 0 ? inZones(yield* ask(ranges.times)).columns : []
    const asNumbers =
      'the file shows times as numbers, which are in no time zone; the contract does not specify the fields of an event'
    const isDated = columns.length === 0 || columns.some(({ isNumber }) => !isNumber)
    premise(isDated, 'freedom', asNumbers)
    return problems
  })
}

function* problemsOfAlikeZones({ exports }: Ranges, { columns }: Window, query: Query) {
  let alike: Problem | undefined
  for (const pair of pairsOfZones) {
    const accepted = yield* ask(() => acceptedZones(exports, query, pair))
    if (accepted.length < pair.length) continue
    const rowsIn = (timezone = '') => ask(({ fetch }) => fetch({ ...query, timezone }))
    const [one, other] = [yield* rowsIn(accepted[0]), yield* rowsIn(accepted[1])]
    if (!isEqual(multisetOf(one, columns), multisetOf(other, columns))) return []
    // Dates may be in a column that differs between identical requests.
    const open = `files in ${accepted.join(' and ')} differ only in columns that differ between two equal requests too; the contract does not specify which columns a file has`
    premise(isEqual(textsOf(one), textsOf(other)), 'freedom', open)
    alike ??= problem(sameDates([...accepted].reverse(), query), { judged: other, control: one })
  }
  if (alike) return [alike]
  const zones = ['UTC', ...pairsOfZones.flat()]
  const answers: Downloaded[] = []
  // A language may be refused beside every zone: whether zones are taken is judged without one.
  for (const timezone of query.locale === undefined ? zones : [])
    answers.push((yield* ask(({ port }) => port.csv({ ...query, timezone }))).answer)
  premise(answers.length > 0 && answers.every(isRefused), 'freedom', noZone)
  const control = yield* ask(({ port }) => port.csvFile(query))
  const finding = statusFinding(answers[0] as Downloaded, statuses.exported, {
    to: `to all ${zones.length} time zones tried, ${zones.join(', ')}`,
    all: distinct(answers.map(({ status }) => status)),
  })
  return [problem(finding, { judged: answers, control })]
}

function sameDates([zone = '', otherZone = '']: readonly string[], { locale }: Query = {}) {
  const beside = locale === undefined ? '' : ` and locale=${locale}`
  return twinsFinding({
    things: 'dates',
    wanted: 'unlike',
    one: { name: `the CSV with timezone=${zone}${beside}` },
    other: { name: `the CSV with timezone=${otherZone}${beside}` },
  })
}

const textsOf = (rows: string[][]) => multisetOf(rows, [...(rows[0] ?? []).keys()])

/** A service may ignore a zone that it does not support. */
async function zonesWithEffect(
  exports: Exports,
  window: Window,
  span: Span,
  zones: readonly string[],
) {
  const eventsIn = async (query: Query) =>
    eventsShown(window, await exports.csvFile({ ...span, ...query }))
  const accepted = await acceptedZones(exports, span, zones)
  const plain = await eventsIn({})
  const changing: string[] = []
  for (const timezone of accepted)
    if (!isEqual(await eventsIn({ timezone }), plain)) changing.push(timezone)
  return { accepted, changing }
}

export async function needZonesApart(exports: Exports, window: Window, span: Span) {
  let most: string[] = []
  for (const pair of pairsOfZones) {
    const { accepted, changing } = await zonesWithEffect(exports, window, span, pair)
    if (changing.length > 0) return accepted
    if (accepted.length > most.length) most = accepted
  }
  premise(most.length > 0, 'clause', 'no time zone is accepted', 'export.timezone.formats')
  return most
}

export async function needZonesWithEffect(exports: Exports, window: Window, span: Span) {
  const { accepted, changing } = await zonesWithEffect(exports, window, span, zonesToTry)
  const unchanged = `${accepted.join(', ')} are accepted and change no time; the contract does not list the supported time zones`
  premise(changing.length > 0, 'freedom', accepted.length > 0 ? unchanged : noZone)
  return changing
}

export type Localized = { locale: string; found: CsvExport; files: CsvReading[] }

export async function* askLocalized({ exports, few }: Ranges, locales: readonly string[]) {
  const span = await few()
  const others = [span, { ...span, locale: defaultLanguage }]
  for (const locale of locales) {
    const found = await exports.csv({ ...span, locale })
    const files: CsvReading[] = []
    if (found.answer.status === statuses.exported) {
      for (const query of others) files.push(await exports.csvFile(query))
      files.push(needCsv(found))
    }
    yield { locale, found, files }
  }
}

export function effectOfLocale({ found, files }: Localized): string | number {
  if (files.length === 0) return found.answer.status
  const [plain, english, own] = files.map(({ records }) => JSON.stringify(records))
  // A file that shows when it was made always differs.
  return own === plain || own === english || plain !== english ? 'as in English' : 'another file'
}

const [minWindows, enoughKept] = [3, 2]

type ZoneBoundsQuestion = {
  window: Window
  utc: Query
  /** where events are likely; later lists are used if earlier ones give nothing */
  places: readonly (readonly Span[])[]
  zones: readonly string[]
}

/** undefined if it is refused */
type Holds = (span: Span) => Dialogue<boolean | undefined>

/**
 * Compares a short window with events and one of another day without: if their files differ in UTC, they differ in
 * every zone. Whole files are compared, without digits, because titles may show the range.
 */
export function* problemsOfZoneBounds(asked: ZoneBoundsQuestion): Dialogue<Problem[]> {
  const { window, utc, places, zones } = asked
  const recordsOf = (query: Query) =>
    ifDecided(
      ask(async ({ port }) => {
        const records = wholeRecords(await port.csv(query))
        return from(inOrderOf(window.header, records), records)
      }),
    )
  const holdsIn = (zone: Query): Holds =>
    function* holds(span) {
      const records = yield* recordsOf({ ...span, ...zone })
      return records && eventRows(window, records).length > 0
    }
  const holds = holdsIn(utc)
  const kept = new Set<Span>()
  /** zones that refuse short windows, or whose files show no difference */
  const unseen = new Set<string>()
  const broken = new Map<string, Problem[]>()

  function* compared(one: Span, other: Span, zone: Query) {
    const files = [yield* recordsOf({ ...one, ...zone }), yield* recordsOf({ ...other, ...zone })]
    const [text, same] = files.map((each) => each && JSON.stringify(each).replace(/\d+/g, '0'))
    return text && same ? { isSame: text === same, files: files as string[][][] } : undefined
  }
  function* judgeIn(timezone: string, span: Span, empty: Span): Dialogue<void> {
    const inUtc = yield* compared(span, empty, utc)
    if (!inUtc || inUtc.isSame) return
    const inZone = yield* compared(span, empty, { timezone })
    if (!inZone) unseen.add(timezone)
    else if (inZone.isSame) {
      const finding = rowsFinding({
        wrong: 'number',
        place: placeOf({ ...span, timezone }),
        beside: placeOf({ ...span, ...utc }),
        wanted: { least: 1 },
        got: 0,
        although: 'the same range has some in UTC',
        records: { least: 0 },
      })
      const found = problem(finding, { judged: inZone.files, control: inUtc.files })
      broken.set(timezone, [...(broken.get(timezone) ?? []), found])
      // Files that differ in their days alone show nothing.
    } else if (yield* holdsIn({ timezone })(span)) kept.add(span)
    else unseen.add(timezone)
  }
  function* judgeAt(place: Span): Dialogue<void> {
    const span = yield* shorten(holds, place)
    const empty = span && (yield* emptyBeside(holds, span))
    for (const zone of span && empty ? zones : [])
      if (span && empty && (yield* isAlone(holds, span, zone))) yield* judgeIn(zone, span, empty)
  }
  const mostBroken = () =>
    [...broken.values()].reduce((most, each) => (each.length > most.length ? each : most), [])
  const isOpen = () => {
    const { length } = mostBroken()
    return length < minWindows && (length > 0 || kept.size < enoughKept)
  }
  for (const likely of places) {
    if (kept.size > 0 || broken.size > 0) break
    for (const place of likely) if (isOpen()) yield* judgeAt(place)
  }
  const problems = mostBroken()
  if (problems.length >= minWindows || (kept.size > 0 && problems.length === 0)) return problems
  throw new NotDecidable(...whyOpen(problems, [...unseen]))
}

function* isAlone(holds: Holds, span: Span, zone: string): Dialogue<boolean> {
  const offset = offsetAt(zone, instantAt(span.start))
  for (const by of [offset, -offset])
    if (by !== 0n && (yield* holds(movedSpan(span, by))) !== false) return false
  return true
}

const daysNearby = [1n, -1n, 2n, -2n, 3n, -3n]

function* emptyBeside(holds: Holds, span: Span): Dialogue<Span | undefined> {
  for (const count of daysNearby) {
    const empty = movedSpan(span, count * day)
    if ((yield* holds(empty)) === false) return empty
  }
  return undefined
}

function whyOpen([first]: readonly Problem[], unseen: readonly string[]): Why {
  if (first)
    return [
      'data',
      `${sentenceOf(first.finding)}; events at ${minWindows} times like this are needed`,
    ]
  const open = `windows of under a second are rejected in ${unseen.join(' and ')}, or show no line that is known as an event; the contract does not list every invalid export, nor the fields of an event`
  if (unseen.length > 0) return ['freedom', open]
  return [
    'data',
    'no event is alone in its second with no other at the distance of a time zone; such an event is needed',
  ]
}

const maxPlaces = 12
/** An order that spreads over all places from the start. */
const order = [2, 9, 6, 11, 4, 0, 7, 3, 10, 1, 8, 5]
/** Truncated to whole seconds, a range this long still covers most of its time. */
const reach = 450n * millisecond

/** Ranges with likely events: around the times in the file, and of another season; then parts of the window. */
export async function placesOfEvents(ranges: Ranges, window: Window): Promise<Span[][]> {
  const times = await ranges.times().catch(unlessUndecided)
  const [from, length] = [instantAt(window.start), lengthOf(window)]
  const at = (part: number) => isoOf(from + (length * BigInt(part)) / BigInt(maxPlaces))
  const parts = order.map((part) => ({ start: at(part), end: at(part + 1) }))
  return times ? [await placesShown(ranges, window, times), parts] : [parts]
}

async function placesShown(
  { exports, seasons }: Ranges,
  window: Window,
  { columns: [column], utc }: Times,
): Promise<Span[]> {
  // The zone of the times is unknown.
  if (!column.inUtc) return []
  const [, other] = (await seasons()).spans
  const { csv } = other ? await exports.csv({ ...other, ...utc }) : {}
  // A shown time is truncated or rounded by less than its unit.
  const near = column.unit <= millisecond ? reach : column.unit
  const placesOf = (times: readonly bigint[]) =>
    spread(distinct(times)).map((time) => ({ start: isoOf(time - near), end: isoOf(time + near) }))
  const here = placesOf(column.times)
  const there = placesOf(rowsSeen(window, csv).flatMap((row) => column.timeIn(row) ?? []))
  // Every third place is of the other season.
  return here.flatMap((place, n) => (n % 2 === 1 ? [place, ...there.splice(0, 1)] : [place]))
}

const spread = <T>(all: readonly T[]): T[] =>
  all.length <= maxPlaces
    ? [...all]
    : order.flatMap((place) => all[Math.floor(((place + 0.5) * all.length) / maxPlaces)] ?? [])

/** Halves a range with events to under a second, or to two if bounds are truncated. */
function* shorten(holds: Holds, place: Span): Dialogue<Span | undefined> {
  let span = place
  let isKnown = false
  while (lengthOf(span) >= second) {
    const middle = isoOf((instantAt(span.start) + instantAt(span.end)) / 2n)
    const first = { ...span, end: middle }
    const other = { ...span, start: middle }
    const half = (yield* holds(first)) ? first : (yield* holds(other)) ? other : undefined
    if (!half) return isKnown && lengthOf(span) <= 2n * second ? span : undefined
    span = half
    isKnown = true
  }
  return isKnown || (yield* holds(span)) ? span : undefined
}

const lengthOf = ({ start, end }: Span): bigint => instantAt(end) - instantAt(start)

const movedSpan = ({ start, end }: Span, by: bigint): Span => ({
  start: isoOf(instantAt(start) + by),
  end: isoOf(instantAt(end) + by),
})
