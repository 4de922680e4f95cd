import type { Call } from './call.ts'
import type { AuditEvent, MetadataKey } from './events.ts'

export type FileType = 'csv' | 'pdf'

/** The array parameters of an export. */
export const parameters = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const

export type Parameter = (typeof parameters)[number]

/** One filter of a request: a parameter or a metadata key, and the values asked for. */
export type Filter = { of: 'event' | 'metadata'; name: string; values: string[] }

/** The bounds of a request as canonical timestamps; undefined where none was given. */
export type Range = { start: string | undefined; end: string | undefined }

/** One export as it was understood. */
export type Export = Call & {
  fileType: FileType
  locale: string
  zone: string
  filters: Filter[]
  range: Range
}

/** What can be wrong with a query, beside what the contract itself names. */
export type QueryFlaw =
  | 'file type'
  | 'locale'
  | 'time zone'
  | 'range form'
  | 'metadata key'
  | 'unknown value'
  | 'parameter'

/** How several values of a parameter stand in a query; with commas, it may be repeated as well. */
export type ArrayEncoding =
  | 'repeat'
  | 'brackets'
  | 'indices'
  | 'comma'
  | 'pipe'
  | 'semicolon'
  | 'space'
  | 'json'

/** What can be a column: a field of an event, one metadata key, or all of them as JSON. */
export type Column = Exclude<keyof AuditEvent, 'metadata'> | MetadataKey | 'metadata'

/** The value an event has for a filter or a column; undefined where it has none. */
export const valueIn = (
  event: AuditEvent,
  { of, name }: { of: Filter['of']; name: string },
): string | undefined =>
  of === 'event' ? event[name as Parameter] : event.metadata[name as MetadataKey]

/** Whether a filter of this name asks for an id, and not for a word. */
export const isIdentifier = (name: string): boolean => name.endsWith('_id')
