import { counted } from '../counted.ts'
import { inContext } from './context.ts'
import type { Again, Context, FileSign, Kind, Words } from './kind.ts'

/** A file has too few events, too many, or others than it has to have. `to` says how it is known. */
export type RowsFinding = Context & {
  kind: 'rows'
  wrong: keyof typeof wordsBy
  /** the file that is wrong, or those that are counted together */
  place: Place | readonly Place[]
  /** the file that it is compared with */
  beside?: Place | undefined
  /** how many events it has to have */
  wanted: Count
  /** the same by other readings of the contract */
  readings?: readonly Count[] | undefined
  /** how many it has; of several files together */
  got: number
  /** what is counted, if not events */
  unit?: 'record'
  /** how many are missing, or how many of those that it has are wrong */
  count?: number
  /** the numbers of several files, or of several responses */
  parts?: readonly number[]
  /** the first of those that are wrong, by their times or by what identifies them */
  first?: readonly string[]
  /** at its value events are lost or repeated */
  bound?: Bound
  /** it shows only after or beside other requests */
  isUnsteady?: true
  /** a script compares the ids of two responses, because each response may lack others */
  isEachId?: true
  /** what a script can look for, at most five of each */
  texts?: Texts
  /** how many records more it has to have than the file that it is compared with */
  records?: Count
}

/** A file, by its form and by what was asked for. */
export type Place = {
  in: 'csv' | 'pdf' | 'trail'
  /** filters by the names of their parameters; the values of one were asked for together */
  filters?: Readonly<Record<string, readonly string[]>>
  /** other parameters, such as timezone */
  others?: Readonly<Record<string, string>>
  /** if it differs from the range of most files */
  range?: { start?: string | undefined; end?: string | undefined }
}

/** At least so many, and at most so many. */
export type Count = { least?: number; most?: number }

export type Bound = {
  /** of both, if both have the same value */
  names: readonly string[]
  /** the first value at which it shows */
  at: string
  /** where the value is, by the time of the event */
  is?: 'at' | 'just after'
}

/** Ids or times of events, by how they have to be in the judged file. */
export type Texts = Readonly<Partial<Record<keyof typeof signByPlace, readonly string[]>>>

export const exactly = (count: number): Count => ({ least: count, most: count })

export type RowsFacts = Omit<RowsFinding, 'kind'>

export const isWithin = (count: number, { least = 0, most = count }: Count): boolean =>
  least <= count && count <= most

export const rowsFinding = (facts: RowsFacts): RowsFinding => ({
  kind: 'rows',
  ...facts,
})

/** What may be wrong, each in words. */
const wordsBy = {
  number: wordsOfNumber,
  sum: wordsOfSum,
  missing: wordsOfMissing,
  /** it has the events, but fewer times */
  fewer: wordsOfFewer,
  strange: wordsOfStrange,
  /** it has events that a file without the filter lacks */
  unfiltered: wordsOfUnfiltered,
  repeated: wordsOfRepeated,
  outside: wordsOfOutside,
  /** other events in place of some */
  others: wordsOfOthers,
  /** a file that has to be empty is as large as one with events */
  filled: wordsOfFilled,
  unsteady: wordsOfUnsteady,
} satisfies Record<string, (finding: RowsFinding) => Words>

export const rows: Kind<RowsFinding> = {
  wordsOf(finding) {
    const { sentence, expected, got } = wordsBy[finding.wrong](finding)
    return { sentence: inContext(sentence, finding), expected, got }
  },
  againOf,
}

function againOf({ texts = {}, records, isEachId }: RowsFinding): Again | undefined {
  if (isEachId) return { file: ['ids of control'], isOfMoment: true }
  const places = Object.keys(signByPlace) as (keyof typeof signByPlace)[]
  const ofTexts = places.flatMap((place) =>
    (texts[place] ?? []).map((text): FileSign => ({ kind: signByPlace[place], text })),
  )
  const file: FileSign[] = records ? [...ofTexts, { kind: 'records', ...records }] : ofTexts
  return file.length > 0 ? { file } : undefined
}

