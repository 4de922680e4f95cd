// Reversed bounds, and bounds in other forms than the contract shows.

import { day, hour, instantAt, isoOf, millisecond, second } from '../../../engine/files/dates.ts'
import { isEqual, multisetOf } from '../../../engine/files/multiset.ts'
import { isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Observation } from '../../../engine/observation.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type CsvExport, needCsv, needExport } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import type { Query } from '../ask/query.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { farPast, noEvents, recentHour, type Span } from '../learn/spans.ts'
import { eventRows } from '../learn/window.ts'
import { lastOf } from './bounds.ts'

/** The answer to a range that may be refused, and to a similar one that is accepted. */
export type Controlled = { answer: Downloaded; control: Downloaded }

/** All other parameters besides a range. */
const everythingElse: Query = {
  timezone: 'Europe/Berlin',
  locale: 'en',
  filters: { event_type: ['assessment'], sub_type: ['created'] },
}

/** The answers to small ranges with reversed bounds; a 500 was given twice. */
export async function fetchReversedAnswers(
  ranges: Ranges,
  fileType: 'csv' | 'pdf',
): Promise<Controlled[]> {
  const { exports, few } = ranges
  const ask = (query: Query): Promise<CsvExport | PdfExport> =>
    fileType === 'pdf' ? exports.pdf(query) : exports.csv(query, { read: 20 })
  const answers: Controlled[] = []
  let refused: CsvExport | PdfExport | undefined
  const judge = async ({ start, end, ...beside }: Query) => {
    const control = await ask({ ...beside, start, end })
    if (!isAccepted(control.answer)) refused = control
    else {
      const reversed = await ask({ ...beside, start: end, end: start })
      if (reversed.answer.status > 500) needExport(reversed)
      answers.push({ answer: reversed.answer, control: control.answer })
    }
  }
  const { end: recent } = recentHour(exports)
  await judge({ start: isoOf(instantAt(recent) - 2n * second), end: recent })
  await judge(noEvents)
  await judge({ start: farPast, end: isoOf(instantAt(farPast) + 365n * day) })
  await judge({ ...noEvents, ...everythingElse })
  const close = await findToldApart(ranges)
  if (close) await judge(close)
  // Files without events may be refused.
  const some = answers.length === 0 ? await few().catch(unlessUndecided) : undefined
  if (some) await judge(some)
  if (answers.length === 0 && refused) needExport(refused)
  return answers
}

/** Two bounds a millisecond apart that the service distinguishes: the earlier one includes one more event. */
async function findToldApart(ranges: Ranges): Promise<Span | undefined> {
  const times = ((await ranges.cuts().catch(unlessUndecided)) ?? []).map(instantAt)
  const unit = (await ranges.times().catch(unlessUndecided))?.columns[0].unit
  const [first, last = first] = times
  if (first === undefined || last === undefined) return undefined
  // Times may be shown more coarsely than they are stored, or not at all.
  const [low, high] = unit === undefined ? [first, last] : [first - unit, first + unit]
  const end = isoOf(high + millisecond)
  const countFrom = async (start: bigint) =>
    (await ranges.exports.csv({ start: isoOf(start), end })).csv?.count ?? 0
  const none = await countFrom(high)
  const holdsMore = async (start: bigint) => (await countFrom(start)) > none
  const start = await lastOf(holdsMore, [low, high], millisecond)
  return start === undefined ? undefined : { start: isoOf(start), end: isoOf(start + millisecond) }
}

/** The answer to a range of one instant, if the same with one more second is accepted. */
export async function fetchInstantAnswer({ exports, cuts }: Ranges): Promise<Controlled> {
  const [at = recentHour(exports).end] = (await cuts().catch(unlessUndecided)) ?? []
  const control = await exports.csv({ start: at, end: isoOf(instantAt(at) + second) })
  needCsv(control)
  const instant = await exports.csv({ start: at, end: at })
  if (!isRefused(instant.answer) || instant.answer.status === 403) needExport(instant)
  return { answer: instant.answer, control: control.answer }
}

export async function describeOffsetBounds(ranges: Ranges): Promise<Observation> {
  const [at = recentHour(ranges.exports).end] = await ranges.cuts()
  // Two hours: the same clock in UTC gives other events.
  const [start, end] = [isoOf(instantAt(at) - hour), isoOf(instantAt(at) + hour - second)]
  const ahead = (iso: string) => isoOf(instantAt(iso) + 2n * hour)
  const withOffset = (iso: string) => ahead(iso).replace('Z', '+02:00')
  return nameAlike(
    ranges,
    { start: withOffset(start), end: withOffset(end) },
    {
      'the instants they are': { start, end },
      'the same clock in UTC': { start: ahead(start), end: ahead(end) },
    },
  )
}

export async function describeDateOnlyBounds(ranges: Ranges): Promise<Observation> {
  const date = (await ranges.few()).start.slice(0, 10)
  const start = `${date}T00:00:00.000Z`
  return nameAlike(
    ranges,
    { start: date, end: date },
    {
      'its first instant': { start, end: start },
      'the whole day': { start, end: isoOf(instantAt(start) + day - millisecond) },
    },
  )
}

/** Which of several queries gives the same file, or the status of a refusal; unknown if they are all alike. */
async function nameAlike(
  { exports, window }: Ranges,
  asked: Query,
  queries: Record<string, Query>,
): Promise<Observation> {
  const found = await exports.csv(asked)
  if (isRefusedRange(found)) return found.answer.status
  const whole = await window()
  const eventsOf = (file: CsvExport) =>
    multisetOf(eventRows(whole, needCsv(file).records), whole.columns)
  const alike: string[] = []
  for (const [name, query] of Object.entries(queries))
    if (isEqual(eventsOf(found), eventsOf(await exports.csv(query)))) alike.push(name)
  if (alike.length > 1)
    throw new NotDecidable(
      'data',
      `${alike.join(' and ')} give the same events here; a window where they differ is needed`,
    )
  return alike[0] ?? 'something else'
}

export async function describeNullBounds({ exports, window }: Ranges): Promise<Observation> {
  const start = recentHour(exports).end
  const whole = await window()
  const count = (file: CsvExport) => eventRows(whole, needCsv(file).records).length
  const takenFor = async (text: string): Promise<Observation> => {
    const before = await exports.csv({ start: text, end: noEvents.end })
    if (isRefusedRange(before)) return before.answer.status
    // Events may arrive meanwhile: the number lies between two counts.
    const least = count(await exports.csv({ start }))
    const after = await exports.csv({ start, end: text })
    if (isRefusedRange(after)) return after.answer.status
    const most = count(await exports.fresh.csv({ start }))
    return count(after) >= least && count(after) <= most ? 'none' : 'something else'
  }
  return { null: await takenFor('null'), empty: await takenFor('') }
}

const isRefusedRange = ({ answer }: CsvExport) => isRefused(answer) && answer.status !== 403
