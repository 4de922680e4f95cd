import { grouped } from '../grouped.ts'
import { once } from '../once.ts'
import { isoOf } from './dates.ts'
import { dividedIn, placesOf, type Squeezed, squeezed, withoutHyphens } from './entry-text.ts'
import { type Identity, isOfIds, type Key, learnIdentity, ofTimes, searchedOf } from './identity.ts'
import { countsOf, type Rows } from './multiset.ts'
import { cutTo, instantsIn } from './shown-instants.ts'

type Entries = {
  count: number
  missing: string[]
  repeated: string[]
}

/** A title may show the start and end of the range. */
const maxTimesInTitles = 2

/** undecided if nothing distinguishes them */
export function countEntries(
  pages: readonly string[],
  rows: Rows,
  identity: Identity = learnIdentity(pages, rows),
): Entries {
  const wanted = countsOf(rows.map((row) => searchedOf(row, identity)))
  const text = squeezed(pages)
  const places = placesIn(pages, text, wanted, identity)
  const isDivided = dividedIn(pages)
  const isShownOtherwise = otherwiseShown(pages, text, { rows, identity, places })
  const entries: Entries = { count: 0, missing: [], repeated: [] }
  for (const [value, times] of wanted) {
    let shown = places.get(value)?.length ?? 0
    if (shown < times && isDivided(value)) shown += 1
    if (shown === 0 && times === 1 && isShownOtherwise(value)) shown = 1
    entries.count += Math.min(shown, times)
    if (shown < times) entries.missing.push(value)
    if (shown > times) entries.repeated.push(value)
  }
  const areTimes = () =>
    [...wanted.keys()].every((value) => /\d:\d\d|^\d{1,4}[-/.]\d\d?[-/.]\d\d/.test(value))
  if (entries.repeated.length <= maxTimesInTitles && areTimes()) entries.repeated = []
  return entries
}

export function writtenIn(pages: readonly string[], rows: Rows, identity: Identity) {
  const wanted = countsOf(rows.map((row) => searchedOf(row, identity)))
  const places = placesIn(pages, squeezed(pages), wanted, identity)
  const counts = [...wanted].map(([value, times]) =>
    Math.min(places.get(value)?.length ?? 0, times),
  )
  const count = counts.reduce((sum, each) => sum + each, 0)
  return { count, values: [...wanted.keys()].filter((_, at) => (counts[at] ?? 0) > 0) }
}

const placesIn = (
  pages: readonly string[],
  text: Squeezed,
  wanted: Map<string, number>,
  { times, length }: Identity,
) => (times ? placesOfTimes(pages, times) : placesOf(text, wanted.keys(), length))

const placesOfTimes = (pages: readonly string[], form: NonNullable<Identity['times']>) => {
  const shown = instantsIn(pages, form.order).map((instant) => isoOf(cutTo(instant, form.unit)))
  return grouped(shown.keys(), (at) => shown[at] as string)
}

type Places = Map<string, number[]>

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
  const rowsBy = once(() => grouped(rows, (row) => searchedOf(row, identity)))
  const isEntry = once(() => areaOf(text, places))
  const others = identity.others.map((key) => once(() => shownBy(key, rows, text)))
  // One unknown id may replace a missing id; more of them belong to the layout.
  const hasStrangers = once(() => {
    if (!isOfIds(rows, identity)) return false
    const missing = [...rowsBy().keys()].filter((value) => !places.has(value)).length
    const strangers = strangeIds(text.text, rows).filter(isEntry())
    return strangers.length > 0 && strangers.length <= missing
  })
  const isShownBy = (row: readonly string[]) =>
    identity.others.some((key, at) => {
      const { wanted, found } = others[at]?.() ?? { wanted: new Map(), found: new Map() }
      const value = searchedOf(row, key)
      const inEntries = (found.get(value) ?? []).filter(isEntry())
      return inEntries.length >= (wanted.get(value) ?? 1)
    })
  const isShownByTime = once(() => timesShown(pages, rows))
  return (value) =>
    unhyphened().has(value) ||
    (!hasStrangers() &&
      (rowsBy().get(value) ?? []).every((row) => isShownBy(row) || isShownByTime()(row)))
}

/** A PDF may write times differently from the CSV. */
function timesShown(pages: readonly string[], rows: Rows): (row: Rows[number]) => boolean {
  const identity = ofTimes(pages, rows)
  if (!identity) return () => false
  const found = placesOfTimes(pages, identity.times)
  const wanted = countsOf(rows.map((row) => searchedOf(row, identity)))
  // Few events share a time, and a title may show the first and the last.
  const sorted = [...wanted.keys()].sort()
  const isInTitles = (value: string) => value === sorted[0] || value === sorted.at(-1)
  return (row) => {
    const value = searchedOf(row, identity)
    return (
      wanted.size >= rows.length * 0.9 &&
      !isInTitles(value) &&
      (found.get(value)?.length ?? 0) >= (wanted.get(value) ?? 1)
    )
  }
}

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

function strangeIds(text: string, rows: Rows): number[] {
  const known = new Set(rows.flat().flatMap((cell) => cell.match(ids) ?? []))
  return [...text.matchAll(ids)].filter(([id]) => !known.has(id)).map(({ index }) => index)
}

const shownBy = (key: Key, rows: Rows, text: Squeezed) => {
  const wanted = countsOf(rows.map((row) => searchedOf(row, key)))
  return { wanted, found: placesOf(text, wanted.keys(), key.length) }
}

/** Whether a place lies between the first and last entry of its page: titles show times as well. */
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
