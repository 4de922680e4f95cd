// Ranges with their bounds exchanged.

import { hour, instantAt, isoOf, millisecond, second } from '../../../../engine/files/dates.ts'
import { isAccepted } from '../../../../engine/http/answers.ts'
import type { Downloaded } from '../../../../engine/http/client.ts'
import { type CsvExport, type Exports, needExport } from '../../ask/exports.ts'
import type { PdfExport } from '../../ask/pdf-export.ts'
import type { Query } from '../../ask/query.ts'
import { type Ranges, unlessUndecided } from '../../learn/ranges.ts'
import { farPast, noEvents, recentHour, type Span } from '../../learn/spans.ts'

/** The answer to a range with its bounds exchanged, and to the same range as it is. */
export type Reversed = { answer: Downloaded; control: Downloaded }

/**
 * What the service answers to ranges with their bounds exchanged, which it lets in as they are; 500 only
 * where it was given twice.
 */
export async function fetchReversedAnswers(
  ranges: Ranges,
  fileType: 'csv' | 'pdf',
): Promise<Reversed[]> {
  const { exports, few } = ranges
  const ask = (query: Query): Promise<CsvExport | PdfExport> =>
    fileType === 'pdf' ? exports.pdf(query) : exports.csv(query, { read: 20 })
  const answers: Reversed[] = []
  let refused: CsvExport | PdfExport | undefined
  const judge = async ({ start, end }: Span, beside: Query = {}) => {
    const control = await ask({ ...beside, start, end })
    if (!isAccepted(control.answer)) {
      refused = control
      return
    }
    const reversed = await ask({ ...beside, start: end, end: start })
    if (reversed.answer.status > 500) needExport(reversed)
    answers.push({ answer: reversed.answer, control: control.answer })
  }
  for (const span of spansOf(exports)) await judge(span)
  await judge(noEvents, everythingElse)
  const close = await findToldApart(ranges)
  if (close) await judge(close)
  // Files without events may be refused.
  const some = answers.length === 0 ? await few().catch(unlessUndecided) : undefined
  if (some) await judge(some)
  if (answers.length === 0 && refused) needExport(refused)
  return answers
}

/** All that may be asked for besides a range. */
const everythingElse: Query = {
  timezone: 'Europe/Berlin',
  locale: 'en',
  filters: { event_type: ['assessment'], sub_type: ['created'] },
}

/** Ranges with little in them: near and far, short and long. */
const spansOf = (exports: Exports): Span[] => {
  const recent = recentHour(exports).end
  return [
    { start: isoOf(instantAt(recent) - 2n * second), end: recent },
    noEvents,
    { start: farPast, end: isoOf(instantAt(farPast) + 24n * 365n * hour) },
  ]
}

const maxTimes = 4

/**
 * Two bounds one millisecond apart that the service tells apart: a range from the earlier one on has an
 * event more.
 */
async function findToldApart(ranges: Ranges): Promise<Span | undefined> {
  const cuts = (await ranges.cuts().catch(unlessUndecided)) ?? []
  const times = cuts.map(instantAt)
  const countFrom = async (from: bigint, end: bigint) =>
    (await ranges.exports.csv({ start: isoOf(from), end: isoOf(end) })).csv?.count ?? 0
  for (const time of times.slice(0, maxTimes)) {
    const end = time + second
    if ((await countFrom(time, end)) > (await countFrom(time + millisecond, end)))
      return { start: isoOf(time), end: isoOf(time + millisecond) }
  }
  // Times may be shown more coarsely than they are stored, or not at all.
  const shown = await ranges.times().catch(unlessUndecided)
  const [first, last = first] = times
  if (first === undefined || last === undefined) return undefined
  const unit = shown?.columns[0].unit
  let [low, high] = unit === undefined ? [first, last] : [first - unit, first + unit]
  const end = high + millisecond
  const none = await countFrom(high, end)
  if ((await countFrom(low, end)) <= none) return undefined
  while (high - low >= 2n * millisecond) {
    const middle = low + ((high - low) / 2n / millisecond) * millisecond
    if ((await countFrom(middle, end)) > none) low = middle
    else high = middle
  }
  return { start: isoOf(low), end: isoOf(high) }
}
