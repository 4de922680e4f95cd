import { dayMs, hourMs } from '../../../engine/files/dates.ts'
import { clock } from '../../../engine/time/timers.ts'
import type { Encoding } from '../../contract/list-encodings.ts'
import { type MetadataKey, metadataKeys } from '../../contract/metadata-keys.ts'
import {
  type ArrayParameter,
  arrayParameters,
  metadataParameter,
} from '../../contract/parameters.ts'
import { encodeList, pair } from '../../service/query-lists.ts'

export type Query = {
  filters?: Partial<Record<ArrayParameter, readonly string[]>>
  metadata?: Partial<Record<MetadataKey, string>>
  start?: string
  end?: string
  /** null: omitted */
  fileType?: string | null
  locale?: string
  timezone?: string
  more?: string
}

const single = {
  range_start: 'start',
  range_end: 'end',
  file_type: 'fileType',
  locale: 'locale',
  timezone: 'timezone',
} as const

/** Parameters have no order: with filters, the other parameters come first; without, last. */
export function queryText(query: Query, encoding: Encoding): string {
  const parts: string[] = []
  for (const parameter of arrayParameters)
    parts.push(...encodeList(parameter, query.filters?.[parameter] ?? [], encoding))
  for (const key of metadataKeys) {
    const value = query.metadata?.[key]
    if (value !== undefined) parts.push(pair(metadataParameter(key), value))
  }
  const singles = Object.entries(single).flatMap(([name, member]) => {
    const value = query[member]
    return value == null ? [] : [pair(name, value)]
  })
  const rest = query.more === undefined ? [] : [query.more]
  return [...(parts.length > 0 ? singles.toReversed() : singles), ...parts, ...rest].join('&')
}

export type Field = ArrayParameter | MetadataKey

export const isMetadataKey = (field: Field): field is MetadataKey =>
  (metadataKeys as readonly string[]).includes(field)

export const isIdentifier = (field: Field): boolean => field.endsWith('_id')

export const filterBy = (field: Field, ...values: string[]): Query =>
  isMetadataKey(field) ? { metadata: { [field]: values[0] } } : { filters: { [field]: values } }

export function mergeQueries(...queries: Query[]): Query {
  const all: Query = {}
  for (const query of queries)
    Object.assign(all, query, {
      filters: { ...all.filters, ...query.filters },
      metadata: { ...all.metadata, ...query.metadata },
    })
  return all
}

/** The same query, each time from a millisecond later on: a service may keep a file for a while under its query. */
export function eachLater(query: Query): () => Query {
  const { start } = query
  let asked = 0
  return () => {
    if (start === undefined) return query
    return { ...query, start: new Date(Date.parse(start) + asked++).toISOString() }
  }
}

export const describeFilter = (field: Field, ...values: string[]): string =>
  isMetadataKey(field)
    ? `${metadataParameter(field)}=${values[0]}`
    : `${field}=${values.join(' or ')}`

export type Span = { start: string; end: string }

export type Clock = { times(): number[] }

/** If clocks disagree, the earliest counts, because a future range may be refused. */
export const recentHour = ({ times }: Clock): Span => hourBefore(Math.min(...times()))

export function hourBefore(time: number): Span {
  const end = Math.floor(time / hourMs - 1) * hourMs
  return { start: new Date(end - hourMs).toISOString(), end: new Date(end).toISOString() }
}

/** A day before the earliest possible now: no later event is before that. */
export const dayBefore = ({ times }: Clock): string =>
  new Date(Math.min(clock.date(), ...times()) - dayMs).toISOString()
