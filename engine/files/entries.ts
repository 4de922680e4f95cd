// Finds the rows of a CSV in the text of a PDF.

import { NotDecidable } from '../outcome.ts'

/**
 * What of a CSV's rows tells events apart in a PDF: the beginning of one column's cells. A beginning
 * survives a cell that is wrapped or cut; white space is left out, for lines may break anywhere.
 */
export type Identity = { column: number; length: number }

/** The events that a PDF shows, told by their identity. */
export type Entries = {
  /** how many of the rows it shows */
  count: number
  /** the beginnings of those that are in the rows and not, or not as often, in the PDF */
  missing: string[]
  /** and of those that the PDF shows more often than the rows */
  repeated: string[]
}

type Rows = readonly (readonly string[])[]

const lengths = [64, 48, 36, 28, 24, 20, 16, 12, 10, 8]
const maxSampledRows = 60
/** A title may tell from when to when the events are. */
const maxTimesInTitles = 2

/** Counts the events of these rows that a PDF shows; undecided where nothing tells them apart. */
export function countEntries(
  pages: readonly string[],
  rows: Rows,
  { column, length }: Identity = learnIdentity(pages, rows),
): Entries {
  const wanted = tally(rows.map((row) => beginningOf(row[column], length)))
  const found = occurrences(squeezed(pages.join('\n')), wanted, length)
  const isDivided = dividedIn(pages)
  const entries: Entries = { count: 0, missing: [], repeated: [] }
  for (const [value, times] of wanted) {
    let shown = found.get(value) ?? 0
    if (shown < times && isDivided(value)) shown += 1
    entries.count += Math.min(shown, times)
    if (shown < times) entries.missing.push(value)
    if (shown > times) entries.repeated.push(value)
  }
  const areTimes = () =>
    [...wanted.keys()].every((value) => /\d:\d\d|^\d{1,4}[-/.]\d\d?[-/.]\d\d/.test(value))
  if (entries.repeated.length > 0 && entries.repeated.length <= maxTimesInTitles && areTimes())
    entries.repeated = []
  return entries
}

/** Learns from a PDF and the rows of the same events which of their values it tells them by. */
export function learnIdentity(pages: readonly string[], rows: Rows): Identity {
  const text = squeezed(pages.join('\n'))
  const sample = rows.filter((_, at) => at % Math.ceil(rows.length / maxSampledRows) === 0)
  const foundBy = ({ column, length }: Identity) => {
    const wanted = tally(sample.map((row) => beginningOf(row[column], length)))
    const found = occurrences(text, wanted, length)
    return [...wanted.keys()].filter((value) => found.has(value)).length / wanted.size
  }
  const shown = candidatesIn(rows, sample)
    .map((identity) => ({ identity, found: foundBy(identity) }))
    .filter(({ found }) => found > 0.5)
    // Of those that are found equally often the longest, which is found by chance the least.
    .sort((a, b) => b.found - a.found || b.identity.length - a.identity.length)
  const best = shown.find(({ identity }) => tellsApart(rows, identity))
  if (best) return best.identity
  throw new NotDecidable(
    'freedom',
    'no value that identifies an event of the CSV is found in the PDF; which fields a file shows is not shown',
  )
}

function candidatesIn(rows: Rows, sample: Rows): Identity[] {
  const width = Math.max(0, ...rows.map((row) => row.length))
  const columns = Array.from({ length: width }, (_, column) => column)
  // Letters of the middle of Unicode may be missing in the font; short numbers stand anywhere.
  const isPlain = (row: readonly string[], column: number) =>
    /^[\s!-~]*\d[\s!-~]*$/.test(row[column] ?? '')
  const isTelling = (column: number) =>
    [sample, rows].every((some) => some.every((row) => isPlain(row, column)))
  return columns.filter(isTelling).flatMap((column) => {
    const cells = rows.map((row) => (row[column] ?? '').replaceAll(/\s/g, ''))
    const shortest = Math.min(...cells.map((cell) => cell.length))
    if (shortest < 10 && cells.every((cell) => /^\d+$/.test(cell))) return []
    return [...new Set([shortest, ...lengths])]
      .filter((length) => length >= 8 && length <= Math.min(shortest, 64))
      .map((length) => ({ column, length }))
  })
}

/** Nearly all differ, and no other cell holds them: it might be shown as well. */
function tellsApart(rows: Rows, { column, length }: Identity): boolean {
  const values = tally(rows.map((row) => beginningOf(row[column], length)))
  if (values.size < rows.length * 0.9) return false
  const others = rows.map((row) => row.filter((_, at) => at !== column).join('\n')).join('\n')
  return occurrences(squeezed(others), values, length).size === 0
}

/** A text without white space, and where its words begin. */
type Squeezed = { text: string; words: Uint8Array }

function squeezed(whole: string): Squeezed {
  // Dashes are written in many ways; a PDF chooses its own.
  const pieces = whole.replaceAll(/[\u2010-\u2015\u2212]/g, '-').split(/\s+/)
  const text = pieces.join('')
  const words = new Uint8Array(text.length + 1)
  let at = 0
  for (const piece of pieces) {
    words[at] = 1
    at += piece.length
  }
  return { text, words }
}

function occurrences(
  { text, words }: Squeezed,
  wanted: Map<string, number>,
  length: number,
): Map<string, number> {
  const found = new Map<string, number>()
  for (let at = 0; at + length <= text.length; at += 1) {
    // A value begins where a word does: 1 Nov is not in 11 Nov.
    if (!words[at] && isAlphanumeric(text.charCodeAt(at - 1))) continue
    const piece = text.slice(at, at + length)
    if (wanted.has(piece)) found.set(piece, (found.get(piece) ?? 0) + 1)
  }
  return found
}

const isAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

const borderLength = 600

/** Tells whether a value begins on one page and ends on the next, with titles in between. */
function dividedIn(pages: readonly string[]): (value: string) => boolean {
  const borders = pages.slice(1).map((page, at) => ({
    before: squeezed((pages[at] ?? '').slice(-borderLength)).text,
    behind: squeezed(page.slice(0, borderLength)).text,
  }))
  const cuts = (value: string) => Array.from({ length: value.length - 1 }, (_, at) => at + 1)
  return (value) =>
    borders.some(({ before, behind }) =>
      cuts(value).some(
        (cut) => before.includes(value.slice(0, cut)) && behind.includes(value.slice(cut)),
      ),
    )
}

function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const beginningOf = (cell: string | undefined, length: number) =>
  squeezed((cell ?? '').slice(0, length * 4)).text.slice(0, length)

/** How many events a PDF shows by the other of two texts each, as by a time in UTC and not in the zone. */
export function countOtherwise(
  pages: readonly string[],
  texts: readonly string[],
  others: readonly string[],
): number {
  const shown = unspaced(pages.join(''))
  const both = new Set(texts)
  const isShown = (text: string) => shown.includes(unspaced(text))
  const lost = texts.filter((text) => !isShown(text)).length
  const found = others.filter((text) => isShown(text) && !both.has(text)).length
  return Math.min(lost, found)
}

/** How many of some texts a PDF shows, as a share of them. */
export function shareShown(pages: readonly string[], texts: readonly string[]): number {
  const shown = unspaced(pages.join(''))
  return texts.filter((text) => shown.includes(unspaced(text))).length / Math.max(1, texts.length)
}

const unspaced = (text: string) => text.replaceAll(/\s+/g, '')
