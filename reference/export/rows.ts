import type { AuditEvent } from '../calls/events.ts'
import { metadataKeys } from '../calls/events.ts'
import { type Column, type Export, valueIn } from '../calls/export-call.ts'
import type { Setup } from '../state/setup.ts'
import { offsetsOf, wallClock } from './zones.ts'

/** What an export shows: the columns' names, and the cells of any event. */
export type Table = { titles: string[]; row(event: AuditEvent): string[] }

/** Makes the table of an export in its language and time zone. */
export function tableOf(setup: Setup, asked: Export): Table {
  const { stated, open } = setup
  const { fileType, locale, zone } = asked
  const columns = open.columns(asked)
  const offsetAt = offsetsOf(zone)

  const date = (instant: string): string => {
    const offset = stated.offset({ fileType, zone, instant, offset: offsetAt(instant) })
    return open.dateForm({ instant, local: wallClock(instant, offset), offset, zone, locale })
  }
  const text = (event: AuditEvent, column: Column): string => {
    if (column === 'time') return date(event.time)
    if (column === 'metadata') return JSON.stringify(event.metadata)
    const of = (metadataKeys as readonly string[]).includes(column) ? 'metadata' : 'event'
    const value = valueIn(event, { of, name: column }) ?? ''
    return open.label({ column, value, locale })
  }
  return {
    titles: columns.map((column, at) => open.columnTitle({ column, at, locale, fileType })),
    row: (event) => {
      const cells = columns.map((column) => open.cellForm({ column, text: text(event, column) }))
      return stated.cells({ ...asked, event, cells })
    },
  }
}
