import type { CsvReading } from '../../../engine/files/csv.ts'
import { instantAt, isoOf, second } from '../../../engine/files/dates.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Exports, needCsv, tell } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { farFuture, farPast, lately } from '../learn/ranges.ts'
import { eventRows, noEvents, type Window } from '../learn/window.ts'

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

/** A first look; and a second, in which two servers that answer by turns are asked for both. */
const once = ['closed', 'open'] as const
const byTurns = ['closed', 'open', 'open', 'closed', 'closed', 'open', 'open', 'closed'] as const

/**
 * What is wrong with ranges that have one bound: refused although both bounds are let in, or with
 * other events than with both. Where events come and go, or not all servers have them yet, one is
 * counted between two counts of the other.
 */
export async function wrongWithOneBound(
  exports: Exports,
  window: Window,
  middle: string,
): Promise<string[]> {
  let decided = false
  const judge = async (ask: Exports['csv'], pair: Pair, turns: readonly (keyof Pair)[]) => {
    const counts: Record<keyof Pair, number[]> = { open: [], closed: [] }
    let told = ''
    for (const turn of turns) {
      const found = await ask(pair[turn], { read: mostRead })
      const { status } = found.answer
      // Too large a file may be refused: with both bounds it is as large.
      if (turn === 'closed' && status !== 200) return []
      decided = true
      if (turn === 'open') told = tell(found.answer)
      if (status >= 400 && status < 500 && status !== 403)
        return [`${told}, and with both bounds 200`]
      counts[turn].push(countIn(window, needCsv(found)))
    }
    const { open, closed } = counts
    const overlap =
      Math.min(...open) <= Math.max(...closed) && Math.max(...open) >= Math.min(...closed)
    return overlap ? [] : [`${told} with ${open[0]} events, and with both bounds ${closed.at(-1)}`]
  }
  const problems: string[] = []
  for (const pair of pairsAround(middle)) {
    const suspected = await judge(exports.csv, pair, once)
    if (suspected.length > 0) problems.push(...(await judge(exports.csvAnew, pair, byTurns)))
  }
  if (!decided)
    throw new NotDecidable(
      'no range with bounds far away is let in, beside which to judge one bound',
    )
  return problems
}

const countIn = (window: Window, { records, cut }: CsvReading): number =>
  eventRows(window, records, cut).length
