// What a finding says of files: which file it is, and by what a script recognises its events.

import { countsOf, type Multiset } from '../../../engine/files/multiset.ts'
import type { Place } from '../../../engine/findings/file-rows.ts'
import { parsed } from '../../../engine/parsed.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { metadataKeys } from '../../contract/metadata-keys.ts'
import { pathOf } from '../../contract/operations.ts'
import { arrayParameters, defaultLanguage, metadataParameter } from '../../contract/parameters.ts'
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

const rowsOf = (set: Multiset): string[][] => [...set.keys()].map((key) => JSON.parse(key))

/** The ids of events that have other cells among the others: a script can compare their rows. */
export function idsOfChanged(events: Multiset, others: Multiset): string[] {
  const counts = countsOf(rowsOf(others).flat())
  const ids = rowsOf(events).flatMap(
    (row) => row.find((cell) => isUuid(cell) && counts.get(cell) === 1) ?? [],
  )
  return [...new Set(ids)].slice(0, maxIds)
}

/** An id of each event that none of the others shows: a script can look for it. */
export function idsOfOnly(events: Multiset, others: Multiset): string[] {
  const shared = new Set(rowsOf(others).flat())
  const ids = rowsOf(events).flatMap(
    (row) => row.find((cell) => isUuid(cell) && !shared.has(cell)) ?? [],
  )
  return [...new Set(ids)].slice(0, maxIds)
}

/** The file that the path of an export asks for, but for its range; its lists may be in any encoding. */
export function placeAt(path: string): Place | undefined {
  const [route, query = ''] = path.split('?')
  if (route !== pathOf('export')) return undefined
  const asked: Query = {}
  for (const [name, value] of new URLSearchParams(query)) readParameter(asked, name, value)
  const { fileType, ...rest } = asked
  return placeOf(rest, fileType === 'pdf' ? 'pdf' : 'csv')
}

function readParameter(asked: Query, name: string, value: string): void {
  const parameter = name.replace(/\[\d*\]$/, '')
  const array = arrayParameters.find((each) => each === parameter)
  const key = metadataKeys.find((each) => name === metadataParameter(each))
  if (key) asked.metadata = { ...asked.metadata, [key]: value }
  if (array) {
    const values = [...(asked.filters?.[array] ?? []), ...valuesIn(value)]
    asked.filters = { ...asked.filters, [array]: values.sort() }
  }
  if (name === 'file_type') asked.fileType = value
  if (name === 'timezone') asked.timezone = value
  if (name === 'locale' && value !== defaultLanguage) asked.locale = value
}

/** The values of a list that stands in one parameter. */
function valuesIn(text: string): string[] {
  const list = /^\[/.test(text) ? parsed(text) : undefined
  return Array.isArray(list) ? list.map(String) : text.split(/[,|; ]/)
}