const signByPlace = {
  present: 'has event',
  absent: 'lacks',
  once: 'has once',
  changed: 'same line',
  inBoth: 'in both',
  inOne: 'in one',
  inParts: 'in parts',
  inWhole: 'in whole',
} as const

function wordsOfNumber(finding: RowsFinding): Words {
  const { got, unit } = finding
  return {
    sentence: `${describePlaces(finding)} ${verbOf(finding)} ${inUnits(got, unit)}, not ${describeWanted(finding)}`,
    expected: describeWanted(finding, unit ?? 'event'),
    got: inUnits(got, unit),
  }
}

function wordsOfSum(finding: RowsFinding): Words {
  const { got, parts = [] } = finding
  return {
    sentence: `${describePlaces(finding)} have ${parts.join(' and ')} events, together ${got}, not ${describeWanted(finding)}`,
    expected: `${describeWanted(finding, 'event')}, in both together`,
    got: `${inUnits(got)} in both together`,
  }
}

function wordsOfMissing(finding: RowsFinding): Words {
  const { count = 0, bound, place, beside } = finding
  const lacks = `${describePlaces(finding)} ${Array.isArray(place) ? 'lack' : 'lacks'}`
  if (bound) {
    const times = `events at ${counted(count, 'time')}`
    return {
      sentence: `${lacks} ${times} when ${describeBound(bound)} their time${suchAs(finding)}`,
      expected: `${times}, each in the range of its time`,
      got: 'no event',
    }
  }
  const of = beside ? ` of ${describeFile(beside)}` : ''
  return {
    sentence: `${lacks} ${count} of ${inUnits(wantedOf(finding))}${of}${suchAs(finding)}`,
    ...partOf(finding),
  }
}

function wordsOfFewer(finding: RowsFinding): Words {
  const { count = 0 } = finding
  return {
    sentence: `${describePlaces(finding)} has ${count} of ${inUnits(wantedOf(finding))} fewer times than expected`,
    ...partOf(finding),
  }
}

function partOf(finding: RowsFinding): Pick<Words, 'expected' | 'got'> {
  const { count = 0 } = finding
  const wanted = wantedOf(finding)
  const all = inUnits(wanted)
  return { expected: `${wanted} of ${all}`, got: `${wanted - count} of ${all}` }
}

function wordsOfStrange(finding: RowsFinding): Words {
  const { count = 0, got, beside } = finding
  const right = got - count
  const verb = count === 1 ? 'does' : 'do'
  const alone =
    right > 0 ? `beside the ${right} that belong there` : `that ${verb} not belong there`
  const which = beside ? `that ${describeFile(beside)} lacks` : alone
  return {
    sentence: `${describePlaces(finding)} ${verbOf(finding)} ${inUnits(count)} ${which}`,
    expected: '0 events too many',
    got: `${inUnits(count)} too many`,
  }
}

function wordsOfUnfiltered(finding: RowsFinding): Words {
  const { count = 0, got } = finding
  const which = 'that the export of the same range without the filter lacks or has less often'
  return {
    sentence: `${describePlaces(finding)} has ${inUnits(count)}, of ${got}, ${which}`,
    expected: '0 events more than without the filter',
    got: `${inUnits(count)} more than without the filter`,
  }
}

function wordsOfRepeated(finding: RowsFinding): Words {
  const { count = 0, bound } = finding
  if (bound)
    return {
      sentence: `events at ${counted(count, 'time')} are each in two separate ranges${suchAs(finding)}, one with ${bound.names.join(' and ')}=${bound.at}`,
      expected: 'no event in both ranges',
      got: 'each event in both',
    }
  const all = inUnits(mostOf(finding))
  const repeated = count === mostOf(finding) ? all : `${count} of ${all}`
  return {
    sentence: `${describePlaces(finding)} shows ${repeated} more than once`,
    expected: 'each event once',
    got: `${inUnits(count)} more than once`,
  }
}

function wordsOfOutside(finding: RowsFinding): Words {
  const { count = 0, got, place } = finding
  const { range } = [place].flat()[0] as Place
  const outside = `${inUnits(count)} with a time outside the range`
  return {
    sentence: `${describePlaces(finding)} has ${outside}, of ${got}`,
    expected: `times${describeRange(range)}`,
    got: outside,
  }
}

