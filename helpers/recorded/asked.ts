// Recorded exports: what each shows by itself, and the clauses whose own bodies ask for the files of a time in which
// the trail stood still.

import { type clauses, givensOf, type Noted } from '../../engine/clause/clause.ts'
import { type Cases, casesOf, rule } from '../../engine/clause/law.ts'
import { hourMs } from '../../engine/files/dates.ts'
import { isSurelyEvent, tellsEvents } from '../../engine/files/line-frame.ts'
import { addTo, grouped } from '../../engine/grouped.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import { randomFor } from '../../engine/random.ts'
import { isDescribed, statusOwner } from '../export/ask/breaches.ts'
import type { Exports } from '../export/ask/exports.ts'
import { type Field, isMetadataKey, type Query } from '../export/ask/query.ts'
import { learnPdfIdentity, PDF_LIMIT } from '../export/laws/pdf-entries.ts'
import { findAroundLimit } from '../export/learn/around-limit.ts'
import { learnColumn } from '../export/learn/columns.ts'
import { createFilters, type Try, tryValue } from '../export/learn/filters.ts'
import { createRanges, type Ranges } from '../export/learn/ranges.ts'
import type { Span } from '../export/learn/spans.ts'
import { seenIn, type Window, windowOf } from '../export/learn/window.ts'
import type { Settings } from '../settings/table.ts'
import { type Findings, unlessUndecided } from './findings.ts'
import { type BodyOf, type Look, mistakesIn, notShown, queryIn, replayed, textOf } from './looks.ts'
import { isPlainRefusal, type Seen } from './recorded.ts'

/** More is not compared at once: each file is kept while it is. */
const mostLooks = 1000
const mostBytes = 96_000_000
const mostEpochs = 5

export type AskingOf = {
  clauses: typeof clauses
  findings: Findings
  settings: Settings
  bodyOf: BodyOf
  pdfLimit?: number | undefined
}

/** Judges recorded exports whose key is not known to be invalid. */
export function createExportLaws(asking: AskingOf) {
  const { findings, bodyOf } = asking
  const looks: Look[] = []
  const readFile = async (look: Look) => {
    const { asked, number } = look
    const port = replayed([look], bodyOf, (owned) => findings.broken([owned]))
    // A file at another address is in no recording of this service.
    if (asked.fileType === 'pdf') {
      const { bytes, told, read } = await port.pdf(asked)
      if (!bytes || told) return
      await read({ text: false })
    } else {
      const { csv, told } = await port.csv(asked)
      if (!csv || told) return
      look.count = csv.count
    }
    const type = asked.fileType === 'pdf' ? 'pdf' : 'csv'
    if (isDescribed(asked, false)) findings.decided([`export.${type}.readable`], number)
  }
  return {
    async see({ body, ...seen }: Seen) {
      const { operation, key, answer, query, number } = seen
      const asked = queryIn(query)
      if (operation !== 'export' || key !== 'given' || mistakesIn(asked).length > 0) return
      const look: Look = { ...seen, asked, text: textOf(asked), bytes: body?.length ?? 0 }
      if (isPlainRefusal(seen) || (body && isAccepted(answer))) looks.push(look)
      if (!isAccepted(answer)) return
      if (isDescribed(asked, false)) findings.decided([statusOwner(asked)], number)
      if (body) await readFile(look).catch(unlessUndecided)
    },
    async end() {
      // Keys that recorders redact do not tell clients apart.
      const known = looks.filter(({ who }) => who !== undefined)
      for (const [, own] of grouped(known, ({ recorder, who }) => `${recorder} ${who}`))
        for (const epoch of epochsIn(own)) await askEpoch(own, epoch, asking).catch(unlessUndecided)
    },
  }
}

/** A range with two equal looks at all of its events, and what was asked for in between. */
type Epoch = { span: Span; within: ReadonlySet<Look> }

const isCsv = ({ asked, answer }: Look) => asked.fileType !== 'pdf' && isAccepted(answer)

const valuesIn = ({ filters = {}, metadata = {} }: Query): [Field, readonly string[]][] => [
  ...(Object.entries(filters) as [Field, readonly string[]][]),
  ...Object.entries(metadata).map(([key, value = '']) => [key, [value]] as [Field, string[]]),
]

const isPlain = ({ asked }: Look) =>
  valuesIn(asked).length === 0 && !asked.locale && !asked.timezone && !asked.more

/** As for the window of a run: events of the last hour may not have reached every replica. */
const isWhole = (look: Look) =>
  isCsv(look) &&
  isPlain(look) &&
  look.asked.start !== undefined &&
  Date.parse(look.asked.end ?? '') <= look.start - hourMs &&
  (look.count ?? 0) >= 3

function epochsIn(looks: readonly Look[]): Epoch[] {
  const alike = grouped(looks.filter(isWhole), ({ count, text }) => `${count} ${text}`)
  const epochs = [...alike.values()].flatMap(([first, ...others]): Epoch[] => {
    const last = others.at(-1)
    if (!first || !last || last.start < first.end) return []
    const { start = '', end = '' } = first.asked
    const isWithin = (look: Look) => look.start >= first.start && look.end <= last.end
    return [{ span: { start, end }, within: new Set(looks.filter(isWithin)) }]
  })
  return epochs.sort((a, b) => b.within.size - a.within.size).slice(0, mostEpochs)
}

/** As many looks as memory allows, those of the epoch first. */
function bounded(looks: readonly Look[], { within }: Epoch): Look[] {
  let bytes = 0
  return [...within, ...looks.filter((look) => !within.has(look))]
    .slice(0, mostLooks)
    .filter((look) => {
      bytes += look.bytes
      return bytes < mostBytes
    })
}

