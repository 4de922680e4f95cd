import { type MetadataKey, metadataKeys, type Parameter, type Query } from './query.ts'

/** What events can be filtered by: a parameter, or a key of their metadata. */
export type Field = Parameter | MetadataKey

export const isKey = (field: Field): field is MetadataKey =>
  (metadataKeys as readonly string[]).includes(field)

/** Whether the values of a field are ids, and not words. */
export const isIdentifier = (field: Field): boolean => field.endsWith('_id')

/** The part of a query that asks for the events with any of these values. */
export const asking = (field: Field, ...values: string[]): Query =>
  isKey(field) ? { metadata: { [field]: values[0] } } : { filters: { [field]: values } }

/** One query that asks for what each of these asks for. */
export function together(...queries: Query[]): Query {
  const all: Query = {}
  for (const query of queries)
    Object.assign(all, query, {
      filters: { ...all.filters, ...query.filters },
      metadata: { ...all.metadata, ...query.metadata },
    })
  return all
}

/** How a filter is told of in a sentence. */
export const shownAs = (field: Field, ...values: string[]): string =>
  isKey(field) ? `metadata[${field}]=${values[0]}` : `${field}=${values.join(' and ')}`
