// Exports that should be equal: of equivalent queries, in two zones, of one query repeated.

import { contentOf } from '../../../engine/files/content.ts'
import { isSameRecord, titlesBefore } from '../../../engine/files/line-frame.ts'
import { isEqual, minus, multisetOf, otherColumns, sizeOf } from '../../../engine/files/multiset.ts'
import { createTally, type Tally } from '../../../engine/files/tally.ts'
import { describeAnswer } from '../../../engine/http/answers.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Again, type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import { shown } from '../../../engine/shown.ts'
import type { Exports } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { confirmed, type Fetch } from '../learn/confirmed.ts'
import type { Ranges } from '../learn/ranges.ts'
import { eachEvent, spanOf, type Window } from '../learn/window.ts'
import { acceptedLanguages, acceptedValues, zonesFarApart } from './zones-and-locales.ts'

export async function problemsOfDifference(
  exports: Exports,
  window: Window,
  one: Query,
  other: Query,
): Promise<Problem[]> {
  const found = await exports.csv(one)
  const content = contentOf(found.csv?.beginning ?? '')
  if (content !== 'text' && content !== 'nothing')
    return [
      problem(`${describeAnswer(found.answer)} with ${content}, not with delimited text`, {
        expected: 'delimited text',
        got: content,
        judged: found,
        again: { signs: [{ file: 'delimited' }] },
      }),
    ]
  const inRows = await confirmed(exports, window, (fetch) =>
    problemsOfRows(fetch, window, one, other),
  )
  return inRows.length > 0 ? inRows : problemsOfHeaders(exports, window, one, other)
}

/** How a script shows that two files differ, ignoring order. */
const alike: Again = { signs: [{ file: 'the same lines' }] }

async function problemsOfRows(
  fetch: Fetch,
  { columns, header }: Window,
  one: Query,
  other: Query,
): Promise<Problem[]> {
  const [rows, others] = [await fetch(one), await fetch(other)]
  const [a, b] = [multisetOf(rows, columns), multisetOf(others, columns)]
  if (isEqual(a, b)) {
    needAlikeBeside(columns, rows, others, header)
    return []
  }
  const apart = columns.filter(
    (column) => !isEqual(multisetOf(rows, [column]), multisetOf(others, [column])),
  )
  const where = apart.map((column) => header?.[column] ?? `column ${column + 1}`).join(', ')
  const cellsOf = (row: readonly string[] | undefined) =>
    apart.map((column) => row?.[column] ?? 'absent').join(', ') || `${row?.length ?? 0} cells`
  return [
    problem(
      `${rows.length} rows, and ${others.length} in the file beside it: ${sizeOf(minus(a, b))} and ${sizeOf(minus(b, a))} of them are in one file alone, and differ in ${where || 'how cells go together'}`,
      {
        expected: rows.length === others.length ? cellsOf(others[0]) : `${others.length} rows`,
        got: rows.length === others.length ? cellsOf(rows[0]) : `${rows.length} rows`,
        judged: rows,
        control: others,
        again: alike,
      },
    ),
  ]
}

/** Continues only if files that agree in the comparable columns agree in the others too. */
function needAlikeBeside(
  columns: readonly number[],
  rows: readonly string[][],
  others: readonly string[][],
  header: readonly string[] | undefined,
): void {
  const apart = otherColumns(rows, columns).filter(
    (column) => !isEqual(multisetOf(rows, [column]), multisetOf(others, [column])),
  )
  if (apart.length === 0) return
  const names = apart.map((column) => header?.[column] ?? `column ${column + 1}`)
  throw new NotDecidable(
    'freedom',
    `the files agree but for ${names.join(', ')}, which differs between two equal requests too; which columns a file has is not shown`,
  )
}

/** Titles that one file has and the other lacks. In which order columns stand is not shown. */
async function problemsOfHeaders(
  exports: Exports,
  { frame, shape, header: usual }: Window,
  one: Query,
  other: Query,
): Promise<Problem[]> {
  // In a file of one column, the header row may be a line about the query.
  if (!usual || usual.length < 2) return []
  const headerOf = async (query: Query, { csvFile }: Exports = exports) => {
    const { records } = await csvFile(query)
    return from([...(titlesBefore(shape, frame, records) ?? [])], records)
  }
  const [header, beside] = [await headerOf(one), await headerOf(other)]
  const ownOf = (titles: string[], others: string[]) =>
    shown(titles.find((title) => !others.includes(title)))
  const [got, expected] = [ownOf(header, beside), ownOf(beside, header)]
  if (got === expected) return []
  // Titles that change between equal requests prove nothing. Two in a row show whether they change in turn.
  for (const query of [one, one, other, other])
    if (!isSameRecord(query === one ? header : beside, await headerOf(query, exports.fresh)))
      return []
  return [
    problem(`the titles differ: ${got}, and ${expected} in the file beside it`, {
      expected,
      got,
      judged: header,
      control: beside,
      again: alike,
    }),
  ]
}

