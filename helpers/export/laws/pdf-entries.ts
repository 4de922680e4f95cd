// What tells the events of a PDF apart, whether it shows times as the CSV does, and how many events it may hold.

import { caseOrWhy, type Some } from '../../../engine/clause/law.ts'
import { dayMs, isoOf, offsetAt } from '../../../engine/files/dates.ts'
import { shareShown } from '../../../engine/files/entry-text.ts'
import { type Identity, learnIdentity } from '../../../engine/files/identity.ts'
import { sizeOf } from '../../../engine/files/multiset.ts'
import type { PdfReading } from '../../../engine/files/pdf.ts'
import { cellFinding } from '../../../engine/findings/cell.ts'
import type { Flaw } from '../../../engine/findings/malformed.ts'
import { statusFinding } from '../../../engine/findings/status.ts'
import { unservedFinding } from '../../../engine/findings/unserved.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { problemsOfStatus } from '../../../engine/http/status-problems.ts'
import { anew, type Origin } from '../../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { keyOf } from '../../contract/metadata-keys.ts'
import { arrayParameters } from '../../contract/parameters.ts'
import { statuses } from '../../contract/statuses.ts'
import { sentenceOf } from '../../findings/kinds.ts'
import { premise } from '../../service/answers.ts'
import { needDecidable, needEvents } from '../ask/decidable.ts'
import type { Exports } from '../ask/exports.ts'
import { problemOfFlaw } from '../ask/pdf-export.ts'
import { filterBy, type Query } from '../ask/query.ts'
import {
  type AroundLimit,
  countEvents,
  createCounter,
  earliest,
  haveIds,
  iso,
  type Stretch,
} from '../learn/around-limit.ts'
import { askOnce, gathered } from '../learn/confirmed.ts'
import type { Filters } from '../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { inZones, type TimeColumn } from '../learn/time-column.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { eventsOf, problemsOfEventsShown, problemsOfFile } from './file.ts'
import { byTwin, fetchAsked } from './predict.ts'
import { acceptedLanguages, acceptedZones } from './zones-and-locales.ts'

export const learnPdfIdentity = (exports: Exports, window: Window): Promise<Identity> =>
  exports.once('pdf identity', (inner) => identityIn(inner, window))

async function identityIn(exports: Exports, window: Window): Promise<Identity> {
  const { text = [] } = await exports.pdfFile(spanOf(window))
  const identity = learnIdentity(text, window.rows)
  return { ...identity, titles: window.header }
}

/** Continues only if rows are events: they have ids, or a PDF has an entry for each. */
export async function needRowsAsEvents(exports: Exports, window: Window): Promise<void> {
  if (!haveIds(window.rows)) await needEntriesAsRows(exports, window)
}

/** Continues only if the window's PDF has exactly one entry for each row of its CSV. */
export async function needEntriesAsRows(exports: Exports, window: Window): Promise<void> {
  const identity = await learnPdfIdentity(exports, window)
  const whole = { values: [], fileType: 'pdf' } as const
  const asked = await fetchAsked({ exports, window, identity }, whole, byTwin)
  const [first] = problemsOfFile(problemsOfEventsShown)(asked)
  if (!first) return
  const why = `the events in the PDF cannot be counted: ${sentenceOf(first.finding)}`
  throw new NotDecidable('clause', why, 'export.pdf-matches-csv')
}

/** Up to the minute: a narrow cell breaks a time behind that, and a zone already shows. */
const beginningOf = (text: string) => /^.*?\d:\d\d/.exec(text)?.[0] ?? text

const ofTwelveHours = (clock: string) => {
  const hours = Number(clock.slice(0, 2))
  return `${hours % 12 || 12}${clock.slice(2)} ${hours < 12 ? 'am' : 'pm'}`
}

/** A title may show a time, two events may share one, and a page may end within one. */
const isFew = (lost: number, all: number) => lost <= 3 + all / 10

/** Files in a zone; if they are suspected, those in UTC too. */
export type Zoned = Both & { timezone: string; start?: string; column: TimeColumn; inUtc?: Both }
type Both = { rows: string[][]; pdf: PdfReading }

export async function askPdfTimes(
  { exports, window: findWindow, times }: Ranges,
  { timezone, ...span }: Query & { timezone: string },
) {
  const window = await findWindow()
  const { columns, utc } = inZones(await times())
  const [column] = columns
  return gathered(exports, window, async (fetch, port, isSuspected): Promise<Zoned> => {
    const ask = async (query: Query) => {
      const [rows, pdf] = [await fetch(query), await port.pdfFile(query)]
      return { rows, pdf }
    }
    const one = { timezone, column, ...span, ...(await ask({ ...span, timezone })) }
    if (!isSuspected) return one
    return { ...one, inUtc: await ask({ ...span, ...utc }) }
  })
}

/**
 * The PDF in a zone lacks times of the CSV in that time zone, though in UTC both show the same; or it shows
 * times of day in UTC, if it writes times in another form.
 */
