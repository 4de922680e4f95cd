import { caseOrWhy, type Unasked } from '../../../engine/clause/law.ts'
import { counted } from '../../../engine/counted.ts'
import {
  intersection,
  isEqual,
  type Multiset,
  minus,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable, type Why } from '../../../engine/outcome.ts'
import { type Problem, problemUnless } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
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
import { codeOf, namedColumns, nameMatch, valuesShown } from '../learn/columns.ts'
import { type Fetch, gathered } from '../learn/confirmed.ts'
import { type Filters, type KnownValue, tryValue } from '../learn/filters.ts'
import { createEventFetch, eventsSeen } from '../learn/relations.ts'
import { eventRows, spanOf, type Window } from '../learn/window.ts'
import { type Asked, problemsOfEventsShown, problemsOfFile } from './file.ts'
import { askOtherKey, problemsOfStrange, type Strange } from './filters.ts'
import { askFiles, byColumn, byRows } from './predict.ts'

/** Users and ids may be many; types and sources are few. */
const maxValues = (field: Field) => (isIdentifier(field) ? 5 : 30)

export async function* askExact(field: Field, filters: Filters, declared?: readonly string[]) {
  yield* await askSwapped(field, filters, declared)
  yield* await askShown(field, filters)
  const [known] = await filters.needKnown(field)
  const source = await filters.column(field)
  const shown = source && valuesShown(source, filters.window.rows).slice(0, maxValues(field))
  const values = shown ?? (await filters.known(field)).map(({ value }) => value)
  for (const value of values) yield* await askValue(value, field, filters)
  yield* askSimilar(known, filters)
  if (isMetadataKey(field)) yield* await askOtherKey(field, filters)
}

export const problemsOfExact = (one: Asked | Strange | Nothing): readonly Problem[] => {
  if ('request' in one) return problemsOfFile(problemsOfEventsShown)(one)
  return 'strange' in one ? problemsOfStrange(one) : problemsOfNothing(one)
}

/** A value whose events are judged is needed: what other fields give is not enough. */
export const lacksValue = (all: readonly object[]): Why | undefined =>
  all.some((one) => 'request' in one)
    ? undefined
    : ['freedom', 'no value returns a file that can be judged']

export function describeExact(all: readonly (Asked | Strange | Nothing)[]): string {
  const files = all.filter((one) => 'request' in one)
  return `${counted(files.length, 'value')}${files[0]?.expected.beside ?? ''}`
}

async function askValue(value: string, field: Field, filters: Filters) {
  const source = await filters.column(field)
  const by = source
    ? byColumn(source, filters.window, value)
    : byRows(undefined, ', by the export without the filter: no column shows them')
  const given = await givenFor(value, field, filters)
  const query = mergeQueries(spanOf(filters.window), filterBy(field, given.value))
  const refused = given.effect === 'refused' && (await caseOrWhy(filters.exports.csvFile(query)))
  if (refused instanceof Error) return [refused]
  return askFiles(filters, [{ values: [[{ field, ...given }]] }], by)
}

/** What a value gives; without any event, what the code gives that it labels. */
async function givenFor(value: string, field: Field, { exports, window }: Filters) {
  const tried = await tryValue(exports, window, { field, value })
  const code = codeOf(value)
  return tried.effect === 'none' && code !== value
    ? tryValue(exports, window, { field, value: code })
    : tried
}

/** More values would cost too many exports. */
const maxParts = 40

/** The exports for all values that the column of a parameter shows. */
export async function* askPartitions(filters: Filters) {
  if (!filters.form.settled) throw new NotDecidable(...(await filters.why(...parameters)))
  for (const field of parameters) {
    const source = await filters.column(field)
    const shown = source ? valuesShown(source, filters.window.rows) : []
    const tooMany = `set EXPORT_FROM and EXPORT_TO to a shorter window: ${field} has ${shown.length} values in it, more than ${maxParts}`
    if (shown.length > maxParts) yield new NotDecidable('setting', tooMany)
    else for (const value of shown) yield* await askValue(value, field, filters)
  }
}

/** What values give that stand under the field's own name in the file. */
type Nothing = { field: Field; shown: string[]; found: Multiset[]; control: Multiset }

async function askShown(
  field: Field,
  { exports, tries, window }: Filters,
): Promise<(Nothing | Unasked)[]> {
  const tried = await tries(field)
  const shown = tried.filter(({ known }) => known === 'shown').map(({ value }) => value)
  if (shown.length === 0 || tried.some(({ effect }) => effect !== 'none')) return []
  const ask = async (fetch: Fetch): Promise<Nothing> => {
    const events = createEventFetch(fetch, window)
    const control = await events()
    const found: Multiset[] = []
    for (const value of shown) found.push(await events(filterBy(field, value)))
    return { field, shown, found, control }
  }
  return [await gathered(exports, window, ask)]
}

/** No event for any of them; a filtered file may lack columns, so its events need not look alike. */
function problemsOfNothing({ field, shown, found, control }: Nothing): Problem[] {
  const asked = shown.map((value) => describeFilter(field, value)).join(' or ')
  const sentence = `no event for ${asked}, although the file without filters shows each as ${field}`
  const seen = { expected: 'the events that show it', got: 'no event', judged: found, control }
  const isSome = found.some((each) => sizeOf(each) > 0)
  return problemUnless(isSome, sentence, seen)
}

