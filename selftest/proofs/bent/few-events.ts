import { makeEvents, metadataKeys } from '../../../reference/calls/events.ts'
import type { Column, Export, Filter } from '../../../reference/calls/export-call.ts'
import { makeWorld } from '../../../reference/world/world.ts'

/** Fewer than in a world: all relations between filters show in them as well. */
export const events = 300

/** Declared facts are judged; found ones are not. */
export const declared = { ARRAY_ENCODING: 'repeat' }

/** A value of every key that an event has. */
export const knownValues = () => {
  const made = makeEvents(makeWorld(1, { events }))
  const pairs = metadataKeys.map((name) => {
    const values = made.map(({ metadata }) => metadata[name])
    return `${name}=${values.find((value) => value !== undefined && !value.includes(','))}`
  })
  return { METADATA_VALUES: pairs.join(',') }
}

/** Few of many events: all events with a value are more. */
export const twoDays = { EXPORT_FROM: '2025-03-01T00:00:00Z', EXPORT_TO: '2025-03-03T00:00:00Z' }

export const isOf = (name: string) => (filter: Filter) => filter.name === name
export const isMetadata = ({ of }: Filter) => of === 'metadata'

/** Which events have what these columns show. */
const typesWith: Partial<Record<Column, string[]>> = {
  cache_id: ['screening', 'entity'],
  task_id: ['task', 'inquiry'],
}

/** Columns without any value in a file are left out. */
export function columnsInUse({ filters }: Export): Column[] {
  const types = filters.find(isOf('event_type'))?.values
  const columns: Column[] = ['id', 'time', 'event_type', 'cache_id', 'sub_type', 'task_id']
  return columns.filter((column) => {
    const some = typesWith[column]
    return !types || !some || types.some((type) => some.includes(type))
  })
}
