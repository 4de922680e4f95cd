// Ranges compared: one bound and both, two parts and the whole, of one instant.

import type { CsvReading } from '../../../../engine/files/csv.ts'
import { instantAt, isoOf, second } from '../../../../engine/files/dates.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../../engine/http/answers.ts'
import type { Downloaded } from '../../../../engine/http/client.ts'
import { originOf } from '../../../../engine/origin.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { type Exports, needCsv, needExport } from '../../ask/exports.ts'
import type { Query } from '../../ask/query.ts'
import type { Fetch } from '../../learn/confirmed.ts'
import { type Ranges, unlessUndecided } from '../../learn/ranges.ts'
import { farFuture, farPast, recentHour } from '../../learn/spans.ts'
import { eventRows, rowsLike, spanOf, type Window } from '../../learn/window.ts'
import type { Reversed } from './reversed.ts'

/** More of a large file is not read: what lies beyond is compared as if it were alike. */
export const maxRead = 3000

/**
 * A range with a bound or both left out, and the same with one so far away that it bounds nothing. Where
 * their bounds are not the same, one may be refused and the other not.
 */
export type BoundPair = Record<Bounds, Query> & { mayBeRefused?: true }
type Bounds = 'open' | 'closed'

function pairsAround(middle: string, now: string, farFuture: string): BoundPair[] {
  const upTo = (end: string) => ({ open: { end }, closed: { start: farPast, end } })
  const from = (start: string) => ({
    open: { start },
    closed: { start, end: isoOf(instantAt(farFuture) + second) },
  })
  const behind = { start: beyond32Bits, end: isoOf(instantAt(beyond32Bits) + second) }
  const inZone = upTo(middle)
  return [
    { open: { end: epoch }, closed: { start: beforeEpoch, end: afterEpoch }, mayBeRefused: true },
    upTo(middle),
    // Which zone it is matters to neither.
    {
      open: { ...inZone.open, timezone: farEast },
      closed: { ...inZone.closed, timezone: farEast },
    },
    { open: { start: behind.start }, closed: behind },
    ...[now, middle].map(from),
  ]
}

/** Where the counting of seconds begins: its zero must not be taken for nothing. */
const epoch = '1970-01-01T00:00:00.000Z'
const [beforeEpoch, afterEpoch] = ['1969-12-31T23:59:59.000Z', '1970-01-01T00:00:01.000Z']
/** More seconds than fit into a number of 32 bits. */
const beyond32Bits = '2040-01-01T00:00:00.000Z'
/** Its clock is furthest from UTC. */
const farEast = 'Pacific/Kiritimati'

/**
 * The same range asked for in other words: a file may be kept for a while under its whole query, and
 * what was recorded since then is not in it.
 */
function saidOtherwise({ open, closed }: BoundPair, turn: Bounds, at: number): Query {
  if (turn === 'open')
    return {
      ...open,
      ...(at % 4 < 2 ? { fileType: null } : {}),
      ...(at > 3 ? { locale: 'en' } : {}),
    }
  const { end } = closed
  const isFar = open.end === undefined && end !== undefined
  return isFar ? { ...closed, end: isoOf(instantAt(end) + BigInt(at) * second) } : closed
}

/**
 * A first look. Where the two differ, events may have come after the one that was asked for first, perhaps
 * by another clause: the one with fewer is asked for again. And a second look, in which two servers that
 * answer by turns are asked for both.
 */
const firstLook = ['closed', 'open', 'fewer'] as const
const byTurns = ['closed', 'open', 'open', 'closed', 'closed', 'open', 'open', 'closed'] as const

/** What is wrong with ranges that have one bound. */
export const problemsOfOneBound = (exports: Exports, window: Window, middle: string) =>
  problemsOfPairs(
    exports,
    window,
    pairsAround(middle, recentHour(exports).end, farFuture(exports)),
    isAlike,
  )

/** Whether one may be as many as the other: events may come meanwhile. */
export const isAlike = (open: number[], closed: number[]): boolean =>
  Math.min(...open) <= Math.max(...closed) && Math.max(...open) >= Math.min(...closed)

/**
 * What is wrong with ranges that lack a bound. They are refused, and the same with both bounds is not; or
 * they hold other events. Where events come and go, or not all servers have them yet, one is counted
 * between two counts of the other.
 */
