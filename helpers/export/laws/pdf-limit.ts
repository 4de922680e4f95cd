import { dayMs } from '../../../engine/files/dates.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Origin } from '../../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { premise } from '../../service/answers.ts'
import { needDecidable } from '../ask/decidable.ts'
import type { Exports } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import type { Query } from '../ask/query.ts'
import {
  type AroundLimit,
  createCounter,
  earliest,
  iso,
  type Stretch,
} from '../learn/around-limit.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import type { Window } from '../learn/window.ts'
import { eventsOf } from './words.ts'

/** The most events in one PDF; a proof may lower it, together with its service. */
export const PDF_LIMIT = 5_000

export const rangeOf = ({ start, end }: Stretch): Query => ({ start, end })

/** Reads the PDF of a range. What comes instead of a PDF is judged in any case. */
export async function readGiven(exports: Exports, stretch: Stretch): Promise<void> {
  const found = await exports.pdf(rangeOf(stretch)).catch((error) => {
    if (!(error instanceof Trouble)) throw error
  })
  if (found?.bytes) await found.read({ text: false }).catch(unlessUndecided)
}

export const describeCount = ({ count }: Stretch, wanted: number): string =>
  count === wanted
    ? `judged on exactly ${count} events`
    : `judged on ${count} events: others share their time, so that ${wanted} cannot be had`

/**
 * A PDF of too many events gives a repeated 500 or no answer at all, while a smaller one is given before
 * and after.
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
  const controls = [await exports.pdf(rangeOf(at)), await exports.fresh.pdf(rangeOf(at))]
  for (const { answer } of controls) needDecidable(answer)
  if (!controls.every(({ answer }) => isAccepted(answer))) return undefined
  return problem(`${failure}, to ${over.count} events, and 200 to ${at.count} of them`, {
    expected: '400',
    got: failure,
    judged,
    control: controls,
  })
}

/** Whether a PDF of too many events is refused, and one at the limit is given. */
export async function isRefusedForSize(
  exports: Exports,
  { at, over }: AroundLimit,
): Promise<boolean> {
  const { answer } = await exports.pdf(rangeOf(over))
  if (!isRefused(answer)) return false
  const control = await exports.pdf(rangeOf(at))
  return at.count > 0 && isAccepted(control.answer)
}

export const ofNoEvent = (random: Faker) => ({ entity_id: random.string.uuid() })

/** Continues only if a PDF of so long a range is given when it has no events. */
export async function needLongRange(
  exports: Exports,
  stretch: Stretch,
  answer: Downloaded,
  random: Faker,
): Promise<PdfExport> {
  const none = await exports.pdf({ ...rangeOf(stretch), metadata: ofNoEvent(random) })
  premise(
    isAccepted(none.answer),
    'freedom',
    `${describeAnswer(answer)} to ${stretch.count} events, and ${none.answer.status} where a filter leaves none of them; how long the range of a PDF may be is not shown`,
  )
  return none
}

/** Continues only if a PDF of the last day of this range is refused too: otherwise the range may be too long. */
export async function needShortRefused(
  exports: Exports,
  { end, count }: Stretch,
  answer: Downloaded,
): Promise<void> {
  const lastDay = { start: iso(Date.parse(end) - dayMs), end }
  premise(
    !isAccepted((await exports.pdf(lastDay)).answer),
    'freedom',
    `${describeAnswer(answer)} to ${count} events, and 200 to those of its last day; how long the range of a PDF may be is not shown`,
  )
}

/**
 * A PDF of a large range is refused though a filter leaves no event in it, while such a PDF of a smaller
 * range is given. Undecided if no filter affects the CSV.
 */
export async function problemsOfFilteredOverLimit(
  exports: Exports,
  { over, half }: AroundLimit,
  random: Faker,
): Promise<Problem[]> {
  const metadata = ofNoEvent(random)
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

/** Whether CSVs are cut at the limit of PDFs: the parts of a range hold more events than the whole. */
export async function problemsOfCutCsv(
  exports: Exports,
  window: Window,
  limit: number,
  beside: Query = {},
): Promise<Problem[]> {
  const from = Date.parse(window.start)
  const end = Date.parse(window.end)
  const count = async (port: Exports) => {
    const countOf = createCounter(port, window, limit, beside)
    const [before, within] = [await countOf(earliest, from - 1), await countOf(from, end)]
    const all = await countOf(earliest, end)
    const parts = before.most + within.most
    return { whole: all.most, parts, file: all.file, partFiles: [before.file, within.file] }
  }
  const { whole, parts } = await count(exports)
  if (whole > limit) return []
  if (parts === whole)
    throw new NotDecidable(
      'data',
      `the audit trail holds ${whole} events until ${window.end}; more than ${limit} are needed`,
    )
  const again = await count(exports.fresh)
  if (again.whole !== whole || again.parts !== parts)
    throw new NotDecidable(
      'data',
      'the number of events changed while they were counted; a range that does not change is needed',
    )
  return [
    problem(`a CSV of everything holds ${whole} events, and two CSVs of its parts ${parts}`, {
      expected: eventsOf(parts),
      got: eventsOf(whole),
      judged: again.file,
      control: again.partFiles,
    }),
  ]
}