export function problemsOfZoned({ timezone, column, rows, pdf, inUtc }: Zoned): Problem[] {
  const lostIn = (one: Both) => {
    const times = one.rows.map(column.textIn).map(beginningOf)
    return Math.round(times.length * (1 - shareShown(one.pdf.text ?? [], times)))
  }
  const [lost, count] = [lostIn({ rows, pdf }), rows.length]
  if (isFew(lost, count)) return []
  const facts = { place: { in: 'pdf', others: { timezone } } } as const
  const grounds = { judged: pdf, control: [rows, inUtc?.rows] }
  if (!inUtc || !isFew(lost - lostIn(inUtc), count)) {
    const wanted = column.textIn(rows[0] ?? [])
    const times = { of: lost, all: count }
    const finding = cellFinding(
      { ...facts, lookedFor: beginningOf(wanted) },
      { wrong: 'missing', values: 'times', wanted, count: times },
    )
    return [problem(finding, grounds)]
  }
  const pages = (pdf.text ?? []).map((page) => page.toLowerCase())
  const instants = inUtc.rows.flatMap((row) => column.timeIn(row) ?? [])
  const isUtc = [(clock: string) => clock, ofTwelveHours].some((form) => {
    const shareIn = (zone: string) =>
      shareShown(
        pages,
        instants.map((time) => form(isoOf(time + offsetAt(zone, time)).slice(11, 19))),
      )
    // The text 11:16 AM contains 1:16 AM, which may be the time in the zone.
    return instants.length > 3 && shareIn('UTC') > 0.9 && shareIn(timezone) < 0.2
  })
  if (isUtc) {
    const finding = cellFinding(facts, { wrong: 'zone', zone: timezone, got: 'UTC' })
    return [problem(finding, grounds)]
  }
  if (lost < count / 2) return []
  const open = `the PDF in ${timezone} shows few of the CSV’s times, and so does that in UTC; the contract does not specify how a PDF writes times`
  throw new NotDecidable('freedom', open)
}

/** The answer to a PDF that has to be returned, or rejected. */
type Limited = {
  what: string
  answer: Downloaded
  wanted: typeof statuses.exported | typeof statuses.invalidExport
  flaws?: readonly Flaw[]
  control?: Origin
}

export const problemsOfLimited = ({ what, answer, wanted, flaws = [], control }: Limited) => [
  ...problemsOfStatus(answer, wanted, { what, control }),
  ...flaws.map((flaw) => problemOfFlaw(answer, flaw, answer)),
]

export const describeLimited = (all: Some<Limited>): string =>
  all.map(({ what, answer }) => `${answer.status} to ${what}`).join(', ')

const tooLong = 'the contract does not limit the range of a PDF'
export const ofNoEvent = (random: Faker) => ({ [keyOf.entity]: random.string.uuid() })

async function fetchAnswer(exports: Exports, query: Query): Promise<Downloaded> {
  const { answer } = await exports.pdf(query)
  needDecidable(answer)
  return answer
}

/** The case counts if `holds` still does not throw. */
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
  const { answer, read } = await exports.pdf(spanOf(stretch))
  needDecidable(answer)
  const what = eventsOf(stretch.count)
  const one = { what, answer, wanted: statuses.exported } as const
  if (answer.status === statuses.exported)
    return { ...one, flaws: (await read({ text: false })).flaws }
  return anew(one, async () => {
    await needSameCount(exports, window, stretch)
    const none = await exports.pdf({ ...spanOf(stretch), metadata: ofNoEvent(random) })
    const open = `${describeAnswer(answer)} to ${what}, but ${none.answer.status} with a filter that leaves none of them; ${tooLong}`
    premise(isAccepted(none.answer), 'freedom', open)
    return { ...one, control: none }
  })
}

/** The PDF counts if there are still as many events. */
export async function fetchOver(exports: Exports, window: Window, { at, over }: AroundLimit) {
  const found = await exports.pdf(spanOf(over))
  const { answer } = found
  needDecidable(answer)
  // A response without a PDF is judged in any case.
  if (found.bytes) await found.read({ text: false }).catch(unlessUndecided)
  const { answer: control } = await exports.pdf(spanOf(at))
  // A service that refuses this PDF and none smaller has counted its events.
  const isForSize = isRefused(answer) && isAccepted(control) && at.count > 0
  if (!isForSize) await needRowsAsEvents(exports, window)
  const one = {
    what: eventsOf(over.count),
    answer,
    wanted: statuses.invalidExport,
    control,
  } as const
  return ifStill(one, () => needSameCount(exports, window, over))
}

type Failing = Awaited<ReturnType<typeof fetchFailing>>

export const describeFailing = ({ came, over }: Failing): string =>
  `${came instanceof Trouble ? came.message : describeAnswer(came)} for a PDF of ${eventsOf(over)}`

export const fetchFailing = (exports: Exports, { at, over }: AroundLimit) =>
  askOnce(exports, async (port) => {
    needEvents(at)
    const found = await caseOrWhy(port.pdf(spanOf(over)))
    const came = 'answer' in found ? found.answer : (found as Trouble)
    const control = await fetchAnswer(port, spanOf(at))
    return { at: at.count, over: over.count, came, control }
  })

