// The text of a PDF for searching: without white space, because lines may break anywhere.

import { addTo, grouped } from '../grouped.ts'

/**
 * A text without white space, with the positions of its words and pages and an index of what follows each
 * place.
 */
export type Squeezed = {
  text: string
  words: Uint8Array
  pages: number[]
  beginnings: Uint16Array
}

export function squeezed(pages: readonly string[]): Squeezed {
  const begins: { words: number[]; pages: number[] } = { words: [], pages: [] }
  let text = ''
  for (const page of pages) {
    begins.pages.push(text.length)
    for (const piece of plainDashes(page).split(/\s+/)) {
      begins.words.push(text.length)
      text += piece
    }
  }
  const words = new Uint8Array(text.length + 1)
  for (const at of [...begins.words, text.length]) words[at] = 1
  return { text, words, pages: begins.pages, beginnings: beginningsIn(text) }
}

const plainDashes = (text: string): string =>
  text.replaceAll('\u00ad', '').replaceAll(/[\u2010-\u2015\u2212]/g, '-')

export const squeezedCell = (cell: string): string => plainDashes(cell).replaceAll(/\s/g, '')

const maxNear = 80
/** Fewer common characters may be chance. */
const minNear = 4

/** What pages show instead of a text: from its longest prefix that they contain. */
export function nearestText(pages: readonly string[], text: string): string | undefined {
  const all = plainDashes(pages.join(' ')).replaceAll(/\s+/g, ' ')
  const wanted = plainDashes(text).replaceAll(/\s+/g, ' ')
  for (let length = wanted.length; length >= minNear; length -= 1) {
    const at = all.indexOf(wanted.slice(0, length))
    if (at >= 0) return all.slice(at, at + Math.min(wanted.length + 20, maxNear))
  }
  return undefined
}

export const withoutHyphens = (pages: readonly string[]): string[] =>
  pages.map((page) => plainDashes(page).replaceAll(/-[^\S\n]*\n/g, ''))

/** The places of some values; longer texts are found by their beginning. */
export function placesOf(squeezed: Squeezed, values: Iterable<string>, length: number) {
  const byLength = grouped(new Set(values), (value) => value.length)
  const found = new Map<string, number[]>()
  byLength.delete(0)
  for (const [size, alike] of byLength) {
    const some = new Set(alike)
    const look = { squeezed, size, isPart: size < length, found }
    lookFor(some, look, isInText)
    // Few cells touch the one before, so only values that were not found are searched everywhere.
    const rest = new Set([...some].filter((value) => !found.has(value)))
    if (rest.size > 0) lookFor(rest, look, isWithinFor(rest))
  }
  return found
}

/** An id is never found by chance, even next to other text. */
function isWithinFor(values: Set<string>): (text: string, at: number) => boolean {
  const all = [...values]
  if (all.every((value) => /^[0-9a-f]{8}-[0-9a-f]{4}/i.test(value)))
    return (text, at) => text[at + 8] !== '-'
  return all.every((value) => /^[0-9a-f]{12}/i.test(value)) ? () => false : isInWord
}

function lookFor(
  values: Set<string>,
  {
    squeezed: { text, words, beginnings },
    size,
    isPart,
    found,
  }: { squeezed: Squeezed; size: number; isPart: boolean; found: Map<string, number[]> },
  isWithin: (text: string, at: number) => boolean,
): void {
  const wanted = new Uint8Array(2 ** 16).fill(size < letters ? 1 : 0)
  for (const value of values) wanted[beginningAt(value, 0)] = 1
  for (let at = 0; at + size <= text.length; at += 1) {
    // Fast path: hardly any place begins like a value.
    if (!wanted[beginnings[at] as number]) continue
    if (!words[at] && isWithin(text, at)) continue
    const piece = text.slice(at, at + size)
    if (!values.has(piece)) continue
    // A value ends where its number ends: 1:1 is not in 1:15. The next cell may touch it.
    const end = at + size
    if (isPart && !words[end] && isDigit(text, end - 1) && isDigit(text, end)) continue
    addTo(found, piece, at)
  }
}

/** The index uses this many letters. */
const letters = 4

/** A hash of those letters; different letters may have the same hash. */
function beginningAt(text: string, at: number): number {
  let hash = 0
  for (let n = at; n < at + letters; n += 1) hash = (hash * 31 + text.charCodeAt(n)) & 0xffff
  return hash
}

function beginningsIn(text: string): Uint16Array {
  const beginnings = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) beginnings[at] = beginningAt(text, at)
  return beginnings
}

const isInText = (text: string, at: number): boolean => kindOf(text.charCodeAt(at - 1)) !== 0

/** Whether a place lies inside a number or a word: 1 Nov is not in 11 Nov. */
function isInWord(text: string, at: number): boolean {
  const [before, behind] = [kindOf(text.charCodeAt(at - 1)), kindOf(text.charCodeAt(at))]
  return before !== 0 && before === behind
}

const isDigit = (text: string, at: number) => kindOf(text.charCodeAt(at)) === 1

function kindOf(code: number): 0 | 1 | 2 {
  if (code >= 48 && code <= 57) return 1
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? 2 : 0
}

const borderLength = 600

/** Whether a value begins on one page and ends on the next, beside where a page shows it whole. */
export function dividedIn(pages: readonly string[]): (value: string) => boolean {
  const borders = pages.slice(1).map((page, at) => ({
    before: squeezedCell((pages[at] ?? '').slice(-borderLength)),
    behind: squeezedCell(page.slice(0, borderLength)),
  }))
  const isPartIn = (page: string, part: string, value: string) =>
    page.split(part).length > page.split(value).length
  return (value) => {
    const cuts = Array.from({ length: value.length - 1 }, (_, at) => at + 1)
    return borders.some(({ before, behind }) =>
      cuts.some(
        (at) =>
          isPartIn(before, value.slice(0, at), value) && isPartIn(behind, value.slice(at), value),
      ),
    )
  }
}

/** A time that was cut still shows hours and minutes. */
const leastOfCut = 16
const mostOfCut = 64

export function shareShown(pages: readonly string[], texts: readonly string[]): number {
  const shown = unspaced(pages.join(''))
  const cuts = [...shown.matchAll(/…|\.{3}/g)].map(({ index }) => index)
  const byLength = new Map<number, Set<string>>()
  /** What precedes an ellipsis, at some length. */
  const cutsOf = (length: number) => {
    const made = byLength.get(length) ?? new Set(cuts.map((at) => shown.slice(at - length, at)))
    byLength.set(length, made)
    return made
  }
  const isShown = (text: string) => {
    const plain = unspaced(text)
    if (shown.includes(plain)) return true
    for (let length = Math.min(plain.length, mostOfCut); length >= leastOfCut; length -= 1)
      if (cuts.length > 0 && cutsOf(length).has(plain.slice(0, length))) return true
    return false
  }
  return texts.filter(isShown).length / Math.max(1, texts.length)
}

const unspaced = (text: string) => text.replaceAll(/\s/g, '')
