import type { Unasked } from '../../../engine/clause/case.ts'
import { distinct } from '../../../engine/distinct.ts'
import { tableIn } from '../../../engine/files/line-frame.ts'
import {
  intersection,
  isEqual,
  type Multiset,
  minus,
  multisetOf,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import { exactly, rowsFinding } from '../../../engine/findings/file-rows.ts'
import { statusFinding } from '../../../engine/findings/status.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { problemsOfStatus } from '../../../engine/http/status-problems.ts'
import { from, type Origin } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { type Encoding, encodings, tellingEncodings } from '../../contract/list-encodings.ts'
import { type MetadataKey, metadataKeys } from '../../contract/metadata-keys.ts'
import { type ArrayParameter, arrayParameters } from '../../contract/parameters.ts'
import { statuses } from '../../contract/statuses.ts'
import { type KindColumn, withExplanation } from '../../findings/explanations.ts'
import { premise } from '../../service/answers.ts'
import type { Settings } from '../../settings/table.ts'
import { needDecidable } from '../ask/decidable.ts'
import { type Exports, isUsable, needCsv } from '../ask/exports.ts'
import { idsOfOnly, maxIds, placeOf } from '../ask/places.ts'
import { type Field, filterBy, isMetadataKey, mergeQueries, type Query } from '../ask/query.ts'
import { rowsShowing, type Source, valuesIn, valuesShown } from '../learn/columns.ts'
import { askOnce, type Fetch, gathered, rowsOf } from '../learn/confirmed.ts'
import {
  describeField,
  type FilterState,
  type Filters,
  isRefusedIn,
  type KnownValue,
  triesIn,
} from '../learn/filters.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import {
  createEventFetch,
  eventsAmong,
  eventsSeen,
  rowsSeen,
  spanOf,
  type Window,
} from '../learn/window.ts'
import { type Asked, problemsOfFile, problemsOfMore, type Request } from './file.ts'
import { askFiles, byRows } from './predict.ts'
import { extraRows, kindsIn, rowsIn } from './row-evidence.ts'

export type Strange = {
  field: Field
  value: string
  found: Multiset
  strange: Multiset
  why: string
  control: Origin
  /** all events of the window, if they were asked for as well */
  all?: Multiset
  kinds?: readonly KindColumn[]
}

export function problemsOfStrange(strangeCase: Strange) {
  const { field, value, found, strange, why, control, all, kinds = [] } = strangeCase
  const wrong = intersection(found, strange)
  if (wrong.size === 0) return []
  const fact = rowsFinding({
    wrong: 'strange',
    place: placeOf(filterBy(field, value)),
    wanted: { most: sizeOf(found) - sizeOf(wrong) },
    got: sizeOf(found),
    count: sizeOf(wrong),
    texts: { absent: idsOfOnly(wrong, nothing) },
    to: why,
  })
  const withoutFilter = all && rowsIn(all)
  const finding = withExplanation(fact, extraRows(wrong, found, { kinds, withoutFilter }))
  return [problem(finding, { judged: found, control })]
}

/** `given`: the events of the window that a filter leaves; none if it is refused. */
export type Giving = { given(filter: Query): Promise<Multiset>; fetch: Fetch; port: Exports }

export const nothing: Multiset = new Map()

const askStrange = (
  { exports, window }: Filters,
  asked: Pick<Strange, 'field' | 'value' | 'why'>,
  find: (at: Giving) => Promise<Pick<Strange, 'found' | 'strange' | 'control' | 'all'>>,
) =>
  gathered(exports, window, async (fetch, port): Promise<Strange> => {
    const given = async (filter: Query) => {
      const found = await port.csv(mergeQueries(spanOf(window), filter))
      return found.answer.status === statuses.exported
        ? eventsAmong(window, rowsOf(window, found))
        : nothing
    }
    return { ...asked, kinds: kindsIn(window), ...(await find({ given, fetch, port })) }
  })

/** For a clause that judges other values: the same, if such events are found. */
export async function askSuspected(...of: Parameters<typeof askStrange>) {
  const one = await askStrange(...of)
  const isClean = 'found' in one && problemsOfStrange(one).length === 0
  return isClean || one instanceof NotDecidable ? [] : [one]
}

