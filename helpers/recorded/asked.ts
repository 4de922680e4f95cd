// Clauses about files, asked of a recording: their own bodies ask for the files of a time in which the trail stood still.

import { type clauses, givensOf, type Noted } from '../../engine/clause/clause.ts'
import { type Cases, casesOf, rule } from '../../engine/clause/law.ts'
import { hourMs } from '../../engine/files/dates.ts'
import { maxLines } from '../../engine/files/line-frame.ts'
import { grouped } from '../../engine/grouped.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import { randomFor } from '../../engine/random.ts'
import type { Exports } from '../export/ask/exports.ts'
import { type Field, isMetadataKey, type Query } from '../export/ask/query.ts'
import { learnPdfIdentity } from '../export/laws/pdf-entries.ts'
import { PDF_LIMIT } from '../export/laws/pdf-limit.ts'
import { findAroundLimit } from '../export/learn/around-limit.ts'
import { learnColumn } from '../export/learn/columns.ts'
import { createFilters, type Try, tryValue } from '../export/learn/filters.ts'
import { seenIn, windowOf } from '../export/learn/find-window.ts'
import { createRanges, type Ranges } from '../export/learn/ranges.ts'
import type { Span } from '../export/learn/spans.ts'
import { datesIn, type Window } from '../export/learn/window.ts'
import type { Settings } from '../settings/table.ts'
import { type Findings, unlessUndecided } from './findings.ts'
import { type BodyOf, type Look, notShown, replayed, textOf } from './looks.ts'

/** More is not compared at once: each file is kept while it is. */
const mostLooks = 1000
const mostBytes = 96_000_000
const mostOfOneQuery = 6
const mostEpochs = 5

const isCsv = ({ asked, answer }: Look) => asked.fileType !== 'pdf' && isAccepted(answer)

const valuesIn = ({ filters = {}, metadata = {} }: Query): [Field, readonly string[]][] => [
  ...(Object.entries(filters) as [Field, readonly string[]][]),
  ...Object.entries(metadata).map(([key, value = '']) => [key, [value]] as [Field, string[]]),
]

const isPlain = ({ asked }: Look) =>
  valuesIn(asked).length === 0 && !asked.locale && !asked.timezone && !asked.more

export type AskingOf = {
  clauses: typeof clauses
  findings: Findings
  settings: Settings
  bodyOf: BodyOf
  /** default: that of the contract */
  pdfLimit?: number | undefined
}

/** Asks for the looks of each time between two equal looks at all events of a range, of one client. */
export async function askRecorded(all: readonly Look[], asking: AskingOf) {
  for (const [, looks] of grouped(all, ({ recorder, who }) => who && `${recorder} ${who}`)) {
    if (looks[0]?.who === undefined) continue
    const ended = new Map<string, number>()
    const epochs: Epoch[] = []
    const places = new Map(looks.map((look, at) => [keyOf(look), at]))
    for (const [from, whole] of looks.entries()) {
      const { asked, text, start, end, count = 0 } = whole
      if (!isCsv(whole) || !isPlain(whole) || !asked.start || !asked.end || count < 3) continue
      // As for the window of a run: events of the last hour may not have reached every replica.
      if ((ended.get(text) ?? 0) > start || Date.parse(asked.end) > start - hourMs) continue
      const to = places.get(keyOf(whole)) ?? 0
      const last = looks[to]
      if (!last || last.start < end) continue
      ended.set(text, last.end)
      const within = looks.slice(from, to + 1).filter((look) => look.end <= last.end)
      epochs.push({ span: { start: asked.start, end: asked.end }, within: new Set(within) })
    }
    const most = epochs.sort((a, b) => b.within.size - a.within.size).slice(0, mostEpochs)
    for (const epoch of most) {
      const others = looks.filter((look) => !epoch.within.has(look))
      const all = bounded([...epoch.within, ...others])
      await askEpoch(all, epoch, asking).catch(unlessUndecided)
    }
  }
}

