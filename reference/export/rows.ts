import { setImmediate } from 'node:timers/promises'
import { type AuditEvent, isMetadataKey } from '../calls/events.ts'
import type { Column, Export } from '../calls/export-call.ts'
import type { Setup } from '../state/setup.ts'
import { offsetsOf, wallClock } from './zones.ts'

/** The titles of the columns of an export, and the cells of each event, in its language and time zone. */
export function tableOf(setup: Setup, asked: Export) {
  const { stated, open } = setup
  const { fileType, locale, zone } = asked
  const columns = open.columns(asked)
  const offsetAt = offsetsOf(zone)

  const date = (instant: string): string => {
    const offset = stated.offset({ fileType, zone, instant, offset: offsetAt(instant) })
    return open.dateForm({ instant, local: wallClock(instant, offset), offset, zone, locale })
  }
  const reader = (column: Column): ((event: AuditEvent) => string) => {
    if (column === 'time') return (event) => date(event.time)
    if (column === 'metadata') return (event) => JSON.stringify(event.metadata)
    const labelled = (value = '') => open.label({ column, value, locale })
    return isMetadataKey(column)
      ? (event) => labelled(event.metadata[column])
      : (event) => labelled(event[column])
  }
  const readers = columns.map((column) => ({ column, text: reader(column) }))
  return {
    titles: columns.map((column, at) => open.columnTitle({ column, at, locale, fileType })),
    row: (event: AuditEvent): string[] => {
      const cells = readers.map(({ column, text }) => open.cellForm({ column, text: text(event) }))
      return stated.cells({ ...asked, event, cells })
    },
  }
}

const rowsPerChunk = 200

export async function* csvOf(setup: Setup, asked: Export, events: AuditEvent[]) {
  const { stated, open } = setup
  const { titles, row } = tableOf(setup, asked)
  const delimiter = open.delimiter(asked)
  const ending = open.lineEnding(asked)

  const cell = (text: string): string =>
    stated.needsQuotes({ text, delimiter }) || open.quotesAnyway({ text })
      ? stated.quoted({ text })
      : text
  const line = (cells: string[]) => cells.map(cell).join(delimiter)
  const head = open.titleLines(asked)
  if (open.headerRow(asked)) head.push(line(titles))

  // The line ending precedes each line but the first, so that the last may lack one.
  let before = open.byteOrderMark(asked) ? '\uFEFF' : ''
  const piece = (lines: string[]) => {
    const text = lines.map((line, n) => (n === 0 ? before : ending) + line).join('')
    before = lines.length === 0 ? before : ending
    return Buffer.from(text)
  }
  yield piece(head)
  for (let n = 0; n < events.length; n += rowsPerChunk) {
    // Serve other requests between pieces.
    if (n > 0) await setImmediate()
    yield piece(events.slice(n, n + rowsPerChunk).map((event) => line(row(event))))
  }
  const closing = open.closingLines(asked)
  if (closing.length > 0) yield piece(closing)
  if (open.endsLastLine(asked)) yield Buffer.from(ending)
}