/** A value that no event has; known ones were asked for before, which a service may remember. */
export async function askUnknown(field: Field, filters: Filters): Promise<Strange | Unasked> {
  const { form, window } = filters
  const known = await filters.known(field)
  const { value, effect, answer } = await filters.tryUnknown(field)
  const none = (by: Downloaded): Strange => {
    const found: Multiset = from(new Map(), by)
    return { field, value, found, strange: found, why: '', control: undefined }
  }
  if (effect === 'none' || (effect === 'refused' && known.length > 0)) return none(answer)
  const state = await filters.state(field)
  if (state.kind === 'refused' || state.kind === 'unclear')
    throw new NotDecidable(...(await filters.why(field)))
  // The parameter may use another form than the others.
  const as = state.kind === 'understood' ? state.as : form.encoding
  const own = as !== form.encoding && state.forms.find(({ encoding }) => encoding === as)
  if (own) return none(own.unknownValue.answer)
  const isIgnored = state.kind === 'ignored' && !isMetadataKey(field) && !form.declared
  const why = isIgnored ? describeIgnored(field, state) : unknown
  return askStrange(filters, { field, value, why }, async ({ fetch }) => {
    const events = createEventFetch(fetch, window)
    const [found, strange] = [await events(filterBy(field, value)), await events()]
    return { found, strange, control: strange, all: strange }
  })
}

const unknown = 'as no event has this value'

function describeIgnored(field: Field, { forms }: FilterState): string {
  const alike = forms.flatMap(({ tries }) => tries.filter(({ effect }) => effect === 'all'))
  const values = distinct(alike.map(({ value }) => value)).slice(0, 3)
  const known = values.length > 0 ? `, also with ${values.join(', ')}` : ''
  return `${unknown}: ${field} is ignored${known}. Tried as ${tellingEncodings.join(', ')}, the forms of a list that differ for one value. If lists need another form, declare NOT_PERMITTED=export.filter.${field}.unknown-value`
}

/** Every value tried was rejected; judged is the answer to the first known value, or else to an unknown value. */
type AllRefused = Awaited<ReturnType<typeof askAllRefused>>[number]

/** Declared values may occur outside the window. */
async function askAllRefused(field: Field, filters: Filters) {
  const { exports, window } = filters
  if (!(await filters.refusesKnown(field))) return []
  const { forms } = await filters.state(field)
  const [first, ...others] = forms
  if (!first) return []
  const plain = await exports.csv(spanOf(window))
  needCsv(plain)
  const { value } = first.tries.find(({ known }) => known) ?? first.unknownValue
  const query = mergeQueries(spanOf(window), filterBy(field, value))
  const inOthers = others.map(
    (form) => `${form.encoding} ${isRefusedIn(form) ? 'is rejected' : 'has no effect'}`,
  )
  const ask = async (port: Exports) => {
    const { answer } = await port.csv(query, { encoding: first.encoding })
    if (!isAccepted(answer)) needDecidable(answer)
    return { field, answer, tries: triesIn(first), inOthers, control: plain }
  }
  return [await askOnce(exports, ask)]
}

function problemsOfAllRefused({ field, answer, tries, inOthers, control }: AllRefused) {
  const shown = tries.slice(0, 3).map((each) => each.value)
  const encodings = inOthers.length > 0 ? `; in other encodings ${inOthers.join(', ')}` : ''
  const judged = [answer, ...tries.map((each) => each.answer)]
  const finding = statusFinding(answer, '2xx', {
    to: `to each of ${tries.length} values tried of ${describeField(field)}, such as ${shown.join(', ')}, and to a value that no event has${encodings}`,
    all: distinct(judged.map(({ status }) => status)),
  })
  return problemUnless(isAccepted(answer), finding, { judged, control })
}

type Accepted = { key: MetadataKey; value: string; answer: Downloaded }

export async function askAcceptance(key: MetadataKey, filters: Filters, settings: Settings) {
  const { exports, window } = filters
  for (const value of settings.metadataValues[key] ?? []) {
    const inWindow = await exports.csv(mergeQueries(spanOf(window), filterBy(key, value)))
    if (isAccepted(inWindow.answer)) continue
    // A declared value may occur outside the window.
    const { answer } = await exports.csv(filterBy(key, value), { read: 1 })
    needDecidable(answer)
    if (!isAccepted(answer)) return [{ key, value, answer }]
  }
  const refused = await askAllRefused(key, filters)
  const tries = await filters.tries(key)
  const effective = tries.filter(({ known, effect }) => known || effect === 'some')
  const accepted = effective.find(({ answer }) => isAccepted(answer))
  if (!accepted && refused.length === 0) throw new NotDecidable(...(await filters.why(key)))
  return [...refused, ...(accepted ? [{ key, ...accepted }] : [])]
}

