import { contentOf } from '../../../engine/files/content.ts'
import { tableIn } from '../../../engine/files/frame.ts'
import { equal, minus, multisetOf, sizeOf } from '../../../engine/files/rows.ts'
import { type Exports, needCsv, tell } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { confirmed, type Fetch } from '../learn/confirmed.ts'
import type { Window } from '../learn/window.ts'

/** How the export of one query differs from that of another which is to mean the same. */
export async function differences(
  exports: Exports,
  window: Window,
  one: Query,
  other: Query,
): Promise<string[]> {
  const found = await exports.csv(one)
  const content = contentOf(found.csv?.beginning ?? '')
  if (content !== 'text' && content !== 'nothing')
    return [`${tell(found.answer)} with ${content}, not with delimited text`]
  const inRows = await confirmed(exports, window, (fetch) => rowsApart(fetch, window, one, other))
  return inRows.length > 0 ? inRows : headersApart(exports, window, one, other)
}

async function rowsApart(
  fetch: Fetch,
  { columns, header }: Window,
  one: Query,
  other: Query,
): Promise<string[]> {
  const [rows, others] = [await fetch(one), await fetch(other)]
  const [a, b] = [multisetOf(rows, columns), multisetOf(others, columns)]
  if (equal(a, b)) return []
  const apart = columns.filter(
    (column) => !equal(multisetOf(rows, [column]), multisetOf(others, [column])),
  )
  const where = apart.map((column) => header?.[column] ?? `column ${column + 1}`).join(', ')
  return [
    `${rows.length} rows and ${others.length}: ${sizeOf(minus(a, b))} and ${sizeOf(minus(b, a))} of them differ, in ${where || 'how cells go together'}`,
  ]
}

async function headersApart(
  exports: Exports,
  { frame, shape }: Window,
  one: Query,
  other: Query,
): Promise<string[]> {
  if (frame.before === 0) return []
  const headerOf = async (query: Query, again?: 'again') => {
    const found = await (again ? exports.csvAnew(query) : exports.csv(query))
    return tableIn(shape, needCsv(found).records)[frame.before - 1] ?? []
  }
  const [header, named] = [await headerOf(one), await headerOf(other)]
  if (same(header, named)) return []
  // A line that is never the same twice, such as one with the time, tells nothing.
  if (!same(header, await headerOf(one, 'again'))) return []
  const at = header.findIndex((title, column) => title !== named[column])
  return [
    `column ${at + 1} is called ${JSON.stringify(header[at])}, and ${JSON.stringify(named[at])}`,
  ]
}

const same = (a: string[], b: string[]) => JSON.stringify(a) === JSON.stringify(b)
