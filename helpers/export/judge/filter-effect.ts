// What one filter does: is it accepted, does it narrow, what does an unknown value give?

import { intersection, isEqual, type Multiset, sizeOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { NotDecidable, type Why } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import type { MetadataKey } from '../../service/operations.ts'
import type { Settings } from '../../settings/table.ts'
import { needDecidable } from '../ask/decidable.ts'
import { type CsvExport, needCsv } from '../ask/exports.ts'
import {
  describeFilter,
  type Field,
  filterBy,
  isIdentifier,
  isMetadataKey,
  mergeQueries,
} from '../ask/query.ts'
import { confirmed } from '../learn/confirmed.ts'
import { formsOfOne } from '../learn/encoding.ts'
import { type Filters, needSettled } from '../learn/filters.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import { createEventFetch, eventsAmong, eventsSeen, linesOf } from '../learn/relations.ts'
import { eventRows, rowsLike, spanOf, type Window } from '../learn/window.ts'

/** The events that come for a value that none has, one problem if there are any. */
export async function problemsOfUnknownValue(
  field: Field,
  { filters, window, random }: { filters: Filters; window: Window; random: Faker },
): Promise<Problem[]> {
  const { exports } = filters
  // Values that were asked for before must not stay: so known ones are.
  await filters.known(field).catch(unlessUndecided)
  const value = isIdentifier(field)
    ? random.string.uuid()
    : `none-${random.string.alphanumeric(12).toLowerCase()}`
  const query = { ...spanOf(window), ...filterBy(field, value) }
  const { answer, csv } = await exports.csv(query)
  if (csv && sizeOf(eventsAmong(window, eventRows(window, csv.records))) === 0) return []
  needSettled(filters, field)
  if (isRefused(answer)) {
    needDecidable(answer)
    const known = await filters.known(field)
    if (known.length > 0) return []
    const [cause, reason] = filters.whyNoValue(field)
    throw new NotDecidable(...([cause, `${reason}; ${describeAnswer(answer)}`] as Why))
  }
  const problems = await confirmed(exports, window, async (fetch) => {
    const events = createEventFetch(fetch, window)
    const [found, all] = [await events(filterBy(field, value)), await events()]
    const size = sizeOf(intersection(found, all))
    if (size === 0) return []
    const sentence = `${size} events for ${describeFilter(field, value)}, which none has`
    const got = `${size} events`
    const again = { holds: `a.status >= 400 || n(a) <= ${linesOf(window)}` }
    return [problem(sentence, { expected: 'no event', got, judged: found, control: all, again })]
  })
  if (problems.length > 0) await needNoOtherForm(field, value, filters, window)
  return problems
}

/** A parameter that is understood in a form of its own is not ignored, only asked for wrongly. */
async function needNoOtherForm(
  field: Field,
  value: string,
  { exports, form }: Filters,
  window: Window,
): Promise<void> {
  if (isMetadataKey(field) || form.declared) return
  for (const encoding of formsOfOne) {
    const found = await exports.csv({ ...spanOf(window), ...filterBy(field, value) }, { encoding })
    if (found.csv && sizeOf(eventsSeen(window, found)) === 0)
      throw new NotDecidable(
        'setting',
        `set ARRAY_ENCODING: ${field} is understood as ${encoding}, another parameter as ${form.encoding}`,
      )
  }
}

/**
 * The answer to a key with a value that events have. One that was only found in the file, or in a task,
 * tells nothing where it is refused: what stands in a column need not be what the key is about.
 */
export async function fetchAnswerToKnown(
  key: MetadataKey,
  { filters, window, settings }: { filters: Filters; window: Window; settings: Settings },
): Promise<Downloaded> {
  const { exports } = filters
  const declared = settings.metadataValues[key] ?? []
  for (const value of declared) {
    const inWindow = await exports.csv(mergeQueries(spanOf(window), filterBy(key, value)))
    if (isAccepted(inWindow.answer)) continue
    // Where it stands in the audit trail is not declared: perhaps not in the window.
    const { answer } = await exports.csv(filterBy(key, value), { read: 1 })
    needDecidable(answer)
    return answer
  }
  const [known] = await filters.known(key)
  const value = known?.value ?? declared[0]
  if (value === undefined) throw new NotDecidable(...filters.whyNoValue(key))
  return (await exports.csv(mergeQueries(spanOf(window), filterBy(key, value)))).answer
}

/** What another way of writing a filter does, beside what the plain way gives. */
export function describeEffect(found: CsvExport, plain: Multiset, window: Window): string | number {
  const { status } = found.answer
  if (status >= 400 && status < 500) return status
  const all = eventsAmong(window, window.rows)
  needCsv(found)
  const events = eventsSeen(window, found)
  if (sizeOf(events) === 0) return 'no event'
  if (isEqual(events, plain)) return 'the same events'
  return isEqual(events, all) ? 'all events' : 'other events'
}

/** A text in the other letter case; undefined where it has none. */
export function inOtherCase(text: string): string | undefined {
  const upper = text.toUpperCase()
  return upper === text ? [text.toLowerCase()].find((lower) => lower !== text) : upper
}

/** That more events come with a filter than without it. */
export async function problemsOfNarrowing(
  field: Field,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const [{ value }] = await filters.needKnown(field)
  return confirmed(filters.exports, window, async (fetch) => {
    const rows = async (query = {}) =>
      rowsLike(window, await fetch(mergeQueries(spanOf(window), query)))
    const [found, all] = [await rows(filterBy(field, value)), await rows()]
    if (found.length <= all.length) return []
    return [
      problem(
        `${found.length} events for ${describeFilter(field, value)}, ${all.length} without it`,
        {
          expected: `${all.length} events at most`,
          got: `${found.length} events`,
          judged: found,
          control: all,
          again: { holds: 'n(a) <= n(c)' },
        },
      ),
    ]
  })
}
