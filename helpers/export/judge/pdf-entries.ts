// The events of a PDF beside those of the CSV: plain, filtered, in a time zone or a language.

import { countEntries, type Identity } from '../../../engine/files/entries.ts'
import { describeAnswer, isRefused } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { metadataKeys } from '../../service/operations.ts'
import { needDecidable } from '../ask/decidable.ts'
import { type Exports, needCsv, needPdf } from '../ask/exports.ts'
import { describeFilter, filterBy, mergeQueries, type Query } from '../ask/query.ts'
import { confirmed } from '../learn/confirmed.ts'
import type { Filters, Known } from '../learn/filters.ts'
import type { Span } from '../learn/spans.ts'
import type { Times } from '../learn/time-column.ts'
import { eventRows, spanOf, type Window } from '../learn/window.ts'
import { findPair } from './filter-pairs.ts'

/** How the events of a PDF differ from those of the CSV of the same stretch. */
export async function problemsOfPdf(
  exports: Exports,
  window: Window,
  identity: Identity,
  span: Query = spanOf(window),
): Promise<string[]> {
  let first = true
  return confirmed(exports, window, async (fetch) => {
    const rows = await fetch(span)
    const found = await (first ? exports.pdf(span) : exports.pdfAnew(span))
    first = false
    const { text = [], pages } = await needPdf(found, { text: true })
    return problemsOfEntries(text, pages, rows, identity)
  })
}

/** Where the entries of a PDF differ from rows, in sentences. */
export function problemsOfEntries(
  text: readonly string[],
  pages: number,
  rows: readonly (readonly string[])[],
  identity: Identity,
): string[] {
  const { missing, repeated } = countEntries(text, rows, identity)
  const of = `of ${rows.length} events in the CSV`
  const such = (values: string[]) => `${values.length} ${of}`
  return [
    ...(missing.length > 0
      ? [`${such(missing)} are missing in the ${pages} pages of the PDF, such as ${missing[0]}`]
      : []),
    ...(repeated.length > 0
      ? [`${such(repeated)} stand in the PDF more often, such as ${repeated[0]}`]
      : []),
  ]
}

/** Goes on only where the window's PDF has an entry for each row of its CSV, and no other. */
export async function needEntriesAsRows(
  exports: Exports,
  window: Window,
  identity: Identity,
): Promise<void> {
  const { text = [], pages } = await needPdf(await exports.pdf(spanOf(window)), { text: true })
  const [problem] = problemsOfEntries(text, pages, window.rows, identity)
  if (problem)
    throw new NotDecidable(
      'freedom',
      `what a PDF counts is not known: ${problem}; what it shows of events is not shown`,
    )
}

/** What is wrong with a PDF in a zone or a language, beside the CSV in the same. */
export async function problemsOfLocalizedPdf(
  what: string,
  {
    exports,
    window,
    span,
    identity,
    query,
    times,
  }: {
    exports: Exports
    window: Window
    span: Span
    identity: Identity
    /** the zone or the language */
    query: Query
    /** where the zone is to be looked for */
    times?: Times | undefined
  },
): Promise<string[]> {
  const judge = async (csv: Exports['csv'], pdf: Exports['pdf']) => {
    const rowsIn = async (more: Query) =>
      eventRows(window, needCsv(await csv({ ...span, ...more })).records)
    const found = await pdf({ ...span, ...query })
    const { status } = found.answer
    if (status >= 400 && status < 500 && status !== 403)
      return [`${describeAnswer(found.answer)}, and as CSV 200`]
    const { text = [] } = await needPdf(found, { text: true })
    const rows = await rowsIn(query)
    const { count, missing, repeated } = countEntries(text, rows, identity)
    // What tells events apart may be written in another way in each file: a date, but not an id.
    if (count === 0 && !rows.every((row) => isUuid(row[identity.column] ?? '')))
      throw new NotDecidable(
        'freedom',
        `nothing of the CSV ${what} is found in the PDF; which fields a file shows is not shown`,
      )
    const apart = missing.length + repeated.length
    const problems =
      apart === 0
        ? []
        : [`${apart} of ${rows.length} events are lost, or come twice, in the PDF ${what}`]
    if (apart > 0) {
      const plain = await needPdf(await pdf(span), { text: true })
      const found = countEntries(plain.text ?? [], await rowsIn({}), identity)
      if (found.missing.length + found.repeated.length > 0)
        throw new NotDecidable(
          'freedom',
          'the PDF also differs from the CSV in English and in UTC; what it shows of events is not shown',
        )
    }
    if (!times) return problems
    const [column] = times.columns
    const shownOf = (texts: readonly string[]) => shareShown(text, texts)
    const texts = rows.map(column.textIn)
    const textsInUtc = (await rowsIn(times.utc)).map(column.textIn)
    const [inZone, inUtc] = [shownOf(texts), shownOf(textsInUtc)]
    const mixed = countInUtc(text, texts, textsInUtc)
    if (inUtc > 0.5 && inZone < 0.1) problems.push(`the PDF ${what} shows times in UTC`)
    else if (mixed >= fewMixed)
      problems.push(`the PDF ${what} shows ${mixed} of ${texts.length} times in UTC`)
    else if (inZone < 0.1 && problems.length === 0)
      throw new NotDecidable(
        'freedom',
        `the PDF ${what} shows none of the CSV’s times, in UTC or in the zone; what it shows of events is not shown`,
      )
    return problems
  }
  const suspected = await judge(exports.csv, exports.pdf)
  return suspected.length === 0 ? [] : judge(exports.csvAnew, exports.pdfAnew)
}

