import { distinct } from '../../../engine/distinct.ts'
import { isoOf } from '../../../engine/files/dates.ts'
import { type Identity, isOfIds } from '../../../engine/files/identity.ts'
import {
  intersection,
  isEqual,
  type Multiset,
  minus,
  multisetOf,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import { pairwise } from '../../../engine/pairs.ts'
import { type Faker, randomFor } from '../../../engine/random.ts'
import { type MetadataKey, metadataKeys } from '../../contract/metadata-keys.ts'
import { arrayParameters, type FileType, fileTypes } from '../../contract/parameters.ts'
import { type Field, isMetadataKey, type Query, type Span } from '../ask/query.ts'
import type { Filters, KnownValue } from '../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { isIn, sorted, type TimeColumn, type Times } from '../learn/time-column.ts'
import { rowsSeen, type Window } from '../learn/window.ts'
import { type Request, zonedColumn } from './file.ts'
import { needSeparateValues, understoodEncodings } from './filters.ts'
import { predicted, readingsOf } from './predict.ts'
import { acceptedLanguages, acceptedZones } from './zones-and-locales.ts'

const together = (...known: readonly KnownValue[]): Request => ({
  values: known.map((each) => [each]),
})

export const describeFields = ({ values }: Request): string =>
  values.map(([known]) => known?.field).join(' with ')

const inCommon = (...all: readonly KnownValue[]): Multiset =>
  all.map(({ events }) => events).reduce((a, b) => intersection(a, b))

const overlap = (pair: readonly KnownValue[]) => sizeOf(inCommon(...pair)) > 0

/** The values of one field with those of others that each exclude events; those that share some come first. */
async function findPairs(filters: Filters, field: Field, others: readonly Field[]) {
  const isApart = (one: KnownValue, other: KnownValue) =>
    sizeOf(minus(one.events, other.events)) > 0 && sizeOf(minus(other.events, one.events)) > 0
  const beside = await knownOf(others, filters)
  return (await filters.known(field))
    .flatMap((one) => beside.flat().map((other) => [one, other] as const))
    .filter(([one, other]) => one.field !== other.field && isApart(one, other))
    .sort((one, other) => Number(overlap(other)) - Number(overlap(one)))
    .map((pair) => together(...pair))
}

export async function needParameterPairs(filters: Filters): Promise<Request[]> {
  const pairs: Request[] = []
  for (const [at, one] of arrayParameters.entries())
    for (const others of [...arrayParameters.slice(at + 1).map((other) => [other]), metadataKeys])
      pairs.push(...(await findPairs(filters, one, others)).slice(0, 1))
  return filters.needSome(pairs, ...arrayParameters)
}

const maxPairs = 6

/** Pairs of keys whose counts show whether both have an effect; covers each possible key. */
export async function needKeyPairs(filters: Filters, window: Window): Promise<Request[]> {
  const all = multisetOf(window.rows, window.columns)
  const tells = ({ values }: Request) => {
    const alone = values.map((each) => each.map(({ events }) => events))
    const readings = readingsOf(alone, all)
    const isBetween = (size: number) =>
      readings.some(({ least, most }) => size >= sizeOf(least) && size <= sizeOf(most))
    return !alone.flat().some((events) => isBetween(sizeOf(events)))
  }
  const pairs: Request[] = []
  const isPaired = (key: MetadataKey) =>
    pairs.some(({ values }) => values.flat().some(({ field }) => field === key))
  for (const key of metadataKeys) {
    if (isPaired(key) || pairs.length >= maxPairs) continue
    pairs.push(...(await findPairs(filters, key, metadataKeys)).filter(tells).slice(0, 1))
  }
  return filters.needSome(pairs, ...metadataKeys)
}

/** with brackets as most clients write them */
export async function needEncodedPairs(filters: Filters, window: Window): Promise<Request[]> {
  const pairs = await needKeyPairs(filters, window)
  return [[0, 1], [0], [1]].map((places, at) => {
    const { values = [] } = pairs[at % pairs.length] ?? {}
    return { values, encoded: places.flatMap((place) => values[place]?.[0]?.field ?? []) }
  })
}

/** two values at a time, because PDFs read slowly */
export async function needPdfRequests(filters: Filters): Promise<Request[]> {
  const requests: Request[] = []
  for (const fields of [['auditee_id', 'event_type'], ['sub_type', 'system_source'], []] as const) {
    const [one, other] = fields
    const [pair] = one ? await findPairs(filters, one, [other]) : []
    const known = await knownOf(one ? fields : metadataKeys, filters)
    const alone = known.flatMap((values) => values.slice(-1).map((each) => together(each)))
    requests.push(...(pair ? [pair] : alone.slice(0, one ? 2 : 1)))
  }
  const pdfs = requests.map((each): Request => ({ ...each, fileType: 'pdf' }))
  return filters.needSome(pdfs, ...arrayParameters, ...metadataKeys)
}

const knownOf = (fields: readonly Field[], filters: Filters): Promise<KnownValue[][]> =>
  Promise.all(fields.map((field) => filters.known(field)))

const maxOdd = 6

/** For each key, the values of an event under the other keys, and one of this key that no such event has. */
export async function findOddRequests(filters: Filters): Promise<Request[]> {
  const known = await knownOf(metadataKeys, filters)
  const [fullest = []] = heldTogether(known).sort((a, b) => b.length - a.length)
  if (fullest.length < 2) return []
  return fullest
    .flatMap((one) => {
      const others = fullest.filter((other) => other !== one)
      const strange = known
        .flat()
        .find((each) => each.field === one.field && !overlap([each, ...others]))
      return strange ? [together(...others, strange)] : []
    })
    .slice(0, maxOdd)
}

function heldTogether(known: readonly KnownValue[][]): KnownValue[][] {
  const choices = new Map<string, KnownValue[]>()
  for (const event of distinct(known.flat().flatMap(({ events }) => [...events.keys()]))) {
    const held = known.flatMap((each) => each.find(({ events }) => events.has(event)) ?? [])
    choices.set(JSON.stringify(held.map(({ field, value }) => [field, value])), held)
  }
  return [...choices.values()]
}

const fewestTogether = 3
const maxChoices = 60

/** Whether a value excludes events that the others include. */
const isNeeded = (one: KnownValue, all: readonly KnownValue[]) =>
  all.length < 2 || !isEqual(inCommon(...all), inCommon(...all.filter((other) => other !== one)))

/** The same values without those to leave out, in turn. */
const without = (
  held: KnownValue[],
  isLeftOut: (one: KnownValue, left: readonly KnownValue[]) => boolean,
) =>
  held.reduce(
    (left, one) => (isLeftOut(one, left) ? left.filter((other) => other !== one) : left),
    held,
  )

/** As many values as some events have together, each needed, if they are of three fields or more. */
function valuesTogether(known: readonly KnownValue[][]): KnownValue[] {
  const neededIn = (all: readonly KnownValue[]) => all.filter((one) => isNeeded(one, all)).length
  const isMore = (one: KnownValue, left: readonly KnownValue[]) =>
    left.length > fewestTogether && !isNeeded(one, left)
  const choices = heldTogether(known)
    .filter((held) => held.length >= fewestTogether)
    .slice(0, maxChoices)
    .map((held) => without(held, isMore))
  return choices.toSorted((a, b) => neededIn(b) - neededIn(a))[0] ?? []
}

function besideParameters(values: readonly KnownValue[], known: readonly KnownValue[][]) {
  const areNeeded = (all: readonly KnownValue[]) => values.every((one) => isNeeded(one, all))
  const choices = heldTogether([...known, ...values.map((each) => [each])])
    .filter((held) => values.every((one) => held.includes(one)))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxChoices)
    .map((held) => without(held, (one, left) => !values.includes(one) && !areNeeded(left)))
  return choices.toSorted((a, b) => b.length - a.length)[0] ?? values
}

