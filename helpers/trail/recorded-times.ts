// Whether events lie in the range of time in which this run made the updates that they are of.

import { dateIn, dayMs, hour, instantOf, type Order } from '../../engine/files/dates.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { problem } from '../../engine/problem.ts'
import { poll } from '../../engine/time/polling.ts'
import { unlessUndecided } from '../export/learn/ranges.ts'
import { type Asked, type Counted, openCount } from './all-recorded.ts'

/** Whether the events of one task lie in the range from just before its first update until now. */
export async function problemsOfTimes({
  exports,
  ledger,
  control,
  lateMs,
  stop,
}: Omit<Asked, 'limitMs'>) {
  const { changes, start, untilNow, countOf } = await openCount({ exports, ledger })
  const updates = ledger.updates.filter(({ task }) => task === control)
  const wanted = changes.get(control) ?? 0
  const end = untilNow()
  const look = async () => {
    // A bound that is still to come may be refused.
    const upToNow = await countOf(control, { start, end }).catch(unlessUndecided)
    return { ...(upToNow ?? (await countOf(control))), upToNow }
  }
  const { last } = await poll(look, ({ count }) => count >= wanted, {
    limitMs: lateMs,
    stop,
    firstMs: 100,
  })
  const { count, records, upToNow } = last
  const where = `from ${start}${upToNow ? ` to ${end}` : ' on'}, when task ${control} was changed ${wanted} times`
  const seen = `${count} events in the range ${where}`
  if (count >= wanted) return { problems: [], seen }
  const timeOf = (ms: number) => new Date(ms).toISOString()
  const [lowest, highest] = [Date.parse(start) - dayMs, Date.parse(end) + dayMs]
  const countFrom = async (ms: number) => (await countOf(control, { start: timeOf(ms) })).count
  await needFineTimes(await countOf(control, { start: timeOf(lowest) }), () =>
    areOfOneInstant(countFrom, wanted, [lowest, highest]),
  )
  const sentence = `${count} of its events lie in the range ${where}; the others are shown with times outside of it`
  return {
    problems: [
      problem(sentence, {
        expected: `${wanted} events`,
        got: `${count} events`,
        judged: records,
        control: updates.map((update) => update.exchange),
        again: { why: 'the updates have to be made first' },
      }),
    ],
    seen,
  }
}

/** Whether as many events lie at one instant between two times: files need not show when they were. */
async function areOfOneInstant(
  countFrom: (ms: number) => Promise<number>,
  wanted: number,
  [lowest, highest]: [number, number],
): Promise<boolean> {
  // One event alone is always at one instant.
  if (wanted < 2 || (await countFrom(lowest)) < wanted) return false
  let [from, to] = [lowest, highest]
  while (to - from > instantMs) {
    const middle = Math.round((from + to) / 2)
    const count = await countFrom(middle)
    if (count > 0 && count < wanted) return false
    if (count > 0) from = middle
    else to = middle
  }
  return true
}

/** Shorter than any two updates are apart that follow each other. */
const instantMs = 2

/** A service may store no more of a time than the day or the hour. */
async function needFineTimes(
  { count, records }: Counted,
  areOfOneInstant: () => Promise<boolean>,
): Promise<void> {
  const width = Math.max(0, ...records.map((record) => record.length))
  const columns = Array.from({ length: width }, (_, at) => instantsIn(records, at)).filter(
    (instants) => count > 1 && instants.length >= count,
  )
  const areWholeHoursApart = ([first = 0n, ...others]: bigint[]) =>
    others.every((instant) => (instant - first) % hour === 0n)
  const isCoarse = columns.length > 0 ? columns.every(areWholeHoursApart) : await areOfOneInstant()
  if (isCoarse)
    throw new NotDecidable(
      'freedom',
      `${count} events of one task are at one time, or whole hours apart; how exactly times are stored is not shown`,
    )
}

const orders: Order[] = ['ymd', 'dmy', 'mdy', 'epoch']

const instantsIn = (records: Counted['records'], column: number): bigint[] =>
  orders
    .map((order) =>
      records.flatMap((record) => {
        const date = dateIn(record[column] ?? '', order)
        return date ? [instantOf(date)] : []
      }),
    )
    .reduce((most, instants) => (instants.length > most.length ? instants : most))