/** A range with two equal looks at its events, and what was asked for in between. */
type Epoch = { span: Span; within: ReadonlySet<Look> }

/** Looks with the same key show as many records of the same query. */
const keyOf = ({ text, count }: Look) => `${count} ${text}`

/** As many looks as memory allows: of each query the first few and the last. */
function bounded(looks: readonly Look[]): Look[] {
  const few = [...grouped(looks, ({ text }) => text).values()].flatMap((same) => [
    ...same.slice(0, mostOfOneQuery - 1),
    ...same.slice(mostOfOneQuery - 1).slice(-1),
  ])
  let bytes = 0
  return few.filter((look, at) => {
    bytes += look.bytes
    return at < mostLooks && bytes < mostBytes
  })
}

/** The window of an epoch: each record of its file that looks like a row is known to be an event by a date or an id. */
async function windowIn(port: Exports, { start, end }: Span, looks: readonly Look[]) {
  const none = new NotDecidable('data', notShown)
  const whole = await port.csvFile({ start, end })
  const { seen, rowsIn } = seenIn({ start, end }, whole, (table) => {
    const rows = table(whole.records)
    const isEvent = [maxLines, 3, 1]
      .map((few) => rows.slice(few, -few))
      .flatMap((some) => (some.length > 2 ? (datesIn(some) ?? []) : []))[0]
    if (!isEvent) throw none
    const before = rows.findIndex(isEvent)
    const behind = rows.length - 1 - rows.findLastIndex(isEvent)
    if (!rows.slice(before, rows.length - behind).every(isEvent)) throw none
    return { before, behind }
  })
  const text = textOf({ start, end, fileType: 'csv' })
  const part = looks.find((look) => isCsv(look) && look.count && look.text !== text)
  if (!part) throw none
  const asPart = await port.csvFile(part.asked)
  const { window, isClosed } = windowOf(
    { seen, rowsIn, part: asPart },
    await port.fresh.csvFile({ start, end }),
  )
  if (!isClosed || window.columns.length === 0) throw none
  return window
}

/** An object with these members; a clause that reads another member is undecided. */
const absentBut = (known: Record<string, unknown>): object =>
  new Proxy(known, {
    get(_, name) {
      if (typeof name === 'string' && name in known) return known[name]
      throw new NotDecidable('data', notShown)
    },
  })
const absent = absentBut({})

async function askEpoch(looks: Look[], { span, within }: Epoch, asking: AskingOf) {
  const { clauses, findings, settings, pdfLimit = PDF_LIMIT } = asking
  const exports = replayed(looks, asking.bodyOf)
  const window = await windowIn(exports, span, looks)
  // What finds the window of a run finds this window too.
  await exports.once('closed window', async () => window)
  const searched = { settings, stop: new AbortController().signal, pdfLimit }
  const sure = new Set([...within].map(({ number }) => number))
  const isSure = ({ judged, control }: Problem) =>
    [...judged, ...control].every((each) => sure.has(each))
  const learned = await triesIn(exports, window, looks)
  const givens: Record<string, () => unknown> = {
    exports: () => exports,
    window: () => window,
    settings: () => settings,
    session: () => absentBut({ ...searched, history: absent, known: absent, watchers: absent }),
    pdfLimit: () => pdfLimit,
    ranges: () => rangesOf(createRanges(exports, searched), looks, window),
    filters: () => filtersOf(exports, window, { learned, settings }),
    sample: () => ({ query: span, window }),
    sources: () => ({ settings, read: async () => ({ tasks: [], assessments: [] }) }),
    aroundLimit: () =>
      exports.once('around the PDF limit', (inner) => findAroundLimit(inner, window, pdfLimit)),
    pdfIdentity: () => learnPdfIdentity(exports, window),
    updatesOver: () => async () => {},
  }
  for (const [id, { judging, body }] of clauses) {
    if (judging.seen !== 'files' || !body) continue
    const own: typeof givens = { ...givens, random: () => randomFor(settings.seed, id) }
    await askClause(findings, { id, judging, isSure }, async () => {
      const given: Record<string, unknown> = {}
      for (const name of givensOf(body)) given[name] = (await own[name]?.()) ?? absent
      return (body as (given: object) => never)(given)
    }).catch(unlessUndecided)
  }
}