/** Every parameter, with several values if their encoding is known, and every key; and many fields together. */
async function filterSets(filters: Filters, window: Window): Promise<Request[]> {
  const { declared, encoding, settled } = filters.form
  const several = async (parameter: Field, most: number): Promise<KnownValue[]> => {
    const values = (await needSeparateValues(filters, parameter).catch(unlessUndecided)) ?? []
    if (values.length < 2) return (await filters.known(parameter)).slice(0, 1)
    const isUnderstood =
      declared || (await understoodEncodings(parameter, filters, window)).includes(encoding)
    return values.slice(0, isUnderstood ? most : 1)
  }
  const sets: Request[] = []
  const add = (...values: KnownValue[][]) => {
    const given = values.filter((each) => each.length > 0)
    if (given.length > 0) sets.push({ values: given })
  }
  const types = settled ? await several('event_type', 3) : []
  const ofParameters = settled ? await knownOf(arrayParameters, filters) : []
  if (settled) {
    add(types, unpaired(types, await several('sub_type', 3)))
    const users = await several('auditee_id', 2)
    add(users, unpaired(users, await several('system_source', 2)))
    // All of them, and every choice without one of the parameters.
    for (const choice of [
      ofParameters,
      ...ofParameters.map((one) => ofParameters.filter((each) => each !== one)),
    ])
      add(...valuesTogether(choice).map((each) => [each]))
  }
  const ofKeys = await knownOf(metadataKeys, filters)
  add(...valuesTogether(ofKeys).map((each) => [each]))
  const pairs = dividedPairs(ofKeys.flatMap(([known]) => known ?? []))
  // One of them with several values of a parameter: preferably a key.
  const beside =
    types.length > 1
      ? pairs
          .toSorted((a, b) => a.length - b.length)
          .find((pair) => types.some((type) => overlap([...pair, type])))
      : undefined
  for (const pair of pairs)
    if (pair === beside) add(...pair.map((each) => [each]), types)
    else add(...besideParameters(pair, ofParameters).map((each) => [each]))
  return filters.needSome(sets, ...arrayParameters, ...metadataKeys)
}