export async function problemsOfPairs(
  exports: Exports,
  window: Window,
  pairs: readonly BoundPair[],
  isAlike: (open: number[], closed: number[]) => boolean,
): Promise<Problem[]> {
  let decided = false
  const judge = async (
    port: Exports,
    pair: BoundPair,
    turns: typeof firstLook | typeof byTurns,
  ) => {
    const counts: Record<Bounds, number[]> = { open: [], closed: [] }
    const answers: Record<Bounds, Downloaded[]> = { open: [], closed: [] }
    let asked = ''
    const problemOf = (sentence: string, expected: string, got: string) =>
      problem(sentence, {
        expected,
        got,
        judged: answers.open,
        control: answers.closed,
        again: { holds: 'a.status < 300 && n(a) === n(c)' },
      })
    for (const [at, planned] of turns.entries()) {
      if (planned === 'fewer' && isAlike(counts.open, counts.closed)) return []
      const turn = planned === 'fewer' ? fewer(counts) : planned
      const isPlain = at <= 1
      const query = isPlain ? pair[turn] : saidOtherwise(pair, turn, at)
      const found = await (isPlain ? port : exports.fresh).csv(query, { read: maxRead })
      const { status } = found.answer
      if (!isPlain && !isAccepted(found.answer)) continue
      answers[turn].push(found.answer)
      // Too large a file may be refused: with both bounds it is as large.
      if (turn === 'closed' && !isAccepted(found.answer)) return []
      decided = true
      if (turn === 'open') asked = describeAnswer(found.answer)
      if (pair.mayBeRefused && isRefused(found.answer)) return []
      if (status >= 400 && status < 500 && status !== 403)
        return [problemOf(`${asked}, and with both bounds 200`, '200', String(status))]
      counts[turn].push(countIn(window, needCsv(found)))
    }
    const { open, closed } = counts
    const sentence = `${asked} with ${open[0]} events, and with both bounds ${closed.at(-1)}`
    return isAlike(open, closed)
      ? []
      : [problemOf(sentence, `${closed.at(-1)} events`, `${open[0]} events`)]
  }
  const problems: Problem[] = []
  for (const pair of pairs) {
    const suspected = await judge(exports, pair, firstLook)
    if (suspected.length > 0) problems.push(...(await judge(exports.fresh, pair, byTurns)))
  }
  if (!decided)
    throw new NotDecidable(
      'freedom',
      'no range with two bounds far apart is accepted, so one with fewer cannot be compared; how long a range may be is not shown',
    )
  return problems
}

const fewer = ({ open, closed }: Record<Bounds, number[]>): Bounds =>
  Math.min(...open) < Math.min(...closed) ? 'open' : 'closed'

/** A line of a file without events may name what was asked for: it is none. */
const countIn = (window: Window, { records, cut }: CsvReading): number =>
  rowsLike(window, eventRows(window, records, cut)).length

/**
 * What is wrong with a window that is split: with both bounds inclusive, the events up to T and
 * those from T on are all of them, and those at T once more.
 */
export async function problemsOfSplit(
  fetch: Fetch,
  { exports, window, cuts }: { exports: Exports; window: Window; cuts: readonly string[] },
): Promise<Problem[]> {
  const { start, end } = window
  // Files that have other columns each may have few rows like those of the window.
  const rowsOf = async (span: Query) => {
    const found = await fetch(span)
    const alike = rowsLike(window, found)
    return alike.length > 0 ? alike : found
  }
  const all = await rowsOf(spanOf(window))
  const whole = all.length
  const problems: Problem[] = []
  for (const cut of cuts) {
    const parts = [await rowsOf({ start, end: cut }), await rowsOf({ start: cut, end })] as const
    const [until, from] = [parts[0].length, parts[1].length]
    const instant = { start: cut, end: cut }
    // Whether a range of one instant is let in is the matter of export.range.instant.
    const { answer } = await exports.csv(instant)
    const those = isAccepted(answer) ? await rowsOf(instant) : undefined
    const at = those?.length
    const isRight = at === undefined ? until + from >= whole : until + from === whole + at
    if (!isRight)
      problems.push(
        problem(
          `${until} events up to ${cut} and ${from} from then on: of ${whole} in the whole, and ${at ?? 'some'} at that time`,
          {
            expected: at === undefined ? `${whole} events or more` : `${whole + at} events`,
            got: `${until + from} events`,
            judged: parts.flatMap((part) => originOf(part)),
            control: [all, ...(those ? [those] : [])],
          },
        ),
      )
  }
  return problems
}

/** What a range of one instant is answered, where the same with a second more is let in. */
export async function fetchInstantAnswer({ exports, cuts }: Ranges): Promise<Reversed> {
  const [at = recentHour(exports).end] = (await cuts().catch(unlessUndecided)) ?? []
  const control = await exports.csv({ start: at, end: isoOf(instantAt(at) + second) })
  needCsv(control)
  const instant = await exports.csv({ start: at, end: at })
  if (instant.answer.status === 403 || instant.answer.status >= 500) needExport(instant)
  return { answer: instant.answer, control: control.answer }
}
