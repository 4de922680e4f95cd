import type { CsvReading } from '../../../engine/files/csv.ts'
import { dayMs } from '../../../engine/files/dates.ts'
import { maxLines } from '../../../engine/files/line-frame.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import type { Origin } from '../../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { needDecidable } from '../ask/decidable.ts'
import { type Exports, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import type { Window } from '../learn/window.ts'

/** The most events that one PDF holds; a proof's run may lower it, with the service it bends. */
export const PDF_LIMIT = 5_000

/** A stretch of time and how many events it holds. */
export type Stretch = { start: string; end: string; count: number }

/** Stretches around the limit that begin at one time, found by counting the rows of CSVs. */
export type AroundLimit = {
  /** with as many events as the limit, or the most below it */
  at: Stretch
  /** with one more, or the fewest above it */
  over: Stretch
  /** with about half of them */
  half: Stretch
}

const earliest = Date.parse('1971-01-02T00:00:00Z')
const maxSteps = 60

/** Finds them by bisecting the end of the range; a service with fewer events leaves it undecided. */
export async function findAroundLimit(
  exports: Exports,
  window: Window,
  limit: number,
): Promise<AroundLimit> {
  const countOf = createCounter(exports, window, limit)
  const { start, whole } = await findStart(countOf, window, limit)
  let below: Point = { time: start - 1, count: 0 }
  let above = whole
  let half: Point | undefined
  let lastSpan = above.time - below.time
  for (let step = 0; step < maxSteps && above.time - below.time > 1; step += 1) {
    if (below.count === limit && above.count === limit + 1) break
    const span = above.time - below.time
    // An estimate that hardly closes in is followed by halving.
    const share = step % 2 === 1 && span > lastSpan / 2 ? 0.5 : shareBelow(below, above, limit)
    lastSpan = span
    const time = Math.min(above.time - 1, Math.max(below.time + 1, below.time + span * share))
    const found = await countOf(start, Math.round(time))
    if (found.count > 0 && found.count <= limit * 0.7) half = nearer(half, found, limit / 2)
    if (found.count <= limit) below = found
    else above = found
  }
  if (above.count === more)
    throw new NotDecidable(
      'data',
      `more than ${limit / 10} events share the time ${iso(above.time)}; a range with just over ${limit} events is needed`,
    )
  half ??= await countOf(start, Math.round((start + below.time) / 2))
  const stretch = ({ time, count }: Point) => ({ start: iso(start), end: iso(time), count })
  return { at: stretch(below), over: stretch(above), half: stretch(half) }

  function nearer(one: Point | undefined, other: Point, to: number): Point {
    return one && Math.abs(one.count - to) <= Math.abs(other.count - to) ? one : other
  }
}

/** A time, how many events there are up to it, and the file that they were counted in. */
type Point = { time: number; count: number; file?: CsvReading }

/** A count that was not read to its end. */
const more = Number.POSITIVE_INFINITY

/** Counts the events up to a time by the rows of a CSV, of which no more is read than needed. */
function createCounter(exports: Exports, window: Window, limit: number) {
  const { lines } = window
  const maxRead = limit + Math.ceil(limit / 10) + lines.before + lines.behind
  return async (start: number, end: number): Promise<Point> => {
    const query = { start: iso(start), end: iso(end) }
    const csv = needCsv(await exports.csv(query, { read: maxRead, keep: 1 }))
    const events = eventsCounted(window, csv)
    return { time: end, count: csv.cut ? more : events, file: csv }
  }
}

/** How many events a CSV holds of which no record was kept: records of the width of rows. */
function eventsCounted(
  { shape: { width }, asWide }: Window,
  { count, widths }: CsvReading,
): number {
  const records = width === undefined ? 0 : (widths.get(width) ?? 0)
  if (count - records > maxLines)
    throw new NotDecidable(
      'freedom',
      'the records have different numbers of cells; which of them are events is not shown',
    )
  return Math.max(0, records - asWide)
}

/** Goes back from the window's end until there are more events than the limit. */
async function findStart(
  countOf: (start: number, end: number) => Promise<Point>,
  window: Window,
  limit: number,
): Promise<{ start: number; whole: Point }> {
  const end = Date.parse(window.end)
  const span = Math.max(end - Date.parse(window.start), 1)
  for (let back = (span * limit * 1.1) / window.rows.length; ; back = Math.max(back * 2, dayMs)) {
    const start = Math.max(earliest, Math.round(end - back))
    const whole = await countOf(start, end)
    if (whole.count > limit) return { start, whole }
    if (start === earliest)
      throw new NotDecidable(
        'data',
        `the audit trail holds ${whole.count} events until ${window.end}; more than ${limit} are needed`,
      )
  }
}

/** All events until the window's end, or as many of them as a PDF holds where there are more. */
export async function findMostBelow(
  exports: Exports,
  window: Window,
  limit: number,
): Promise<Stretch> {
  const countOf = createCounter(exports, window, limit)
  const { time, count } = await countOf(earliest, Date.parse(window.end))
  if (count <= limit) return { start: iso(earliest), end: iso(time), count }
  return (await findAroundLimit(exports, window, limit)).at
}

/** Where between two points the limit is likely to be passed, as a share of their distance. */
function shareBelow(below: Point, above: Point, limit: number): number {
  if (above.count === more) return 0.5
  const share = (limit + 0.5 - below.count) / (above.count - below.count)
  return Math.min(0.95, Math.max(0.05, share))
}

const iso = (time: number) => new Date(time).toISOString()

export const rangeOf = ({ start, end }: Stretch): Query => ({ start, end })

/** Goes on only where a stretch still holds as many events as were counted. */
export async function needSameCount(exports: Exports, window: Window, stretch: Stretch) {
  const csv = needCsv(await exports.csvAnew(rangeOf(stretch), { keep: 1 }))
  if (eventsCounted(window, csv) !== stretch.count)
    throw new NotDecidable(
      'data',
      'the number of events changed while the PDF was fetched; a range that does not change is needed',
    )
}

/** Says of how many events a stretch is, where events that share a time keep it from the very limit. */
export const describeCount = ({ count }: Stretch, wanted: number): string =>
  count === wanted
    ? `judged on exactly ${count} events`
    : `judged on ${count} events: others share their time, so that ${wanted} cannot be had`

/**
 * What a PDF of too many events is answered, where it is a 500 given twice or nothing at all, and one of
 * fewer is given both before and after.
 */
export async function fetchFailureOver(
  exports: Exports,
  { at, over }: AroundLimit,
): Promise<Problem | undefined> {
  let judged: Origin
  const failure = await exports.pdf(rangeOf(over)).then(
    ({ answer }) => {
      judged = answer
      return answer.status === 500 ? `${describeAnswer(answer)} twice` : undefined
    },
    (error) => {
      if (!(error instanceof Trouble)) throw error
      judged = error
      return error.message
    },
  )
  if (failure === undefined) return undefined
  const controls = [await exports.pdf(rangeOf(at)), await exports.pdfAnew(rangeOf(at))]
  for (const { answer } of controls) needDecidable(answer)
  if (!controls.every(({ answer }) => isAccepted(answer))) return undefined
  return problem(`${failure}, to ${over.count} events, and 200 to ${at.count} of them`, {
    expected: '400',
    got: failure,
    judged,
    control: controls,
  })
}

/**
 * That a PDF of a range with too many events is refused though a filter leaves none of them, while
 * such a PDF of fewer is given. Where no filter has an effect on the CSV, nothing is told.
 */
export async function problemsOfFilteredOverLimit(
  exports: Exports,
  { over, half }: AroundLimit,
  random: Faker,
): Promise<Problem[]> {
  const metadata = { entity_id: random.string.uuid() }
  const asCsv = await exports.csv({ ...rangeOf(over), metadata }, { read: over.count })
  const { answer, csv } = asCsv
  if (!isAccepted(answer) || !csv || csv.count >= half.count) return []
  const control = await exports.pdf({ ...rangeOf(half), metadata })
  if (!isAccepted(control.answer)) return []
  const found = await exports.pdf({ ...rangeOf(over), metadata })
  return found.answer.status === 400
    ? [
        problem(
          `${describeAnswer(found.answer)}, though the filter leaves no event: as CSV ${csv.count} records`,
          { expected: '200', got: '400', judged: found, control: [asCsv, control] },
        ),
      ]
    : []
}

/** Whether CSVs end where PDFs have to: the parts of a stretch hold more events than all of it. */
export async function problemsOfCutCsv(
  exports: Exports,
  window: Window,
  limit: number,
): Promise<Problem[]> {
  const from = Date.parse(window.start)
  const end = Date.parse(window.end)
  const count = async (again?: 'again') => {
    const countOf = createCounter(again ? anew(exports) : exports, window, limit)
    const [before, within] = [await countOf(earliest, from - 1), await countOf(from, end)]
    const all = await countOf(earliest, end)
    const parts = before.count + within.count
    return { whole: all.count, parts, file: all.file, partFiles: [before.file, within.file] }
  }
  const { whole, parts } = await count()
  if (whole > limit) return []
  if (parts === whole)
    throw new NotDecidable(
      'data',
      `the audit trail holds ${whole} events until ${window.end}; more than ${limit} are needed`,
    )
  const again = await count('again')
  if (again.whole !== whole || again.parts !== parts)
    throw new NotDecidable(
      'data',
      'the number of events changed while they were counted; a range that does not change is needed',
    )
  return [
    problem(`a CSV of everything holds ${whole} events, and two CSVs of its parts ${parts}`, {
      expected: `${parts} events`,
      got: `${whole} events`,
      judged: again.file,
      control: again.partFiles,
    }),
  ]
}

const anew = (exports: Exports): Exports => ({ ...exports, csv: exports.csvAnew })
