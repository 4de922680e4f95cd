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
