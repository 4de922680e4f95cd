// The effect of one filter: whether it is accepted, whether it narrows, what an unknown value or another
// key's value gives, and whether events are shown as without it.

import { distinct } from '../../../engine/distinct.ts'
import { columnsIn } from '../../../engine/files/by-titles.ts'
import { intersection, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { type MetadataKey, metadataKeys } from '../../service/operations.ts'
import type { Settings } from '../../settings/table.ts'
import { rowsToCompare } from '../ask/breaches.ts'
import { needDecidable } from '../ask/decidable.ts'
import { type CsvExport, isUsable, needCsv } from '../ask/exports.ts'
import {
  describeFilter,
  type Field,
  filterBy,
  isMetadataKey,
  mergeQueries,
  parameters,
} from '../ask/query.ts'
import { valuesIn } from '../learn/cells.ts'
import { rowsShowing, type Source, valuesShown } from '../learn/columns.ts'
import { confirmed } from '../learn/confirmed.ts'
import { formsOfOne } from '../learn/encoding.ts'
import { describeField, type Filters, type KnownValue } from '../learn/filters.ts'
import { createEventFetch, linesOf } from '../learn/relations.ts'
import { type FilterState, isRefusedIn, triesIn } from '../learn/tries.ts'
import { eventRows, rowsLike, spanOf, type Window } from '../learn/window.ts'
import { eventsOf } from './words.ts'

export async function problemsOfUnknownValue(
  field: Field,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const { exports, form } = filters
  // Known values first: a service may remember the filter of the request before.
  const known = await filters.known(field)
  const { value, effect } = await filters.tryUnknown(field)
  if (effect === 'none' || (effect === 'refused' && known.length > 0)) return []
  const state = await filters.state(field)
  if (state.kind === 'refused' || state.kind === 'unclear')
    throw new NotDecidable(...(await filters.why(field)))
  // The parameter may use another form than the others.
  if (state.kind === 'understood' && state.as !== form.encoding) return []
  return confirmed(exports, window, async (fetch) => {
    const events = createEventFetch(fetch, window)
    const [found, all] = [await events(filterBy(field, value)), await events()]
    const size = sizeOf(intersection(found, all))
    if (size === 0) return []
    const sentence =
      state.kind === 'ignored' && !isMetadataKey(field) && !form.declared
        ? describeIgnored(field, state, size)
        : `${size} events for ${describeFilter(field, value)}, a value that no event has`
    const got = eventsOf(size)
    const again = { signs: [{ records: [{ most: linesOf(window) }] }], or: '4xx' as const }
    return [problem(sentence, { expected: 'no event', got, judged: found, control: all, again })]
  })
}

/** A parameter has no effect in any form; says what was tried and how to declare another form. */
function describeIgnored(field: Field, { forms }: FilterState, size: number): string {
  const alike = forms.flatMap(({ tries }) => tries.filter(({ effect }) => effect === 'all'))
  const values = distinct(alike.map(({ value }) => value)).slice(0, 3)
  const known = values.length > 0 ? `, and so do ${values.join(', ')}` : ''
  return (
    `${field} is ignored: a value that no event has returns ${size} events${known}. ` +
    `Tried as ${formsOfOne.join(', ')}, the forms of ARRAY_ENCODING that differ for one value. ` +
    `If lists need another form, declare NOT_PERMITTED=export.filter.${field}.unknown-value`
  )
}

/**
 * A filter refuses every value, although known ones must be accepted. Declared values may occur outside the
 * window.
 */
export async function problemsOfRefusal(
  field: Field,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  if (!(await filters.refusesKnown(field))) return []
  const { forms } = await filters.state(field)
  const [first, ...others] = forms
  if (!first) return []
  const plain = await filters.exports.csv(spanOf(window))
  needCsv(plain)
  const { value } = first.tries.find(({ known }) => known) ?? first.unknownValue
  const query = mergeQueries(spanOf(window), filterBy(field, value))
  const { answer } = await filters.exports.fresh.csv(query, { encoding: first.encoding })
  if (isAccepted(answer)) return []
  needDecidable(answer)
  const tries = triesIn(first)
  const inOthers = others.map(
    (form) => `${form.encoding} ${isRefusedIn(form) ? 'is rejected' : 'has no effect'}`,
  )
  const shown = first.tries.slice(0, 3).map((each) => each.value)
  const sentence = `${describeField(field)}: all ${tries.length} values tried were rejected with ${answer.status}, such as ${shown.join(', ')}, and one that no event has${inOthers.length > 0 ? `; in other forms ${inOthers.join(', ')}` : ''}`
  const seen = { expected: '2xx', got: String(answer.status), control: plain }
  return [problem(sentence, { ...seen, judged: [answer, ...tries.map((each) => each.answer)] })]
}

export async function judgeAcceptance(
  key: MetadataKey,
  { filters, window, settings }: { filters: Filters; window: Window; settings: Settings },
): Promise<{ problems: Problem[]; witness: string }> {
  const { exports } = filters
  for (const value of settings.metadataValues[key] ?? []) {
    const inWindow = await exports.csv(mergeQueries(spanOf(window), filterBy(key, value)))
    if (isAccepted(inWindow.answer)) continue
    // A declared value may occur outside the window.
    const { answer } = await exports.csv(filterBy(key, value), { read: 1 })
    needDecidable(answer)
    if (isAccepted(answer)) continue
    const sentence = `${describeAnswer(answer)}, although METADATA_VALUES lists ${value} as a value of ${key}`
    const seen = { expected: '2xx', judged: answer }
    return { problems: [problem(sentence, seen)], witness: '' }
  }
  const problems = await problemsOfRefusal(key, filters, window)
  if (problems.length > 0) return { problems, witness: '' }
  const tries = await filters.tries(key)
  const effective = tries.filter(({ known, effect }) => known || effect === 'some')
  const accepted = effective.find(({ answer }) => isAccepted(answer))
  if (!accepted) throw new NotDecidable(...(await filters.why(key)))
  const witness = `${accepted.answer.status} to metadata[${key}]=${accepted.value}, a value that events have`
  return { problems, witness }
}

export async function problemsOfNarrowing(
  field: Field,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  if (!isMetadataKey(field)) {
    const refused = await problemsOfRefusal(field, filters, window)
    if (refused.length > 0) return refused
  }
  const [{ value }] = await filters.needKnown(field)
  return confirmed(filters.exports, window, async (fetch) => {
    const rows = async (query = {}) =>
      rowsLike(window, await fetch(mergeQueries(spanOf(window), query)))
    const [found, all] = [await rows(filterBy(field, value)), await rows()]
    const sentence = `${found.length} events for ${describeFilter(field, value)}, ${all.length} without it`
    return problemUnless(found.length <= all.length, sentence, {
      expected: `${all.length} events at most`,
      got: eventsOf(found.length),
      judged: found,
      control: all,
      again: { signs: [{ records: 'at most' }] },
    })
  })
}

const maxValues = 3

/** A filter that gives some events of the window, not all. */
type PartialFilter = { field: Field; value: string; found: CsvExport }

const rowsOf = (window: Window, { csv }: CsvExport) =>
  rowsLike(window, eventRows(window, csv?.records ?? []))

const isPart = (window: Window, rows: string[][]) =>
  rows.length > 0 && rows.length < window.rows.length

/** The first value of each field that gives some events of the window. */
export async function findPartial(
  { exports, likely }: Filters,
  window: Window,
): Promise<PartialFilter[]> {
  const partial: PartialFilter[] = []
  for (const field of [...parameters, ...metadataKeys])
    for (const value of (await likely(field)).slice(0, maxValues)) {
      const found = await exports.csv({ ...spanOf(window), ...filterBy(field, value) })
      if (!isUsable(found) || !isPart(window, rowsOf(window, found))) continue
      partial.push({ field, value, found })
      break
    }
  return partial
}

/**
 * A filter gives none of the events as the window shows them. Other clauses do not notice, because such
 * events are in no set that they compare.
 */
export async function problemsOfFilteredRows(
  { field, value, found }: PartialFilter,
  { exports }: Filters,
  window: Window,
): Promise<Problem[]> {
  const areOthers = (part: CsvExport, whole: string[][]) => {
    const { records = [] } = part.csv ?? {}
    // Which columns a file has is not shown.
    const columns = columnsIn(window.header, { columns: window.columns, records })
    const [rows, others] = [multisetOf(rowsOf(window, part), columns), multisetOf(whole, columns)]
    return columns.length > 0 && sizeOf(intersection(rows, others)) === 0
  }
  if (!areOthers(found, window.rows)) return []
  // Data moves: request both anew.
  const query = { ...spanOf(window), ...filterBy(field, value) }
  const [anew, whole] = [await exports.fresh.csv(query), await exports.fresh.csv(spanOf(window))]
  const rows = rowsOf(window, anew)
  const sentence = `none of the ${rows.length} events for ${describeFilter(field, value)} is shown as without the filter`
  const holds = !isPart(window, rows) || !areOthers(anew, rowsOf(window, whole))
  const seen = { expected: 'the same cells of an event', got: 'others', judged: anew }
  return problemUnless(holds, sentence, { ...seen, control: whole, again: rowsToCompare })
}

/**
 * A key finds events by the value of another key, though its own column shows another value in each of
 * them. Events without a value there do not count: a column need not show every value.
 */
export async function problemsOfOtherKeys(
  key: MetadataKey,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const { exports } = filters
  const source = await filters.column(key)
  const foreign = source && (await findForeign(key, source, filters, window))
  if (!foreign) return []
  const { field: other, value } = foreign
  const asked = filterBy(key, value)
  // A refused request returns no events.
  const { answer } = await exports.csv(mergeQueries(spanOf(window), asked))
  if (answer.status !== 200) return []
  return confirmed(exports, window, async (fetch) => {
    const whole = await fetch(spanOf(window))
    const found = await createEventFetch(fetch, window)(asked)
    // unknown-value judges a value that returns all events.
    if (sizeOf(found) >= whole.length) return []
    const strange = multisetOf(rowsWithAnother(source, value, whole), window.columns)
    const size = sizeOf(intersection(intersection(found, strange), foreign.events))
    const sentence = `${describeFilter(key, value)} returns ${size} events that show it as ${other}, and another ${key}`
    const seen = { expected: `no event with another ${key}`, got: eventsOf(size), judged: found }
    return problemUnless(size === 0, sentence, { ...seen, control: [whole, foreign.events] })
  })
}

/** A known value of another key, in events with another value of this one. */
async function findForeign(
  key: MetadataKey,
  source: Source,
  filters: Filters,
  window: Window,
): Promise<KnownValue | undefined> {
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

/** Rows that show another value and not this one; empty if any row may show this one. */
function rowsWithAnother(source: Source, value: string, rows: string[][]): string[][] {
  if (rowsShowing(source, value, rows).possible.length > 0) return []
  const { field, column, form } = source
  return rows.filter((row) => valuesIn(row[column] ?? '', field, form).length > 0)
}
