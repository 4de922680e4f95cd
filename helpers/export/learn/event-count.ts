// Counts the events of a file without keeping records.

import { createByTitles } from '../../../engine/files/by-titles.ts'
import { dateIn, instantOf, millisecond, readingsOf } from '../../../engine/files/dates.ts'
import { isLine, isSameRecord, isSurelyEvent } from '../../../engine/files/line-frame.ts'
import { detached } from '../../../engine/files/text-pool.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { shown } from '../../../engine/shown.ts'
import { premise } from '../../service/answers.ts'
import { type CsvExport, type Exports, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { dateColumns, type TimeColumn } from './time-column.ts'
import type { SeenOnce } from './window.ts'

export type EventCount = {
  /** the records that look like events of the window, as far as the file was read */
  count: number
  cut: boolean
  /** the times of events in milliseconds, earliest first; their zone is unknown */
  times(): number[]
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

function createCounter({ shape, header, rows }: SeenOnce) {
  const unknown = 'no two columns show which records are events'
  premise(shape.sure.length > 0, 'freedom', `${unknown}; ${openRecords}`)
  const byTitles = createByTitles(header)
  const column = timesOf(rows)
  /** as texts, because few callers need them */
  const times: string[] = []
  const timeOf = (text: string) => {
    const date = column && dateIn(text, column.order)
    return date ? [Number(instantOf(date) / millisecond)] : []
  }
  let events = 0
  let strange: string | undefined
  return {
    hear(found: string[]): void {
      const record = byTitles(found)
      if (isLine(shape, record) || isSameRecord(record, header)) return
      if (!isSurelyEvent(shape, record)) {
        strange ??= shown(record.join(','))
        return
      }
      events += 1
      if (column) times.push(detached(column.textIn(record)))
    },
    counted(file: CsvExport): EventCount {
      const { cut } = needCsv(file)
      const unlike = `a record is ${strange}, neither like an event nor like a line around them`
      premise(strange === undefined, 'freedom', `${unlike}; ${openRecords}`)
      return {
        count: events,
        cut,
        times: () => times.flatMap(timeOf).sort((a, b) => a - b),
        file,
      }
    },
  }
}

export const openRecords = 'the contract does not say what a record represents'

function timesOf(rows: SeenOnce['rows']): TimeColumn | undefined {
  const different = ({ times }: TimeColumn) => new Set(times).size
  return dateColumns(rows).sort((a, b) => different(b) - different(a))[0]
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