export function problemsOfAcceptance(one: Accepted | AllRefused): Problem[] {
  if ('tries' in one) return problemsOfAllRefused(one)
  const { key, value, answer } = one
  const although = `METADATA_VALUES lists ${value} as a value of ${key}`
  return problemsOfStatus(answer, '2xx', { although })
}

export async function askNarrowing(field: Field, filters: Filters) {
  const refused = isMetadataKey(field) ? [] : await askAllRefused(field, filters)
  if (refused.length > 0) return refused
  const [known] = await filters.needKnown(field)
  return askFiles(filters, [{ values: [[known]] }], byRows())
}

export const problemsOfNarrowing = (one: Asked | AllRefused): readonly Problem[] =>
  'tries' in one ? problemsOfAllRefused(one) : problemsOfFile(problemsOfMore)(one)

const maxValuesOfPart = 3

export async function findPartial({ exports, likely, window }: Filters): Promise<Request[]> {
  const partial: Request[] = []
  for (const field of [...arrayParameters, ...metadataKeys])
    for (const value of (await likely(field)).slice(0, maxValuesOfPart)) {
      const found = await exports.csv({ ...spanOf(window), ...filterBy(field, value) })
      const { length } = tableIn(window.shape, rowsSeen(window, found.csv))
      if (!isUsable(found) || length === 0 || length >= window.rows.length) continue
      partial.push({ values: [[{ field, value, events: new Map() }]] })
      break
    }
  return partial
}

/** Events without a value in its column do not count: a column need not show every value. */
export async function askOtherKey(key: MetadataKey, filters: Filters) {
  const { window } = filters
  const source = await filters.column(key)
  const foreign = source && (await findForeign(key, source, filters))
  if (!foreign) return []
  const { field: other, value } = foreign
  const why = `as they show this value as ${other}, and another value as ${key}`
  return askSuspected(filters, { field: key, value, why }, async ({ given, fetch }) => {
    const [whole, found] = [await fetch(spanOf(window)), await given(filterBy(key, value))]
    const others = multisetOf(rowsWithAnother(source, value, whole), window.columns)
    const strange = sizeOf(found) >= whole.length ? nothing : intersection(others, foreign.events)
    return { found, strange, control: [whole, foreign.events] }
  })
}

async function findForeign(key: MetadataKey, source: Source, filters: Filters) {
  const { window } = filters
  const at = metadataKeys.indexOf(key)
  const [shown = ''] = valuesShown(source, window.rows)
  const possible: KnownValue[] = []
  for (const other of [...metadataKeys.slice(at + 1), ...metadataKeys.slice(0, at)])
    for (const known of await filters.known(other)) {
      const rows = rowsWithAnother(source, known.value, window.rows)
      if (sizeOf(intersection(multisetOf(rows, window.columns), known.events)) > 0)
        possible.push(known)
    }
  // A field of ids may refuse a word.
  return possible.find(({ value }) => isUuid(value) === isUuid(shown)) ?? possible[0]
}

/** empty if any row may show this value */
function rowsWithAnother(source: Source, value: string, rows: string[][]): string[][] {
  if (rowsShowing(source, value, rows).possible.length > 0) return []
  const { field, column, form } = source
  return rows.filter((row) => valuesIn(row[column] ?? '', field, form).length > 0)
}

type Separate = readonly [KnownValue, KnownValue, ...KnownValue[]]

/** Values of a field without a common event, so that their counts add up. */
export async function needSeparateValues(filters: Filters, field: Field): Promise<Separate> {
  const separate: KnownValue[] = []
  const all = await filters.needKnown(field)
  for (const known of all)
    if (separate.every(({ events }) => sizeOf(intersection(events, known.events)) === 0))
      separate.push(known)
  const values = all.map(({ value }) => value).join(', ')
  const needed =
    all.length > 1
      ? `two values of ${field} without a common row are needed: the exports for ${values} have rows in common`
      : `two values of ${field} are needed, each with some events of the window: ${values} is known`
  premise(separate.length > 1, 'data', needed)
  return separate as [KnownValue, KnownValue]
}

/** What two values of a parameter return together, in each encoding. */
type Two = Awaited<ReturnType<typeof fetchTwo>>
type Beside = Two & { all: readonly Two[]; encoding: Encoding }