const maxOwn = 2

/**
 * A field filters by the values of another one, and its own give no event. Without a known value of its own
 * that proves nothing: both may be equal in every event.
 */
async function askSwapped(
  field: Field,
  filters: Filters,
  declared: readonly string[] = [],
): Promise<(Strange | Unasked)[]> {
  const { exports, window } = filters
  const source = await filters.column(field)
  const isInFile = (value: string) =>
    window.rows.some((row) => row.some((cell) => cell.trim() === value))
  const read = (await filters.read(field)).filter(isInFile).slice(0, maxOwn)
  const own = { shown: [...shownFor(field, window), ...read], declared: declared.slice(0, maxOwn) }
  if (source?.by === 'name' || own.shown.length + own.declared.length === 0) return []
  if (!isMetadataKey(field) && !filters.form.settled) return []
  const alike: readonly Field[] = isMetadataKey(field) ? metadataKeys : parameters
  const cases: (Strange | Unasked)[] = []
  for (const other of alike.filter((each) => each !== field)) {
    const others = (await filters.known(other)).slice(0, maxOwn)
    if (!(await mayBeSwapped(field, own, others, filters))) continue
    const ask = async (fetch: Fetch): Promise<Strange> => {
      const events = createEventFetch(fetch, window)
      const [found, control]: [Multiset[], Multiset[]] = [[], []]
      for (const { value } of others) {
        found.push(await events(filterBy(field, value)))
        control.push(await events(filterBy(other, value)))
      }
      const areTheirs = found.every((each, at) => isEqual(each, control[at] ?? new Map()))
      const [value = '', first = new Map()] = [others[0]?.value, found[0]]
      const why = `which are the events for ${describeFilter(other, value)}, while known values of ${field} return no events`
      return { field, value, found: first, strange: areTheirs ? first : new Map(), why, control }
    }
    cases.push(await gathered(exports, window, ask))
  }
  return cases
}

const shownFor = (field: Field, window: Window): string[] =>
  namedColumns(field, window)
    .filter(
      ({ column, form }) =>
        form === 'inside' || nameMatch(window.header?.[column] ?? '', field) === 'so',
    )
    .flatMap((source) => valuesShown(source, window.rows).slice(0, maxOwn))

async function mayBeSwapped(
  field: Field,
  own: { shown: string[]; declared: string[] },
  ofOther: readonly KnownValue[],
  { exports, window }: Filters,
): Promise<boolean> {
  const inWindow = (value: string) => mergeQueries(spanOf(window), filterBy(field, value))
  // Unknown values may be refused: then they give nothing.
  const given = async (value: string) => eventsSeen(window, await exports.csv(inWindow(value)))
  // A file may show a short name where the filter needs an id: skip such values.
  const shown = own.shown.filter((each) =>
    ofOther.every(({ value }) => isUuid(value) === isUuid(each)),
  )
  if (ofOther.length === 0 || shown.length + own.declared.length === 0) return false
  for (const { value, events } of ofOther) if (!isEqual(await given(value), events)) return false
  for (const value of shown) if (sizeOf(await given(value)) > 0) return false
  // A declared value may occur anywhere in the audit trail.
  const read = 1 + window.lines.before + window.lines.behind
  for (const value of own.declared) {
    const { csv } = await exports.csv(filterBy(field, value), { read })
    if (eventRows(window, csv?.records ?? []).length > 0) return false
    // Without a range it may be refused as too large, which says nothing about the value.
    if (!csv && (await exports.csv(inWindow(value))).csv) return false
  }
  return true
}

/** The filter also finds events of values like the requested one, which no cell shows: a part, or a pattern. */
async function* askSimilar(known: KnownValue, { exports, window }: Filters) {
  const { field, value, events: ofValue } = known
  const seenFor = async (other: string): Promise<Multiset> => {
    const found = await exports.csv(mergeQueries(spanOf(window), filterBy(field, other)))
    // A refused request returns no events.
    return found.answer.status === 200 ? eventsSeen(window, found) : new Map()
  }
  const strangeIn = (found: Multiset): Multiset =>
    sizeOf(found) >= window.rows.length ? new Map() : ofValue
  for (const other of similarValues(known)) {
    const seen = await seenFor(other)
    if (sizeOf(intersection(seen, strangeIn(seen))) === 0 || isShown(other, window)) continue
    const ofNone = await seenFor(noValueLike(value))
    yield gathered(exports, window, async (fetch): Promise<Strange> => {
      const all = await createEventFetch(fetch, window)(filterBy(field, other))
      const found = from(minus(all, ofNone), all)
      const why = `which are among the ${sizeOf(ofValue)} for another value, ${value}`
      return { field, value: other, found, strange: strangeIn(all), why, control: ofValue }
    })
  }
}

/** A value that no event has, of the same length, and for ids of the same form. */
const noValueLike = (value: string): string =>
  isUuid(value)
    ? value.replaceAll(/[0-8]/g, (digit) => `${8 - Number(digit)}`)
    : `none-${[...value].reverse().join('')}`

/** What becomes this value again if it is decoded twice, or divided at an encoded sign. */
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
