import type { Call } from '../calls/call.ts'
import { isMetadataKey, metadataKeys } from '../calls/events.ts'
import type { ArrayEncoding, Export, FileType, Filter, QueryFlaw } from '../calls/export-call.ts'
import { isIdentifier, parameters } from '../calls/export-call.ts'
import type { Setup } from '../state/setup.ts'
import { isZone } from './zones.ts'

/** Reads a query as far as possible, with the status for its first flaw. */
export function readQuery(setup: Setup, call: Call) {
  const { stated, open } = setup
  const { query } = call
  let flawStatus: number | undefined
  let refused: QueryFlaw | undefined

  /** whether a part of the query is valid; an invalid part that is not refused has no effect */
  const counts = (isRight: boolean, flaw: QueryFlaw, parameter: string, value: string) => {
    if (isRight || flawStatus !== undefined) return isRight
    flawStatus = open.queryRefusal({ ...call, flaw, parameter, value })
    if (flawStatus !== undefined) refused = flaw
    return isRight
  }
  const single = (parameter: string, flaw: QueryFlaw, isRight: (value: string) => boolean) => {
    const value = query.get(parameter)
    if (value === null || open.isNotGiven({ ...call, parameter, value })) return undefined
    return counts(isRight(value), flaw, parameter, value) ? value : undefined
  }
  const bound = (parameter: string) => {
    const instant = (value: string) => open.instantFrom({ ...call, parameter, value })
    const value = single(parameter, 'range form', (value) => instant(value) !== undefined)
    return value === undefined ? undefined : instant(value)
  }

  for (const [parameter, value] of query) {
    counts(/^metadata\[/.test(parameter) || known.test(parameter), 'parameter', parameter, value)
    const [, key] = /^metadata\[(.*)\]$/.exec(parameter) ?? []
    if (key !== undefined) counts(isMetadataKey(key), 'metadata key', parameter, value)
  }
  const isSupported = (zone: string) => isZone(zone) && open.supportsZone({ ...call, zone })
  const asked: Export = {
    ...call,
    fileType:
      (single('file_type', 'file type', isFileType) as FileType | undefined) ??
      stated.defaultFileType(call),
    locale:
      single('locale', 'locale', (value) => open.locales(call).includes(value)) ??
      stated.defaultLocale(call),
    zone: stated.zone({
      ...call,
      zone: single('timezone', 'time zone', isSupported) ?? open.defaultZone(call),
    }),
    range: { start: bound('range_start'), end: bound('range_end') },
    filters: [...parameterFilters(setup, call), ...metadataFilters(call)],
  }
  return { asked, flawStatus, flaw: refused }
}

const isFileType = (value: string) => value === 'csv' || value === 'pdf'
const known =
  /^((auditee_id|event_type|sub_type|system_source)(\[\d*\])?|range_start|range_end|file_type|locale|timezone)$/

const parameterFilters = (setup: Setup, call: Call): Filter[] =>
  parameters.flatMap((name) => {
    const encodings = setup.open.arrayEncodings({ ...call, parameter: name })
    const values = encodings.flatMap((encoding) => decode[encoding](call.query, name))
    return filterOf('event', name, values)
  })

const metadataFilters = ({ query }: Call): Filter[] =>
  metadataKeys.flatMap((name) => filterOf('metadata', name, query.getAll(`metadata[${name}]`)))

const filterOf = (of: Filter['of'], name: string, values: string[]): Filter[] => {
  if (values.length === 0) return []
  const given = isIdentifier(name) ? values.map((id) => id.toLowerCase()) : values
  return [{ of, name, values: [...new Set(given)] }]
}

type Decode = (query: URLSearchParams, name: string) => string[]

const separated =
  (separator: string): Decode =>
  (query, name) =>
    query.getAll(name).flatMap((value) => value.split(separator))

/** empty for any other text */
function jsonList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.map(String) : []
  } catch {
    return []
  }
}

const decode: Record<ArrayEncoding, Decode> = {
  repeat: (query, name) => query.getAll(name),
  brackets: (query, name) => query.getAll(`${name}[]`),
  indices: (query, name) => {
    const isIndexed = (key: string) =>
      key.startsWith(name) && /^\[\d+\]$/.test(key.slice(name.length))
    return [...query].filter(([key]) => isIndexed(key)).map(([, value]) => value)
  },
  comma: separated(','),
  pipe: separated('|'),
  semicolon: separated(';'),
  space: separated(' '),
  json: (query, name) => query.getAll(name).flatMap(jsonList),
}
