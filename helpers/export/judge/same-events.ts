import { entryCount, type Identity } from '../../../engine/files/entries.ts'
import { equal, multisetOf } from '../../../engine/files/rows.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Exports, needCsv, needPdf, tell } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import type { Span } from '../learn/ranges.ts'
import type { Times } from '../learn/time-column.ts'
import { eventRows, type Window } from '../learn/window.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * How many events one file has that the other lacks, told by their number and by the ids that tell
 * events apart: those are written alike in every zone and language, in whatever column.
 */
export function otherEvents(
  what: string,
  window: Window,
  one: readonly string[][],
  other: readonly string[][],
): string[] {
  if (one.length !== other.length) return [`${other.length} events ${what}, not ${one.length}`]
  const column = columnOfIds(window)
  if (column === undefined) return []
  const ids = multisetOf(one, [column])
  const width = other.reduce((most, row) => Math.max(most, row.length), 0)
  const columns = Array.from({ length: width }, (_, each) => each)
  const isShown = columns.some((each) => equal(ids, multisetOf(other, [each])))
  return isShown ? [] : [`${one.length} events ${what}, but others by their ids`]
}

/** The column of ids in which rows differ most, where there is one that tells most of them apart. */
function columnOfIds({ rows, columns }: Window): number | undefined {
  const different = (column: number) => new Set(rows.map((row) => row[column])).size
  const ids = columns.filter((column) => rows.every((row) => uuid.test(row[column] ?? '')))
  const [best] = ids.sort((a, b) => different(b) - different(a))
  return best !== undefined && different(best) * 2 > rows.length ? best : undefined
}

/** What is wrong with a PDF in a zone or a language, beside the CSV in the same. */
export async function wrongInPdf(
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
      return [`${tell(found.answer)}, and as CSV 200`]
    const { text = [] } = await needPdf(found, { text: true })
    const rows = await rowsIn(query)
    const { count, missing, repeated } = entryCount(text, rows, identity)
    // What tells events apart may be written in another way in each file: a date, but not an id.
    if (count === 0 && !rows.every((row) => uuid.test(row[identity.column] ?? '')))
      throw new NotDecidable(`nothing of the CSV ${what} is found in the PDF`)
    const apart = missing.length + repeated.length
    const problems =
      apart === 0
        ? []
        : [`${apart} of ${rows.length} events are lost, or come twice, in the PDF ${what}`]
    if (apart > 0) {
      const plain = await needPdf(await pdf(span), { text: true })
      const found = entryCount(plain.text ?? [], await rowsIn({}), identity)
      if (found.missing.length + found.repeated.length > 0)
        throw new NotDecidable('the PDF is not as the CSV in any case: see export.pdf-matches-csv')
    }
    if (!times) return problems
    const [column] = times.columns
    const shownOf = (texts: readonly string[]) => shareShown(text, texts)
    const inZone = shownOf(rows.map(column.textIn))
    const inUtc = shownOf((await rowsIn(times.utc)).map(column.textIn))
    if (inUtc > 0.5 && inZone < 0.1) problems.push(`the PDF ${what} shows times in UTC`)
    return problems
  }
  const suspected = await judge(exports.csv, exports.pdf)
  return suspected.length === 0 ? [] : judge(exports.csvAnew, exports.pdfAnew)
}

/** How many of some texts a PDF shows, as a share of them. */
function shareShown(pages: readonly string[], texts: readonly string[]): number {
  const plain = (text: string) => text.replaceAll(/\s+/g, '')
  const shown = plain(pages.join(''))
  return texts.filter((text) => shown.includes(plain(text))).length / Math.max(1, texts.length)
}