/** The other encodings are tried if none of these works. */
const usualForms = 4

const sumOf = ([one, other]: Separate) => sizeOf(one.events) + sizeOf(other.events)

async function fetchTwo(field: Field, filters: Filters, window: Window) {
  const [one, other] = await needSeparateValues(filters, field)
  const values: Separate = [one, other]
  const asked = { ...spanOf(window), ...filterBy(field, one.value, other.value) }
  const given = new Map<Encoding, { events: Multiset; answer: Downloaded }>()
  /** the encodings that return the events of both */
  const understood: Encoding[] = []
  for (const [at, encoding] of encodings.entries()) {
    if (at >= usualForms && understood.length > 0) break
    const found = await filters.exports.csv(asked, { encoding })
    const events = eventsSeen(window, found)
    given.set(encoding, { events, answer: found.answer })
    if (sizeOf(events) === sumOf(values)) understood.push(encoding)
  }
  const answers = [...given.values()].map(({ answer }) => answer)
  from(understood, ...answers)
  return from({ field, values, given, understood }, ...answers)
}

/** The encodings in which two values give the events of both; the service chooses them. */
export const understoodEncodings = async (field: Field, filters: Filters, window: Window) =>
  (await fetchTwo(field, filters, window)).understood

export function describeNotUnderstood([one, other]: Separate): string {
  const each = `${one.value} returns ${sizeOf(one.events)} events, ${other.value} ${sizeOf(other.events)}`
  return `${each}, but both together do not return the sum in any of the encodings ${encodings.join(', ')}; the contract does not specify the encoding of several values of ${one.field}`
}

export async function needParameterWithTwo(filters: Filters): Promise<ArrayParameter> {
  const [first, ...others] = arrayParameters
  for (const parameter of others.toReversed())
    if (await needSeparateValues(filters, parameter).catch(unlessUndecided)) return parameter
  await needSeparateValues(filters, first)
  return first
}

export async function findTwos(filters: Filters, window: Window): Promise<Beside[]> {
  const all: Two[] = []
  for (const parameter of arrayParameters) {
    const two = await fetchTwo(parameter, filters, window).catch(unlessUndecided)
    if (two) all.push(two)
  }
  return all.map((two) => from({ ...two, all, encoding: filters.form.encoding }, two))
}

export const isUnderstood = ({ understood }: Two): boolean => understood.length > 0

function givesOneAlone({ values, given }: Two, encoding: Encoding): boolean {
  const seen = given.get(encoding)?.events
  return seen !== undefined && values.some(({ events }) => isEqual(events, seen))
}

function problemOfTwo(
  { field, values, given }: Two,
  encoding: Encoding,
  { how = 'however they are written', although }: { how?: string; although?: string } = {},
): Problem {
  const { events, answer } = given.get(encoding) ?? { events: nothing, answer: undefined }
  const missing = values.flatMap((each) => idsOfOnly(minus(each.events, events), events))
  const finding = rowsFinding({
    wrong: 'number',
    place: placeOf(filterBy(field, ...values.map(({ value }) => value))),
    wanted: exactly(sumOf(values)),
    got: sizeOf(events),
    to: `${how}, as each value alone returns ${values.map((each) => sizeOf(each.events)).join(', ')}`,
    although,
    texts: { present: missing.slice(0, maxIds) },
  })
  return problem(finding, { judged: answer, control: values.map((each) => each.events) })
}

/** Two values do not return the events of both in any encoding, or in the encoding that works for another parameter. */
export function problemsOfUnlike(two: Beside): Problem[] {
  for (const { field, understood } of two.all.filter(isUnderstood)) {
    const although = `two values of ${field} return the events of both`
    const [first = 'repeat'] = understood
    if (!isUnderstood(two)) return [problemOfTwo(two, first, { although })]
    const alone = understood.find((encoding) => givesOneAlone(two, encoding))
    if (alone) return [problemOfTwo(two, alone, { how: `written as ${alone}`, although })]
  }
  return []
}

/** Two values return the events of one, in the encoding that works for a single value, if no parameter accepts two. */
export function problemsOfOneOfTwo(two: Beside): Problem[] {
  const isOpen = two.all.some(isUnderstood) || !givesOneAlone(two, two.encoding)
  return isOpen ? [] : [problemOfTwo(two, two.encoding)]
}
