// PDFs for filters beside the CSVs for the same.

import { countEntries } from '../../../../engine/files/entries.ts'
import type { Identity } from '../../../../engine/files/identity.ts'
import { describeAnswer, isRefused } from '../../../../engine/http/answers.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { metadataKeys } from '../../../service/operations.ts'
import { needDecidable } from '../../ask/decidable.ts'
import { needPdf } from '../../ask/exports.ts'
import { describeFilter, filterBy, mergeQueries, parameters } from '../../ask/query.ts'
import { confirmed } from '../../learn/confirmed.ts'
import type { Filters, Known } from '../../learn/filters.ts'
import { spanOf, type Window } from '../../learn/window.ts'
import { findPair } from '../filter-pairs.ts'

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
  throw new NotDecidable(...(await filters.why(...parameters, ...metadataKeys)))
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
): Promise<Problem[]> {
  const filters = values.map(({ field, value }) => filterBy(field, value))
  const query = mergeQueries(spanOf(window), ...filters)
  const asked = values.map(({ field, value }) => describeFilter(field, value)).join(' and ')
  const what = `the PDF for ${asked}`
  return confirmed(exports, window, async (fetch, { pdf }) => {
    const found = await pdf(query)
    needDecidable(found.answer)
    const inCsv = await fetch(query)
    const [of, status] = [`${inCsv.length} events`, String(found.answer.status)]
    const problemOf = (sentence: string, expected: string, got: string) => [
      problem(sentence, { expected, got, judged: found, control: inCsv }),
    ]
    if (isRefused(found.answer))
      return inCsv.length === 0
        ? []
        : problemOf(`${describeAnswer(found.answer)}, though the CSV is given`, '200', status)
    const { text = [] } = await needPdf(found, { text: true })
    const rows = await fetch(spanOf(window))
    const right = countEntries(text, inCsv, identity).count
    const all = countEntries(text, rows, identity).count
    // What tells events apart may stand in another cell by chance; a filter without effect lets many in.
    const byChance = 2 + (rows.length - inCsv.length) / 20
    if (all - right > byChance)
      return problemOf(
        `${what} shows ${all} events, of which the CSV has ${right}`,
        of,
        `${all} events`,
      )
    const isNone = right === 0 && inCsv.length > 0
    const none = `${what} shows none of the ${inCsv.length} events of the CSV`
    return isNone ? problemOf(none, of, 'none of them') : []
  })
}