/** A title may show a time, and two events may share one. */
const fewMixed = 3

/** How many events show their time as it is in UTC and not as it is in the zone. */
function countInUtc(pages: readonly string[], inZone: string[], inUtc: string[]): number {
  const shown = squeezed(pages.join(''))
  const both = new Set(inZone)
  const isShown = (text: string) => shown.includes(squeezed(text))
  const lost = inZone.filter((text) => !isShown(text)).length
  const unzoned = inUtc.filter((text) => isShown(text) && !both.has(text)).length
  return Math.min(lost, unzoned)
}

/** How many of some texts a PDF shows, as a share of them. */
export function shareShown(pages: readonly string[], texts: readonly string[]): number {
  const shown = squeezed(pages.join(''))
  return texts.filter((text) => shown.includes(squeezed(text))).length / Math.max(1, texts.length)
}

const squeezed = (text: string) => text.replaceAll(/\s+/g, '')

/** Events that a PDF lacks, and events that it shows beside those that it should. */
export function problemsOfShown(
  described: string,
  text: readonly string[],
  wanted: string[][],
  all: string[][],
  identity: Identity,
): string[] {
  const isWanted = new Set(wanted.map((row) => row[identity.column]))
  const others = all.filter((row) => !isWanted.has(row[identity.column]))
  const { missing, repeated } = countEntries(text, wanted, identity)
  const strange = countEntries(text, others, identity).count
  const isId = all.every((row) => isUuid(row[identity.column] ?? ''))
  // Titles tell of times; an id stands there by no chance.
  const byChance = isId ? 0 : 2 + others.length / 20
  return [
    ...(missing.length > 0
      ? [
          `the ${described} lacks ${missing.length} of ${wanted.length} events, such as ${missing[0]}`,
        ]
      : []),
    ...(repeated.length > byChance
      ? [`the ${described} shows ${repeated.length} of ${wanted.length} events more often`]
      : []),
    ...(strange > byChance
      ? [`the ${described} shows ${strange} events beside the ${wanted.length} that belong there`]
      : []),
  ]
}

/**
 * Values to ask PDFs for, two at a time where each leaves events out that the other does not: a PDF
 * takes long to read, and a filter without effect shows beside another as it does alone.
 */
export async function needValuesForPdf(filters: Filters): Promise<Known[][]> {
  const sets: Known[][] = []
  for (const [one, other] of [
    ['auditee_id', 'event_type'],
    ['sub_type', 'system_source'],
  ] as const) {
    const pair = await findPair(filters, one, other)
    const alone = [
      ...(await filters.known(one)).slice(-1),
      ...(await filters.known(other)).slice(-1),
    ]
    sets.push(...(pair ? [pair] : alone.map((known) => [known])))
  }
  for (const key of metadataKeys) {
    const [known] = (await filters.known(key)).slice(-1)
    if (known) return [...sets, [known]]
  }
  if (sets.length > 0) return sets
  throw new NotDecidable(...filters.whyNoValue('event_type'))
}

/**
 * What is wrong with the filter of a PDF, beside the CSV with the same one. Whether a PDF holds all
 * events is the matter of export.pdf-matches-csv: here it is those that should not be in, or none.
 */
export async function problemsOfFilteredPdf(
  values: readonly Known[],
  { exports }: Filters,
  window: Window,
  identity: Identity,
): Promise<string[]> {
  const filters = values.map(({ field, value }) => filterBy(field, value))
  const query = mergeQueries(spanOf(window), ...filters)
  const asked = values.map(({ field, value }) => describeFilter(field, value)).join(' and ')
  const what = `the PDF for ${asked}`
  let fetchPdf = exports.pdf
  return confirmed(exports, window, async (fetch) => {
    const found = await fetchPdf(query)
    // What looks broken is asked for again, and then anew.
    fetchPdf = exports.pdfAnew
    needDecidable(found.answer)
    const inCsv = await fetch(query)
    if (isRefused(found.answer))
      return inCsv.length > 0 ? [`${describeAnswer(found.answer)}, though the CSV is given`] : []
    const { text = [] } = await needPdf(found, { text: true })
    const rows = await fetch(spanOf(window))
    const right = countEntries(text, inCsv, identity).count
    const all = countEntries(text, rows, identity).count
    // What tells events apart may stand in another cell by chance; a filter without effect lets many in.
    const byChance = 2 + (rows.length - inCsv.length) / 20
    if (all - right > byChance)
      return [`${what} shows ${all} events, of which the CSV has ${right}`]
    const nothing = right === 0 && inCsv.length > 0
    return nothing ? [`${what} shows none of the ${inCsv.length} events of the CSV`] : []
  })
}