/** A value without a partner stands alone. */
function dividedPairs(values: readonly KnownValue[]): KnownValue[][] {
  const [one, ...others] = values
  if (!one) return []
  const other = others.find((each) => {
    const both = sizeOf(inCommon(one, each))
    return both > 0 && both < sizeOf(one.events) && both < sizeOf(each.events)
  })
  const left = others.filter((each) => each !== other)
  return [other ? [one, other] : [one], ...dividedPairs(left)]
}

/** Ordered so that values at the same position share the fewest events: lists are not pairs. */
function unpaired(one: readonly KnownValue[], other: KnownValue[]): KnownValue[] {
  const inPairs = (values: KnownValue[]) =>
    values.reduce((sum, value, at) => {
      const beside = one[at]
      return sum + (beside ? sizeOf(inCommon(value, beside)) : 0)
    }, 0)
  const turned = other.map((_, at) => [...other.slice(at), ...other.slice(0, at)])
  return turned.sort((a, b) => inPairs(a) - inPairs(b))[0] ?? []
}

export async function fullest(filters: Filters): Promise<KnownValue[]> {
  const fields = [...(filters.form.settled ? arrayParameters : []), ...metadataKeys]
  const all = heldTogether(await knownOf(fields, filters))
  return all.sort((a, b) => b.length - a.length)[0] ?? []
}

const zones = ['America/St_Johns', 'Asia/Kolkata', 'Asia/Tokyo'] as const

async function zonedColumnOf(ranges: Ranges, timezone: string) {
  const [window, few] = [await ranges.window(), await ranges.few()]
  const times = await ranges.times().catch(unlessUndecided)
  const rowsIn = async (query: Query) =>
    rowsSeen(window, await ranges.exports.csvFile({ ...few, ...query }))
  return times && zonedColumn(times, await rowsIn({}), await rowsIn({ timezone }))
}

