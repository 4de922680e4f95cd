import { needDecidable, tell } from '../../../engine/files/content.ts'
import { entryCount, type Identity } from '../../../engine/files/entries.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { isRefused } from '../../service/answers.ts'
import { needPdf } from '../ask/exports.ts'
import { asking, shownAs, together } from '../ask/field.ts'
import { metadataKeys } from '../ask/query.ts'
import { confirmed } from '../learn/confirmed.ts'
import { type Filters, type Known, noValue } from '../learn/filters.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { pairOf } from './filter-pairs.ts'

/**
 * Values to ask PDFs for, two at a time where each leaves events out that the other does not: a PDF
 * takes long to read, and a filter without effect shows beside another as it does alone.
 */
export async function valuesForPdf(filters: Filters): Promise<Known[][]> {
  const sets: Known[][] = []
  for (const [one, other] of [
    ['auditee_id', 'event_type'],
    ['sub_type', 'system_source'],
  ] as const) {
    const pair = await pairOf(filters, one, other)
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
  throw new NotDecidable(noValue('event_type'))
}

/**
 * What is wrong with the filter of a PDF, beside the CSV with the same one. Whether a PDF holds all
 * events is the matter of export.pdf-matches-csv: here it is those that should not be in, or none.
 */
export async function wrongInPdf(
  values: readonly Known[],
  { exports }: Filters,
  window: Window,
  identity: Identity,
): Promise<string[]> {
  const filters = values.map(({ field, value }) => asking(field, value))
  const query = together(spanOf(window), ...filters)
  const told = values.map(({ field, value }) => shownAs(field, value)).join(' and ')
  const what = `the PDF for ${told}`
  let fetchPdf = exports.pdf
  return confirmed(exports, window, async (fetch) => {
    const found = await fetchPdf(query)
    // What looks broken is asked for again, and then anew.
    fetchPdf = exports.pdfAnew
    needDecidable(found.answer)
    const inCsv = await fetch(query)
    if (isRefused(found.answer))
      return inCsv.length > 0 ? [`${tell(found.answer)}, though the CSV is given`] : []
    const { text = [] } = await needPdf(found, { text: true })
    const rows = await fetch(spanOf(window))
    const right = entryCount(text, inCsv, identity).count
    const all = entryCount(text, rows, identity).count
    // What tells events apart may stand in another cell by chance; a filter without effect lets many in.
    const byChance = 2 + (rows.length - inCsv.length) / 20
    if (all - right > byChance)
      return [`${what} shows ${all} events, of which the CSV has ${right}`]
    const nothing = right === 0 && inCsv.length > 0
    return nothing ? [`${what} shows none of the ${inCsv.length} events of the CSV`] : []
  })
}
