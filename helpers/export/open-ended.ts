import { NotDecidable } from '../outcome.ts'
import type { CsvReading } from './csv.ts'
import { instantAt, isoOf, second } from './dates.ts'
import { type Exports, needCsv, tell } from './exports.ts'
import type { Query } from './query.ts'
import { farFuture, farPast, lately } from './ranges.ts'
import { eventsIn, noEvents, rowsLike, type Window } from './window.ts'

/** More of a large file is not read: what lies beyond is compared as if it were alike. */
const mostRead = 3000

/** A range with one bound, and the same with the other so far away that it bounds nothing. */
type Pair = { open: Query; closed: Query }

const pairsAround = (middle: string): Pair[] => [
  { open: { end: noEvents.end }, closed: { start: farPast, end: noEvents.end } },
  { open: { end: middle }, closed: { start: farPast, end: middle } },
  ...[farFuture, lately(), middle].map((start) => ({
    open: { start },
    closed: { start, end: isoOf(instantAt(farFuture) + second) },
  })),
]

/**
 * What is wrong with ranges that have one bound: refused although both bounds are let in, or with
 * other events than with both. Where events come and go, the count lies between two counts.
 */
export async function wrongWithOneBound(
  exports: Exports,
  window: Window,
  middle: string,
): Promise<string[]> {
  const decided: Pair[] = []
  const judge = async (ask: Exports['csv'], { open, closed }: Pair): Promise<string[]> => {
    const fetch = (query: Query) => ask(query, { read: mostRead })
    const count = async (query: Query) => countIn(window, needCsv(await fetch(query)))
    const before = await fetch(closed)
    // Too large a file may be refused: with both bounds it is as large.
    if (before.answer.status !== 200) return []
    decided.push({ open, closed })
    const found = await fetch(open)
    if (found.answer.status >= 400 && found.answer.status < 500 && found.answer.status !== 403)
      return [`${tell(found.answer)}, and with both bounds 200`]
    const counts = [countIn(window, needCsv(before)), await count(closed)]
    const events = countIn(window, needCsv(found))
    return events >= Math.min(...counts) && events <= Math.max(...counts)
      ? []
      : [`${tell(found.answer)} with ${events} events, and with both bounds ${counts[1]}`]
  }
  const problems: string[] = []
  for (const pair of pairsAround(middle)) {
    const suspected = await judge(exports.csv, pair)
    if (suspected.length > 0) problems.push(...(await judge(exports.csvAnew, pair)))
  }
  if (decided.length === 0)
    throw new NotDecidable(
      'no range with bounds far away is let in, beside which to judge one bound',
    )
  return problems
}

const countIn = (window: Window, { records, cut }: CsvReading): number =>
  rowsLike(window, eventsIn(records, cut ? { ...window.frame, behind: 0 } : window.frame)).length
