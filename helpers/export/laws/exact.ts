import { caseOrWhy } from '../../../engine/clause/law.ts'
import { counted } from '../../../engine/counted.ts'
import {
  intersection,
  isEqual,
  type Multiset,
  minus,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import { rowsFinding } from '../../../engine/findings/file-rows.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable, toSet, type Why } from '../../../engine/outcome.ts'
import { type Problem, problemUnless } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { metadataKeys } from '../../contract/metadata-keys.ts'
import { arrayParameters } from '../../contract/parameters.ts'
import { placeOf } from '../ask/places.ts'
import {
  describeFilter,
  type Field,
  filterBy,
  isIdentifier,
  isMetadataKey,
  mergeQueries,
} from '../ask/query.ts'
import { codeOf, namedColumns, nameMatch, valuesShown } from '../learn/columns.ts'
import { type Fetch, gathered } from '../learn/confirmed.ts'
import { type Filters, type KnownValue, tryValue } from '../learn/filters.ts'
import { createEventFetch, rowsSeen, spanOf, type Window } from '../learn/window.ts'
import { type Asked, problemsOfEventsShown, problemsOfFile } from './file.ts'
import {
  askOtherKey,
  askSuspected,
  type Giving,
  nothing,
  problemsOfStrange,
  type Strange,
} from './filters.ts'
import { askFiles, byColumn, byRows } from './predict.ts'

/** Users and ids may be many; types and sources are few. */
const maxValues = (field: Field) => (isIdentifier(field) ? 5 : 30)

export async function* askExact(field: Field, filters: Filters, declared?: readonly string[]) {
  yield* askSwapped(field, filters, declared)
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

/** A pass needs a value whose events were judged: the values of other fields are not enough. */
export const lacksValue = (all: readonly object[]): Why | undefined =>
  all.some((one) => 'request' in one)
    ? undefined
    : ['freedom', 'no value returns a file that can be judged']

export function describeExact(all: readonly (Asked | Strange | Nothing)[]): string {
  const files = all.filter((one) => 'request' in one)
  const { beside } = files[0]?.expected ?? {}
  return `${counted(files.length, 'value')}${beside ? `, ${beside}` : ''}`
}

async function askValue(value: string, field: Field, filters: Filters) {
  const source = await filters.column(field)
  const by = source
    ? byColumn(source, filters.window, value)
    : byRows(undefined, 'by the export without the filter: no column shows them')
  const given = await givenFor(value, field, filters)
  const query = mergeQueries(spanOf(filters.window), filterBy(field, given.value))
  const refused = given.effect === 'refused' && (await caseOrWhy(filters.exports.csvFile(query)))
  if (refused instanceof Error) return [refused]
  return askFiles(filters, [{ values: [[{ field, ...given }]] }], by)
}

/** The events of a value; if there are none, those of the code that it labels. */
async function givenFor(value: string, field: Field, { exports, window }: Filters) {
  const tried = await tryValue(exports, window, { field, value })
  const code = codeOf(value)
  return tried.effect === 'none' && code !== value
    ? tryValue(exports, window, { field, value: code })
    : tried
}

/** More values would cost too many exports. */
const maxParts = 40

export async function* askPartitions(filters: Filters) {
  if (!filters.form.settled) throw new NotDecidable(...(await filters.why(...arrayParameters)))
  for (const field of arrayParameters) {
    const source = await filters.column(field)
    const shown = source ? valuesShown(source, filters.window.rows) : []
    const tooMany = ` to a shorter window: ${field} has ${shown.length} values in it, more than ${maxParts}`
    if (shown.length > maxParts)
      yield new NotDecidable(...toSet(['EXPORT_FROM', 'EXPORT_TO'], tooMany))
    else for (const value of shown) yield* await askValue(value, field, filters)
  }
}

/** The values in the column of the field’s own name, and the events that they return. */
type Nothing = { field: Field; shown: string[]; found: Multiset[]; control: Multiset }

async function askShown(field: Field, { exports, tries, window }: Filters) {
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

/** A filtered file may lack columns, so its events need not look like those of the window. */
function problemsOfNothing({ field, shown, found, control }: Nothing): Problem[] {
  const finding = rowsFinding({
    wrong: 'number',
    place: shown.map((value) => placeOf(filterBy(field, value))),
    wanted: { least: 1 },
    got: 0,
    although: `the file without filters shows each value as ${field}`,
  })
  const isSome = found.some((each) => sizeOf(each) > 0)
  return problemUnless(isSome, finding, { judged: found, control })
}

const maxOwn = 2

/**
 * Whether a field filters by the values of another field, and its own values return no event. Without a known value of
 * its own that proves nothing: both fields may be equal in every event.
 */
async function* askSwapped(field: Field, filters: Filters, declared: readonly string[] = []) {
  const { form, window } = filters
  const source = await filters.column(field)
  if (source?.by === 'name' || !(isMetadataKey(field) || form.settled)) return
  const isInFile = (value: string) =>
    window.rows.some((row) => row.some((cell) => cell.trim() === value))
  const read = (await filters.read(field)).filter(isInFile).slice(0, maxOwn)
  const own = [...shownFor(field, window), ...read]
  const said = declared.slice(0, maxOwn)
  const alike: readonly Field[] = isMetadataKey(field) ? metadataKeys : arrayParameters
  for (const other of alike.filter((each) => each !== field)) {
    const theirs = (await filters.known(other)).slice(0, maxOwn)
    const [first] = theirs
    // A file may show a short name where the filter needs an id: skip such values.
    const shown = own.filter((each) => theirs.every(({ value }) => isUuid(value) === isUuid(each)))
    if (!first || shown.length + said.length === 0) continue
    const why = `but are the events for ${describeFilter(other, first.value)}, while known values of ${field} return no events`
    yield* await askSuspected(filters, { field, value: first.value, why }, async (at) => {
      const control: Multiset[] = []
      for (const { value } of theirs) {
        control.push(await at.given(filterBy(other, value)))
        if (!isEqual(await at.given(filterBy(field, value)), control.at(-1) ?? nothing))
          return { found: nothing, strange: nothing, control }
      }
      const found = await at.given(filterBy(field, first.value))
      const isOwn = await giveSome({ field, shown, said }, window, at)
      return { found, strange: isOwn ? nothing : found, control }
    })
  }
}

const shownFor = (field: Field, window: Window): string[] =>
  namedColumns(field, window)
    .filter(
      ({ column, form }) =>
        form === 'inside' || nameMatch(window.header?.[column] ?? '', field) === 'so',
    )
    .flatMap((source) => valuesShown(source, window.rows).slice(0, maxOwn))

type Own = { field: Field; shown: readonly string[]; said: readonly string[] }

async function giveSome({ field, shown, said }: Own, window: Window, { given, port }: Giving) {
  for (const value of shown) if (sizeOf(await given(filterBy(field, value))) > 0) return true
  // A declared value may occur anywhere in the audit trail.
  const read = 1 + window.lines.before + window.lines.behind
  for (const query of said.map((value) => filterBy(field, value))) {
    const { csv } = await port.csv(query, { read })
    if (rowsSeen(window, csv).length > 0) return true
    // Without a range it may be refused as too large, which says nothing about the value.
    if (!csv && (await port.csv(mergeQueries(spanOf(window), query))).csv) return true
  }
  return false
}

/** The filter also finds events of values like the requested one, which no cell shows: a part, or a pattern. */
async function* askSimilar(known: KnownValue, filters: Filters) {
  const { field, value, events: control } = known
  const { window } = filters
  const why = `but are among the ${sizeOf(control)} for another value, ${value}`
  for (const other of similarValues(known))
    yield* await askSuspected(filters, { field, value: other, why }, async ({ given }) => {
      const all = await given(filterBy(field, other))
      const isSome = sizeOf(all) < window.rows.length && sizeOf(intersection(all, control)) > 0
      if (!isSome || isShown(other, window)) return { found: all, strange: nothing, control }
      const ofNone = await given(filterBy(field, noValueLike(value)))
      return { found: from(minus(all, ofNone), all), strange: control, control }
    })
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
