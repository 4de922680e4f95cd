// A filter must not change how events are shown.

import { columnsIn } from '../../../engine/files/by-titles.ts'
import { intersection, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { metadataKeys } from '../../service/operations.ts'
import { type CsvExport, isUsable } from '../ask/exports.ts'
import { describeFilter, type Field, filterBy, parameters } from '../ask/query.ts'
import type { Filters } from '../learn/filters.ts'
import { eventRows, rowsLike, spanOf, type Window } from '../learn/window.ts'

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
  if (!isPart(window, rows) || !areOthers(anew, rowsOf(window, whole))) return []
  return [
    problem(
      `none of the ${rows.length} events for ${describeFilter(field, value)} is shown as without the filter`,
      {
        expected: 'the same cells of an event',
        got: 'others',
        judged: anew,
        control: whole,
        again: {
          why: 'the rows of two files have to be compared, past columns that change from file to file',
        },
      },
    ),
  ]
}