/** The window of an epoch: each record of its file that looks like a row shows what every event does. */
async function windowIn(port: Exports, { start, end }: Span, looks: readonly Look[]) {
  const none = new NotDecidable('data', notShown)
  const whole = await port.csvFile({ start, end })
  const seen = seenIn({ start, end }, whole)
  const isSure = (row: string[]) => isSurelyEvent(seen.shape, row)
  if (!tellsEvents(seen.shape) || !seen.rows.every(isSure)) throw none
  const text = textOf({ start, end, fileType: 'csv' })
  const part = looks.find((look) => isCsv(look) && look.count && look.text !== text)
  if (!part) throw none
  const asPart = await port.csvFile(part.asked)
  const again = await port.fresh.csvFile({ start, end })
  const { window, isClosed } = windowOf(seen, asPart, again)
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

async function askEpoch(own: readonly Look[], epoch: Epoch, asking: AskingOf) {
  const { clauses, findings, settings, bodyOf, pdfLimit = PDF_LIMIT } = asking
  const looks = bounded(own, epoch)
  const exports = replayed(looks, bodyOf)
  const window = await windowIn(exports, epoch.span, looks)
  // What finds the window of a run finds this window too.
  await exports.once('closed window', async () => window)
  const searched = { settings, stop: new AbortController().signal, pdfLimit }
  const sure = new Set([...epoch.within].map(({ number }) => number))
  const isSure = ({ judged, control }: Problem) =>
    [...judged, ...control].every((each) => sure.has(each))
  const sources = { settings, read: async () => ({ tasks: [], assessments: [] }) }
  const tried = await triesIn(exports, window, looks)
  const givens: Record<string, () => unknown> = {
    exports: () => exports,
    window: () => window,
    settings: () => settings,
    session: () => absentBut({ ...searched, history: absent, known: absent, watchers: absent }),
    pdfLimit: () => pdfLimit,
    ranges: () => rangesOf(createRanges(exports, searched), looks, window),
    filters: () => filtersOf(exports, window, { tried, sources }),
    sample: () => ({ query: epoch.span, window }),
    sources: () => sources,
    aroundLimit: () =>
      exports.once('around the PDF limit', (inner) => findAroundLimit(inner, window, pdfLimit)),
    pdfIdentity: () => learnPdfIdentity(exports, window),
    updatesOver: () => async () => {},
  }
  for (const [id, { judging, body }] of clauses) {
    if (judging.seen !== 'files' || !body) continue
    const random = () => randomFor(settings.seed, id)
    const ask = async () => {
      const given: Record<string, unknown> = {}
      for (const name of givensOf(body))
        given[name] = (await (name === 'random' ? random() : givens[name]?.())) ?? absent
      return (body as (given: object) => Cases<object>)(given)
    }
    await askClause(findings, { id, judging, isSure }, ask).catch(unlessUndecided)
  }
}

async function* asFarAsShown(cases: Cases<object>) {
  try {
    yield* cases
  } catch (error) {
    unlessUndecided(error)
    yield error as NotDecidable
  }
}

type Asked = { id: string; judging: Noted['judging']; isSure(one: Problem): boolean }

/** Only files between two equal looks at their range can show a breach. */
async function askClause(
  findings: Findings,
  { id, judging, isSure }: Asked,
  ask: () => Promise<Cases<object>>,
) {
  if ('look' in judging) {
    if (findings.all.has(id)) return
    const cases = await casesOf<object>(await ask(), judging.none)
    findings.looked(id, cases, judging.look(cases))
    return
  }
  const { problems, decided } = await rule<object>(asFarAsShown(await ask()), judging)
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

/** The events of the window for each recorded value of a field. */
async function triesIn(port: Exports, window: Window, looks: readonly Look[]) {
  const found = new Map<Field, Try[]>()
  for (const { asked } of looks) {
    const [[field, [value = '', more] = []] = [], other] = valuesIn(asked)
    const isOfWindow = asked.start === window.start && asked.end === window.end
    const isAlone = !other && more === undefined && !asked.timezone && !asked.locale
    if (!field || !isOfWindow || !isAlone) continue
    if (found.get(field)?.some((each) => each.value === value)) continue
    const one = await tryValue(port, window, { field, value }).catch(unlessUndecided)
    if (one) addTo(found, field, one)
  }
  return found
}

type Tried = {
  tried: ReadonlyMap<Field, Try[]>
  sources: Parameters<typeof createFilters>[1]['sources']
}

/** The filters of a run, whose values are those that were recorded, the most selective first. */
async function filtersOf(port: Exports, window: Window, { tried, sources }: Tried) {
  const isTelling = ({ effect }: Try) => effect === 'some'
  // A file that was not recorded counts as refused, for cases that ask whether it is.
  const csv: Exports['csv'] = (query) =>
    port.csv(query).catch(() => ({ answer: { status: 404 } }) as never)
  for (const [field, tries] of tried) {
    const inOrder = tries.toSorted((a, b) => Number(isTelling(b)) - Number(isTelling(a)))
    await port.once(`values of ${field}`, async () => inOrder)
    await port.once(`column of ${field}`, () => learnColumn(field, { ...port, csv }, window, []))
  }
  const settled = [...tried].some(([field, all]) => !isMetadataKey(field) && all.some(isTelling))
  const form = { encoding: 'repeat', declared: false, settled } as const
  return createFilters(port, { window, form, sources })
}
