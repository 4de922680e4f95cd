// Whether times can be read back: each names one that exists, and mornings differ from afternoons.

import { distinct } from '../../../engine/distinct.ts'
import { dateIn, day, hour, isoOf, minute, second } from '../../../engine/files/dates.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Query } from '../ask/query.ts'
import type { Fetch } from '../learn/confirmed.ts'
import type { Span } from '../learn/spans.ts'
import { dateColumns, type TimeColumn } from '../learn/time-column.ts'

/** What is wrong with the times of a file, and one of those that can be read back. */
export type Clocks = { problems: Problem[]; shown?: string | undefined }

/** Judges every column of times in the file of a stretch; `utc` makes it show them in UTC. */
export async function judgeClocks(
  fetch: Fetch,
  { span, utc }: { span: Span; utc: Query },
): Promise<Clocks> {
  const rows = await fetch({ ...span, ...utc })
  const problems = problemsOfUnreal(rows)
  let shown: string | undefined
  for (const column of dateColumns(rows)) {
    if (column.isNumber || column.unit >= day) continue
    const found = await judgeColumn(column, rows, (part) => fetch({ ...part, ...utc }))
    problems.push(...found.problems)
    shown ??= found.shown
  }
  return { problems, shown }
}

const again = { why: 'the cells of a CSV have to be read' }

/** Columns in which times name a month, a day, an hour or a minute that no calendar has. */
function problemsOfUnreal(rows: string[][]): Problem[] {
  const width = Math.max(0, ...rows.map((row) => row.length))
  return [...Array(width).keys()].flatMap((column) => {
    const unreal = unrealTimes(rows.map((row) => row[column] ?? ''))
    const got = unreal.slice(0, minUnreal).join(', ')
    if (unreal.length < minUnreal) return []
    return problem(`no calendar has the times ${got}`, {
      expected: 'times that exist',
      got,
      judged: rows,
      again,
    })
  })
}

/** One or two may stand for none, as 9999-99-99 does. */
const minUnreal = 3

const yearFirst =
  /^\d{4}([-/.])(?<one>\d{1,2})\1(?<other>\d{1,2})[T ]+(?<hours>\d\d?):(?<minutes>\d\d)/
const yearLast =
  /^(?<one>\d{1,2})([-/.])(?<other>\d{1,2})\2\d{4},? (?<hours>\d\d?):(?<minutes>\d\d)/

/** The different times of a column that do not exist, whichever of day and month is first. */
export function unrealTimes(cells: readonly string[]): string[] {
  const texts = cells.filter((cell) => cell !== '')
  const timed = texts.flatMap((text) => {
    const { groups } = yearFirst.exec(text) ?? yearLast.exec(text) ?? {}
    return groups ? { text, isReal: isReal(groups) } : []
  })
  if (timed.length < 0.9 * texts.length) return []
  return distinct(timed.filter((each) => !each.isReal).map(({ text }) => text))
}

/**
 * Some calendars have thirteen months, and others months of 32 days; timetables count the hours of a night
 * on, to 29.
 */
const [mostMonths, mostDays, mostHours] = [13, 32, 29]

function isReal({ one, other, hours, minutes }: Record<string, string>): boolean {
  const parts = [Number(one), Number(other)]
  const isDay = Math.min(...parts) <= mostMonths && Math.max(...parts) <= mostDays
  return isDay && Number(hours) <= mostHours && Number(minutes) < 60
}

const maxTries = 12
const minEach = 2

/**
 * Where no hour after twelve is shown, looks for events at the times that are shown and twelve hours
 * later: some here and some there are a breach, as no zone is at both.
 */
async function judgeColumn(
  column: TimeColumn,
  rows: string[][],
  rowsIn: (span: Span) => Promise<string[][]>,
): Promise<Clocks> {
  const { textIn, times, unit } = column
  const hours = hoursShown(column, rows)
  const first = textIn(rows[0] ?? [])
  if (hours.some((shown) => shown > 12)) return { problems: [], shown: first }
  if (unit > minute) return { problems: [] }
  const reach = unit > second ? unit : second
  const here: Found[] = []
  const later: Found[] = []
  for (const at of spreadOver(hours.flatMap((shown, n) => (shown % 12 === 0 ? [] : [n])))) {
    const [time = 0n, text] = [times[at], textIn(rows[at] ?? [])]
    const lookAt = async (instant: bigint): Promise<Found[]> => {
      const span = { start: isoOf(instant - reach), end: isoOf(instant + reach) }
      const around = await rowsIn(span)
      const isShown = around.some((row) => textIn(row) === text)
      return isShown ? [{ rows: around, text, at: isoOf(instant).slice(11, 16) }] : []
    }
    const found = await lookAt(time)
    here.push(...found)
    if (found.length === 0) later.push(...(await lookAt(time + 12n * hour)))
    const [morning, afternoon] = [here[0], later[0]]
    if (morning && afternoon && here.length >= minEach && later.length >= minEach)
      return { problems: [problemOfHalves(morning, afternoon)] }
  }
  return { problems: [], shown: [...here, ...later][0]?.text }
}

type Found = { rows: string[][]; text: string; at: string }

const problemOfHalves = (morning: Found, afternoon: Found): Problem =>
  problem(
    `an event of ${afternoon.at} in UTC is shown at ${afternoon.text}, and one of ${morning.at} at ${morning.text}, with neither am nor pm`,
    {
      expected: 'hours after 12, or am and pm',
      got: afternoon.text,
      judged: afternoon.rows,
      control: morning.rows,
      again,
    },
  )

const hoursShown = ({ textIn, order }: TimeColumn, rows: readonly string[][]): number[] =>
  rows.map((row) => Number(((dateIn(textIn(row), order)?.wall ?? 0n) % day) / hour))

/** A few of many, from the first to the last. */
const spreadOver = (places: readonly number[]): number[] =>
  distinct(
    Array.from({ length: maxTries }, (_, n) => Math.floor((n * places.length) / maxTries)),
  ).flatMap((n) => places[n] ?? [])
