import type { Some } from '../../../engine/clause/law.ts'
import { distinct } from '../../../engine/distinct.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import { day, hour, instantAt, isoOf, millisecond, second } from '../../../engine/files/dates.ts'
import { isEqual, multisetOf } from '../../../engine/files/multiset.ts'
import { isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Observation } from '../../../engine/observation.ts'
import { premise } from '../../service/answers.ts'
import { needDecidable } from '../ask/decidable.ts'
import { type CsvExport, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { formOf } from '../learn/date-form.ts'
import type { Ranges } from '../learn/ranges.ts'
import { recentHour } from '../learn/spans.ts'
import type { Times } from '../learn/time-column.ts'
import { eventRows, type Window } from '../learn/window.ts'

export const statusOf = ([{ status }]: Some<Downloaded>): Observation => ({ status })

export function contentTypeOf([answer]: Some<Downloaded>): string {
  needDecidable(answer)
  return answer.headers['content-type']?.toLowerCase().replace(/\s*;\s*/g, '; ') ?? 'none'
}

/** How an answer names its file, without what varies from file to file. */
export function dispositionOf({
  headers,
}: Pick<Downloaded, 'headers'>): { type: string; name: string | undefined } | undefined {
  const text = headers['content-disposition']
  if (text === undefined) return undefined
  const [, name] = /filename\*?=\s*(?:utf-8''|iso-8859-1'')?"?([^";]*)"?/i.exec(text) ?? []
  return {
    type: text.split(';')[0]?.trim().toLowerCase() ?? '',
    name: name
      ?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, 'ID')
      .replaceAll(/[^\W_]*\d[^\W_]*/g, '0'),
  }
}

/** The first column that sorts the rows, and its direction. */
export function orderOf([{ rows, header }]: Some<Window>): Observation {
  const width = rows[0]?.length ?? 0
  for (let column = 0; column < width; column += 1) {
    const values = rows.map((row) => sortable(row[column] ?? ''))
    // Few values may be sorted by chance.
    if (new Set(values).size < Math.max(10, rows.length / 2)) continue
    const by = header?.[column] ?? column + 1
    if (isSorted(values)) return { by, order: 'ascending' }
    if (isSorted([...values].reverse())) return { by, order: 'descending' }
  }
  return 'none seen'
}

/** Dates sort by instant; a number would be read as a year. */
function sortable(cell: string): string | number {
  if (/^-?\d+(\.\d+)?$/.test(cell)) return Number(cell)
  return (/\d/.test(cell) && /[-/:.\s]/.test(cell) && Date.parse(cell)) || cell
}

const isSorted = (values: (string | number)[]) =>
  values.every((value, at) => at === 0 || (values[at - 1] as string | number) <= value)

/** How each column with the time of events writes it, by title or, from 1 on, by position. */
export function dateFormsOf([{ times, window }]: Some<{
  times: Times
  window: Window
}>): Observation {
  const { columns, rows } = times
  const forms = columns.map(({ place, order, textIn }) => [
    window.header?.[place] ?? place + 1,
    formOf(rows.map(textIn), order) ?? 'in no form that is known here',
  ])
  return Object.fromEntries(forms)
}

/** The beginnings of cells that a spreadsheet reads as a formula, or would without protection. */
export function formulaStarts(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.flat().filter((cell) => !/^-?[\d.,]*$/.test(cell))
  return distinct(cells.flatMap((cell) => /^['\t\s]?[=+@-]/.exec(cell)?.[0] ?? [])).sort()
}

/** The file of bounds in another form, and those of what they may mean; none if it is refused. */
type Meanings = { found: CsvExport; window: Window; files: Record<string, CsvReading> }

async function fetchMeanings(
  { exports, window }: Ranges,
  asked: Query,
  queries: Record<string, Query>,
): Promise<Meanings> {
  const found = await exports.csv(asked)
  const files: Meanings['files'] = {}
  if (!isRefusedRange(found)) {
    needCsv(found)
    for (const [name, query] of Object.entries(queries)) files[name] = await exports.csvFile(query)
  }
  return { found, window: await window(), files }
}

export async function fetchOffsetBounds(ranges: Ranges): Promise<Meanings> {
  const [at = recentHour(ranges.exports).end] = await ranges.cuts()
  // Two hours: the same clock in UTC gives other events.
  const [start, end] = [isoOf(instantAt(at) - hour), isoOf(instantAt(at) + hour - second)]
  const ahead = (iso: string) => isoOf(instantAt(iso) + 2n * hour)
  const withOffset = (iso: string) => ahead(iso).replace('Z', '+02:00')
  const asked = { start: withOffset(start), end: withOffset(end) }
  return fetchMeanings(ranges, asked, {
    'the instants they are': { start, end },
    'the same clock in UTC': { start: ahead(start), end: ahead(end) },
  })
}

export async function fetchDateOnlyBounds(ranges: Ranges): Promise<Meanings> {
  const date = (await ranges.few()).start.slice(0, 10)
  const start = `${date}T00:00:00.000Z`
  return fetchMeanings(
    ranges,
    { start: date, end: date },
    {
      'its first instant': { start, end: start },
      'the whole day': { start, end: isoOf(instantAt(start) + day - millisecond) },
    },
  )
}

/** Which of several queries gives the same file, or the status of a refusal; unknown if they are all alike. */
export function meaningOf([{ found, window, files }]: Some<Meanings>): Observation {
  if (isRefusedRange(found)) return found.answer.status
  const eventsIn = ({ records }: CsvReading) =>
    multisetOf(eventRows(window, records), window.columns)
  const events = eventsIn(needCsv(found))
  const alike = Object.entries(files).flatMap(([name, file]) =>
    isEqual(events, eventsIn(file)) ? [name] : [],
  )
  const same = `${alike.join(' and ')} return the same events here; a window where they differ is needed`
  premise(alike.length <= 1, 'data', same)
  return alike[0] ?? 'something else'
}

/** The file of a range with one bound written as a text, and the events of the one without it. */
type NoBound = { what: string; found: CsvExport; window: Window; without: CsvReading }

/** Asks for ranges with one bound written as `null`, or as nothing. */
export async function* askNoBounds({ exports, window }: Ranges): AsyncGenerator<NoBound> {
  const start = recentHour(exports).end
  for (const [what, end] of Object.entries({ null: 'null', empty: '' })) {
    const without = await exports.csvFile({ start })
    yield { what, found: await exports.csv({ start, end }), window: await window(), without }
  }
}

export const meaningsOf = (all: Some<NoBound>): Observation =>
  Object.fromEntries(
    all.map(({ what, found, window, without }) => {
      if (isRefusedRange(found)) return [what, found.answer.status]
      const [count, least] = [needCsv(found), without].map(
        ({ records }) => eventRows(window, records).length,
      ) as [number, number]
      // Events may arrive meanwhile.
      return [what, count >= least ? 'none' : 'something else']
    }),
  )

const isRefusedRange = ({ answer }: CsvExport) => isRefused(answer) && answer.status !== 403
