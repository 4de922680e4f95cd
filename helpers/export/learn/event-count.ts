// Counts the events of a file without keeping records: at least, and at most.

import { createByTitles } from '../../../engine/files/by-titles.ts'
import { dateIn, instantOf, millisecond, readingsOf } from '../../../engine/files/dates.ts'
import { isLine, isSameRecord, isSurelyEvent } from '../../../engine/files/line-frame.ts'
import { detached } from '../../../engine/files/text-pool.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { shown } from '../../../engine/shown.ts'
import { type CsvExport, type Exports, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { dateColumns, type TimeColumn } from './time-column.ts'
import type { SeenOnce } from './window.ts'

export type EventCount = {
  /** events, with possible parts of one event counted once */
  least: number
  /** all records that look like events of the window */
  most: number
  /** the times of events in milliseconds, earliest first; their zone is unknown */
  times(): number[]
  /** the file holds more than was read */
  cut: boolean
  file: object
}

export const countEvents = (
  exports: Exports,
  window: SeenOnce,
  query: Query,
  read?: number,
): Promise<EventCount> =>
  exports.once(
    `events, of ${read ?? 'all'} records, of ${exports.text(query)}`,
    async ({ fresh }) => {
      const counter = createCounter(window)
      return counter.counted(await fresh.csv(query, { read, keep: 1, each: counter.hear }))
    },
  )

function createCounter(window: SeenOnce) {
  const { shape, header, asWide, lines } = window
  const isKnown = shape.sure.length > 0
  if (!isKnown && shape.width === undefined)
    throw new NotDecidable(
      'freedom',
      'the records have different numbers of cells; the contract does not say which of them are events',
    )
  const parts = partColumnsOf(window).map((columns) => ({ columns, seen: new Set<string>() }))
  const byTitles = createByTitles(header)
  const column = timesOf(window)
  /** as texts, because few callers need them */
  const times: string[] = []
  const timeOf = (text: string) => {
    const date = column && dateIn(text, column.order)
    return date ? [Number(instantOf(date) / millisecond)] : []
  }
  let alike = 0
  let strange: string | undefined
  return {
    hear(found: string[]): void {
      const record = byTitles(found)
      if (isKnown && (isLine(shape, record) || isSameRecord(record, header))) return
      if (!isSurelyEvent(shape, record)) {
        if (isKnown) strange ??= shown(record.join(','))
        return
      }
      alike += 1
      if (column) times.push(detached(column.textIn(record)))
      for (const { columns, seen } of parts)
        seen.add(columns.map((column) => record[column] ?? '').join('\n'))
    },
    counted(found: CsvExport): EventCount {
      const { cut, count } = needCsv(found)
      if (strange !== undefined)
        throw new NotDecidable(
          'freedom',
          `a record is ${strange}, neither like an event nor like a line around them; the contract does not say what a record represents`,
        )
      const events = isKnown ? alike : Math.max(0, alike - asWide)
      const most = isKnown ? alike : Math.max(events, count - lines.before - lines.behind)
      return {
        least: Math.min(events, ...parts.map(({ seen }) => seen.size)),
        most: cut ? Number.POSITIVE_INFINITY : most,
        times: () => times.flatMap(timeOf).sort((a, b) => a - b),
        cut,
        file: found,
      }
    },
  }
}

function timesOf({ rows }: SeenOnce): TimeColumn | undefined {
  const different = ({ times }: TimeColumn) => new Set(times).size
  return dateColumns(rows).sort((a, b) => different(b) - different(a))[0]
}

/**
 * Columns that identify parts of one event: an id that differs between rows of the window, or else a time
 * and an id that is always set.
 */
function partColumnsOf({ rows }: SeenOnce): number[][] {
  const columns = (rows[0] ?? []).map((_, column) => column)
  const textsIn = (column: number) => rows.map((row) => row[column] ?? '')
  const ids = columns.filter((column) => areIds(textsIn(column)))
  if (rows.length > 1 && ids.length > 0) return ids.map((column) => [column])
  const different = (column: number) => new Set(textsIn(column)).size
  // An amount of money may be read as a count of days.
  const isSurely = (column: number) =>
    readingsOf(textsIn(column)).some(({ order }) => order !== 'days')
  const [time] = columns
    .filter((column) => readingsOf(textsIn(column)).length > 0)
    .sort((a, b) => Number(isSurely(b)) - Number(isSurely(a)) || different(b) - different(a))
  if (time === undefined) return []
  // Day and hour may have separate columns.
  const ofDay = columns.filter((column) => column !== time && textsIn(column).every(isTimeOfDay))
  return columns
    .filter((column) => textsIn(column).every(isUuid))
    .map((column) => [time, ...ofDay, column])
}

/** Whether each row has an id of its own: then each row is an event. */
export const haveIds = (rows: SeenOnce['rows']): boolean =>
  rows.length > 1 &&
  (rows[0] ?? []).some((_, column) => areIds(rows.map((row) => row[column] ?? '')))

/** Whether texts identify their rows: all differ, and they do not number the rows. */
function areIds(texts: readonly string[]): boolean {
  if (new Set(texts).size < texts.length) return false
  if (texts.every(isUuid)) return true
  const areTokens = texts.every((text) => /^[A-Za-z\d_.-]*\d[A-Za-z\d_.-]*$/.test(text))
  const numbersRows = texts.every((text, at) => Number(text) === Number(texts[0]) + at)
  return areTokens && !numbersRows && readingsOf([...texts]).length === 0
}

const isTimeOfDay = (text: string): boolean =>
  /^\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?$/i.test(text.trim())
