// Reversed bounds, and bounds in other forms than the contract shows.

import { caseOrWhy, type Some, type Unasked } from '../../../engine/clause/law.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import { day, hour, instantAt, isoOf, millisecond, second } from '../../../engine/files/dates.ts'
import { isEqual, multisetOf } from '../../../engine/files/multiset.ts'
import { isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Observation } from '../../../engine/observation.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import type { Problem } from '../../../engine/problem.ts'
import { type CsvExport, needCsv, needExport } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import type { Query } from '../ask/query.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { farPast, noEvents, recentHour, type Span } from '../learn/spans.ts'
import { eventRows, type Window } from '../learn/window.ts'
import { lastOf } from './bounds.ts'
import { ask, type Dialogue, foundIn, heldOnce } from './dialogue.ts'
import { type Controlled, problemsOf500, problemsOfInvalid } from './invalid-queries.ts'

const everythingElse: Query = {
  timezone: 'Europe/Berlin',
  locale: 'en',
  filters: { event_type: ['assessment'], sub_type: ['created'] },
}

/** The answers to small ranges with reversed bounds; a 500 was given twice. */
export async function fetchReversed(
  ranges: Ranges,
  fileType: 'csv' | 'pdf',
): Promise<(Controlled | Unasked)[]> {
  const { exports, few } = ranges
  const ask = (query: Query): Promise<CsvExport | PdfExport> =>
    fileType === 'pdf' ? exports.pdf(query) : exports.csv(query, { read: 20 })
  const cases: (Controlled | Unasked)[] = []
  let refused: CsvExport | PdfExport | undefined
  const fetchCase = async (asked: Query | Promise<Query | undefined>) => {
    const { start, end, ...beside } = (await asked) ?? {}
    if (start === undefined) return []
    const control = await ask({ ...beside, start, end })
    if (!isAccepted(control.answer)) {
      refused = control
      return []
    }
    const reversed = await ask({ ...beside, start: end, end: start })
    if (reversed.answer.status > 500) needExport(reversed)
    return [{ what: 'a reversed range', answer: reversed.answer, control: control.answer }]
  }
  // Trouble with one range must not hide what another shows.
  const add = async (asked: Query | Promise<Query | undefined>) =>
    cases.push(...[await caseOrWhy(fetchCase(asked))].flat())
  const { end: recent } = recentHour(exports)
  await add({ start: isoOf(instantAt(recent) - 2n * second), end: recent })
  await add(noEvents)
  await add({ start: farPast, end: isoOf(instantAt(farPast) + 365n * day) })
  await add({ ...noEvents, ...everythingElse })
  await add(findToldApart(ranges))
  // Files without events may be refused.
  if (cases.every((each) => each instanceof Error)) await add(few().catch(unlessUndecided))
  if (cases.length === 0 && refused) needExport(refused)
  return cases
}

/** A 500 leaves open whether the range is the reason. */
export function problemsOfReversed(reversed: Controlled): Problem[] {
  const [failed] = problemsOf500(reversed)
  if (failed) throw new Trouble(`${failed.sentence}; the range may not be the reason`)
  return problemsOfInvalid(reversed)
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
  const { exports } = ranges
  const countFrom = (start: bigint) =>
    ask(async ({ port }) => (await port.csv({ start: isoOf(start), end })).csv?.count ?? 0)
  const found = await heldOnce(exports, function* find(): Dialogue<bigint | undefined> {
    const none = yield* countFrom(high)
    const holdsMore = function* holds(start: bigint): Dialogue<boolean> {
      return (yield* countFrom(start)) > none
    }
    return yield* lastOf(holdsMore, [low, high], millisecond)
  })
  const start = foundIn(found)
  return start === undefined ? undefined : { start: isoOf(start), end: isoOf(start + millisecond) }
}

