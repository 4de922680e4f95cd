// Ids that differ between two answers to one request, for a few of their events.

import { sharedBy } from '../../../engine/files/multiset.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { rowsToCompare } from '../ask/breaches.ts'
import type { Exports } from '../ask/exports.ts'
import { eventRows, spanOf, type Window } from '../learn/window.ts'

const maxLooks = 3
/** An id that is made anew for each file differs in all rows, and no clause compares it. */
const fewOf = (rows: number) => Math.ceil(rows / 10)

/** Columns of ids that differ between two answers in a few rows. */
export async function problemsOfUnstableIds(exports: Exports, window: Window): Promise<Problem[]> {
  const { rows, columns, header } = window
  const all = (rows[0] ?? []).map((_, column) => column)
  const unstable = all.filter(
    (column) => !columns.includes(column) && rows.every((row) => isUuid(row[column] ?? '')),
  )
  if (unstable.length === 0) return []
  for (let look = 1; look <= maxLooks; look += 1) {
    const csv = await exports.fresh.csvFile(spanOf(window))
    const again = eventRows(window, csv.records)
    const pairs = columns
      .map((key) => sharedBy(key, rows, again))
      .reduce((most, some) => (some.length > most.length ? some : most), [])
    for (const column of unstable) {
      const apart = pairs.filter(([one, other]) => one[column] !== other[column])
      const [[one, other] = []] = apart
      if (apart.length === 0 || apart.length > fewOf(rows.length)) continue
      const name = header?.[column] ?? `column ${column + 1}`
      const sentence = `${apart.length} of ${rows.length} events show another id in ${name} when the same is asked again`
      const [expected, got] = [one?.[column] ?? '', other?.[column] ?? '']
      const seen = { expected, got, judged: csv, control: rows }
      return [problem(sentence, { ...seen, again: rowsToCompare })]
    }
  }
  return []
}
