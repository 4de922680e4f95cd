// What a finding says of files: which file it is, and by what a script recognises its events.

import type { Multiset } from '../../../engine/files/multiset.ts'
import type { Place } from '../../../engine/findings/file-rows.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { metadataParameter } from '../../contract/parameters.ts'
import type { Query } from './query.ts'

/** A file by its query; `range` is left out if all files that are compared have the same. */
export function placeOf(query: Query, form: Place['in'] = 'csv'): Place {
  const { filters = {}, metadata = {}, timezone, locale, fileType, start, end } = query
  const ofKeys = Object.entries(metadata).map(([key, value]) => [metadataParameter(key), [value]])
  const chosen = { ...filters, ...Object.fromEntries(ofKeys) }
  const others = {
    ...(timezone && { timezone }),
    ...(locale && { locale }),
    ...(fileType && form === 'csv' ? { file_type: fileType } : {}),
  }
  const hasRange = start !== undefined || end !== undefined
  return {
    in: form,
    ...(Object.keys(chosen).length > 0 ? { filters: chosen } : {}),
    ...(Object.keys(others).length > 0 ? { others } : {}),
    ...(hasRange ? { range: { start, end } } : {}),
  }
}

/** A script has at most so many. */
export const maxIds = 5

/** An id of each event that none of the others shows: a script can look for it. */
export function idsOfOnly(events: Multiset, others: Multiset): string[] {
  const rowsOf = (set: Multiset) => [...set.keys()].map((key): string[] => JSON.parse(key))
  const shared = new Set(rowsOf(others).flat())
  const ids = rowsOf(events).flatMap(
    (row) => row.find((cell) => isUuid(cell) && !shared.has(cell)) ?? [],
  )
  return [...new Set(ids)].slice(0, maxIds)
}
