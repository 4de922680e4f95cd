// Whether a filter gives exactly the events with its value, judged by the column that shows it, by
// other values and by other fields.

import {
  intersection,
  isEqual,
  type Multiset,
  minus,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import { isRefused } from '../../../engine/http/answers.ts'
import { type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { premise } from '../../service/answers.ts'
import { metadataKeys } from '../../service/operations.ts'
import {
  describeFilter,
  type Field,
  filterBy,
  isIdentifier,
  isMetadataKey,
  mergeQueries,
  parameters,
} from '../ask/query.ts'
import { codeOf, nameMatch } from '../learn/cells.ts'
import { namedColumns, rowsShowing, type Source, valuesShown } from '../learn/columns.ts'
import { confirmed, type Fetch } from '../learn/confirmed.ts'
import type { Filters, KnownValue } from '../learn/filters.ts'
import {
  createEventFetch,
  eventsAmong,
  eventsSeen,
  linesOf,
  problemsOfEvents,
} from '../learn/relations.ts'
import { eventRows, spanOf, type Window } from '../learn/window.ts'
import { eventsOf } from './words.ts'

/** Users and ids may be many; types and sources are few. */
const maxValues = (field: Field) => (isIdentifier(field) ? 5 : 30)

/** The values of a field to request one by one: those in its column, or else those known. */
export async function valuesToAsk(
  field: Field,
  filters: Filters,
  { rows }: Window,
): Promise<string[]> {
  const known = await filters.needKnown(field)
  const source = await filters.column(field)
  return source
    ? valuesShown(source, rows).slice(0, maxValues(field))
    : known.map(({ value }) => value)
}

export async function describeBasis(
  field: Field,
  filters: Filters,
  { header }: Window,
): Promise<string> {
  const source = await filters.column(field)
  if (!source) return 'no column contains it: judged by the export without the filter'
  return `by the column ${header?.[source.column] ?? source.column + 1}`
}

/** What is wrong with the export for one value, judged by the export without it and by the column. */
export async function problemsOfValue(
  value: string,
  field: Field,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const source = await filters.column(field)
  return confirmed(filters.exports, window, async (fetch) => {
    const whole = await fetch(spanOf(window))
    const found = await fetchEvents(fetch, window, field, value)
    const all = eventsAmong(window, whole)
    const rows = source && rowsShowing(source, value, whole)
    return problemsOfEvents(describeFilter(field, value), found, {
      least: rows ? eventsAmong(window, rows.sure) : new Map(),
      most: rows ? eventsAmong(window, rows.possible) : all,
      all,
      control: whole,
      lines: linesOf(window),
    })
  })
}

/** The events for a value; without any, for the code that it labels. */
async function fetchEvents(
  fetch: Fetch,
  window: Window,
  field: Field,
  value: string,
): Promise<Multiset> {
  const events = createEventFetch(fetch, window)
  const found = await events(filterBy(field, value))
  const code = codeOf(value)
  return sizeOf(found) > 0 || code === value ? found : events(filterBy(field, code))
}

/** More values would cost too many exports. */
const maxParts = 40

export async function learnedColumns(filters: Filters): Promise<Source[]> {
  const columns = await Promise.all(parameters.map((field) => filters.column(field)))
  return columns.flatMap((column) => column ?? [])
}

/** The exports for all values of a field add up to the events that show one. */
export async function problemsOfAllValues(
  source: Source,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const { field } = source
  const shown = valuesShown(source, window.rows)
  const tooMany = `set EXPORT_FROM and EXPORT_TO to a shorter window: ${field} has ${shown.length} values in it, more than ${maxParts}`
  premise(shown.length <= maxParts, 'setting', tooMany)
  // A column need not show the values that can be requested.
  const values: string[] = []
  for (const value of shown) {
    const query = mergeQueries(spanOf(window), filterBy(field, value))
    if (!isRefused((await filters.exports.csv(query)).answer)) values.push(value)
  }
  return confirmed(filters.exports, window, async (fetch) => {
    const whole = await fetch(spanOf(window))
    const all = eventsAmong(window, whole)
    const parts: Multiset[] = []
    for (const value of values) parts.push(await fetchEvents(fetch, window, field, value))
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
    const rows = values.map((value) => rowsShowing(source, value, whole))
    const found = sum(parts.map((events) => sizeOf(intersection(events, all))))
    const least = sum(rows.map(({ sure }) => sure.length))
    const most = sum(rows.map(({ possible }) => possible.length))
    const sentence = `${found} events for all ${values.length} values of ${field}, but ${least} events contain a value`
    const seen = { expected: eventsOf(least), got: eventsOf(found), judged: parts, control: whole }
    const again = { signs: [{ events: { least, most }, titles: linesOf(window) }] }
    return problemUnless(found >= least && found <= most, sentence, { ...seen, again })
  })
}

/** Values under the field's own name in the file give no event, none of them. */
export async function problemsOfNoEvent(
  field: Field,
  { exports, tries }: Filters,
  window: Window,
): Promise<Problem[]> {
  const tried = await tries(field)
  const shown = tried.filter(({ known }) => known === 'shown').map(({ value }) => value)
  if (shown.length === 0 || tried.some(({ effect }) => effect !== 'none')) return []
  return confirmed(exports, window, async (fetch) => {
    const events = createEventFetch(fetch, window)
    const whole = await events()
    const found: Multiset[] = []
    for (const value of shown) found.push(await events(filterBy(field, value)))
    if (found.some((each) => sizeOf(each) > 0)) return []
    const sentence = `no event for ${shown.map((value) => describeFilter(field, value)).join(' or ')}, although the file shows each as ${field}`
    const expected = 'the events that show it'
    return [problem(sentence, { expected, got: 'no event', judged: found, control: whole })]
  })
}

const maxOwn = 2

/**
 * A field filters by the values of another one: its own values (from the file, from reads, or declared)
 * give no event, and the other's values give the other's events. Without a known value of its own that
 * proves nothing: both may be equal in every event.
 */
export async function problemsOfMixedUpFields(
  field: Field,
  filters: Filters,
  window: Window,
  declared: readonly string[] = [],
): Promise<Problem[]> {
  const source = await filters.column(field)
  const isInFile = (value: string) =>
    window.rows.some((row) => row.some((cell) => cell.trim() === value))
  const read = (await filters.read(field)).filter(isInFile).slice(0, maxOwn)
  const own = { shown: [...shownFor(field, window), ...read], declared: declared.slice(0, maxOwn) }
  if (source?.by === 'name' || own.shown.length + own.declared.length === 0) return []
  if (!isMetadataKey(field) && !filters.form.settled) return []
  const alike: readonly Field[] = isMetadataKey(field) ? metadataKeys : parameters
  for (const other of alike.filter((each) => each !== field)) {
    const known = (await filters.known(other)).slice(0, maxOwn)
    const problems = await problemsBesideOther(field, own, known, filters, window)
    if (problems.length > 0) return problems
  }
  return []
}

function shownFor(field: Field, window: Window): string[] {
  const named = namedColumns(field, window).filter(
    ({ column, form }) =>
      form === 'inside' || nameMatch(window.header?.[column] ?? '', field) === 'so',
  )
  return named.flatMap((source) => valuesShown(source, window.rows).slice(0, maxOwn))
}

async function problemsBesideOther(
  field: Field,
  own: { shown: string[]; declared: string[] },
  ofOther: readonly KnownValue[],
  { exports }: Filters,
  window: Window,
): Promise<Problem[]> {
  const inWindow = (value: string) => mergeQueries(spanOf(window), filterBy(field, value))
  // Unknown values may be refused: then they give nothing.
  const givenFor = async (value: string) => eventsSeen(window, await exports.csv(inWindow(value)))
  // A file may show a short name where the filter needs an id: skip such values.
  const shown = own.shown.filter((each) =>
    ofOther.every(({ value }) => isUuid(value) === isUuid(each)),
  )
  if (ofOther.length === 0 || shown.length + own.declared.length === 0) return []
  for (const { value, events } of ofOther) if (!isEqual(await givenFor(value), events)) return []
  for (const value of shown) if (sizeOf(await givenFor(value)) > 0) return []
  // A declared value may occur anywhere in the audit trail.
  const read = 1 + window.lines.before + window.lines.behind
  for (const value of own.declared) {
    const { csv } = await exports.csv(filterBy(field, value), { read })
    if (eventRows(window, csv?.records ?? [], csv?.cut).length > 0) return []
    // Without a range it may be refused as too large, which says nothing about the value.
    if (!csv && (await exports.csv(inWindow(value))).csv) return []
  }
  return confirmed(exports, window, async (fetch) => {
    const events = createEventFetch(fetch, window)
    const problems: Problem[] = []
    for (const { field: other, value } of ofOther) {
      const found = await events(filterBy(field, value))
      const control = await events(filterBy(other, value))
      const size = sizeOf(found)
      if (size === 0 || !isEqual(found, control)) return []
      const got = `the ${size} events of that ${other}`
      const sentence = `${describeFilter(field, value)} returns ${got}, and known values of ${field} return no events`
      const expected = `the events of that ${field}`
      problems.push(problem(sentence, { expected, got, judged: found, control }))
    }
    return problems
  })
}

/**
 * The filter also finds events of values that resemble the requested one, though no cell shows it: a part of
 * it, or a pattern that matches. What signs such as % mean is not shown, so this is only the natural reading.
 */
export async function problemsOfPartialMatch(
  known: KnownValue,
  { exports }: Filters,
  window: Window,
): Promise<Problem[]> {
  const { field, value, events: ofValue } = known
  const seenFor = async (other: string): Promise<Multiset> => {
    const found = await exports.csv(mergeQueries(spanOf(window), filterBy(field, other)))
    // A refused request returns no events.
    return found.answer.status === 200 ? eventsSeen(window, found) : new Map()
  }
  const ofThese = (found: Multiset, others: Multiset) =>
    sizeOf(found) >= window.rows.length ? 0 : sizeOf(intersection(minus(found, others), ofValue))
  let ofNone: Multiset | undefined
  for (const other of similarValues(known)) {
    if (ofThese(await seenFor(other), new Map()) === 0 || isShown(other, window)) continue
    // unknown-value judges what an unknown value gives.
    ofNone ??= await seenFor(noValueLike(value))
    const others = ofNone
    const problems = await confirmed(exports, window, async (fetch) => {
      const found = await createEventFetch(fetch, window)(filterBy(field, other))
      const size = ofThese(found, others)
      const sentence = `${describeFilter(field, other)} returns ${size} of the ${sizeOf(ofValue)} events for ${value}, which is another value`
      const got = `${size} events of ${value}`
      const again = { signs: [{ events: { most: sizeOf(others) }, titles: linesOf(window) }] }
      const seen = { expected: 'no event', got, judged: found, control: ofValue, again }
      return problemUnless(size === 0, sentence, seen)
    })
    if (problems.length > 0) return problems
  }
  return []
}

/** A value that no event has, of the same length, and for ids of the same form. */
const noValueLike = (value: string): string =>
  isUuid(value)
    ? value.replaceAll(/[0-8]/g, (digit) => `${8 - Number(digit)}`)
    : `none-${[...value].reverse().join('')}`

/** What is this value again for who decodes it twice, or divides it at a sign that was encoded. */
const besideSigns = (value: string): string[] => [
  value.replace(/./, (letter) => `%${(letter.codePointAt(0) ?? 0).toString(16)}`),
  ...['&x=1', ';x', '=x', '+x'].map((behind) => `${value}${behind}`),
]

function similarValues({ field, value }: KnownValue): string[] {
  const half = value.slice(0, value.length / 2)
  const signs = [`${half}%`, value.replace(/(?<=.)[^_](?=.)/, '_'), `${half}*`]
  // A service treats signs alike in all keys: try % with every second key, _ with the others.
  const at = isMetadataKey(field) ? metadataKeys.indexOf(field) % 2 : undefined
  const others = [value.slice(0, -1), ...(at === undefined ? signs : signs.slice(at, at + 1))]
  // A list of several values may be divided by such signs, and each key has one.
  const place = isMetadataKey(field) ? metadataKeys.indexOf(field) : Number.POSITIVE_INFINITY
  others.push(...besideSigns(value).slice(place, place + 1))
  // Values that differ only in signs may be equal for a service that normalises them.
  return value.length < 3 ? [] : others.filter((other) => codeOf(other) !== codeOf(value))
}

/** Whether cells show it as a separate word: two letters occur within many others. */
function isShown(other: string, { rows }: Window): boolean {
  const quoted = other.toLowerCase().replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const word = new RegExp(`(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}])`, 'u')
  return rows.flat().some((cell) => word.test(cell.toLowerCase()))
}
