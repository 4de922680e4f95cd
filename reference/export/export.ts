import type { Call } from '../calls/call.ts'
import type { AuditEvent } from '../calls/events.ts'
import { type Export, type Filter, valueIn } from '../calls/export-call.ts'
import { answerFile, callerChecks, firstRefusal, refuse } from '../routes/answer.ts'
import { recordExport } from '../routes/change.ts'
import type { Setup } from '../state/setup.ts'
import { pdfOf } from './pdf.ts'
import { readQuery } from './query.ts'
import { csvOf } from './rows.ts'

export async function exportEvents(setup: Setup, call: Call): Promise<Response> {
  const { stated, open, trail, pdfLimit } = setup
  const { asked, flawStatus, flaw } = readQuery(setup, call)
  const all = once(() => trail.events())
  const chosen = once(() => select(setup, asked, all()))
  const size = () => ({ count: chosen().length, total: all().length, limit: pdfLimit })

  const refusal = firstRefusal(setup, call, {
    ...callerChecks(setup, call, undefined),
    query: () => ({ status: flawStatus ?? valueStatus(setup, asked, all()), wrong: flaw }),
    range: () => stated.rangeRefusal(asked),
    size: () => stated.sizeRefusal({ ...asked, ...size() }),
  })
  if (refusal) return refuse(setup, call, refusal)

  const events = stated.rows({
    ...asked,
    ...size(),
    events: open.rowOrder({ ...asked, events: chosen() }),
  })
  recordExport(setup, asked)
  const write = asked.fileType === 'pdf' ? pdfOf : csvOf
  return await answerFile(setup, asked, write(setup, asked, events))
}

const valueStatus = ({ open }: Setup, asked: Export, events: AuditEvent[]): number | undefined => {
  const unknown = unknownValue(asked, events)
  return unknown && open.queryRefusal({ ...asked, flaw: 'unknown value', ...unknown })
}

function select(setup: Setup, asked: Export, events: AuditEvent[]): AuditEvent[] {
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

function unknownValue({ filters }: Export, events: AuditEvent[]) {
  for (const filter of filters) {
    const isKnown = (value: string) => events.some((event) => valueIn(event, filter) === value)
    const value = filter.values.find((given) => !isKnown(given))
    if (value !== undefined) return { parameter: filter.name, value }
  }
  return undefined
}

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
