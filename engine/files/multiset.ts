import { pooled } from './text-pool.ts'

export type Row = readonly string[]
export type Rows = readonly Row[]

/** Rows with how often each occurs: the contract does not specify the order of an export. */
export type Multiset = Map<string, number>

type Keys = WeakMap<readonly string[], string>

// A cache: files of a run hold the same rows again and again, and are compared over the same columns.
const keysBy = new WeakMap<readonly number[], Keys>()

/** A row as one text, over the columns that are equal in two identical requests. */
function keyOf(row: readonly string[], columns: readonly number[]): string {
  const keys = keysBy.get(columns) ?? new WeakMap()
  keysBy.set(columns, keys)
  const known = keys.get(row)
  if (known !== undefined) return known
  const key = pooled(JSON.stringify(columns.map((column) => row[column] ?? '')))
  keys.set(row, key)
  return key
}

export const multisetOf = (rows: Rows, columns: readonly number[]): Multiset =>
  countsOf(rows.map((row) => keyOf(row, columns)))

export function countsOf<T>(values: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

export const ranked = <T>(values: Iterable<T>): T[] => byFrequency(countsOf(values))

export const mostFrequent = <T>(counts: Map<T, number>): T | undefined => byFrequency(counts)[0]

const byFrequency = <T>(counts: Map<T, number>): T[] =>
  [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value)

export function columnsOf(rows: Rows): number[] {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  return Array.from({ length: width }, (_, column) => column)
}

const maxRowText = 300

/** A row for a reader, shortened: cells are personal data. */
export const rowText = (cells: readonly string[]): string => {
  const text = cells.filter((cell) => cell !== '').join(' | ')
  return text.length > maxRowText ? `${text.slice(0, maxRowText)} …` : text
}

export const firstRowIn = (set: Multiset): string => {
  const [key = '[]'] = set.keys()
  return rowText(JSON.parse(key))
}

export const minus = (a: Multiset, b: Multiset): Multiset =>
  recounted(a, (key, count) => count - (b.get(key) ?? 0))

export const intersection = (a: Multiset, b: Multiset): Multiset =>
  recounted(a, (key, count) => Math.min(count, b.get(key) ?? 0))

function recounted(set: Multiset, countOf: (key: string, count: number) => number): Multiset {
  const counts = [...set].map(([key, count]) => [key, countOf(key, count)] as const)
  return new Map(counts.filter(([, count]) => count > 0))
}

export const sizeOf = (set: Multiset): number =>
  [...set.values()].reduce((size, count) => size + count, 0)

export const isEqual = (a: Multiset, b: Multiset): boolean =>
  sizeOf(a) === sizeOf(b) && sizeOf(minus(a, b)) === 0

/**
 * The stable columns: those in which two answers to one request agree in any order. Rows that came
 * or went in between differ in every column and exclude none.
 */
export function stableColumns(one: Rows, other: Rows): number[] {
  const all = columnsOf([...one, ...other])
  if (isEqual(multisetOf(one, all), multisetOf(other, all))) return all
  // Match rows by a column with unique cells: the one by which most columns agree.
  const agreeing = all
    .map((key) => sharedBy(key, one, other))
    .filter((pairs) => pairs.length * 2 > one.length)
    .map((pairs) => all.filter((column) => pairs.every(([a, b]) => a[column] === b[column])))
    .sort((a, b) => b.length - a.length)
  return agreeing[0] ?? all.filter((column) => areAlike(one, other, column))
}

export function sharedBy(column: number, one: Rows, other: Rows): [Row, Row][] {
  const [a, b] = [onlyOnes(column, one), onlyOnes(column, other)]
  return [...a].flatMap(([value, row]): [Row, Row][] => {
    const same = b.get(value)
    return row && same ? [[row, same]] : []
  })
}

function onlyOnes(column: number, rows: Rows): Map<string, Row | undefined> {
  const found = new Map<string, Row | undefined>()
  for (const row of rows) {
    const value = row[column] ?? ''
    found.set(value, found.has(value) ? undefined : row)
  }
  return found
}

const areAlike = (one: Rows, other: Rows, column: number): boolean =>
  isEqual(multisetOf(one, [column]), multisetOf(other, [column]))

/**
 * The stable columns in which a part of an export shows the same as the whole: not a row number or a total.
 * Rows that came or went meanwhile exclude no column.
 */
export function lastingColumns(whole: Rows, part: Rows, columns: readonly number[]) {
  const unnumbered = columns.filter((column) => !isNumbering(whole, column))
  const strangers = (kept: readonly number[]) =>
    sizeOf(minus(multisetOf(part, kept), multisetOf(whole, kept)))
  let lasting = unnumbered
  for (let dropped = 0; dropped <= 3; dropped += 1) {
    if (strangers(lasting) === 0) return lasting
    const without = lasting.map((column) => {
      const kept = lasting.filter((other) => other !== column)
      return { kept, left: strangers(kept) }
    })
    lasting = without.sort((a, b) => a.left - b.left)[0]?.kept ?? []
  }
  return unnumbered
}

export function otherColumns(rows: Rows, columns: readonly number[]): number[] {
  const isOfFile = (column: number) =>
    rows.every((row) => row[column] === rows[0]?.[column]) || isNumbering(rows, column)
  return columnsOf(rows).filter((column) => !columns.includes(column) && !isOfFile(column))
}

function isNumbering(rows: Rows, column: number): boolean {
  const numbers = rows.map((row) => Number.parseInt(row[column] ?? '', 10))
  const [first = 0, second = 0] = numbers
  const step = second - first
  return (
    rows.length > 2 &&
    Math.abs(step) === 1 &&
    numbers.every((number, at) => number === first + at * step)
  )
}
