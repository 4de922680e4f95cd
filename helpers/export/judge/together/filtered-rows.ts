// Events with a filter beside the same events without it: they are shown alike.

import { columnsIn } from '../../../../engine/files/by-titles.ts'
import { intersection, multisetOf, sizeOf } from '../../../../engine/files/multiset.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { metadataKeys } from '../../../service/operations.ts'
import { type CsvExport, isUsable } from '../../ask/exports.ts'
import { describeFilter, type Field, filterBy, parameters } from '../../ask/query.ts'
import type { Filters } from '../../learn/filters.ts'
import { eventRows, rowsLike, spanOf, type Window } from '../../learn/window.ts'

const maxValues = 3

/**
 * Filters that give some of the window's events, and none of them as the window shows it. Such events
 * are in no set of events that the other clauses compare.
 */
export async function problemsOfFilteredRows(
  { exports, likely }: Filters,
  window: Window,
): Promise<{ problems: Problem[]; judged: Field[] }> {
  const rowsOf = ({ csv }: CsvExport) => rowsLike(window, eventRows(window, csv?.records ?? []))
  const areOthers = (part: CsvExport, whole: string[][]) => {
    const { records = [] } = part.csv ?? {}
    // Which columns a file has is not shown.
    const columns = columnsIn(window.header, { columns: window.columns, records })
    const [rows, others] = [multisetOf(rowsOf(part), columns), multisetOf(whole, columns)]
    return columns.length > 0 && sizeOf(intersection(rows, others)) === 0
  }
  const isPart = (rows: string[][]) => rows.length > 0 && rows.length < window.rows.length

  const problems: Problem[] = []
  const judged: Field[] = []
  for (const field of [...parameters, ...metadataKeys])
    for (const value of (await likely(field)).slice(0, maxValues)) {
      const query = { ...spanOf(window), ...filterBy(field, value) }
      const first = await exports.csv(query)
      if (!isUsable(first) || !isPart(rowsOf(first))) continue
      judged.push(field)
      if (!areOthers(first, window.rows)) break
      // Data moves: both are asked for anew.
      const [found, whole] = [await exports.csvAnew(query), await exports.csvAnew(spanOf(window))]
      const rows = rowsOf(found)
      if (isPart(rows) && areOthers(found, rowsOf(whole)))
        problems.push(
          problem(
            `none of the ${rows.length} events for ${describeFilter(field, value)} is shown as without the filter`,
            {
              expected: 'the same cells of an event',
              got: 'others',
              judged: found,
              control: whole,
              again: { why: 'the rows of two files have to be compared' },
            },
          ),
        )
      break
    }
  if (judged.length > 0) return { problems, judged }
  throw new NotDecidable(
    'data',
    'no value is known that some events of the window have and others do not have; such a value is needed (METADATA_VALUES)',
  )
}
