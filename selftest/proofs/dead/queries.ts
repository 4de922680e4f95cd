// Parameters of the export and keys of metadata, dead in each way that applies to them.

import type { Call } from '../../../reference/calls/call.ts'
import { metadataKeys } from '../../../reference/calls/events.ts'
import { type Filter, parameters } from '../../../reference/calls/export-call.ts'
import { type Dead, deadIn, refusals, type Ways } from './way.ts'

const withoutParameter =
  (name: string) =>
  ({ text }: { text: string }) => {
    const query = new URLSearchParams(text)
    for (const key of [...query.keys()]) if (isNamed(key, name)) query.delete(key)
    return query.toString()
  }
const isNamed = (key: string, name: string) => key === name || key.startsWith(`${name}[`)
const isGiven =
  (name: string) =>
  ({ op, query }: Call) =>
    op === 'export' && [...query.keys()].some((key) => isNamed(key, name))

const inOpposite: Ways = {
  range_start: { isFrom: ({ time, start }) => time < start },
  range_end: { isUpTo: ({ time, end }) => time > end },
  locale: {
    queryText: ({ text }) =>
      text.replace(/locale=(en|de)\b/, (_, code) => `locale=${code === 'en' ? 'de' : 'en'}`),
  },
  timezone: { offset: ({ offset }) => -offset },
}
const opposite = (isMeant: (filter: Filter) => boolean): Ways => ({
  'the opposite': {
    valueMatches: ({ filter, value, given }) =>
      isMeant(filter) ? value !== given : value === given,
  },
})

export const allFilters: Dead[] = deadIn('the four array parameters: ', 'export.filter.*', {
  ignored: { filters: ({ filters }) => filters.filter(({ of }) => of === 'metadata') },
  ...refusals((call) => parameters.some((name) => isGiven(name)(call))),
  'always empty': {
    rows: ({ events, filters }) => (filters.some(({ of }) => of === 'event') ? [] : events),
  },
  ...opposite(({ of }) => of === 'event'),
})

const parameter = (name: string, by: string, more: Ways): Dead[] =>
  deadIn(`${name}: `, by, {
    ignored: { queryText: withoutParameter(name) },
    ...refusals(isGiven(name)),
    'always empty': { rows: (asked) => (isGiven(name)(asked) ? [] : asked.events) },
    ...more,
  })

const clausesOf = {
  range_start: 'export.range.*',
  range_end: 'export.range.*',
  file_type: 'export.default-*',
  locale: 'export.locale*',
  timezone: 'export.timezone.*',
}

export const queries: Dead[] = [
  ...parameters.flatMap((name) =>
    parameter(
      name,
      `export.filter.${name}.*`,
      opposite((filter) => filter.name === name),
    ),
  ),
  ...metadataKeys.flatMap((key) =>
    parameter(
      `metadata[${key}]`,
      `export.metadata.${key}.*`,
      opposite(({ name }) => name === key),
    ),
  ),
  ...parameter(
    'metadata',
    'export.metadata.*',
    opposite(({ of }) => of === 'metadata'),
  ),
  ...Object.entries(clausesOf).flatMap(([name, by]) => {
    const other = inOpposite[name]
    return parameter(name, by, other ? { 'the opposite': other } : {})
  }),
]