/** The answer to a range of one instant, if the same with one more second is accepted. */
export async function fetchInstantAnswer({
  exports,
  cuts,
}: Ranges): Promise<Omit<Controlled, 'what'>> {
  const [at = recentHour(exports).end] = (await cuts().catch(unlessUndecided)) ?? []
  const control = await exports.csv({ start: at, end: isoOf(instantAt(at) + second) })
  needCsv(control)
  const instant = await exports.csv({ start: at, end: at })
  if (!isRefused(instant.answer) || instant.answer.status === 403) needExport(instant)
  return { answer: instant.answer, control: control.answer }
}

/** The file of bounds in another form, and those of what they may mean; none if it is refused. */
type Meanings = { found: CsvExport; window: Window; names: string[]; files: CsvReading[] }

async function fetchMeanings(
  { exports, window }: Ranges,
  asked: Query,
  queries: Record<string, Query>,
): Promise<Meanings> {
  const found = await exports.csv(asked)
  const files: CsvReading[] = []
  if (!isRefusedRange(found)) {
    needCsv(found)
    for (const query of Object.values(queries)) files.push(await exports.csvFile(query))
  }
  return { found, window: await window(), names: Object.keys(queries), files }
}

export async function fetchOffsetBounds(ranges: Ranges): Promise<Meanings> {
  const [at = recentHour(ranges.exports).end] = await ranges.cuts()
  // Two hours: the same clock in UTC gives other events.
  const [start, end] = [isoOf(instantAt(at) - hour), isoOf(instantAt(at) + hour - second)]
  const ahead = (iso: string) => isoOf(instantAt(iso) + 2n * hour)
  const withOffset = (iso: string) => ahead(iso).replace('Z', '+02:00')
  return fetchMeanings(
    ranges,
    { start: withOffset(start), end: withOffset(end) },
    {
      'the instants they are': { start, end },
      'the same clock in UTC': { start: ahead(start), end: ahead(end) },
    },
  )
}

export async function fetchDateOnlyBounds(ranges: Ranges): Promise<Meanings> {
  const date = (await ranges.few()).start.slice(0, 10)
  const start = `${date}T00:00:00.000Z`
  return fetchMeanings(
    ranges,
    { start: date, end: date },
    {
      'its first instant': { start, end: start },
      'the whole day': { start, end: isoOf(instantAt(start) + day - millisecond) },
    },
  )
}

/** Which of several queries gives the same file, or the status of a refusal; unknown if they are all alike. */
export function meaningOf([{ found, window, names, files }]: Some<Meanings>): Observation {
  if (isRefusedRange(found)) return found.answer.status
  const [events, ...others] = [needCsv(found), ...files].map(({ records }) =>
    multisetOf(eventRows(window, records), window.columns),
  )
  const alike = names.filter((_, at) => isEqual(events ?? new Map(), others[at] ?? new Map()))
  if (alike.length > 1)
    throw new NotDecidable(
      'data',
      `${alike.join(' and ')} give the same events here; a window where they differ is needed`,
    )
  return alike[0] ?? 'something else'
}

/** The file of a range with one bound written as a text, and the events of the one without it. */
type NoBound = { what: string; found: CsvExport; window: Window; without: CsvReading }

/** Asks for ranges with one bound written as `null`, or as nothing. */
export async function* askNoBounds({ exports, window }: Ranges): AsyncGenerator<NoBound> {
  const start = recentHour(exports).end
  for (const [what, end] of Object.entries({ null: 'null', empty: '' })) {
    const without = await exports.csvFile({ start })
    yield { what, found: await exports.csv({ start, end }), window: await window(), without }
  }
}

export const meaningsOf = (all: Some<NoBound>): Observation =>
  Object.fromEntries(
    all.map(({ what, found, window, without }) => {
      if (isRefusedRange(found)) return [what, found.answer.status]
      const [count, least] = [needCsv(found), without].map(
        ({ records }) => eventRows(window, records).length,
      ) as [number, number]
      // Events may arrive meanwhile.
      return [what, count >= least ? 'none' : 'something else']
    }),
  )

const isRefusedRange = ({ answer }: CsvExport) => isRefused(answer) && answer.status !== 403
