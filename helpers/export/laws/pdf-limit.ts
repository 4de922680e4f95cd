// PDFs of as many events as one may hold, and of more; and whether the count of a CSV is reliable.

import { dayMs } from '../../../engine/files/dates.ts'
import { sizeOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Origin } from '../../../engine/origin.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { premise } from '../../service/answers.ts'
import { needDecidable } from '../ask/decidable.ts'
import type { Exports } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import { filterBy, parameters, type Query } from '../ask/query.ts'
import {
  type AroundLimit,
  createCounter,
  earliest,
  iso,
  type Stretch,
} from '../learn/around-limit.ts'
import { countEvents, type EventCount } from '../learn/event-count.ts'
import type { Filters } from '../learn/filters.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { eventsOf } from './words.ts'
import { acceptedLanguages, acceptedValues } from './zones-and-locales.ts'

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

const ofNoEvent = (random: Faker) => ({ entity_id: random.string.uuid() })

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
  return problemUnless(
    found.answer.status !== 400,
    `${describeAnswer(found.answer)}, though the filter leaves no event: as CSV ${csv.count} records`,
    { expected: '200', got: '400', judged: found, control: [asCsv, control] },
  )
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
  const tooFew = `the audit trail holds ${whole} events until ${window.end}; more than ${limit} are needed`
  premise(parts !== whole, 'data', tooFew)
  const again = await count(exports.fresh)
  const isStill = again.whole === whole && again.parts === parts
  premise(isStill, 'data', changedWhile('they were counted'))
  return [
    problem(`a CSV of everything holds ${whole} events, and two CSVs of its parts ${parts}`, {
      expected: eventsOf(parts),
      got: eventsOf(whole),
      judged: again.file,
      control: again.partFiles,
    }),
  ]
}

/** One request; `isCounted`: its events were counted, since zone and language do not change them. */
type OverForm = { described: string; query: Query; isCounted?: true }

/** The forms that may leave more events than a PDF holds; how many is counted. */
export async function formsOver(
  filters: Filters,
  window: Window,
  { over }: AroundLimit,
): Promise<OverForm[]> {
  const span = spanOf(window)
  const inTokyo = (timezone: string) => ({ ...span, timezone })
  const [timezone] = await acceptedValues(filters.exports, ['Asia/Tokyo'], inTokyo)
  const [locale] = await acceptedLanguages(filters.exports, span, 1)
  const shown = { ...(timezone ? { timezone } : {}), ...(locale ? { locale } : {}) }
  const described = Object.values(shown).join(' and ')
  const filter = await broadestFilter(filters)
  const all = { start: iso(earliest), end: window.end }
  const query = { ...rangeOf(over), ...shown }
  return [
    ...(described === '' ? [] : [{ described, query, isCounted: true as const }]),
    ...(filter ? [{ described: filter.field, query: { ...all, ...filter.query } }] : []),
    { described: 'no range', query: {} },
  ]
}

export async function broadestFilter(filters: Filters) {
  const found = await Promise.all(
    parameters.map(async (field) => {
      const known = (await filters.known(field)).slice(0, filters.form.settled ? undefined : 1)
      const count = known.reduce((sum, { events }) => sum + sizeOf(events), 0)
      return { field, count, query: filterBy(field, ...known.map(({ value }) => value)) }
    }),
  )
  const broadest = found.reduce((a, b) => (b.count > a.count ? b : a))
  return broadest.count > 0 ? broadest : undefined
}

/** A PDF is given, or refused with another status than 400, though its CSV has too many events. */
export async function problemsOfOver(
  { described, query, isCounted }: OverForm,
  { exports }: Filters,
  window: Window,
  limit: number,
): Promise<Problem[]> {
  const enough = limit + Math.ceil(limit / 10) + window.lines.before + window.lines.behind
  const tooFew = 'no filter, zone or language leaves more events than a PDF holds'
  const needOver = async (port: Exports) =>
    premise((await countEvents(port, window, query, enough)).least > limit, 'data', tooFew)
  if (!isCounted) await needOver(exports)
  const { answer } = await exports.pdf(query)
  needDecidable(answer)
  if (answer.status === 400) return []
  await needOver(exports.fresh)
  const sentence = `${describeAnswer(answer)}, not 400, to more than ${limit} events with ${described}`
  return [problem(sentence, { expected: '400', judged: answer })]
}

/** Continues only if a range still holds the counted events, and its parts add up. */
export async function needSameCount(
  exports: Exports,
  window: Window,
  { start, end, count }: Stretch,
): Promise<void> {
  const countOf = (from: number, to: number) =>
    countEvents(exports.fresh, window, { start: iso(from), end: iso(to) })
  const stretch = { from: Date.parse(start), to: Date.parse(end) }
  const whole = await countOf(stretch.from, stretch.to)
  const isStill = whole.least === count || whole.most === count
  premise(isStill, 'data', changedWhile('the PDF was fetched'))
  // If a file lacks every thousandth event, two parts may still add up; four hardly ever do.
  const halves = await splitByEvents(countOf, { ...stretch, count: whole })
  const quarters = []
  for (const half of halves) quarters.push(...(await splitByEvents(countOf, half)))
  const sum = quarters.reduce((all, { count }) => all + count.most, 0)
  const open = `its parts hold ${sum} events and the whole ${whole.most}; the contract does not say what a record represents`
  premise(sum === whole.most, 'freedom', open)
}

const changedWhile = (what: string) =>
  `the number of events changed while ${what}; a range that does not change is needed`

type Counted = { from: number; to: number; count: EventCount }

/** Two parts of a range with events in both; if all are at one time, the range itself. */
async function splitByEvents(
  countOf: (from: number, to: number) => Promise<EventCount>,
  stretch: Counted,
): Promise<Counted[]> {
  const { from, to } = stretch
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const first = await countOf(from, middle)
    if (first.most === 0) {
      low = middle + 1
      continue
    }
    const second = await countOf(middle + 1, to)
    if (second.most > 0)
      return [
        { from, to: middle, count: first },
        { from: middle + 1, to, count: second },
      ]
    high = middle
  }
  return [stretch]
}
