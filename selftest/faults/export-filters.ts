import { makeEvents } from '../../reference/events.ts'
import {
  type Export,
  type Filter,
  metadataKeys,
  parameters,
  valueIn,
} from '../../reference/export-call.ts'
import { makeWorld } from '../../reference/world.ts'
import type { Fault } from '../bend.ts'

/** Fewer than a world has: all relations between filters show in them as well. */
export const events = 300

const settings = (env: Record<string, string>) => async () => ({ env, close: async () => {} })

/** A form that is declared is one that is judged. */
export const declared = settings({ ARRAY_ENCODING: 'repeat' })

/** A value of every key that an event has. */
export const knownValues = settings({
  METADATA_VALUES: metadataKeys
    .map((name) => {
      const values = makeEvents(makeWorld(1, { events })).map((event) => event.metadata[name])
      return `${name}=${values.find((value) => value !== undefined && !value.includes(','))}`
    })
    .join(','),
})

/** So few of many events that all events with a value are more. */
const twoDays = settings({
  EXPORT_FROM: '2025-03-01T00:00:00Z',
  EXPORT_TO: '2025-03-03T00:00:00Z',
})

const isOf = (name: string) => (filter: Filter) => filter.name === name
const isMetadata = ({ of }: Filter) => of === 'metadata'
const inPdf = ({ fileType }: Pick<Export, 'fileType'>) => fileType === 'pdf'

const ignoredParameters = parameters.map(
  (name): Fault => ({
    name: `${name} is ignored`,
    events,
    stated: { filters: ({ filters }) => filters.filter((filter) => filter.name !== name) },
    breaks: [`export.filter.${name}.unknown-value`],
  }),
)

const ignoredKeys = metadataKeys.map(
  (name): Fault => ({
    name: `metadata[${name}] is ignored`,
    events,
    stated: { filters: ({ filters }) => filters.filter((filter) => filter.name !== name) },
    breaks: [`export.metadata.${name}.unknown-value`],
  }),
)

const lost: Fault[] = parameters.map((name) => ({
  name: `an event is missing when ${name} is given`,
  events,
  stated: {
    rows: ({ filters, events }) => (filters.some(isOf(name)) ? events.slice(0, -1) : events),
  },
  breaks: [`export.filter.${name}.exact`, 'export.filter.partition', 'export.filter.conjunction'],
}))

const several: Fault[] = (
  [
    ['only the first of several values counts', (values) => values.slice(0, 1)],
    ['only the last of several values counts', (values) => values.slice(-1)],
    ['several values are taken for one', (values) => [values.join(',')]],
  ] satisfies [string, (values: string[]) => string[]][]
).map(([name, values]) => ({
  name,
  events,
  surroundings: declared,
  stated: {
    filters: ({ filters }) =>
      filters.map((filter) => ({ ...filter, values: values(filter.values) })),
  },
  breaks: ['export.filter.*.several'],
}))

/** Of parameters, but for PDFs. */
const ofParameters: Fault[] = [
  ...ignoredParameters,
  ...lost,
  ...several,
  {
    name: 'a part of the value is enough',
    events,
    stated: { valueMatches: ({ value, given }) => value.includes(given) },
    breaks: ['export.filter.sub_type.exact', 'export.filter.partition'],
  },
  {
    name: 'one value finds nothing',
    events,
    stated: { valueMatches: ({ value, given }) => value === given && value !== 'viewed' },
    breaks: ['export.filter.sub_type.exact', 'export.filter.partition'],
  },
  {
    name: 'several values have to be there at once',
    events,
    surroundings: declared,
    stated: { filterHolds: ({ matches }) => matches.every(Boolean) },
    breaks: ['export.filter.*.several'],
  },
  {
    name: 'several values are refused',
    events,
    surroundings: declared,
    stated: {
      rangeRefusal: ({ filters }) =>
        filters.some(({ values }) => values.length > 1) ? 400 : undefined,
    },
    breaks: ['export.filter.*.several'],
  },
  {
    name: 'system_source is ignored beside event_type',
    events,
    stated: {
      filters: ({ filters }) =>
        filters.filter(({ name }) => name !== 'system_source' || !filters.some(isOf('event_type'))),
    },
    breaks: ['export.filter.conjunction'],
  },
]

