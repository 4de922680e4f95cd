import { type Exports, needCsv } from './exports.ts'
import { equal, type Multiset, multisetOf } from './rows.ts'
import { eventRows, spanOf, type Window } from './window.ts'

const looks = 5
const fewest = 3

/**
 * Rows that are there in one answer, not in the next, and there again. Events may come late and old
 * ones may be cleared away, so that a difference between two answers is no breach yet.
 */
export async function flapping(exports: Exports, window: Window): Promise<string[]> {
  const width = window.rows[0]?.length ?? 0
  const columns =
    window.columns.length > 0 ? window.columns : Array.from({ length: width }, (_, at) => at)
  const look = async () => {
    const { records } = needCsv(await exports.csvAnew(spanOf(window)))
    return multisetOf(eventRows(window, records), columns)
  }
  const first = multisetOf(window.rows, columns)
  const seen: Multiset[] = [first]
  while (seen.length < fewest) seen.push(await look())
  if (seen.every((set) => equal(first, set))) return []
  while (seen.length < looks) seen.push(await look())

  const keys = new Set(seen.flatMap((set) => [...set.keys()]))
  const restless = [...keys].filter((key) => cameAgain(seen.map((set) => set.get(key) ?? 0)))
  return restless.length === 0
    ? []
    : [
        `of ${window.rows.length} rows ${restless.length} came and went in ${looks} answers to one request`,
      ]
}

/** Whether a count went down and up again. */
function cameAgain(counts: number[]): boolean {
  return counts.some(
    (count, at) =>
      counts.slice(0, at).some((before) => before > count) &&
      counts.slice(at + 1).some((after) => after > count),
  )
}