function wordsOfOthers(finding: RowsFinding): Words {
  const { count, got, beside } = finding
  const wanted = mostOf(finding)
  const has = `${describePlaces(finding)} has`
  if (count === undefined)
    return {
      sentence: `${has} ${inUnits(got)}, but with other ids than expected`,
      expected: inUnits(wanted),
      got: 'events with other ids',
    }
  const others = `${got - count} of ${inUnits(wanted)} and ${counted(count, 'other event')}`
  const source = beside ? `, as ${describeFile(beside)} does` : ''
  return { sentence: `${has} ${others}${source}`, expected: inUnits(wanted), got: others }
}

function wordsOfFilled(finding: RowsFinding): Words {
  const { count = 0, beside } = finding
  return {
    sentence: `${describePlaces(finding)} contains as much as ${describeFile(beside as Place)} with ${inUnits(count)}`,
    expected: 'a file without events',
    got: `as much as ${inUnits(count)} take`,
  }
}

function wordsOfUnsteady(finding: RowsFinding): Words {
  const { count = 0, got, parts = [] } = finding
  return {
    sentence: `${count} of ${got} different events of ${describePlaces(finding)} appeared and disappeared in ${parts.length} responses to the same request`,
    expected: 'the same events in each response',
    got: parts.map((part) => inUnits(part)).join(', '),
  }
}

const describeBound = ({ names, is = 'at' }: Bound): string =>
  `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} ${is}`

const inUnits = (count: number, unit = 'event'): string => counted(count, unit)

const wantedOf = ({ wanted: { most = 0, least = most } }: RowsFinding): number => least

const mostOf = ({ wanted: { least = 0, most = least } }: RowsFinding): number => most

const verbOf = ({ place }: RowsFinding): string => (Array.isArray(place) ? 'have' : 'has')

const suchAs = ({ first = [] }: RowsFinding): string =>
  first.length > 0 ? `, such as ${first.join(', ')}` : ''

/** "10", "2 to 10", "2 or more"; with a unit: "10 events" */
function describeWanted({ wanted, readings = [] }: RowsFinding, unit?: string): string {
  const all = [wanted, ...readings].map((count) => describeCount(count, unit))
  return [...new Set(all)].join(', or ')
}

function describeCount({ least = 0, most }: Count, unit?: string): string {
  const named = (count: number) => (unit === undefined ? `${count}` : counted(count, unit))
  if (most === undefined) return `${named(least)} or more`
  if (least === most) return named(most)
  return least === 0 ? `${named(most)} at most` : `${least} to ${named(most)}`
}

const describePlaces = ({ place }: RowsFinding): string =>
  [place].flat().map(describeFile).join(' and ')

const describeFile = (place: Place): string => `the ${describePlace(place)}`

const forms = { csv: 'CSV', pdf: 'PDF', trail: 'audit trail' }

/** "CSV for event_type=a or b with timezone=UTC from … to …" */
export function describePlace({ in: form, filters = {}, others = {}, range }: Place): string {
  const chosen = Object.entries(filters).map(([name, values]) => describeFilter(name, values))
  const named = Object.entries(others).map(([name, value]) => `${name}=${value}`)
  const ofFilters = chosen.length > 0 ? ` for ${chosen.join(' and ')}` : ''
  const beside = named.length > 0 ? ` with ${named.join(' and ')}` : ''
  return `${forms[form]}${ofFilters}${beside}${describeRange(range)}`
}

function describeFilter(name: string, values: readonly string[]): string {
  const described = `${decodeURIComponent(name)}=${values.join(' or ')}`
  return name.includes('%') ? `${described} (brackets encoded)` : described
}

function describeRange(range: Place['range']): string {
  if (!range) return ''
  const { start, end } = range
  if (start !== undefined && end !== undefined) return ` from ${start} to ${end}`
  if (start !== undefined) return ` from ${start} on`
  return end === undefined ? ' without a range' : ` up to ${end}`
}