/** A file has a header row, and one with the same events in a zone or language has none. */
export async function problemsOfHeaderRow(ranges: Ranges): Promise<Problem[]> {
  const { exports } = ranges
  const [{ shape }, few] = [await ranges.window(), await ranges.few()]
  const look = async (query: Query, { csvFile }: Exports) => {
    const { records, count } = await csvFile(query)
    const titles = titlesBefore(shape, { before: 0, behind: 0 }, records)
    return from({ titles, count }, records)
  }
  const [locale] = await acceptedLanguages(exports, few, 1)
  const [timezone] = await acceptedValues(exports, zonesFarApart, (zone) => ({
    ...few,
    timezone: zone,
  }))
  for (const shown of [{ locale }, { timezone }]) {
    const [asked] = Object.values(shown)
    if (asked === undefined) continue
    const other = { ...few, ...shown }
    const isUnlike = async (port: Exports) => {
      const [plain, beside] = [await look(few, port), await look(other, port)]
      const isOne = (plain.titles === undefined) !== (beside.titles === undefined)
      return isOne && Math.abs(plain.count - beside.count) === 1 ? { plain, beside } : undefined
    }
    if (!(await isUnlike(exports))) continue
    const found = await isUnlike(exports.fresh)
    if (!found) continue
    const [without, having] = found.plain.titles ? ['in', 'without'] : ['without', 'in']
    return [
      problem(
        `the file ${without} ${asked} has no row of titles, and the file ${having} ${asked} has one`,
        {
          expected: 'a row of titles in both files or in neither',
          got: 'in one of them',
          judged: found.plain,
          control: found.beside,
        },
      ),
    ]
  }
  return []
}

const maxLooks = 5
const minLooks = 3

/**
 * Rows that come, go and come again. Events may arrive late and old ones may be deleted, so a single
 * difference is not a breach. Rows are counted, not kept: a configured window may be large.
 */
export async function problemsOfUnstableRows(exports: Exports, window: Window): Promise<Problem[]> {
  const columns = window.columns.length > 0 ? window.columns : undefined
  const look = async () => {
    const tally = createTally(columns)
    const each = eachEvent(window, tally.add)
    return from(tally, await exports.fresh.csvFile(spanOf(window), { keep: 0, each }))
  }
  const first = (await tallyKept(exports, window, columns)) ?? (await look())
  const seen = [first]
  while (seen.length < minLooks) seen.push(await look())
  if (seen.every((tally) => isSameTally(first, tally))) return []
  while (seen.length < maxLooks) seen.push(await look())

  const rows = new Set<number>()
  for (const { counts } of seen) for (const row of counts.keys()) rows.add(row)
  let restless = 0
  for (const row of rows)
    if (cameAgain(seen.map(({ counts }) => counts.get(row) ?? 0))) restless += 1
  return problemUnless(
    restless === 0,
    `${restless} of ${rows.size} different rows came and went in ${maxLooks} answers to one request`,
    {
      expected: 'the same rows in each answer',
      got: seen.map(({ rows: count }) => `${count} rows`).join(', '),
      judged: seen,
      again: { why: 'rows come and go from answer to answer, so that a single try proves nothing' },
    },
  )
}

/** The complete answer that the window was made from, if all of it was kept. */
async function tallyKept(
  exports: Exports,
  window: Window,
  columns: readonly number[] | undefined,
): Promise<Tally | undefined> {
  const { records, count } = await exports.csvFile(spanOf(window))
  if (count > records.length) return undefined
  const tally = createTally(columns)
  const each = eachEvent(window, tally.add)
  for (const record of records) each(record)
  return from(tally, records)
}

function isSameTally(one: Tally, other: Tally): boolean {
  if (one.rows !== other.rows) return false
  for (const [row, count] of one.counts) if (other.counts.get(row) !== count) return false
  return true
}

/** Whether a count went down and up again. */
function cameAgain(counts: number[]): boolean {
  return counts.some(
    (count, at) =>
      counts.slice(0, at).some((before) => before > count) &&
      counts.slice(at + 1).some((after) => after > count),
  )
}