const ofMetadata: Fault[] = [
  ...ignoredKeys,
  {
    name: 'an event that lacks the key passes any value of it',
    events,
    stated: {
      filters: ({ filters }) => filters.filter((filter) => !isMetadata(filter)),
    },
    breaks: ['export.metadata.*.unknown-value'],
  },
  {
    name: 'metadata is refused',
    events,
    surroundings: knownValues,
    stated: { rangeRefusal: ({ filters }) => (filters.some(isMetadata) ? 400 : undefined) },
    breaks: ['export.metadata.*.accepted'],
  },
  {
    name: 'only the first metadata key counts',
    events,
    stated: {
      filters: ({ filters }) => {
        const first = filters.find(isMetadata)
        return filters.filter((filter) => !isMetadata(filter) || filter === first)
      },
    },
    breaks: ['export.metadata.several-keys', 'export.metadata.conjunction'],
  },
  {
    name: 'only the last metadata key counts',
    events,
    stated: {
      filters: ({ filters }) => {
        const last = filters.findLast(isMetadata)
        return filters.filter((filter) => !isMetadata(filter) || filter === last)
      },
    },
    breaks: ['export.metadata.several-keys', 'export.metadata.conjunction'],
  },
  {
    name: 'several metadata keys are refused',
    events,
    stated: {
      rangeRefusal: ({ filters }) => (filters.filter(isMetadata).length > 1 ? 400 : undefined),
    },
    breaks: ['export.metadata.several-keys', 'export.metadata.conjunction'],
  },
  {
    name: 'any of several metadata keys is enough',
    events,
    stated: {
      filtersHold: ({ filters, held }) => {
        const metadata = held.filter((_, at) => isMetadata(filters[at] as Filter))
        const others = held.filter((_, at) => !isMetadata(filters[at] as Filter))
        return others.every(Boolean) && (metadata.length === 0 || metadata.some(Boolean))
      },
    },
    breaks: ['export.metadata.conjunction'],
  },
]

const ofBoth: Fault[] = [
  {
    name: 'all filters are ignored',
    events,
    surroundings: declared,
    stated: { filters: () => [] },
    breaks: ['export.filter.*.unknown-value', 'export.metadata.*.unknown-value'],
  },
  {
    name: 'a value that no event has is passed over',
    events,
    stated: {
      filters: ({ filters, events }) =>
        filters.filter((filter) =>
          events.some((event) => filter.values.includes(valueIn(event, filter) ?? '')),
        ),
    },
    breaks: ['export.filter.*.unknown-value', 'export.metadata.*.unknown-value'],
  },
  {
    name: 'a filter makes the range be ignored',
    surroundings: twoDays,
    stated: {
      range: ({ range, filters }) =>
        filters.length > 0 ? { start: undefined, end: undefined } : range,
    },
    breaks: [
      'export.filter.*.narrows',
      'export.filter.*.exact',
      'export.metadata.*.narrows',
      'export.metadata.*.exact',
    ],
  },
  {
    name: 'an event is missing when metadata is given',
    events,
    stated: {
      rows: ({ filters, events }) => (filters.some(isMetadata) ? events.slice(0, -1) : events),
    },
    breaks: [
      'export.metadata.*.exact',
      'export.metadata.several-keys',
      'export.metadata.conjunction',
      'export.filter.conjunction',
    ],
  },
  {
    name: 'any of several filters is enough',
    events,
    stated: { filtersHold: ({ held }) => held.some(Boolean) },
    breaks: ['export.filter.conjunction', 'export.metadata.conjunction'],
  },
  {
    name: 'only the first of several filters counts',
    events,
    stated: { filters: ({ filters }) => filters.slice(0, 1) },
    breaks: [
      'export.filter.conjunction',
      'export.metadata.several-keys',
      'export.metadata.conjunction',
    ],
  },
]

const ofPdf: Fault[] = [
  {
    name: 'filters are ignored for a PDF',
    events,
    stated: { filters: (asked) => (inPdf(asked) ? [] : asked.filters) },
    breaks: ['export.filter.pdf'],
  },
  {
    name: 'sub_type is ignored for a PDF',
    events,
    stated: {
      filters: (asked) => asked.filters.filter(({ name }) => !inPdf(asked) || name !== 'sub_type'),
    },
    breaks: ['export.filter.pdf'],
  },
  {
    name: 'a PDF with a filter has no events',
    events,
    stated: {
      rows: ({ events, ...asked }) => (inPdf(asked) && asked.filters.length > 0 ? [] : events),
    },
    breaks: ['export.filter.pdf'],
  },
]

/** By the clauses that they are judged by: a run takes as long as what it checks. */
export const byArea = { ofParameters, ofMetadata, ofBoth, ofPdf }

export const faults = Object.values(byArea).flat()
