import { entryCount, type Identity } from '../../../engine/files/entries.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Exports, needPdf } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { confirmed } from '../learn/confirmed.ts'
import { spanOf, type Window } from '../learn/window.ts'

/** How the events of a PDF differ from those of the CSV of the same stretch. */
export async function entriesApart(
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
    return toldApart(text, pages, rows, identity)
  })
}

/** Where the entries of a PDF differ from rows, in sentences. */
export function toldApart(
  text: readonly string[],
  pages: number,
  rows: readonly (readonly string[])[],
  identity: Identity,
): string[] {
  const { missing, repeated } = entryCount(text, rows, identity)
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
  const [problem] = toldApart(text, pages, window.rows, identity)
  if (problem) throw new NotDecidable(`what a PDF counts is not known: ${problem}`)
}
