// A CSV has no limit of its own: more events than a PDF may hold come in one CSV.

import { exactly, rowsFinding } from '../../../engine/findings/file-rows.ts'
import { statusFinding } from '../../../engine/findings/status.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { statuses } from '../../contract/statuses.ts'
import { premise } from '../../service/answers.ts'
import { type CsvExport, type Exports, isRejected } from '../ask/exports.ts'
import { placeOf } from '../ask/places.ts'
import type { Query } from '../ask/query.ts'
import {
  type AroundLimit,
  createCounter,
  earliest,
  findAroundLimit,
  iso,
} from '../learn/around-limit.ts'
import { askOnce } from '../learn/confirmed.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { eventsOf } from './file.ts'
import { changedWhile, ofNoEvent } from './pdf-entries.ts'

type Accepted = {
  kind: 'accepted'
  limit: number
  end: string
  whole: number
  parts: number
  files: CsvExport[]
  control: CsvExport[]
}

type Rejected = {
  kind: 'rejected'
  limit: number
  whole: CsvExport
  parts: number
  control: CsvExport[]
  /** the same range with a filter that no event matches: is its length the reason? */
  withoutEvents: CsvExport
}

type LargeCsv = Accepted | Rejected

type Counting = { window: Window; limit: number; random: Faker }

/** The CSV of all events until the window ends; if it is rejected, one of just over the limit of a PDF. */
export async function fetchLargeCsv(exports: Exports, counting: Counting): Promise<LargeCsv> {
  const { window, limit } = counting
  const all = { start: iso(earliest), end: window.end }
  if (!isRejected(await exports.csv(all, { read: limit }))) return fetchWhole(exports, counting)
  const around = await exports.once('around the PDF limit', (inner) =>
    findAroundLimit(inner, window, limit),
  )
  return askOnce(exports, (port) => fetchJustOver(port, counting, around))
}

/** How many events a CSV of everything has, and the CSVs of its two parts. */
export async function fetchWhole(
  exports: Exports,
  { window, limit }: Pick<Counting, 'window' | 'limit'>,
  filter: Query = {},
): Promise<Accepted> {
  const windowStart = Date.parse(window.start)
  const end = Date.parse(window.end)
  let first: Accepted | undefined
  return askOnce(exports, async (port): Promise<Accepted> => {
    const countOf = createCounter(port, window, limit, { filter, divisions: 0 })
    const before = await countOf(earliest, windowStart - 1)
    const within = await countOf(windowStart, end)
    const { count: whole, files } = await countOf(earliest, end)
    const parts = before.count + within.count
    const control = [...before.files, ...within.files]
    const counted: Accepted = {
      kind: 'accepted',
      limit,
      end: window.end,
      whole,
      parts,
      files,
      control,
    }
    first ??= counted
    const isStill = whole === first.whole && parts === first.parts
    premise(isStill, 'data', changedWhile('they were counted'))
    return counted
  })
}

/** A range with one event more than a PDF may hold, and its halves, which share a bound. */
async function fetchJustOver(
  port: Exports,
  { window, limit, random }: Counting,
  { over, half }: AroundLimit,
): Promise<LargeCsv> {
  const countOf = createCounter(port, window, limit, { divisions: 0 })
  const start = Date.parse(over.start)
  const middle = Date.parse(half.end)
  const end = Date.parse(over.end)
  const first = await countOf(start, middle)
  const second = await countOf(middle, end)
  const shared = await countOf(middle, middle)
  const parts = first.count + second.count - shared.count
  const control = [...first.files, ...second.files, ...shared.files]
  const whole = await port.csv(spanOf(over), { read: over.count })
  if (!isRejected(whole)) {
    const { count, files } = await countOf(start, end)
    return { kind: 'accepted', limit, end: over.end, whole: count, parts, files, control }
  }
  const withoutEvents = await port.csv({ ...spanOf(over), metadata: ofNoEvent(random) })
  return { kind: 'rejected', limit, whole, parts, control, withoutEvents }
}

/** A CSV is cut at the limit of PDFs, or is rejected beyond it. */
export const problemsOfLargeCsv = (large: LargeCsv): Problem[] =>
  large.kind === 'accepted' ? problemsOfAccepted(large) : problemsOfRejected(large)

function problemsOfAccepted({ limit, end, whole, parts, files, control }: Accepted): Problem[] {
  if (whole > limit) return []
  const tooFew = `the export of all events until ${end} has ${whole} rows; more than ${limit} are needed`
  premise(parts !== whole, 'data', tooFew)
  const finding = rowsFinding({
    wrong: 'number',
    place: placeOf({ end }),
    wanted: exactly(parts),
    got: whole,
    to: 'the number of both CSVs of its parts together',
  })
  return [problem(finding, { judged: files, control })]
}

function problemsOfRejected({ limit, whole, parts, control, withoutEvents }: Rejected): Problem[] {
  const { answer } = whole
  const otherReason = `${describeAnswer(answer)} to a CSV of ${eventsOf(parts)}; the contract does not list every invalid export`
  const isForSize = answer.status === statuses.invalidExport && isAccepted(withoutEvents.answer)
  premise(isForSize && parts > limit, 'freedom', otherReason)
  const finding = statusFinding(answer, statuses.exported, {
    to: `to a CSV of ${eventsOf(parts)}`,
    although: 'two CSVs of its parts are accepted, and the limit applies to a PDF alone',
  })
  return [problem(finding, { judged: whole, control: [...control, withoutEvents] })]
}
