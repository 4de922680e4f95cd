// A recorded export that was accepted, and how two of them are told apart.

import type { PdfReading } from '../../engine/files/pdf.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Field, isMetadataKey, parameters, type Query } from '../export/ask/query.ts'
import { metadataKeys } from '../service/operations.ts'

/** A recorded export that was accepted, without its bytes. */
export type Look = {
  number: number
  start: number
  end: number
  query: Query
  /** the query in one order of its parts */
  text: string
  answer: Answer
  header?: string[] | undefined
  rows?: string[][]
  pdf?: PdfReading
}

/** Reads a query: values of one parameter that are repeated stand together. */
export function queryIn(text: string): Query & { more?: string } {
  const query: Query & { filters: Record<string, string[]>; metadata: Record<string, string> } = {
    fileType: null,
    filters: {},
    metadata: {},
  }
  const more: string[] = []
  for (const [name, value] of new URLSearchParams(text)) {
    const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? []
    if (key && (metadataKeys as readonly string[]).includes(key)) query.metadata[key] = value
    else if ((parameters as readonly string[]).includes(name))
      query.filters[name] = [...(query.filters[name] ?? []), value]
    else if (name === 'range_start' && query.start === undefined) query.start = value
    else if (name === 'range_end' && query.end === undefined) query.end = value
    else if (name === 'file_type' && query.fileType === null) query.fileType = value
    else if (name === 'locale') query.locale = value
    else if (name === 'timezone') query.timezone = value
    else more.push(`${name}=${value}`)
  }
  return { ...query, ...(more.length > 0 ? { more: more.join('&') } : {}) }
}

export const textOf = ({
  filters = {},
  metadata = {},
  start,
  end,
  fileType,
  locale,
  timezone,
  more,
}: Query): string =>
  JSON.stringify([
    Object.entries(filters).sort(),
    Object.entries(metadata).sort(),
    start,
    end,
    fileType ?? null,
    locale,
    timezone,
    more,
  ])

/** The values of a query by their fields. */
export const valuesIn = ({ filters = {}, metadata = {} }: Query): [Field, string[]][] => [
  ...(Object.entries(filters) as [Field, string[]][]),
  ...Object.entries(metadata).map(([key, value]): [Field, string[]] => [
    key as Field,
    [value as string],
  ]),
]

export const without = (query: Query, field: Field): Query => {
  const part = isMetadataKey(field) ? 'metadata' : 'filters'
  const { [field]: _, ...rest } = (query[part] ?? {}) as Record<string, never>
  return { ...query, [part]: rest }
}

export const hasFilters = (query: Query) => valuesIn(query).length > 0
export const isPdf = ({ fileType }: Query) => fileType === 'pdf'

export const clauseOf = (field: Field, law: string) =>
  `export.${isMetadataKey(field) ? 'metadata' : 'filter'}.${field}.${law}`
