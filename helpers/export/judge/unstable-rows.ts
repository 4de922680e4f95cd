import { openTally, type Tally } from '../../../engine/files/tally.ts'
import { type Exports, needCsv } from '../ask/exports.ts'
import { eachEvent, spanOf, type Window } from '../learn/window.ts'

const looks = 5
const fewest = 3

/**
 * Rows that are there in one answer, not in the next, and there again. Events may come late and old
 * ones may be cleared away, so that a difference between two answers is no breach yet. Rows are
 * counted and not kept: a window that was asked for may hold more than are compared elsewhere.
 */
export async function flapping(exports: Exports, window: Window): Promise<string[]> {
  const columns = window.columns.length > 0 ? window.columns : undefined
  const look = async () => {
    const tally = openTally(columns)
    const each = eachEvent(window, tally.add)
    needCsv(await exports.csvAnew(spanOf(window), { keep: 0, each }))
    return tally
  }
  const first = (await keptOf(exports, window, columns)) ?? (await look())
  const seen = [first]
  while (seen.length < fewest) seen.push(await look())
  if (seen.every((tally) => same(first, tally))) return []
  while (seen.length < looks) seen.push(await look())

  let restless = 0
  for (const [at, tally] of seen.entries())
    tally.each((row) => {
      const counts = seen.map((other) => other.countOf(row))
      const isNew = counts.slice(0, at).every((count) => count === 0)
      if (isNew && cameAgain(counts)) restless += 1
    })
  return restless === 0
    ? []
    : [`of ${first.rows} rows ${restless} came and went in ${looks} answers to one request`]
}

/** The answer that the window was made from, where all of it was kept. */
async function keptOf(
  exports: Exports,
  window: Window,
  columns: readonly number[] | undefined,
): Promise<Tally | undefined> {
  const { records, count } = needCsv(await exports.csv(spanOf(window)))
  if (count > records.length) return undefined
  const tally = openTally(columns)
  const each = eachEvent(window, tally.add)
  for (const record of records) each(record)
  return tally
}

function same(one: Tally, other: Tally): boolean {
  let isSame = one.rows === other.rows && one.different === other.different
  if (isSame)
    one.each((row, count) => {
      isSame &&= other.countOf(row) === count
    })
  return isSame
}

/** Whether a count went down and up again. */
function cameAgain(counts: number[]): boolean {
  return counts.some(
    (count, at) =>
      counts.slice(0, at).some((before) => before > count) &&
      counts.slice(at + 1).some((after) => after > count),
  )
}
