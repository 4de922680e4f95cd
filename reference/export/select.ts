import type { AuditEvent } from '../calls/events.ts'
import { type Export, type Filter, valueIn } from '../calls/export-call.ts'
import type { Setup } from '../state/setup.ts'

/** The events that match the filters and the range of a request. */
export function select(setup: Setup, asked: Export, events: AuditEvent[]): AuditEvent[] {
  const { stated } = setup
  const { fileType } = asked
  const filters = stated.filters({ ...asked, events })
  const { start, end } = stated.range(asked)

  const holds = (event: AuditEvent, filter: Filter): boolean => {
    const value = valueIn(event, filter)
    const matches = filter.values.map(
      (given) => value !== undefined && stated.valueMatches({ fileType, filter, value, given }),
    )
    return stated.filterHolds({ fileType, filter, event, matches })
  }
  return events.filter((event) => {
    const { time } = event
    if (start !== undefined && !stated.isFrom({ fileType, time, start })) return false
    if (end !== undefined && !stated.isUpTo({ fileType, time, end })) return false
    if (filters.length === 0) return true
    const held = filters.map((filter) => holds(event, filter))
    return stated.filtersHold({ fileType, filters, held })
  })
}

/** The first filter value that no event has. */
export function unknownValue({ filters }: Export, events: AuditEvent[]) {
  for (const filter of filters) {
    const isKnown = (value: string) => events.some((event) => valueIn(event, filter) === value)
    const value = filter.values.find((given) => !isKnown(given))
    if (value !== undefined) return { parameter: filter.name, value }
  }
  return undefined
}