export const combinedRequests = (
  ranges: Ranges,
  filters: Filters,
  seed: number,
): Promise<{ requests: Request[]; timeColumn: TimeColumn | undefined }> =>
  filters.exports.once('combined requests', async () => {
    const { exports } = ranges
    const [window, few] = [await ranges.window(), await ranges.few()]
    const sets = await filterSets(filters, window)
    const [zone] = await acceptedZones(exports, few, zones)
    const [language] = await acceptedLanguages(exports, few, 1)
    const times = await ranges.times().catch(unlessUndecided)
    const timeColumn = zone ? await zonedColumnOf(ranges, zone) : undefined
    const [cut = window.start] = await ranges.cuts()
    const edgesOf = ({ values }: Request) => {
      const edges = times ? edgesAmong(times, window, values) : []
      if (!times || edges.length === 0) return { start: cut, end: window.end }
      return edges.find((part) => areNeededIn(part, values.flat(), times, window))
    }
    const rows = pairwise(
      {
        fileType: fileTypes,
        set: sets.map((_, at) => `${at}`),
        timezone: ['', ...(zone ? [zone] : [])],
        locale: ['', ...(language ? [language] : [])],
        bounds: ['', 'edges'],
      },
      randomFor(seed, 'combinations') as Faker,
    )
    // A wrong bound shows where events are dense: with the filters that keep most of them, with keys and without.
    const byBreadth = sets.toSorted((a, b) => breadthOf(b) - breadthOf(a))
    const dense = [byBreadth.find(hasKey), byBreadth.find((each) => !hasKey(each))]
    const broadest = dense.flatMap((each) => (each ? `${sets.indexOf(each)}` : []))
    for (const fileType of zone ? fileTypes : [])
      for (const set of broadest)
        rows.push({ fileType, set, timezone: zone ?? '', locale: '', bounds: 'edges' })
    const requests = rows.map(({ fileType, set, timezone, locale, bounds }): Request => {
      const { values } = sets[Number(set)] as Request
      const part = bounds ? edgesOf({ values }) : undefined
      return { values, fileType: fileType as FileType, timezone, locale, bounds: part }
    })
    const most = await fullest(filters)
    for (const fileType of most.length > fewestTogether ? fileTypes : [])
      requests.push({ ...together(...most), fileType, timezone: zone, locale: language })
    return { requests, timeColumn }
  })

const hasKey = ({ values }: Request) => values.flat().some(({ field }) => isMetadataKey(field))

const breadthOf = ({ values }: Request) =>
  Math.min(...values.map((each) => each.reduce((sum, { events }) => sum + sizeOf(events), 0)))

/** Parts of the range that begin and end where the values match events. */
function edgesAmong(
  { shown: rows, columns: [column] }: Times,
  { columns, end }: Window,
  values: Request['values'],
): Span[] {
  const alone = values.map((each) => each.map(({ events }) => events))
  const { most } = predicted(alone, multisetOf(rows, columns))
  const isOf = (row: string[] = []) => sizeOf(intersection(multisetOf([row], columns), most)) > 0
  const times = sorted(distinct(column.times.filter((_, at) => isOf(rows[at]))))
  return [times.slice(1, -1), times, times.slice(0, 1)].flatMap(([first, ...others]): Span[] => {
    const last = others.at(-1)
    return first === undefined ? [] : [{ start: isoOf(first), end: last ? isoOf(last) : end }]
  })
}

/** Whether each value excludes events of a part of the range that the others include. True if a field has several values. */
function areNeededIn(part: Span, values: readonly KnownValue[], times: Times, { columns }: Window) {
  if (distinct(values.map(({ field }) => field)).length < values.length) return true
  const [column] = times.columns
  const inPart = times.shown.filter((_, at) => isIn(part, column.times[at]))
  const inside = multisetOf(inPart, columns)
  const left = values.map((one) => ({ ...one, events: intersection(one.events, inside) }))
  return left.every((one) => isNeeded(one, left))
}

/** PDF requests that can be judged: without ids, zones and languages change what tells events apart. */
export function thatCanBeJudged(
  requests: Request[],
  identity: Identity | undefined,
  { rows }: Window,
): Request[] {
  if (!identity || isOfIds(rows, identity)) return requests
  const plain = requests.map(({ timezone, locale, ...each }): Request => each)
  const textOf = ({ values, bounds }: Request) => JSON.stringify([values, bounds])
  return [...new Map(plain.map((each) => [textOf(each), each])).values()]
}
