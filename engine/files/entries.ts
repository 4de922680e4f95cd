// Finds the rows of a CSV in the text of a PDF.

import { isoOf } from './dates.ts'
import { dividedIn, placesOf, type Squeezed, squeezed, withoutHyphens } from './entry-text.ts'
import { type Identity, type Key, learnIdentity, type Rows, searchedOf } from './identity.ts'
import { cutTo, instantsIn } from './shown-instants.ts'

/** The events that a PDF shows, told by their identity. */
export type Entries = {
  /** how many of the rows it shows */
  count: number
  /** the beginnings of those that are in the rows and not, or not as often, in the PDF */
  missing: string[]
  /** and of those that the PDF shows more often than the rows */
  repeated: string[]
}

/** A title may tell from when to when the events are. */
const maxTimesInTitles = 2

/** Counts the events of these rows that a PDF shows; undecided where nothing tells them apart. */
export function countEntries(
  pages: readonly string[],
  rows: Rows,
  identity: Identity = learnIdentity(pages, rows),
): Entries {
  const wanted = tally(rows.map((row) => searchedOf(row, identity)))
  const text = squeezed(pages)
  const places = identity.times
    ? placesOfTimes(pages, identity.times)
    : placesOf(text, wanted.keys(), identity.length)
  const isDivided = dividedIn(pages)
  const isShownOtherwise = otherwiseShown(pages, text, { rows, identity, places })
  const entries: Entries = { count: 0, missing: [], repeated: [] }
  for (const [value, times] of wanted) {
    let shown = places.get(value)?.length ?? 0
    const isLost = shown === 0 && times === 1
    if (isLost && ((!identity.times && isDivided(value)) || isShownOtherwise(value))) shown = 1
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

<<<<<<< HEAD
const placesOfTimes = (
  pages: readonly string[],
  { order, unit }: NonNullable<Identity['times']>,
): Map<string, number[]> => {
  const found = new Map<string, number[]>()
  for (const [at, instant] of instantsIn(pages, order).entries()) {
    const value = isoOf(cutTo(instant, unit))
    found.set(value, [...(found.get(value) ?? []), at])
=======
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
>>>>>>> main
  }
  return found
}

type Places = Map<string, number[]>

/** Tells of a value that is not found whether its events are shown, with a hyphen or by other values. */
function otherwiseShown(
  pages: readonly string[],
  text: Squeezed,
  { rows, identity, places }: { rows: Rows; identity: Identity; places: Places },
): (value: string) => boolean {
  if (identity.times) return () => false
  const unhyphened = once(() =>
    placesOf(
      squeezed(withoutHyphens(pages)),
      rows.map((row) => searchedOf(row, identity)),
      identity.length,
    ),
  )
  const rowsBy = once(() => rowsByValue(rows, identity))
  const isEntry = once(() => areaOf(text, places))
  const others = identity.others.map((key) => once(() => shownBy(key, rows, text)))
  const isShownBy = (row: readonly string[]) =>
    identity.others.some((key, at) => {
      const { wanted, found } = others[at]?.() ?? { wanted: new Map(), found: new Map() }
      const value = searchedOf(row, key)
      const inEntries = (found.get(value) ?? []).filter(isEntry())
      return inEntries.length >= (wanted.get(value) ?? 1)
    })
  return (value) => unhyphened().has(value) || (rowsBy().get(value) ?? []).every(isShownBy)
}

function rowsByValue(rows: Rows, key: Key): Map<string, Rows[number][]> {
  const found = new Map<string, Rows[number][]>()
  for (const row of rows) {
    const value = searchedOf(row, key)
    const some = found.get(value)
    if (some) some.push(row)
    else found.set(value, [row])
  }
  return found
}

const shownBy = (key: Key, rows: Rows, text: Squeezed) => {
  const wanted = tally(rows.map((row) => searchedOf(row, key)))
  return { wanted, found: placesOf(text, wanted.keys(), key.length) }
}

/** Whether a place lies between the first entry of its page and the last: titles tell of times as well. */
function areaOf({ pages }: Squeezed, places: Places): (place: number) => boolean {
  const sorted = [...places.values()].flat().sort((a, b) => a - b)
  const pageOf = (place: number) => pages.findLastIndex((begin) => begin <= place)
  const areas = new Map<number, [number, number]>()
  for (const place of sorted) {
    const page = pageOf(place)
    areas.set(page, [areas.get(page)?.[0] ?? place, place])
  }
  return (place) => {
    const [first, last] = areas.get(pageOf(place)) ?? [1, 0]
    return place >= first && place <= last
  }
}

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

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
