import type { Call } from './call.ts'
import type { AuditEvent, MetadataKey } from './events.ts'

export type FileType = 'csv' | 'pdf'

export const parameters = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const

export type Parameter = (typeof parameters)[number]

/** One filter of a request: a parameter or metadata key, and its values. */
export type Filter = { of: 'event' | 'metadata'; name: string; values: string[] }

/** The bounds of a request as canonical timestamps; undefined if absent. */
export type Range = { start: string | undefined; end: string | undefined }

/** One export as the service understood it. */
export type Export = Call & {
  fileType: FileType
  locale: string
  zone: string
  filters: Filter[]
  range: Range
}

/** What can be wrong with a query besides what the contract names. */
export type QueryFlaw =
  | 'file type'
  | 'locale'
  | 'time zone'
  | 'range form'
  | 'metadata key'
  | 'unknown value'
  | 'parameter'

/** How a query lists several values of a parameter; `comma` may also be repeated. */
export type ArrayEncoding =
  | 'repeat'
  | 'brackets'
  | 'indices'
  | 'comma'
  | 'pipe'
  | 'semicolon'
  | 'space'
  | 'json'

/** A possible column: a field of an event, one metadata key, or all metadata as JSON. */
export type Column = Exclude<keyof AuditEvent, 'metadata'> | MetadataKey | 'metadata'

/** The value of an event for a filter or a column. */
export const valueIn = (event: AuditEvent, { of, name }: { of: Filter['of']; name: string }) =>
  of === 'event' ? event[name as Parameter] : event.metadata[name as MetadataKey]

/** Whether a filter's values are ids, not words. */
export const isIdentifier = (name: string): boolean => name.endsWith('_id')
