// Which column of the CSV shows the values of a field.

import { intersection, minus, multisetOf, ranked, sizeOf } from '../../../engine/files/multiset.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { needPermitted } from '../../service/answers.ts'
import { forms } from '../../service/export-facts.ts'
import type { Exports } from '../ask/exports.ts'
import { type Field, filterBy, isIdentifier, isMetadataKey } from '../ask/query.ts'
import { type Form, isPlain, isSameText, nameMatch, valuesIn } from './cells.ts'
import { eventRows, spanOf, type Window } from './window.ts'

export type Source = { field: Field; column: number; form: Form; by: 'name' | 'values' }

const shownBy = ({ field, column, form }: Source, row: readonly string[]): string[] =>
  valuesIn(row[column] ?? '', field, form)

/** The values in rows, the most frequent first, that can be requested as they are. */
export function valuesShown(source: Source, rows: readonly string[][]): string[] {
  const shown = rows.map((row) => shownBy(source, row))
  const single = shown.filter((values) => values.length === 1).flat()
  // Use cells with several values only if there are none with one.
  const all = single.length > 0 ? single : shown.flatMap(([, ...list]) => list)
  const none = isMetadataKey(source.field) ? fillersIn(rows) : new Set()
  const values = ranked(all.filter((value) => isPlain(value) && !none.has(value)))
  // In a column of ids, words mean nobody in particular, such as the system.
  const ids = values.filter(isUuid)
  return isIdentifier(source.field) && ids.length * 2 > values.length ? ids : values
}

const fillers = new WeakMap<readonly string[][], Set<string>>()

/** The texts that fill most rows of several columns: a cell with such a text has no value. */
function fillersIn(rows: readonly string[][]): Set<string> {
  const known = fillers.get(rows)
  if (known) return known
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const usual = [...Array(width).keys()].flatMap((column) => {
    const [text = ''] = ranked(rows.map((row) => row[column]?.trim() ?? ''))
    const times = rows.filter((row) => row[column]?.trim() === text).length
    return text !== '' && times * 2 > rows.length ? text : []
  })
  const found = new Set(usual.filter((text, at) => usual.indexOf(text) !== at))
  fillers.set(rows, found)
  return found
}

/** The rows that an export for a value must have by this column, and those that it may have. */
export function rowsShowing(source: Source, value: string, rows: readonly string[][]) {
  const isSure = (row: readonly string[]) => {
    const [only, ...more] = shownBy(source, row)
    return only === value && more.length === 0
  }
  return {
    sure: rows.filter(isSure),
    // Whether letter case matters is not shown, nor whether a cell is a list.
    possible: rows.filter((row) => shownBy(source, row).some((each) => isSameText(each, value))),
  }
}

/** Columns with the name of a field, or with it in their cells, the likeliest first. */
export function namedColumns(field: Field, { header, rows, columns }: Window): Source[] {
  const named = (how: 'so' | 'alike') =>
    columns.filter((column) => nameMatch(header?.[column] ?? '', field) === how)
  const titled = [...named('so'), ...named('alike')]
  const others = isMetadataKey(field) ? columns.filter((column) => !titled.includes(column)) : []
  return [
    ...titled.flatMap((column) =>
      forms.map((form) => ({ field, column, form, by: 'name' as const })),
    ),
    ...others.map((column) => ({ field, column, form: 'inside' as const, by: 'name' as const })),
  ].filter((source) => isOfUse(source, rows))
}

/** Whether a column has the exact name of its field, or names it in its cells, and shows plain values. */
export const isNamed = ({ field, column, form }: Source, { header }: Window): boolean =>
  form === 'inside' || (form === 'plain' && nameMatch(header?.[column] ?? '', field) === 'so')

/** Columns that look as if they showed a field. If possible values are known, the column has to show one. */
export function likelyColumns(field: Field, window: Window, known: readonly string[]): Source[] {
  const { header, rows, columns } = window
  const likely = columns
    .filter((column) => nameMatch(header?.[column] ?? '', field) === undefined)
    .filter((column) => mayHold(field, column, rows))
    .flatMap((column) =>
      (isIdentifier(field) ? (['plain'] as const) : (['plain', 'label'] as const)).map(
        (form): Source => ({ field, column, form, by: 'values' }),
      ),
    )
    .filter((source) => isOfUse(source, rows))
  const telling = likely.filter((source) =>
    valuesShown(source, rows).some((value) => known.some((other) => isSameText(value, other))),
  )
  return telling.length > 0 ? telling : likely.slice(0, maxColumns)
}

/** It shows values; a label that equals its code is a plain value. */
const isOfUse = (source: Source, rows: readonly string[][]): boolean =>
  rows.some((row) => shownBy(source, row).length > 0) &&
  (source.form !== 'label' ||
    rows.some((row) => row[source.column]?.trim() !== shownBy(source, row)[0]))

const maxColumns = 12

/** Whether the cells look like ids or recurring words, not like times or free text. */
function mayHold(field: Field, column: number, rows: readonly string[][]): boolean {
  const cells = rows.map((row) => row[column]?.trim() ?? '').filter(Boolean)
  const different = new Set(cells).size
  if (different < 2 || different === cells.length) return false
  if (isIdentifier(field)) return cells.every((cell) => !/\s/.test(cell) && /\d|@/.test(cell))
  return different <= 40 && cells.every((cell) => !/\d{3}/.test(cell) && cell.length <= 60)
}

type Fit = 'exact' | 'near' | 'none'

const maxValues = 3

/**
 * Finds the column of a field: for its values V, the export for V is exactly the rows that show V. A column
 * with the exact name needs only most of these rows.
 */
export async function learnColumn(
  field: Field,
  exports: Exports,
  window: Window,
  known: readonly string[],
): Promise<Source | undefined> {
  for (const source of [...namedColumns(field, window), ...likelyColumns(field, window, known)])
    if (await isShownBy(source, exports, window)) return source
  return undefined
}

async function isShownBy(source: Source, exports: Exports, window: Window): Promise<boolean> {
  const isNamedSo = nameMatch(window.header?.[source.column] ?? '', source.field) === 'so'
  const fits: Fit[] = []
  for (const value of valuesShown(source, window.rows).slice(0, maxValues)) {
    const fit = await fetchFit(source, value, exports, window)
    if (isNamedSo && fit === 'exact') return true
    if (!isNamedSo && fit !== 'exact') return false
    fits.push(fit)
  }
  return isNamedSo ? fits.includes('near') : fits.length > 0
}

async function fetchFit(
  source: Source,
  value: string,
  exports: Exports,
  window: Window,
): Promise<Fit> {
  const { answer, csv } = await exports.csv({ ...spanOf(window), ...filterBy(source.field, value) })
  needPermitted(answer)
  if (!csv) return 'none'
  const found = multisetOf(eventRows(window, csv.records), window.columns)
  const size = sizeOf(found)
  // A value of all events, or an export of all events, proves nothing.
  if (size === 0 || size >= window.rows.length) return 'none'
  const rows = rowsShowing(source, value, window.rows)
  const sure = multisetOf(rows.sure, window.columns)
  const possible = multisetOf(rows.possible, window.columns)
  const missing = sizeOf(minus(sure, found))
  const strange = sizeOf(minus(found, possible))
  if (missing + strange === 0) return 'exact'
  const both = sizeOf(intersection(found, sure))
  return both * 2 >= size + sizeOf(sure) - both ? 'near' : 'none'
}
