// PDFs of as many events as one may hold, and of more; and whether the count of a CSV is reliable.

import { caseOrWhy, type Some } from '../../../engine/clause/law.ts'
import { dayMs } from '../../../engine/files/dates.ts'
import { sizeOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { problemsOfStatus } from '../../../engine/http/status.ts'
import { anew, type Origin } from '../../../engine/origin.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { premise } from '../../service/answers.ts'
import { needDecidable, needEvents } from '../ask/decidable.ts'
import type { Exports } from '../ask/exports.ts'
import { problemOfFlaw } from '../ask/pdf-export.ts'
import { filterBy, parameters, type Query } from '../ask/query.ts'
import {
  type AroundLimit,
  countEvents,
  createCounter,
  earliest,
  iso,
  type Stretch,
} from '../learn/around-limit.ts'
import { askOnce } from '../learn/confirmed.ts'
import type { Filters } from '../learn/filters.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { eventsOf } from './file.ts'
import { needRowsAsEvents } from './pdf-entries.ts'
import { acceptedLanguages, acceptedZones } from './zones-and-locales.ts'

/** The most events in one PDF; a proof may lower it, together with its service. */
export const PDF_LIMIT = 5_000

export const rangeOf = ({ start, end }: Stretch): Query => ({ start, end })

/** The answer to a PDF that has to be given, or refused. */
type Limited = {
  what: string
  answer: Downloaded
  wanted: 200 | 400
  flaws?: readonly string[]
  control?: Origin
}

export const problemsOfLimited = ({ what, answer, wanted, flaws = [], control }: Limited) => [
  ...problemsOfStatus(answer, wanted, { what, control }),
  ...flaws.map((flaw) => problemOfFlaw(answer, flaw, answer)),
]

export const describeLimited = (all: Some<Limited>): string =>
  all.map(({ what, answer }) => `${answer.status} to ${what}`).join(', ')

const tooLong = 'the contract does not limit the range of a PDF'
const ofNoEvent = (random: Faker) => ({ entity_id: random.string.uuid() })

/** The decided answer to a PDF. */
async function fetchAnswer(exports: Exports, query: Query): Promise<Downloaded> {
  const { answer } = await exports.pdf(query)
  needDecidable(answer)
  return answer
}

/** A case that counts if its premises still hold. */
const ifStill = (one: Limited, holds: () => Promise<unknown>): Limited =>
  anew(one, () => holds().then(() => ({ ...one })))

/** A refusal counts if neither another count of events explains it nor the length of the range. */
export async function fetchGiven(
  exports: Exports,
  window: Window,
  stretch: Stretch,
  random: Faker,
): Promise<Limited> {
  needEvents(stretch)
  const { answer, read } = await exports.pdf(rangeOf(stretch))
  needDecidable(answer)
  const what = eventsOf(stretch.count)
  const one = { what, answer, wanted: 200 } as const
  if (answer.status === 200) return { ...one, flaws: (await read({ text: false })).flaws }
  return anew(one, async () => {
    await needSameCount(exports, window, stretch)
    const none = await exports.pdf({ ...rangeOf(stretch), metadata: ofNoEvent(random) })
    const open = `${describeAnswer(answer)} to ${what}, but ${none.answer.status} with a filter that leaves none of them; ${tooLong}`
    premise(isAccepted(none.answer), 'freedom', open)
    return { ...one, control: none }
  })
}

/** A PDF of too many events counts if they are still as many. */
export async function fetchOver(exports: Exports, window: Window, { at, over }: AroundLimit) {
  const found = await exports.pdf(rangeOf(over))
  const { answer } = found
  needDecidable(answer)
  // A response without a PDF is judged in any case.
  if (found.bytes) await found.read({ text: false }).catch(unlessUndecided)
  const { answer: control } = await exports.pdf(rangeOf(at))
  // A service that refuses this PDF and none smaller has counted its events.
  const isForSize = isRefused(answer) && isAccepted(control) && at.count > 0
  if (!isForSize) await needRowsAsEvents(exports, window)
  const one = { what: eventsOf(over.count), answer, wanted: 400, control } as const
  return ifStill(one, () => needSameCount(exports, window, over))
}

type Failing = Awaited<ReturnType<typeof fetchFailing>>

export const describeFailing = ({ came, over }: Failing): string =>
  `${came instanceof Trouble ? came.message : describeAnswer(came)} for a PDF of ${eventsOf(over)}`

/** What came of a PDF of too many events, and the answer to one at the limit. */
export const fetchFailing = (exports: Exports, { at, over }: AroundLimit) =>
  askOnce(exports, async (port) => {
    needEvents(at)
    const found = await caseOrWhy(port.pdf(rangeOf(over)))
    const came = 'answer' in found ? found.answer : (found as Trouble)
    const control = await fetchAnswer(port, rangeOf(at))
    return { at: at.count, over: over.count, came, control }
  })

/** A repeated 500 or no answer at all, while a smaller PDF is given. */
export function problemsOfFailing(one: Failing): Problem[] {
  const { at, came, control } = one
  if (!(came instanceof Trouble || came.status === 500)) return []
  const got = describeFailing(one)
  if (!isAccepted(control)) throw new Trouble(got)
  const sentence = `${got}, but 200 for a PDF of ${eventsOf(at)}`
  return [problem(sentence, { expected: '400', got, judged: came, control })]
}

/** Half the events of a rejected PDF: the length of the range may be the reason. */
export async function fetchHalf(exports: Exports, { over, half }: AroundLimit): Promise<Limited> {
  const control = await fetchAnswer(exports, rangeOf(over))
  premise(control.status === 400, 'clause', describeAnswer(control), 'export.pdf-limit.over')
  needEvents(half)
  const answer = await fetchAnswer(exports, rangeOf(half))
  const one = { what: eventsOf(half.count), answer, wanted: 200, control } as const
  return ifStill(one, async () => {
    const lastDay = { start: iso(Date.parse(half.end) - dayMs), end: half.end }
    const isTooLong = answer.status === 400 && isAccepted((await exports.pdf(lastDay)).answer)
    const open = `${describeAnswer(answer)} to ${one.what}, and 200 to those of its last day; ${tooLong}`
    premise(!isTooLong, 'freedom', open)
  })
}

/**
 * The PDF of a large range that a filter leaves no event of, if such a PDF of a smaller range is given. None
 * if no filter affects the CSV.
 */
export async function fetchFiltered(
  exports: Exports,
  { over, half }: AroundLimit,
  random: Faker,
): Promise<Limited[]> {
  const metadata = ofNoEvent(random)
  const asCsv = await exports.csv({ ...rangeOf(over), metadata }, { read: over.count })
  const { answer: came, csv } = asCsv
  if (!isAccepted(came) || !csv || csv.count >= half.count) return []
  const control = await exports.pdf({ ...rangeOf(half), metadata })
  if (!isAccepted(control.answer)) return []
  const { answer } = await exports.pdf({ ...rangeOf(over), metadata })
  const what = `a filter that leaves no event, as CSV ${csv.count} records`
  const isDecided = answer.status === 200 || answer.status === 400
  return isDecided ? [{ what, answer, wanted: 200, control: [asCsv, control] }] : []
}

/** How many events a CSV of everything holds, and the CSVs of its two parts. */
export async function fetchCut(exports: Exports, window: Window, limit: number, more: Query = {}) {
  const [from, end] = [Date.parse(window.start), Date.parse(window.end)]
  const count = async (port: Exports) => {
    const countOf = createCounter(port, window, limit, more)
    const [before, within] = [await countOf(earliest, from - 1), await countOf(from, end)]
    const { count: whole, file } = await countOf(earliest, end)
    const [parts, control] = [before.count + within.count, [before.file, within.file]]
    return { limit, end: window.end, whole, parts, file, control }
  }
  const one = await count(exports)
  return anew(one, async () => {
    const again = await count(exports.fresh)
    const isStill = again.whole === one.whole && again.parts === one.parts
    premise(isStill, 'data', changedWhile('they were counted'))
    return again
  })
}

type Cut = Awaited<ReturnType<typeof fetchCut>>

/** Whether a CSV is cut at the limit of PDFs: the parts of a range hold more events than the whole. */
export function problemsOfCutCsv({ limit, end, whole, parts, file, control }: Cut): Problem[] {
  if (whole > limit) return []
  const tooFew = `the audit trail contains ${whole} events until ${end}; more than ${limit} are needed`
  premise(parts !== whole, 'data', tooFew)
  const sentence = `a CSV of all events contains ${whole} events, but two CSVs of its parts contain ${parts}`
  const seen = { expected: eventsOf(parts), got: eventsOf(whole) }
  return [problem(sentence, { ...seen, judged: file, control })]
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

/** PDFs of more events than one may hold, as a CSV shows: in a zone and language, of a filter, without a range. */
export async function* askForms(
  filters: Filters,
  window: Window,
  { over }: AroundLimit,
  limit: number,
) {
  const { exports } = filters
  const span = spanOf(window)
  const [timezone] = await acceptedZones(exports, span, ['Asia/Tokyo'])
  const [locale] = await acceptedLanguages(exports, span, 1)
  const shown = { ...(timezone && { timezone }), ...(locale && { locale }) }
  const filter = await broadestFilter(filters)
  const all = { start: iso(earliest), end: window.end }
  const { before, behind } = window.lines
  const enough = limit + Math.ceil(limit / 10) + before + behind
  const tooFew = 'no filter, time zone or language leaves more events than the limit of a PDF'
  const needOver = async (port: Exports, query: Query) =>
    premise((await countEvents(port, window, query, enough)).count > limit, 'data', tooFew)
  const fetchForm = async (described: string, query: Query, isKnown = false): Promise<Limited> => {
    if (!isKnown) await needOver(exports, query)
    const answer = await fetchAnswer(exports, query)
    const what = `more than ${limit} events with ${described}`
    return ifStill({ what, answer, wanted: 400 }, () => needOver(exports.fresh, query))
  }
  // Zone and language do not change the events that were counted.
  const zoned = Object.values(shown).join(' and ')
  if (zoned) yield caseOrWhy(fetchForm(zoned, { ...rangeOf(over), ...shown }, true))
  if (filter) yield caseOrWhy(fetchForm(filter.field, { ...all, ...filter.query }))
  yield caseOrWhy(fetchForm('no range', {}))
}

/** Continues only if a range still holds the counted events, and its parts add up. */
export async function needSameCount(exports: Exports, window: Window, stretch: Stretch) {
  const countOf = async (from: number, to: number) =>
    (await countEvents(exports.fresh, window, { start: iso(from), end: iso(to) })).count
  let [from, to] = [Date.parse(stretch.start), Date.parse(stretch.end)]
  const whole = await countOf(from, to)
  premise(whole === stretch.count, 'data', changedWhile('the PDF was fetched'))
  // If a file lacks every thousandth event, two parts may still add up; four hardly ever do.
  for (;;) {
    const edges = [0, 1, 2, 3, 4].map((part) => from + Math.floor(((to + 1 - from) * part) / 4))
    const parts: { start: number; end: number; count: number }[] = []
    for (const [at, start] of edges.slice(0, -1).entries()) {
      const end = (edges[at + 1] ?? to) - 1
      if (end >= start) parts.push({ start, end, count: await countOf(start, end) })
    }
    const held = parts.filter(({ count }) => count > 0)
    const sum = held.reduce((all, { count }) => all + count, 0)
    const open = `its parts contain ${sum} events, but the whole ${whole}; the contract does not say what a record represents`
    premise(sum === whole, 'freedom', open)
    const [first] = held
    if (held.length !== 1 || !first || first.start === first.end)
      return // All in one part: cut that.
    ;[from, to] = [first.start, first.end]
  }
}

const changedWhile = (what: string) =>
  `the number of events changed while ${what}; a range that does not change is needed`
