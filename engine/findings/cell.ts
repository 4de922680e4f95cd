import { counted } from '../counted.ts'
import { shown } from '../shown.ts'
import { inContext } from './context.ts'
import { describePlace, type Place } from './file-rows.ts'
import type { Again, Context, FileSign, Kind, Words } from './kind.ts'

/** A cell of a row, or a value on a page, is not what it has to be. */
export type CellFinding = Context & {
  kind: 'cell'
  place: Place
  /** its header; without one its number, from 1 */
  column?: string | number
  /** what a script looks for: an id or a time that the file has to have */
  lookedFor?: string
  /** what the file may not have: a mark, or a time that no event has */
  wrongText?: string
  /** the id of an event whose line has to show the value that is wanted */
  event?: string
  /** it differs between responses to one request */
  isUnsteady?: true
} & Wrong

type Wrong =
  /** `like`: what has the value that is wanted; `count`: in how many rows of how many */
  | { wrong: 'value'; wanted: string; got: string; like?: string; count?: Count }
  /** a mark of a failure stands in place of a value */
  | { wrong: 'mark'; mark: string; got: string; at: { row: number } | { page: number } }
  /** of the values or times that the CSV has, such as `wanted` */
  | { wrong: 'missing'; values: 'values' | 'times'; wanted: string; count: Count }
  /** events have no value of this name */
  | { wrong: 'empty'; wanted: string }
  /** these events have their times, but the column, in responses, has others by so many minutes */
  | { wrong: 'clock'; minutes: number; events: number }
  /** a time without the offset of its zone */
  | { wrong: 'offset'; zone: string; got: string }
  /** the times of day of another zone */
  | { wrong: 'zone'; zone: string; got: string }
  /** times that no calendar has */
  | { wrong: 'unreal'; got: readonly string[] }
  /** times in both halves of a day, with nothing that tells them apart */
  | { wrong: 'halves'; morning: Clock; afternoon: Clock }

type Count = { of: number; all: number }
/** the time of day in UTC, and the text that shows it */
type Clock = { at: string; got: string }

type Facts = Context &
  Pick<CellFinding, 'place' | 'column' | 'lookedFor' | 'wrongText' | 'event' | 'isUnsteady'>

export const cellFinding = (facts: Facts, wrong: Wrong): CellFinding => ({
  kind: 'cell',
  ...facts,
  ...wrong,
})

type Of<Name extends CellFinding['wrong']> = Extract<CellFinding, { wrong: Name }>

/** What may be wrong, each in words. */
const wordsBy: { readonly [Name in CellFinding['wrong']]: (finding: Of<Name>) => Words } = {
  value: wordsOfValue,
  mark: wordsOfMark,
  missing: wordsOfMissing,
  empty: wordsOfEmpty,
  clock: wordsOfClock,
  offset: wordsOfOffset,
  zone: wordsOfZone,
  unreal: wordsOfUnreal,
  halves: wordsOfHalves,
}

export const cell: Kind<CellFinding> = {
  wordsOf(finding) {
    const wordsWithin = wordsBy[finding.wrong] as (finding: CellFinding) => Words
    const { sentence, expected, got } = wordsWithin(finding)
    return { sentence: inContext(sentence, finding), expected, got }
  },
  againOf,
}

function againOf(finding: CellFinding): Again | undefined {
  const { place } = finding
  if (finding.wrong === 'zone' && place.in === 'csv') return { file: ['other lines'] }
  const file = signsOf(finding)
  if (file.length === 0) return undefined
  return { file, ...(finding.isUnsteady ? { isOfMoment: true } : {}) }
}

