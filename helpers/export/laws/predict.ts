// Asks for the file of any request, and predicts it: by the exports of its values alone, by a column, by a twin.

import type { Unasked } from '../../../engine/clause/case.ts'
import type { Identity } from '../../../engine/files/identity.ts'
import { intersection, type Multiset, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import { beside, from, smaller } from '../../../engine/origin.ts'
import { needDecidable } from '../ask/decidable.ts'
import { type Exports, needPdf } from '../ask/exports.ts'
import { filterBy, mergeQueries, type Query } from '../ask/query.ts'
import { rowsShowing, type Source } from '../learn/columns.ts'
import { type Fetch, gathered, rowsFrom, rowsOf } from '../learn/confirmed.ts'
import type { KnownValue } from '../learn/filters.ts'
import type { TimeColumn } from '../learn/time-column.ts'
import { eventsAmong, rowsLike, spanOf, type Window } from '../learn/window.ts'
import type { Asked, Bounds, Expected, Request } from './file.ts'

/** What is known about the files to request. */
export type Files = {
  exports: Exports
  window: Window
  identity?: Identity | undefined
  timeColumn?: TimeColumn | undefined
}

export type Predict = (request: Request, at: { window: Window; fetch: Fetch }) => Promise<Expected>

/** Asks for files in turn, each with its prediction, and another one if its law suspects it. */
export async function askFiles(
  files: Files,
  requests: readonly Request[],
  by: Predict,
  ifSuspected = by,
): Promise<(Asked | Unasked)[]> {
  const all: (Asked | Unasked)[] = []
  for (const request of requests) all.push(await askFile(files, request, by, ifSuspected))
  return all
}

const askFile = (files: Files, request: Request, by: Predict, ifSuspected: Predict) =>
  gathered(files.exports, files.window, async (_, port, isAnew): Promise<Asked> => {
    const asked = await fetchAsked({ ...files, exports: port }, request, isAnew ? ifSuspected : by)
    return smaller(asked, () =>
      simpler(request).map((next) => async () => await askFile(files, next, by, ifSuspected)),
    )
  })

/** One file with its prediction, to look at once. */
export async function fetchAsked(files: Files, request: Request, by: Predict): Promise<Asked> {
  const { exports, window, identity, timeColumn } = files
  const file = await fetchFile(request, window, exports)
  const expected = await by(request, { window, fetch: rowsFrom(exports, window) })
  const asked: Asked = { request, window, expected, ...file, identity, timeColumn }
  const { control } = expected
  return beside(from(asked, file.refused, file.rows, file.pdf), { control })
}

async function fetchFile(request: Request, window: Window, port: Exports) {
  const query = queryOf(request, window)
  const { encoding } = request
  const isPdf = request.fileType === 'pdf'
  const found = await (isPdf ? port.pdf(query) : port.csv(query, encoding && { encoding }))
  const { answer } = found
  // Other parameters may be refused for reasons that are not stated; in a CSV, a zone or language is not.
  const isGiven = asksForValues(request) || (isPdf && isShownOtherwise(request))
  if (isGiven) needDecidable(answer)
  if (isGiven && !isAccepted(answer))
    return { refused: answer, given: isPdf ? await port.csvFile(query) : undefined }
  return 'read' in found
    ? { pdf: await needPdf(found, { text: true }) }
    : { rows: rowsOf(window, found) }
}

const asksForValues = ({ timezone, locale, bounds, encoded = [] }: Request): boolean =>
  !timezone && !locale && !bounds && encoded.length === 0

const isShownOtherwise = ({ values, timezone, locale, bounds }: Request): boolean =>
  Boolean(timezone || locale) && values.length === 0 && !bounds

function queryOf(request: Request, window: Window): Query {
  const { bounds = spanOf(window), timezone, locale, values, encoded = [] } = request
  const queries = values.map((each): Query & { more?: string } => {
    const [{ field, value }] = each as [KnownValue]
    return encoded.includes(field)
      ? { more: `metadata%5B${field}%5D=${encodeURIComponent(value)}` }
      : filterBy(field, ...each.map((known) => known.value))
  })
  const more = queries.flatMap((query) => query.more ?? []).join('&')
  const shown = { ...(timezone && { timezone }), ...(locale && { locale }), ...(more && { more }) }
  return mergeQueries({ start: bounds.start, end: bounds.end }, ...queries, shown)
}

/** The same request without one of its parts, the first to try first. */
function simpler({ timezone, locale, bounds, ...rest }: Request): Request[] {
  const form = { bounds, locale, timezone }
  const fewer = rest.values.flatMap((each, at) => {
    const left =
      each.length > 1 ? rest.values.with(at, each.slice(0, 1)) : rest.values.toSpliced(at, 1)
    return left.length > 0 ? [{ ...rest, ...form, values: left }] : []
  })
  const parts = (['bounds', 'locale', 'timezone'] as const).filter((part) => form[part])
  return [...parts.map((part) => ({ ...rest, ...form, [part]: undefined })), ...fewer]
}

const predictedBy =
  (orAny: boolean): Predict =>
  async (request, { window, fetch }) => {
    const { values, bounds, encoding } = request
    const rowsFor = async (query: Query = {}) => await fetch(mergeQueries(spanOf(window), query))
    const all = await rowsFor()
    const alone: Multiset[][] = values.map(() => [])
    for (const [at, each] of values.entries())
      for (const { field, value } of each)
        alone[at]?.push(eventsAmong(window, await rowsFor(filterBy(field, value))))
    const found = expectedOf(alone, all, bounds && (await fetch(bounds)), window)
    const inAll = multisetOf(all, window.columns)
    const among = alone.flat().map((events) => sizeOf(intersection(events, inAll)))
    return {
      ...found,
      readings: orAny ? readingsOf(alone, eventsAmong(window, all)) : found.readings,
      // An empty result may be a reason to refuse, as an unknown value is; and so may another encoding.
      mayBeRefused: sizeOf(found.readings[0].most) === 0 || encoding !== undefined,
      beside: among.length > 0 ? `as each value alone returns ${among.join(', ')}` : undefined,
    }
  }

/** An event matches a field by any of its values, and has to match all fields. */
export const byValues = predictedBy(false)
/** As well by the other reading of several keys: an event has to match one of them. */
export const byAnyValue = predictedBy(true)

type Shows = (rows: string[][], value: string) => { sure: string[][]; possible: string[][] }

/** The rows of the window that show what is asked for; default: any of them. */
export const byRows =
  (shows: Shows = (rows) => ({ sure: [], possible: rows }), beside?: string): Predict =>
  async ({ values }, { window, fetch }) => {
    const all = await fetch(spanOf(window))
    const { sure, possible } = shows(all, values[0]?.[0]?.value ?? '')
    const bounds = { least: eventsAmong(window, sure), most: eventsAmong(window, possible) }
    const rows = rowsLike(window, all)
    return { readings: [bounds], range: rows, all: rows, control: all, beside }
  }

/** The rows that show the value in a column; it may be a label of what is asked for. */
export const byColumn = (source: Source, { header }: Window, label?: string): Predict =>
  byRows(
    (rows, value) => rowsShowing(source, label ?? value, rows),
    `as the column ${header?.[source.column] ?? source.column + 1} shows`,
  )

/** The plain CSV of the same values, which another clause judges. */
export const byPlain: Predict = async (request, at) => {
  const { values, fileType = 'csv', bounds } = request
  const isPlain = fileType === 'csv' && asksForValues(request)
  const isJudgedElsewhere = values.length <= 2 && values.every((each) => each.length === 1)
  if (isPlain || !isJudgedElsewhere) return byValues(request, at)
  const { window, fetch } = at
  const [all, plain] = [await fetch(spanOf(window)), await fetch(queryOf({ values }, window))]
  return expectedOf([[eventsAmong(window, plain)]], all, bounds && (await fetch(bounds)), window)
}

/** The CSV of the same request, which another clause judges. */
export const byTwin: Predict = async (request, { window, fetch }) => {
  const rows = await fetch(queryOf(request, window))
  const events = multisetOf(rows, window.columns)
  const readings = [{ least: events, most: events }]
  return { readings, range: rows, all: rows, control: rows }
}

/** The range counts as one more field, which all of its events have. */
function expectedOf(
  alone: readonly (readonly Multiset[])[],
  all: string[][],
  part: string[][] | undefined,
  window: Window,
) {
  const range = part ?? all
  const isWhole = part === undefined && alone.length > 0
  const fields = isWhole ? alone : [...alone, [eventsAmong(window, range)]]
  return {
    readings: [predicted(fields, eventsAmong(window, all))] as [Bounds],
    range: rowsLike(window, range),
    all: rowsLike(window, all),
    control: [...alone.flat(), range],
  }
}

/** The events that match each field by any of its values; those that look alike may be others. */
export function predicted(fields: readonly (readonly Multiset[])[], all: Multiset): Bounds {
  const each = fields.map((alone) => withAny(alone, all))
  const most = each.map((field) => field.most).reduce((a, b) => intersection(a, b))
  const least: Multiset = new Map()
  for (const [event, possible] of most) {
    const sum = each.reduce((total, field) => total + (field.least.get(event) ?? 0), 0)
    const sure = sum - (each.length - 1) * (all.get(event) ?? 0)
    if (sure > 0) least.set(event, Math.min(sure, possible))
  }
  return { least, most }
}

/** What several keys ask for: events with all of their values or, read generously, with any. */
export const readingsOf = (alone: readonly (readonly Multiset[])[], all: Multiset): Bounds[] => [
  predicted(alone, all),
  withAny(alone.flat(), all),
]

function withAny(alone: readonly Multiset[], all: Multiset): Bounds {
  const least: Multiset = new Map()
  const most: Multiset = new Map()
  for (const event of new Set(alone.flatMap((events) => [...events.keys()]))) {
    const counts = alone.map((events) => events.get(event) ?? 0)
    const fewest = Math.max(...counts)
    least.set(event, fewest)
    const sum = counts.reduce((total, count) => total + count, 0)
    most.set(event, Math.max(fewest, Math.min(sum, all.get(event) ?? 0)))
  }
  return { least, most }
}
