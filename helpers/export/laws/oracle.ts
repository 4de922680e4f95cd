// Predicts what the file of any request holds at least and at most, from the exports of its values alone.

import type { Identity } from '../../../engine/files/identity.ts'
import { intersection, type Multiset, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import type { Encoding } from '../../service/operations.ts'
import { needDecidable } from '../ask/decidable.ts'
import type { Fetching } from '../ask/exports.ts'
import { describeFilter, type Field, filterBy, mergeQueries, type Query } from '../ask/query.ts'
import { confirmed, type Fetch } from '../learn/confirmed.ts'
import type { Filters, KnownValue } from '../learn/filters.ts'
import { eventsAmong, linesOf, problemsOfEvents } from '../learn/relations.ts'
import type { Span } from '../learn/spans.ts'
import type { TimeColumn } from '../learn/time-column.ts'
import { rowsLike, spanOf, type Window } from '../learn/window.ts'
import { problemsOfShown } from './pdf-entries.ts'
import { problemsOfOtherEvents } from './same-file.ts'
import { problemsOfUnzonedTimes } from './times-in-zone.ts'
import { eventsOf } from './words.ts'

export type Request = {
  /** values of fields; several values of one field are grouped */
  values: readonly (readonly KnownValue[])[]
  fileType?: 'csv' | 'pdf'
  timezone?: string | undefined
  locale?: string | undefined
  bounds?: Span | undefined
  encoded?: readonly Field[]
}

export type Judge = {
  filters: Filters
  window: Window
  identity?: Identity | undefined
  /** a column that shows times, which vary with the zone */
  column?: TimeColumn | undefined
}

/** The events that a file must hold, and those that it may hold. */
export type Expected = { least: Multiset; most: Multiset }

/**
 * The events that match all filters: each field matches any of its values. Of events that look alike, it is
 * unknown which have a value.
 */
export function predicted(fields: readonly (readonly Multiset[])[], all: Multiset): Expected {
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

function withAny(alone: readonly Multiset[], all: Multiset): Expected {
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

const valueQueries = ({ values, encoded = [] }: Request): Query[] =>
  values.map((each): Query => {
    const { field, value } = each[0] as KnownValue
    return encoded.includes(field)
      ? { more: `metadata%5B${field}%5D=${encodeURIComponent(value)}` }
      : filterBy(field, ...each.map((known) => known.value))
  })

export function queryOf(request: Request, window: Window): Query {
  const { bounds = spanOf(window), timezone, locale } = request
  const queries = valueQueries(request)
  const more = queries.flatMap((query) => query.more ?? [])
  return mergeQueries(
    { start: bounds.start, end: bounds.end },
    ...queries,
    { ...(timezone && { timezone }), ...(locale && { locale }) },
    more.length > 0 ? { more: more.join('&') } : {},
  )
}

export const describeValues = ({ values, encoded = [] }: Request): string =>
  values
    .map((each) => {
      const { field } = each[0] as KnownValue
      const told = describeFilter(field, ...each.map(({ value }) => value))
      return encoded.includes(field) ? `${told} (brackets encoded)` : told
    })
    .join(' and ')

function describeRequest(request: Request): string {
  const { fileType = 'csv', timezone, locale, bounds } = request
  const part = bounds && `from ${bounds.start} to ${bounds.end}`
  const what = `${fileType.toUpperCase()} for ${describeValues(request)}`
  return [what, timezone, locale, part].filter(Boolean).join(', ')
}

async function eventsAlone({ values }: Request, window: Window, fetch: Fetch) {
  const events = async (query: Query = {}) =>
    eventsAmong(window, await fetch(mergeQueries(spanOf(window), query)))
  const all = await events()
  const alone: Multiset[][] = []
  for (const each of values) {
    const ofField: Multiset[] = []
    for (const { field, value } of each) ofField.push(await events(filterBy(field, value)))
    alone.push(ofField)
  }
  return { all, alone }
}

/** A request is refused, though each of its values is accepted alone and some event has all of them. */
async function problemsOfRefusal(
  request: Request,
  { filters, window }: Judge,
  how?: Fetching,
): Promise<Problem[] | undefined> {
  const query = queryOf(request, window)
  const { pdf, csv, csvFile } = filters.exports
  const isPdf = request.fileType === 'pdf'
  const { answer } = await (isPdf ? pdf(query) : csv(query, how))
  needDecidable(answer)
  if (isAccepted(answer)) return undefined
  const alone = request.values.map((each) => each.map(({ events }) => events))
  // An empty result may be a reason to refuse, as an unknown value is.
  if (sizeOf(predicted(alone, multisetOf(window.rows, window.columns)).most) === 0) return []
  const given = isPdf ? await csvFile(query) : undefined
  const why = given ? 'the CSV is given' : 'each value is accepted alone'
  return [
    problem(`${describeAnswer(answer)}, although ${why}`, {
      expected: '2xx',
      judged: answer,
      control: given ?? alone.flat(),
    }),
  ]
}

/** Whether a request has filters alone: other parameters may be refused for unstated reasons. */
const asksForValues = ({ timezone, locale, bounds, encoded = [] }: Request): boolean =>
  !timezone && !locale && !bounds && encoded.length === 0

/** Whether another clause judges these values in the CSV of the window. */
const isJudgedElsewhere = ({ values }: Request): boolean =>
  values.length <= 2 && values.every((each) => each.length === 1)

/**
 * Judges the exact events of a request in any form. A file that contradicts the prediction is compared with
 * the plain CSV of the same values, if another clause judges that one.
 */
export async function judgeRequest(request: Request, judge: Judge): Promise<Problem[]> {
  const { filters, window, identity, column } = judge
  const { exports } = filters
  const { fileType = 'csv', bounds, timezone, locale } = request
  const span = bounds ?? spanOf(window)
  const isPlain = fileType === 'csv' && asksForValues(request)
  if (asksForValues(request)) {
    const refused = await problemsOfRefusal(request, judge)
    if (refused) return refused
  }
  const query = queryOf(request, window)
  const what = describeRequest(request)
  return confirmed(exports, window, async (fetch, port) => {
    const byPlain = !isPlain && isJudgedElsewhere(request) && port === exports.fresh
    const { all, alone } = await (byPlain ? besidePlain : eventsAlone)(request, window, fetch)
    const { least, most } = predicted(alone, all)
    const whole = await fetch({ start: span.start, end: span.end })
    if (fileType === 'csv' && !timezone && !locale) {
      const part = eventsAmong(window, whole)
      // Other clauses judge whether the plain values respect the window.
      const within = (events: Multiset) => (bounds ? intersection(events, part) : events)
      return problemsOfEvents(what, eventsAmong(window, await fetch(query)), {
        least: within(least),
        most: within(most),
        control: [...alone.flat(), part],
        lines: linesOf(window),
      })
    }
    const wanted = from(rowsAmong(window, rowsLike(window, whole), most), whole)
    if (fileType === 'pdf') {
      if (!identity) throw new Error('a PDF is judged by what tells its events apart')
      const rows = rowsLike(window, await fetch(spanOf(window)))
      return problemsOfShown(what, await port.pdf(query), { wanted, all: rows, identity })
    }
    const found = await fetch(query)
    const rows = rowsLike(window, found)
    // Columns may be omitted, and in another language their titles are unknown.
    if (rows.length === 0 && found.length > 0)
      throw new NotDecidable(
        'freedom',
        `the ${what} has other columns than the window; the contract does not say which fields a file contains`,
      )
    const problems = problemsOfOtherEvents(`in the ${what}`, window, wanted, rows)
    if (problems.length === 0 && column && timezone)
      return problemsOfUnzonedTimes(what, column, { plain: wanted, rows })
    // The predicted events come from files with more events: no other file has as many.
    const records = linesOf(window) + wanted.length
    const again = { signs: [{ records: [{ least: records, most: records }] }] }
    return problems.map((each) => (each.again ? { ...each, again } : each))
  })
}

async function besidePlain({ values }: Request, window: Window, fetch: Fetch) {
  const plain = eventsAmong(window, await fetch(queryOf({ values }, window)))
  return { all: plain, alone: [[plain]] }
}

function rowsAmong({ columns }: Window, rows: string[][], events: Multiset): string[][] {
  const left = new Map(events)
  return rows.filter((row) => {
    const [event = ''] = multisetOf([row], columns).keys()
    const count = left.get(event) ?? 0
    left.set(event, count - 1)
    return count > 0
  })
}

/**
 * Judges the number of events of a request, without its cells. Several keys may mean all of their values
 * or, read generously, any. Another encoding than that of the filters may be refused.
 */
export async function judgeCount(
  request: Request,
  judge: Judge,
  { orAny = false, encoding }: { orAny?: boolean; encoding?: Encoding | undefined } = {},
): Promise<Problem[]> {
  const { filters, window } = judge
  const how = encoding && { encoding }
  const refused = await problemsOfRefusal(request, judge, how)
  if (refused) return encoding ? [] : refused
  return confirmed(filters.exports, window, async (fetch) => {
    const { all, alone } = await eventsAlone(request, window, fetch)
    const among = (events: Multiset) => from(intersection(events, all), events)
    const each = alone.map((events) => events.map(among))
    const counts = countsOf(each, all, orAny)
    const found = among(eventsAmong(window, await fetch(queryOf(request, window), how)))
    const size = sizeOf(found)
    const lines = linesOf(window)
    const records = counts.map(({ least, most }) => ({ least: lines + least, most: lines + most }))
    return problemUnless(
      counts.some(({ least, most }) => size >= least && size <= most),
      `${size} events for ${describeValues(request)}, ${each.flat().map(sizeOf).join(' and ')} for each alone`,
      {
        expected: counts.map(describeCount).join(', or '),
        got: eventsOf(size),
        judged: found,
        control: [...each.flat(), all],
        again: { signs: [{ records }] },
      },
    )
  })
}

type Count = { least: number; most: number }

export function countsOf(
  alone: readonly (readonly Multiset[])[],
  all: Multiset,
  orAny: boolean,
): Count[] {
  const readings = [predicted(alone, all), ...(orAny ? [withAny(alone.flat(), all)] : [])]
  return readings.map(({ least, most }) => ({ least: sizeOf(least), most: sizeOf(most) }))
}

const describeCount = ({ least, most }: Count): string =>
  least === most ? eventsOf(least) : `${least} to ${most} events`