function signsOf(finding: CellFinding): FileSign[] {
  const { place, lookedFor, wrongText, event } = finding
  // A script reads the text of a PDF as one word.
  const textIn = (text: string) => (place.in === 'pdf' ? text.replaceAll(/\s/g, '') : text)
  const signs: FileSign[] = []
  if (event !== undefined) signs.push({ kind: 'needs', text: event })
  if (event !== undefined && finding.wrong === 'value' && wrongText === undefined)
    signs.push({ kind: 'line', text: event, shows: finding.wanted })
  if (lookedFor !== undefined) signs.push({ kind: 'has', text: textIn(lookedFor) })
  if (wrongText !== undefined) signs.push({ kind: 'lacks', text: textIn(wrongText) })
  return signs
}

function wordsOfValue(finding: Of<'value'>): Words {
  const { wanted: expected, got, like, count } = finding
  const file = describeFile(finding)
  const shows = count
    ? `shows another value${inColumn(finding)} in ${count.of} of ${counted(count.all, 'row')}, such as ${got}`
    : `shows ${got}${inColumn(finding)}`
  const known = like ? `, as ${like}` : ''
  return { sentence: `${file} ${shows}, not ${expected}${known}`, expected, got }
}

function wordsOfMark(finding: Of<'mark'>): Words {
  const { at, mark } = finding
  const got = shown(finding.got)
  const where = 'row' in at ? `row ${at.row}` : `page ${at.page}`
  return {
    sentence: `${where} of ${describeFile(finding)} shows ${got}${inColumn(finding)}: ${mark} is not a value`,
    expected: 'a value',
    got,
  }
}

function wordsOfMissing(finding: Of<'missing'>): Words {
  const { values, wanted, count } = finding
  const lacks = count.of === count.all ? `all ${count.all}` : `${count.of} of ${count.all}`
  return {
    sentence: `${describeFile(finding)} lacks ${lacks} ${values} of the CSV${inColumn(finding)}, such as ${wanted}`,
    expected: `${count.all} ${values}, such as ${wanted}`,
    got: count.of === count.all ? 'none of them' : `${count.all - count.of} of them`,
  }
}

function wordsOfEmpty(finding: Of<'empty'>): Words {
  const { wanted } = finding
  return {
    sentence: `${describeFile(finding)} has no ${wanted}${inColumn(finding)}`,
    expected: `a value of ${wanted}`,
    got: 'no value',
  }
}

function wordsOfClock(finding: Of<'clock'>): Words {
  const { minutes, events, column } = finding
  return {
    sentence: `${describeFile(finding)} has ${counted(events, 'event')}, but ${column} of the updates differs by ${minutes} minutes`,
    expected: 'the time in UTC',
    got: `${minutes} minutes more`,
  }
}

function wordsOfOffset(finding: Of<'offset'>): Words {
  const { zone, got } = finding
  const expected = `with the offset of ${zone} behind it`
  return {
    sentence: `${describeFile(finding)} shows a time as ${got}, not ${expected}`,
    expected,
    got,
  }
}

function wordsOfZone(finding: Of<'zone'>): Words {
  const { zone, got } = finding
  return {
    sentence: `${describeFile(finding)} shows the times of day of ${got}, not of ${zone}`,
    expected: `the times of day of ${zone}`,
    got: `the times of day of ${got}`,
  }
}

function wordsOfUnreal(finding: Of<'unreal'>): Words {
  const got = finding.got.join(', ')
  return {
    sentence: `${describeFile(finding)} shows times that no calendar has: ${got}`,
    expected: 'times that exist',
    got,
  }
}

function wordsOfHalves({ morning, afternoon }: Of<'halves'>): Words {
  return {
    sentence: `an event of ${afternoon.at} in UTC is shown at ${afternoon.got}, and one of ${morning.at} at ${morning.got}, with neither am nor pm`,
    expected: 'hours after 12, or am and pm',
    got: afternoon.got,
  }
}

const describeFile = ({ place }: CellFinding): string => `the ${describePlace(place)}`

function inColumn({ column }: CellFinding): string {
  if (column === undefined) return ''
  return ` in ${typeof column === 'number' ? `column ${column}` : column}`
}
