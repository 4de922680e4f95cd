// What the service makes of bounds that are written in another form than the contract shows.

import { distinct } from '../../../../engine/distinct.ts'
import { day, hour, instantAt, isoOf, second } from '../../../../engine/files/dates.ts'
import { isEqual, multisetOf } from '../../../../engine/files/multiset.ts'
import { describeAnswer } from '../../../../engine/http/answers.ts'
import type { Observation } from '../../../../engine/observation.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { type CsvExport, type Exports, needCsv } from '../../ask/exports.ts'
import type { Query } from '../../ask/query.ts'
import { type Ranges, unlessUndecided } from '../../learn/ranges.ts'
import { noEvents, recentHour, type Span } from '../../learn/spans.ts'
import { eventRows, type Window } from '../../learn/window.ts'
import { problemsOfDifference } from '../same-file.ts'

/** What the service takes bounds for that are written with +02:00 in place of Z. */
export async function describeOffsetBounds(ranges: Ranges): Promise<Observation> {
  const [window, [at = recentHour(ranges.exports).end]] = [
    await ranges.window(),
    await ranges.cuts(),
  ]
  // Two hours, so that those of the same clock in UTC are others.
  const [start, end] = [isoOf(instantAt(at) - hour), isoOf(instantAt(at) + hour - second)]
  const ahead = (iso: string) => isoOf(instantAt(iso) + 2n * hour)
  const withOffset = (iso: string) => ahead(iso).replace('Z', '+02:00')
  const found = await ranges.exports.csv({ start: withOffset(start), end: withOffset(end) })
  if (isRefusedExport(found)) return found.answer.status
  return nameAlike(ranges.exports, window, needCsv(found).records, {
    'the instants they are': { start, end },
    'the same clock in UTC': { start: ahead(start), end: ahead(end) },
  })
}

/** What the service takes a bound for that has no time of day. */
export async function describeDateOnlyBounds(ranges: Ranges): Promise<Observation> {
  const [window, { start: within }] = [await ranges.window(), await ranges.few()]
  const date = within.slice(0, 10)
  const found = await ranges.exports.csv({ start: date, end: date })
  if (isRefusedExport(found)) return found.answer.status
  const start = `${date}T00:00:00.000Z`
  return nameAlike(ranges.exports, window, needCsv(found).records, {
    'its first instant': { start, end: start },
    'the whole day': { start, end: isoOf(instantAt(start) + day - 1_000_000n) },
  })
}

/** Bounds at full seconds that are written without a fraction: refused, or with other events than with zeros. */
export async function problemsOfWholeSeconds(
  ranges: Ranges,
): Promise<{ problems: Problem[]; span: Span }> {
  const [{ exports }, window] = [ranges, await ranges.window()]
  const times = await ranges.times().catch(unlessUndecided)
  const shown = distinct(times?.columns[0].times ?? []).toSorted((a, b) => (a < b ? -1 : 1))
  // Right around events, so that a bound which is taken for another time loses one.
  const [first = instantAt(window.start) + second, last = instantAt(window.end)] =
    shown.length > 2 ? [shown[1], (shown.at(-2) ?? 0n) + second] : []
  const [start = '', end = ''] = [first, last].map((at) => isoOf(at - (at % second)).slice(0, 19))
  const span = { start: `${start}Z`, end: `${end}Z` }
  const control = { start: `${start}.000Z`, end: `${end}.000Z` }
  // As texts the second bound comes before the first.
  const within = { start: `${start}Z`, end: `${start}.500Z` }
  const problems = [
    ...(await problemsOfRefusal(exports, span, control)),
    ...(await problemsOfRefusal(exports, within, { ...within, start: `${start}.000Z` })),
  ]
  if (problems.length > 0) return { problems, span }
  return { problems: await problemsOfDifference(exports, window, span, control), span }
}

/** A range that is refused, where the same with .000 is accepted: one may be too short for either. */
async function problemsOfRefusal(exports: Exports, span: Span, control: Span): Promise<Problem[]> {
  const found = await exports.csv(span)
  if (!isRefusedExport(found)) return []
  const whole = await exports.csv(control)
  if (isRefusedExport(whole)) return []
  needCsv(whole)
  const { answer } = found
  return [
    problem(`${describeAnswer(answer)}, and 200 with .000 in place of no fraction`, {
      expected: '200',
      got: String(answer.status),
      judged: answer,
      control: whole.answer,
    }),
  ]
}

/** What the service takes bounds for that are null, or empty. */
export async function describeNullBounds({ exports, window }: Ranges): Promise<Observation> {
  const start = recentHour(exports).end
  const found = await window()
  const count = async (answer: Promise<CsvExport>) =>
    eventRows(found, needCsv(await answer).records).length
  const takenFor = async (text: string): Promise<Observation> => {
    const before = await exports.csv({ start: text, end: noEvents.end })
    if (isRefusedExport(before)) return before.answer.status
    // Events may come meanwhile: their number lies between two counts.
    const least = await count(exports.csv({ start }))
    const after = await exports.csv({ start, end: text })
    if (isRefusedExport(after)) return after.answer.status
    const events = eventRows(found, needCsv(after).records).length
    const most = await count(exports.fresh.csv({ start }))
    return events >= least && events <= most ? 'none' : 'something else'
  }
  return { null: await takenFor('null'), empty: await takenFor('') }
}

const isRefusedExport = ({ answer: { status } }: CsvExport) =>
  status >= 400 && status < 500 && status !== 403

/** Which of several queries a file is like; where they are all alike, it tells nothing. */
async function nameAlike(
  exports: Exports,
  window: Window,
  records: string[][],
  queries: Record<string, Query>,
): Promise<string> {
  const eventsOf = (found: string[][]) => multisetOf(eventRows(window, found), window.columns)
  const events = eventsOf(records)
  const alike: string[] = []
  for (const [name, query] of Object.entries(queries))
    if (isEqual(events, eventsOf(needCsv(await exports.csv(query)).records))) alike.push(name)
  if (alike.length > 1)
    throw new NotDecidable(
      'data',
      `${alike.join(' and ')} give the same events here; a window where they differ is needed`,
    )
  return alike[0] ?? 'something else'
}
