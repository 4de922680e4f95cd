import { intersection, minus, multisetOf, ranked, sizeOf } from '../../../engine/files/multiset.ts'
import { isObject } from '../../../engine/http/answers.ts'
import { parsed } from '../../../engine/parsed.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { metadata } from '../../contract/metadata-keys.ts'
import type { ArrayParameter } from '../../contract/parameters.ts'
import { needPermitted } from '../../service/answers.ts'
import type { Exports } from '../ask/exports.ts'
import { type Field, filterBy, isIdentifier, isMetadataKey } from '../ask/query.ts'
import { eventsShown, spanOf, type Window } from './window.ts'

const forms = ['plain', 'label', 'inside'] as const

type Form = (typeof forms)[number]

export type Source = { field: Field; column: number; form: Form; by: 'name' | 'values' }

const shownBy = ({ field, column, form }: Source, row: readonly string[]): string[] =>
  valuesIn(row[column] ?? '', field, form)

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

/** A cache: each metadata key asks it of the same rows. */
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

export function rowsShowing(source: Source, value: string, rows: readonly string[][]) {
  const shown = rows.map((row) => ({ row, values: shownBy(source, row) }))
  // The contract does not specify whether letter case matters, or whether a cell is a list.
  const possible = shown.filter(({ values }) => values.some((each) => isSameText(each, value)))
  const sure = possible.filter(({ values: [only, ...more] }) => only === value && more.length === 0)
  return { sure: sure.map(({ row }) => row), possible: possible.map(({ row }) => row) }
}

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

export const isNamed = ({ field, column, form }: Source, { header }: Window): boolean =>
  form === 'inside' || (form === 'plain' && nameMatch(header?.[column] ?? '', field) === 'so')

/** If possible values are known, the column has to show one. */
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

/** A label that equals its code is a plain value. */
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
 * For its values V, the export for V is exactly the rows that show V. A column with the exact name needs
 * only most of these rows.
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

async function fetchFit(source: Source, value: string, exports: Exports, window: Window) {
  const { answer, csv } = await exports.csv({ ...spanOf(window), ...filterBy(source.field, value) })
  needPermitted(answer)
  if (!csv) return 'none'
  const found = eventsShown(window, csv)
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

/** With several, the cell may be a list, or one value with a comma. */
export function valuesIn(cell: string, field: Field, form: Form): string[] {
  const text = cell.trim()
  if (text === '' || placeholder.test(text)) return []
  if (form === 'inside')
    return valuesInside(text, field).filter((value) => !placeholder.test(value.trim()))
  if (form === 'label') return codesOf(text)
  // Fast path: most cells are not lists.
  if (!/[,;|\n[]/.test(text)) return [text]
  const list = listIn(text)
  return list.length > 1 ? [text, ...list] : [list[0] ?? text]
}

/** A placeholder for no value: an export for it would be empty. */
const placeholder =
  /^[([<]?(-+|–|—|\\n|#?n\/?a|nan|none|null|nil|undefined|unknown|empty|not (set|available|applicable))[)\]>]?$/i

function codesOf(label: string): string[] {
  const parts = label.split(/\s+[/>|–—-]\s+|\s*[→»·]\s*|:\s+/)
  return parts.length > 1 ? [label, ...parts].map(codeOf).filter(Boolean) : [codeOf(label)]
}

/** The likely code of a label: 'Task Platform' for task_platform. */
export const codeOf = (label: string): string =>
  label
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')

function listIn(text: string): string[] {
  const list = text.startsWith('[') ? parsed(text) : undefined
  if (Array.isArray(list)) return list.flatMap(textOf)
  return text
    .split(/[,;|\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
}

function valuesInside(text: string, field: Field): string[] {
  // Fast path: most cells hold nothing of the kind.
  const folded = text.toLowerCase()
  if (!field.split('_').every((word) => folded.includes(word))) return []
  const value = /^[{[]/.test(text) ? parsed(text) : undefined
  return membersNamed(value ?? pairsIn(text), nameOf(field))
}

/** Where a value ends is unclear if a part is not a pair. */
function pairsIn(text: string): { key: string; value: string }[] {
  if (text.length > maxTextLength) return []
  const plain = text.replaceAll(/^\{|\}$/g, '')
  const pairs = plain.split(/[,;|\n]/).map((part) => pair.exec(part))
  return pairs.every((found) => found !== null)
    ? pairs.map(([, key = '', , value = '']) => ({ key, value }))
    : []
}

/** Search no further for keys: a hostile cell may be long. */
const maxTextLength = 4000
const pair = /^\s*["':]?([\p{L}\p{N}_.[\] -]+?)["']?\s*(?:=>|[=:])\s*(["']?)([^"'{}=&]*?)\2\s*$/u

/** Nobody nests metadata deeper, but a hostile file may. */
function membersNamed(value: unknown, name: string, depth = 8): string[] {
  if (depth === 0) return []
  if (Array.isArray(value)) return value.flatMap((item) => membersNamed(item, name, depth - 1))
  if (!isObject(value)) return []
  // A list of pairs may represent an object.
  if (typeof value.key === 'string' && nameOf(value.key) === name) return listed(value.value)
  return Object.entries(value).flatMap(([key, member]) =>
    nameOf(key) === name ? listed(member) : membersNamed(member, name, depth - 1),
  )
}

const listed = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap(textOf)

const textOf = (value: unknown): string[] =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? [String(value)] : []

/** A normalised name: 'Task ID', taskId and metadata[task_id] are equal. */
const nameOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/^metadata(?=.)/, '')

export const nameMatch = (title: string, field: Field): 'so' | 'alike' | undefined => {
  const name = nameOf(title)
  if (name === nameOf(field)) return 'so'
  const others = isMetadataKey(field) ? metadata[field].names : alike[field]
  return others.some((other) => nameOf(other) === name) ? 'alike' : undefined
}

const alike: Record<ArrayParameter, readonly string[]> = {
  auditee_id: ['auditee', 'user id', 'user', 'actor id', 'actor', 'caused by', 'performed by'],
  event_type: ['type', 'event', 'category', 'event category', 'audit type'],
  sub_type: ['event sub type', 'event subtype', 'action', 'activity', 'operation'],
  system_source: ['source', 'system', 'origin', 'source system', 'platform', 'service'],
}

/** Whether a text can be requested as it is: exports protect some for spreadsheets. */
export const isPlain = (text: string): boolean =>
  text.length <= 200 && !/^['=+\-@]/.test(text) && !/[,;|\n\r\t…\uFFFD]/.test(text)

const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
