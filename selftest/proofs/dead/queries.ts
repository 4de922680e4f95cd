// Parameters of the export and keys of metadata, dead in each way that applies to them.

import type { Call } from '../../../reference/calls/call.ts'
import { metadataKeys } from '../../../reference/calls/events.ts'
import { type Filter, parameters } from '../../../reference/calls/export-call.ts'
import type { Bent } from '../fault.ts'
import { type Dead, few, refusals } from './way.ts'

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

const inOpposite: Record<string, Bent> = {
  range_start: { stated: { isFrom: ({ time, start }) => time < start } },
  range_end: { stated: { isUpTo: ({ time, end }) => time > end } },
  locale: {
    open: {
      queryText: ({ text }) =>
        text.replace(/locale=(en|de)\b/, (_, code) => `locale=${code === 'en' ? 'de' : 'en'}`),
    },
  },
  timezone: { stated: { offset: ({ offset }) => -offset } },
}
const filterOpposite = (isMeant: (filter: Filter) => boolean): Bent => ({
  stated: {
    valueMatches: ({ filter, value, given }) =>
      isMeant(filter) ? value !== given : value === given,
  },
})

const single = ['range_start', 'range_end', 'file_type', 'locale', 'timezone']
const queryParts: { name: string; by: string[]; opposite: Bent | undefined }[] = [
  ...parameters.map((name) => ({
    name: name as string,
    by: [`export.filter.${name}.*`],
    opposite: filterOpposite((filter) => filter.name === name),
  })),
  ...metadataKeys.map((key) => ({
    name: `metadata[${key}]`,
    by: [`export.metadata.${key}.*`],
    opposite: filterOpposite(({ name }) => name === key),
  })),
  {
    name: 'metadata',
    by: ['export.metadata.*'],
    opposite: filterOpposite(({ of }) => of === 'metadata'),
  },
  ...single.map((name) => ({
    name,
    by: [
      name.startsWith('range')
        ? 'export.range.*'
        : name === 'timezone'
          ? 'export.timezone.*'
          : name === 'locale'
            ? 'export.locale*'
            : 'export.default-*',
    ],
    opposite: inOpposite[name],
  })),
]
export const allFilters: Dead[] = (
  [
    [
      'ignored',
      { stated: { filters: ({ filters }) => filters.filter(({ of }) => of === 'metadata') } },
    ],
    ...refusals((call) => parameters.some((name) => isGiven(name)(call))),
    [
      'always empty',
      {
        stated: {
          rows: ({ events, filters }) => (filters.some(({ of }) => of === 'event') ? [] : events),
        },
      },
    ],
    ['the opposite', filterOpposite(({ of }) => of === 'event')],
  ] satisfies [string, Bent][]
).map(([way, bent]) => ({
  ...few,
  name: `the four array parameters: ${way}`,
  by: ['export.filter.*'],
  ...bent,
}))

export const queries: Dead[] = queryParts.flatMap(({ name, by, opposite }) =>
  (
    [
      ['ignored', { open: { queryText: withoutParameter(name) } }],
      ...refusals(isGiven(name)),
      ['always empty', { stated: { rows: (asked) => (isGiven(name)(asked) ? [] : asked.events) } }],
      ...(opposite ? [['the opposite', opposite] satisfies [string, Bent]] : []),
    ] satisfies [string, Bent][]
  ).map(([way, bent]) => ({ ...few, name: `${name}: ${way}`, by, ...bent })),
)
