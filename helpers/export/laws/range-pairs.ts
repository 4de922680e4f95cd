// Two equivalent ways to write a range: they contain the same events.

import type { Unasked } from '../../../engine/clause/case.ts'
import { inTurn } from '../../../engine/clause/law.ts'
import { distinct } from '../../../engine/distinct.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import { instantAt, isoOf, second } from '../../../engine/files/dates.ts'
import { minus, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { exactly, rowsFinding } from '../../../engine/findings/file-rows.ts'
import { statusFinding } from '../../../engine/findings/status.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { keyOf, metadataKeys } from '../../contract/metadata-keys.ts'
import { arrayParameters, defaultLanguage } from '../../contract/parameters.ts'
import { statuses } from '../../contract/statuses.ts'
import { type RowsEvidence, withExplanation } from '../../findings/explanations.ts'
import { premise } from '../../service/answers.ts'
import { type CsvExport, type Exports, isUsable, needCsv } from '../ask/exports.ts'
import { placeOf } from '../ask/places.ts'
import { filterBy, mergeQueries, type Query, recentHour } from '../ask/query.ts'
import { ask, type Dialogue, heldOnce } from '../learn/confirmed.ts'
import type { Filters, KnownValue } from '../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { farFuture, farPast } from '../learn/spans.ts'
import type { Times } from '../learn/time-column.ts'
import { rowsLike, rowsSeen, type Window } from '../learn/window.ts'
import type { Asked } from './file.ts'
import { learnPdfIdentity } from './pdf-entries.ts'
import { askFiles, byTwin, type Predict } from './predict.ts'
import { extraRows, kindsIn, missingRows } from './row-evidence.ts'

/** Read no more of a large file: the rest is assumed to be equal. */
const maxRead = 3000

type Pair = {
  asked: Query
  same: Query
  by: string
  /** the later request may include newly recorded events */
  mayHoldMore?: true
  /** their bounds differ slightly, so one alone may be refused */
  mayBeRefused?: true
}
type Turn = 'asked' | 'same'

const firstLook: readonly Turn[] = ['same', 'asked']
const byTurns: readonly Turn[] = [...firstLook, 'asked', 'same', 'same', 'asked', 'asked', 'same']

export const heldPairs = (exports: Exports, window: Window, pairs: readonly Pair[]) =>
  inTurn(pairs, (pair) =>
    heldOnce(exports, (isSuspected) =>
      problemsOfPair(window, pair, isSuspected ? byTurns : firstLook),
    ),
  )

const nothingTaken =
  'no two comparable ranges are accepted; the contract does not say which ranges are rejected'

/**
 * Equivalent ranges differ if only one is rejected, or if they hold different events. Data may move, and servers may be
 * out of step, so each is counted between two counts of the other.
 */
function* problemsOfPair(window: Window, pair: Pair, turns: readonly Turn[]): Dialogue<Problem[]> {
  const found: Record<Turn, CsvExport[]> = { asked: [], same: [] }
  const counts: Record<Turn, number[]> = { asked: [], same: [] }
  let decided = false
  for (const [at, turn] of turns.entries()) {
    const isPlain = at < firstLook.length
    const query = isPlain ? pair[turn] : saidOtherwise(pair, turn, at)
    const file = yield* ask(({ port }) => port.csv(query, { read: maxRead }))
    if (!isPlain && !isAccepted(file.answer)) continue
    found[turn].push(file)
    // A file may be refused as too large: the other is as large.
    if (turn === 'same' && !isAccepted(file.answer)) {
      premise(decided, 'freedom', nothingTaken)
      return []
    }
    decided = true
    if (isRefused(file.answer) && pair.mayBeRefused) return []
    if (isRefused(file.answer) && file.answer.status !== 403) {
      const although = `the service accepts the same range ${pair.by}`
      const finding = statusFinding(file.answer, statuses.exported, { although })
      return [problem(finding, { judged: found.asked, control: found.same })]
    }
    counts[turn].push(countIn(window, needCsv(file)))
    // Further counts would not change that.
    if (isAlike(counts, pair)) return []
  }
  const [count = 0, other = 0] = [counts.asked[0], counts.same.at(-1)]
  const fact = rowsFinding({
    wrong: 'number',
    place: placeOf(pair.asked),
    beside: placeOf({ start: pair.same.start, end: pair.same.end }),
    wanted: exactly(other),
    got: count,
    to: `the number of the same range ${pair.by}`,
    records: pair.mayHoldMore ? { least: 0 } : exactly(0),
  })
  const finding = withExplanation(fact, ...evidenceOf(window, pair, found))
  return [problem(finding, { judged: found.asked, control: found.same })]
}

/** Only where one file has all events of the other, and more. */
function evidenceOf(
  window: Window,
  { asked }: Pair,
  found: Record<Turn, CsvExport[]>,
): RowsEvidence[] {
  const rowsOf = (file: CsvExport | undefined) => rowsLike(window, rowsSeen(window, file?.csv))
  const shown = multisetOf(rowsOf(found.asked[0]), window.columns)
  const wanted = multisetOf(rowsOf(found.same.at(-1)), window.columns)
  const extra = minus(shown, wanted)
  const missing = minus(wanted, shown)
  const known = { range: { start: asked.start, end: asked.end }, kinds: kindsIn(window) }
  if (missing.size === 0) return [extraRows(extra, shown, known)]
  return extra.size === 0 ? [missingRows(missing, wanted, known)] : []
}

/** Whether the counts may be equal: events arrive, and servers are out of step by what one query has lost. */
function isAlike({ asked, same }: Record<Turn, number[]>, { mayHoldMore }: Pair): boolean {
  const lacks = Math.min(...same) - Math.max(...asked)
  const adds = mayHoldMore ? 0 : Math.min(...asked) - Math.max(...same)
  return Math.max(lacks, adds) <= Math.max(fallIn(asked), fallIn(same))
}

const fallIn = (counts: readonly number[]): number =>
  Math.max(0, ...counts.map((count, at) => Math.max(...counts.slice(0, at + 1)) - count))

/** In a file without events, a line may name the query. */
const countIn = (window: Window, file: CsvReading): number =>
  rowsLike(window, rowsSeen(window, file)).length

/** A service may cache a file by its whole query, without new events. */
function saidOtherwise({ asked, same }: Pair, turn: Turn, at: number): Query {
  const isFar = asked.end === undefined && same.end !== undefined
  if (turn === 'same')
    return isFar ? { ...same, end: isoOf(instantAt(same.end ?? '') + BigInt(at) * second) } : same
  return {
    ...asked,
    ...(at > 3 ? { locale: defaultLanguage } : {}),
    ...(at % 4 < 2 ? { fileType: null } : {}),
  }
}

/** Around the zero of seconds since 1970: zero must not be read as absent. */
const aroundEpoch = [
  '1969-12-31T23:59:59.000Z',
  '1970-01-01T00:00:00.000Z',
  '1970-01-01T00:00:01.000Z',
]
/** More seconds than fit into 32 bits. */
const beyond32Bits = '2040-01-01T00:00:00.000Z'
/** The clock furthest from UTC. */
const farEast = { timezone: 'Pacific/Kiritimati' }

/** Ranges with one bound, and the same with the other bound so far away that it limits nothing. */
export function pairsOfOneBound(exports: Exports, middle: string): Pair[] {
  const [before, epoch = '', after] = aroundEpoch
  const behind = isoOf(instantAt(beyond32Bits) + second)
  return [
    { ...withoutStart(epoch), same: { start: before, end: after }, mayBeRefused: true },
    withoutStart(middle),
    beside(withoutStart(middle), farEast),
    withoutEnd(beyond32Bits, behind),
    withoutEnd(recentHour(exports).end, farEnd(exports)),
    withoutEnd(middle, farEnd(exports)),
  ]
}

const withoutStart = (end: string): Pair => ({
  asked: { end },
  same: { start: farPast, end },
  by: 'with both bounds',
})
const withoutEnd = (start: string, end: string): Pair => ({
  asked: { start },
  same: { start, end },
  by: 'with both bounds',
})
const farEnd = (exports: Exports) => isoOf(instantAt(farFuture(exports)) + second)
const beside = (pair: Pair, more: Query): Pair => ({
  ...pair,
  asked: mergeQueries(pair.asked, more),
  same: mergeQueries(pair.same, more),
})

/** Ranges with one bound, plus filters that together match events at two times; each filter is used. */
export async function filteredPairs(filters: Filters, window: Window, times: Times) {
  const all = timedRows(window, times)
  const sets: { chosen: KnownValue[]; left: typeof all }[] = []
  for (const field of [...metadataKeys, ...(filters.form.settled ? arrayParameters : [])]) {
    const known = await filters.known(field)
    const [fitting] = [...sets, { chosen: [], left: all }]
      .flatMap(({ chosen, left }, at) =>
        known.map((each) => ({
          at,
          chosen: [...chosen, each],
          left: left.filter(({ key }) => (each.events.get(key) ?? 0) > 0),
        })),
      )
      .filter(({ left }) => distinct(left.map(({ time }) => time)).length > 1)
    if (fitting) sets[fitting.at] = fitting
  }
  await filters.needSome(sets, ...arrayParameters, ...metadataKeys)
  return sets.flatMap(({ chosen, left }) => {
    const shown = distinct(left.map(({ time }) => time))
    const filter = mergeQueries(...chosen.map(({ field, value }) => filterBy(field, value)))
    const [first = '', last = ''] = [shown[0] ?? 0n, shown.at(-1) ?? 0n].map(isoOf)
    return [withoutStart(first), withoutEnd(last, farEnd(filters.exports))].map((pair) =>
      beside(pair, filter),
    )
  })
}

/** The events of the window by their columns, with the times that they show. */
export const timedRows = ({ columns }: Window, { shown, columns: [column] }: Times) =>
  shown.flatMap((row, at) => {
    const [key] = multisetOf([row], columns).keys()
    const time = column.times[at]
    return key === undefined || time === undefined ? [] : [{ key, time }]
  })

/** Bounds at full seconds with and without zeros as fraction, close around events. */
export async function wholeSeconds(ranges: Ranges): Promise<Pair[]> {
  const [window, times] = [await ranges.window(), await ranges.times().catch(unlessUndecided)]
  const shown = distinct(times?.columns[0].times ?? [])
  // A bound that is misread loses one of the events.
  const around =
    shown.length > 2
      ? [shown[1] ?? 0n, (shown.at(-2) ?? 0n) + second]
      : [instantAt(window.start) + second, instantAt(window.end)]
  const [start, end] = around.map((at) => isoOf(at - (at % second)).slice(0, 19))
  const same = { start: `${start}.000Z`, end: `${end}.000Z` }
  // Compared as texts, the second bound would precede the first.
  const within = { ...same, end: `${start}.500Z` }
  const by = 'with .000 as the fraction'
  return [
    { asked: { ...same, start: `${start}Z` }, same, by },
    { asked: { ...same, end: `${end}Z` }, same, by },
    { asked: { ...within, start: `${start}Z` }, same: within, by },
  ]
}

/** Without any parameter, read as far as files are compared. */
export const everything = [{ fileType: null }, { read: maxRead }] as const

/** An export without a range, and one of a single entity; if there are too many events to count, that one alone. */
export async function pairsWithoutRange(filters: Filters): Promise<Pair[]> {
  const { exports } = filters
  const found = await exports.csv(...everything)
  const isWhole = isUsable(found) && !found.csv?.cut
  const known = isWhole ? await filters.known(keyOf.entity) : await filters.needKnown(keyOf.entity)
  const [fewest] = known.toSorted((a, b) => sizeOf(a.events) - sizeOf(b.events))
  const pairs: Pair[] = []
  const ofFewest = fewest ? [filterBy(fewest.field, fewest.value)] : []
  for (const asked of [...(isWhole ? [everything[0]] : []), ...ofFewest]) {
    const same = { ...asked, start: farPast, end: farEnd(exports) }
    // A future range may be refused.
    const isTaken = isAccepted((await exports.csv(same, { read: maxRead })).answer)
    const bounded = isTaken ? same : { ...asked, start: farPast }
    pairs.push({ asked, same: bounded, by: 'from 1971 into the future', mayHoldMore: true })
  }
  return pairs
}

/** A PDF of one entity without a range holds the events of the window, and may hold more. */
export async function askPdfWithoutRange({ exports, known: findKnown, window }: Filters) {
  const identity = await learnPdfIdentity(exports, window)
  const known = (await findKnown(keyOf.entity)).at(-1)
  if (!known) throw new NotDecidable('data', 'no entity is known whose events a PDF may hold')
  const { answer } = await exports.pdf(filterBy(known.field, known.value))
  const refused = `${describeAnswer(answer)}; the contract does not limit the range of a PDF`
  premise(isAccepted(answer), 'freedom', refused)
  const request = { values: [[known]], fileType: 'pdf', bounds: {} } as const
  const inWindow: Predict = ({ values }, at) => byTwin({ values }, at)
  const [asked] = await askFiles({ exports, window, identity }, [request], inWindow)
  return asked as Asked | Unasked
}
