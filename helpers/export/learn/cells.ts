// How a cell shows the values of a field, and how a title names the field.

import { isObject } from '../../../engine/http/answers.ts'
import { parsed } from '../../../engine/parsed.ts'
import type { forms } from '../../service/export-facts.ts'
import { metadata } from '../../service/operations.ts'
import { type Field, isMetadataKey, type Parameter } from '../ask/query.ts'

export type Form = (typeof forms)[number]

/** The values of a field that a cell may show. With several, the cell may be a list, or one value with a comma. */
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

/** The codes that a label may mean: for the whole, and for each of several parts. */
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
  const [word = ''] = field.split('_')
  if (!text.toLowerCase().includes(word)) return []
  const value = /^[{[]/.test(text) ? parsed(text) : undefined
  return membersNamed(value ?? pairsIn(text), nameOf(field))
}

/**
 * The pairs of a cell of pairs alone, as programs write maps. Beside a part without a pair, where a value
 * ends is unclear.
 */
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

/** Members with that name. Nobody nests metadata deeper, but a hostile file may. */
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

/** Whether a header names a field, or its usual synonym. */
export const nameMatch = (title: string, field: Field): 'so' | 'alike' | undefined => {
  const name = nameOf(title)
  if (name === nameOf(field)) return 'so'
  const others = isMetadataKey(field) ? metadata[field].names : alike[field]
  return others.some((other) => nameOf(other) === name) ? 'alike' : undefined
}

const alike: Record<Parameter, readonly string[]> = {
  auditee_id: ['auditee', 'user id', 'user', 'actor id', 'actor', 'caused by', 'performed by'],
  event_type: ['type', 'event', 'category', 'event category', 'audit type'],
  sub_type: ['event sub type', 'event subtype', 'action', 'activity', 'operation'],
  system_source: ['source', 'system', 'origin', 'source system', 'platform', 'service'],
}

/** Whether a text can be requested as it is: exports protect some for spreadsheets. */
export const isPlain = (text: string): boolean =>
  text.length <= 200 && !/^['=+\-@]/.test(text) && !/[,;|\n\r\t…\uFFFD]/.test(text)

export const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
