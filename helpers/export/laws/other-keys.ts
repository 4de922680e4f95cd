// Whether a metadata key finds events that have its value under another key.

import { intersection, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { type MetadataKey, metadataKeys } from '../../service/operations.ts'
import { describeFilter, filterBy, mergeQueries } from '../ask/query.ts'
import { valuesIn } from '../learn/cells.ts'
import { rowsShowing, type Source, valuesShown } from '../learn/columns.ts'
import { confirmed } from '../learn/confirmed.ts'
import type { Filters, KnownValue } from '../learn/filters.ts'
import { createEventFetch } from '../learn/relations.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { eventsOf } from './words.ts'

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
    if (size === 0) return []
    const sentence = `${describeFilter(key, value)} gives ${size} events that show it as ${other}, and another ${key}`
    return [
      problem(sentence, {
        expected: `no event with another ${key}`,
        got: eventsOf(size),
        judged: found,
        control: [whole, foreign.events],
      }),
    ]
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