/** It is sent again before a law condemns. */
const tries = 2

/** A repeated 500 or no answer at all, while a smaller PDF is given. */
export function problemsOfFailing(one: Failing): Problem[] {
  const { at, over, came, control } = one
  if (!(came instanceof Trouble || came.status === statuses.failedExport)) return []
  if (!isAccepted(control)) throw new Trouble(describeFailing(one))
  const context = {
    to: `to a PDF of ${eventsOf(over)}`,
    although: `a PDF of ${eventsOf(at)} got ${control.status}`,
  }
  const finding =
    came instanceof Trouble
      ? unservedFinding({ lacks: 'response', tries, last: came.message }, context)
      : statusFinding(came, statuses.invalidExport, context)
  return [problem(finding, { judged: came, control })]
}

/** Half the events of a rejected PDF: the length of the range may be the reason. */
export async function fetchHalf(exports: Exports, { over, half }: AroundLimit): Promise<Limited> {
  const control = await fetchAnswer(exports, spanOf(over))
  premise(
    control.status === statuses.invalidExport,
    'clause',
    describeAnswer(control),
    'export.pdf-limit.over',
  )
  needEvents(half)
  const answer = await fetchAnswer(exports, spanOf(half))
  const one = { what: eventsOf(half.count), answer, wanted: statuses.exported, control } as const
  return ifStill(one, async () => {
    const lastDay = { start: iso(Date.parse(half.end) - dayMs), end: half.end }
    const isTooLong =
      answer.status === statuses.invalidExport && isAccepted((await exports.pdf(lastDay)).answer)
    const open = `${describeAnswer(answer)} to ${one.what}, and ${statuses.exported} to those of its last day; ${tooLong}`
    premise(!isTooLong, 'freedom', open)
  })
}

/**
 * A PDF of a large range with a filter that no event matches, if such a PDF of a smaller range is returned. None if no
 * filter affects the CSV.
 */
export async function fetchFiltered(
  exports: Exports,
  { over, half }: AroundLimit,
  random: Faker,
): Promise<Limited[]> {
  const metadata = ofNoEvent(random)
  const asCsv = await exports.csv({ ...spanOf(over), metadata }, { read: over.count })
  const { answer: came, csv } = asCsv
  if (!isAccepted(came) || !csv || csv.count >= half.count) return []
  const control = await exports.pdf({ ...spanOf(half), metadata })
  if (!isAccepted(control.answer)) return []
  const { answer } = await exports.pdf({ ...spanOf(over), metadata })
  const what = 'with a filter that no event matches'
  const isDecided = answer.status === statuses.exported || answer.status === statuses.invalidExport
  return isDecided ? [{ what, answer, wanted: statuses.exported, control: [asCsv, control] }] : []
}

export async function broadestFilter(filters: Filters) {
  const found = await Promise.all(
    arrayParameters.map(async (field) => {
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
    return ifStill({ what, answer, wanted: statuses.invalidExport }, () =>
      needOver(exports.fresh, query),
    )
  }
  // Zone and language do not change the events that were counted.
  const zoned = Object.values(shown).join(' and ')
  if (zoned) yield caseOrWhy(fetchForm(zoned, { ...spanOf(over), ...shown }, true))
  if (filter) yield caseOrWhy(fetchForm(filter.field, { ...all, ...filter.query }))
  yield caseOrWhy(fetchForm('no range', {}))
  yield caseOrWhy(fetchForm('a range without an end', { start: all.start }))
}

/** Continues only if a range still holds the counted events, and its parts add up. */
export async function needSameCount(exports: Exports, window: Window, stretch: Stretch) {
  const counter = createCounter(exports.fresh, window, stretch.count)
  const countOf = async (from: number, to: number) => (await counter(from, to)).count
  let [from, to] = [Date.parse(stretch.start), Date.parse(stretch.end)]
  const whole = await countOf(from, to)
  premise(whole === stretch.count, 'data', changedWhile('the PDF was fetched'))
  // If a file lacks every thousandth event, two parts may still add up; four hardly ever do.
  for (;;) {
    const edges = [0, 1, 2, 3, 4].map((part) => from + Math.floor(((to + 1 - from) * part) / 4))
    const held: { start: number; end: number; count: number }[] = []
    for (const [at, start] of edges.slice(0, -1).entries()) {
      const end = (edges[at + 1] ?? to) - 1
      const count = end < start ? 0 : await countOf(start, end)
      if (count > 0) held.push({ start, end, count })
    }
    const sum = held.reduce((all, { count }) => all + count, 0)
    const open = `its parts contain ${sum} events, but the whole ${whole}; the contract does not say what a record represents`
    premise(sum === whole, 'freedom', open)
    const [first] = held
    if (held.length !== 1 || !first || first.start === first.end)
      return // All in one part: cut that.
    ;[from, to] = [first.start, first.end]
  }
}

export const changedWhile = (what: string) =>
  `the number of events changed while ${what}; a range that does not change is needed`
