import type { Some } from '../../../engine/clause/law.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Observation } from '../../../engine/observation.ts'
import { needDecidable } from '../ask/decidable.ts'
import { formOf } from '../learn/date-form.ts'
import type { Times } from '../learn/time-column.ts'
import type { Window } from '../learn/window.ts'

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
  const time = /\d/.test(cell) && /[-/:.\s]/.test(cell) ? Date.parse(cell) : Number.NaN
  return Number.isNaN(time) ? cell : time
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
  const starts = new Set<string>()
  for (const row of rows)
    for (const cell of row) {
      const [start] = /^['\t\s]?[=+@-]/.exec(cell) ?? []
      if (start && !/^-?[\d.,]*$/.test(cell)) starts.add(start)
    }
  return [...starts].sort()
}