/** The cases up to one that was not recorded. */
async function* asFarAsShown(cases: Cases<object>) {
  try {
    yield* cases
  } catch (error) {
    if (!(error instanceof NotDecidable)) throw error
    yield error
  }
}

type Asked = { id: string; judging: NonNullable<Noted['judging']>; isSure(one: Problem): boolean }

/**
 * Judges what the body of a clause gets of a recording by its law. Only files between two equal looks
 * at their range can show a breach.
 */
async function askClause(
  findings: Findings,
  { id, judging, isSure }: Asked,
  came: () => Promise<never>,
) {
  if ('look' in judging) {
    if (findings.all.has(id)) return
    const cases = await casesOf<object>(await came(), judging.none)
    findings.looked(id, cases, judging.look(cases))
    return
  }
  const { problems, decided } = await rule<object>(asFarAsShown(await came()), judging)
  if (problems.every(isSure)) findings.judged(id, problems, decided)
}

/** The ranges of a run, which cut the window at the times of the client. */
function rangesOf(ranges: Ranges, looks: readonly Look[], { start, end }: Window): Ranges {
  const plain = looks.filter(isPlain).map(({ asked }) => asked)
  const isCut = (time: string) =>
    plain.some((one) => one.start === start && one.end === time) &&
    plain.some((one) => one.start === time && one.end === end)
  const cuts = async () => {
    const own = (await ranges.cuts().catch(unlessUndecided)) ?? []
    const recorded = plain.flatMap((one) => one.end ?? []).filter(isCut)
    return own.length > 0 && own.every(isCut) ? own : [...new Set(recorded)]
  }
  return { ...ranges, cuts }
}

/** The same, but a file that was not recorded counts as refused, for cases that ask whether it is. */
const lenient = (port: Exports): Exports => ({
  ...port,
  csv: (query) => port.csv(query).catch(() => ({ answer: { status: 404 } }) as never),
})

/** The events of the window for each recorded value of a field, the most selective values first. */
async function triesIn(port: Exports, window: Window, looks: readonly Look[]) {
  const found = new Map<Field, Try[]>()
  for (const { asked } of looks) {
    const [[field, [value = '', more] = []] = [], other] = valuesIn(asked)
    const isWhole = asked.start === window.start && asked.end === window.end
    if (!field || other || more !== undefined || !isWhole || asked.timezone || asked.locale)
      continue
    const known = found.get(field) ?? []
    if (known.some((each) => each.value === value)) continue
    const one = await tryValue(port, window, { field, value }).catch(unlessUndecided)
    if (one) found.set(field, [...known, one])
  }
  return found
}

/** The filters of a run, whose values are those that were recorded. */
async function filtersOf(
  port: Exports,
  window: Window,
  { learned, settings }: { learned: ReadonlyMap<Field, Try[]>; settings: Settings },
) {
  const isTelling = ({ effect }: Try) => effect === 'some'
  const settled = [...learned].some(
    ([field, tries]) => !isMetadataKey(field) && tries.some(isTelling),
  )
  const none = async () => ({ tasks: [], assessments: [] })
  for (const [field, tries] of learned) {
    const telling = tries.filter(isTelling)
    const all = [...telling, ...tries.filter((each) => !isTelling(each))]
    await port.once(`values of ${field}`, async () => all)
    await port.once(`column of ${field}`, () => learnColumn(field, lenient(port), window, []))
  }
  const form = { encoding: 'repeat', declared: false, settled } as const
  return createFilters(port, { window, form, sources: { settings, read: none } })
}
