import {
  type DateReading,
  hour,
  instantAt,
  instantOf,
  readingsOf,
  unitOf,
} from '../../engine/files/dates.ts'
import { countsOf, isEqual, type Row, type Rows } from '../../engine/files/multiset.ts'
import type {
  Explained,
  Reason,
  RowsExplanation,
  TextClass,
} from '../../engine/findings/explanation.ts'
import type { RowsFinding } from '../../engine/findings/file-rows.ts'
import type { TextFinding } from './text.ts'

// The cause that the evidence shows: a list of explanations, tried in order. Each is true of all rows that are wrong, and
// of no other, or it is not said.

/** The rows that a finding is about, and those that are right. */
export type RowsEvidence = {
  rows: RowsExplanation['rows']
  wrong: Rows
  right: Rows
  /** what was asked for */
  range?: { start?: string | undefined; end?: string | undefined }
  /** those of the file of the same range without the filter */
  withoutFilter?: Rows | undefined
  /** all rows of a whole file, as it orders them */
  inOrder?: Rows | undefined
  /** the columns by which events are classified */
  kinds?: readonly KindColumn[]
}

export type KindColumn = { name: string; column: number; isPersonal: boolean }

type Explain = (evidence: RowsEvidence) => Reason | undefined

const explanations: readonly Explain[] = [
  reasonWithoutFilter,
  reasonOfDates,
  reasonOfPlace,
  reasonOfTexts,
  reasonOfKind,
]

/** With the first explanation that fits; several, if one finding is about several files. */
export function withExplanation(
  finding: RowsFinding,
  ...all: readonly RowsEvidence[]
): RowsFinding & Explained {
  for (const evidence of all) {
    const { rows, wrong } = evidence
    // The finding may count others as well.
    const { count = wrong.length } = finding
    const reason = wrong.length > 0 && count === wrong.length ? reasonIn(evidence) : undefined
    if (!reason) continue
    return { ...finding, why: { rows, count: wrong.length, ...reason } }
  }
  return finding
}

function reasonIn(evidence: RowsEvidence): Reason | undefined {
  for (const explain of explanations) {
    const reason = explain(evidence)
    if (reason) return reason
  }
  return undefined
}

/** Fewer may have something in common by chance. */
const fewest = 2

const areEnough = ({ wrong, right }: Pick<RowsEvidence, 'wrong' | 'right'>): boolean =>
  wrong.length >= fewest && right.length >= fewest

const setOf = (rows: Rows) => countsOf(rows.map((row) => JSON.stringify(row)))

function reasonWithoutFilter({
  rows,
  wrong,
  right,
  withoutFilter,
}: RowsEvidence): Reason | undefined {
  if (rows === 'missing' || !withoutFilter || withoutFilter.length < fewest) return undefined
  const isSame = isEqual(setOf([...wrong, ...right]), setOf(withoutFilter))
  return isSame ? { is: 'as without the filter' } : undefined
}

/** No clock is further from UTC. */
const furthestZone = 14n * hour

function reasonOfDates({ rows, wrong, right, range = {} }: RowsEvidence): Reason | undefined {
  if (rows === 'missing') return undefined
  const bounds = [
    { beyond: 'before', bound: 'range_start', at: range.start },
    { beyond: 'after', bound: 'range_end', at: range.end },
  ] as const
  const columns = (wrong[0] ?? []).map((_, column) => column)
  const dated = columns
    .flatMap((column) => datesIn(column, { wrong, right }))
    .filter((dates) => isInside(dates, range))
  for (const { at, beyond, bound } of bounds) {
    const side = at === undefined ? undefined : { beyond, at }
    if (side && areBeyond(dated, side)) return { is: 'dated', bound, ...side }
  }
  return undefined
}

type Dates = { wrong: bigint[]; right: bigint[]; slack: bigint }

/** The times that a column shows; none if it can be read in two ways. */
function datesIn(column: number, { wrong, right }: Pick<RowsEvidence, 'wrong' | 'right'>): Dates[] {
  const readings = readingsOf([...wrong, ...right].map((row) => row[column] ?? ''))
  const [reading] = readings
  if (!reading || readings.length > 1) return []
  const times = reading.dates.map(instantOf)
  return [
    {
      wrong: times.slice(0, wrong.length),
      right: times.slice(wrong.length),
      slack: unitOf(times) + (isInUtc(reading) ? 0n : furthestZone),
    },
  ]
}

const isInUtc = ({ dates }: DateReading): boolean =>
  dates.every(({ offset }) => offset !== undefined)

type Range = NonNullable<RowsEvidence['range']>

/** The column may show the times of the events: those that are right are in the range. */
function isInside({ right, slack }: Dates, { start, end }: Range): boolean {
  const isIn = (time: bigint) =>
    (start === undefined || time >= instantAt(start) - slack) &&
    (end === undefined || time <= instantAt(end) + slack)
  return right.length > 0 && right.every(isIn)
}

type Side = { beyond: 'before' | 'after'; at: string }

/** One column shows it for sure, and no other denies it: one may show the day alone. */
function areBeyond(dated: readonly Dates[], { beyond, at }: Side): boolean {
  const bound = instantAt(at)
  const distanceOf = (time: bigint) => (beyond === 'after' ? time - bound : bound - time)
  const isSure = ({ wrong, slack }: Dates) => wrong.every((time) => distanceOf(time) >= slack)
  const isDenied = ({ wrong, slack }: Dates) => wrong.some((time) => distanceOf(time) < -slack)
  return dated.some(isSure) && !dated.some(isDenied)
}

const thousand = 1000

function reasonOfPlace({ wrong, inOrder = [] }: RowsEvidence): Reason | undefined {
  if (wrong.length < fewest || inOrder.length <= thousand) return undefined
  const places = new Map(inOrder.map((row, at) => [JSON.stringify(row), at]))
  // Of rows that look alike it is unknown which ones are meant.
  if (places.size < inOrder.length) return undefined
  const numbers = wrong.map((row) => places.get(JSON.stringify(row)) ?? -1)
  const parts = new Set(numbers.map((at) => Math.floor(at / thousand)))
  const [part = -1] = parts
  return parts.size === 1 && part >= 0
    ? { is: 'in one thousand', thousand: part + 1, all: inOrder.length }
    : undefined
}

const textClasses: Record<Exclude<TextClass['class'], 'long'>, RegExp> = {
  emoji: /\p{Extended_Pictographic}/u,
  'beyond Latin-1': /[^\0-\u00ff]/u,
  'line break': /[\r\n]/,
  quote: /"/,
  markup: /<\/?[a-z][^<>]*>/i,
}

/** Shorter texts are long by chance. */
const leastLength = 100

/** What all texts of one list have, and none of the other. */
function classOf(wrong: readonly string[], right: readonly string[]): TextClass | undefined {
  for (const [name, form] of Object.entries(textClasses)) {
    const isIn = (text: string) => form.test(text)
    if (wrong.every(isIn) && !right.some(isIn)) return { class: name as keyof typeof textClasses }
  }
  const lengthOf = (text: string) => [...text].length
  const longerThan = Math.max(...right.map(lengthOf))
  const isLong = longerThan >= leastLength && wrong.every((text) => lengthOf(text) > longerThan)
  return isLong ? { class: 'long', longerThan } : undefined
}

function reasonOfTexts({ wrong, right }: RowsEvidence): Reason | undefined {
  // A cell has no tab, but for those that a text brings along; they belong to no class.
  const textOf = (row: Row) => row.join('\t')
  const text = areEnough({ wrong, right })
    ? classOf(wrong.map(textOf), right.map(textOf))
    : undefined
  return text && text.class !== 'long' ? { is: 'with a text', ...text } : undefined
}

function reasonOfKind({ wrong, right, kinds = [] }: RowsEvidence): Reason | undefined {
  if (!areEnough({ wrong, right })) return undefined
  for (const { name, column, isPersonal } of kinds) {
    const value = wrong[0]?.[column]
    const hasValue = (row: Row) => row[column] === value
    if (!value || !wrong.every(hasValue) || right.some(hasValue)) continue
    return { is: 'of one value', of: name, ...(isPersonal ? {} : { value }) }
  }
  return undefined
}

export type TextsEvidence = { wrong: readonly string[]; right: readonly string[] }

/** Of texts that were sent: those that are lost or changed, and those that are shown as they were sent. */
export function withExplanationOfTexts(
  finding: TextFinding,
  { wrong, right }: TextsEvidence,
): TextFinding & Explained {
  const areTwo = wrong.length >= fewest && right.length >= fewest
  const text = areTwo ? classOf(wrong, right) : undefined
  return text ? { ...finding, why: { is: 'texts', count: wrong.length, ...text } } : finding
}
