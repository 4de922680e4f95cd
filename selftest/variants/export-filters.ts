import type { AuditEvent } from '../../reference/events.ts'
import type { ArrayEncoding, Column } from '../../reference/export-call.ts'
import type { Variant } from '../bend.ts'
import { declared, events } from '../faults/export-filters.ts'

const settings = (env: Record<string, string>) => async () => ({ env, close: async () => {} })

const encodings: Variant[] = (
  [
    [['brackets'], 'auto'],
    [['indices'], 'auto'],
    [['comma'], 'auto'],
    [['repeat', 'brackets'], 'auto'],
    [['indices', 'comma'], 'auto'],
    [['comma'], 'comma'],
    [['indices'], 'indices'],
    [['brackets'], 'brackets'],
  ] satisfies [ArrayEncoding[], string][]
).map(([understood, encoding]) => ({
  name: `lists as ${understood.join(' and ')}, ARRAY_ENCODING ${encoding}`,
  events,
  surroundings: settings({ ARRAY_ENCODING: encoding }),
  open: { arrayEncodings: () => understood },
}))

const refusals: Variant[] = [400, 404, 422].map((status) => ({
  name: `a value that no event has is answered ${status}, and so is an unknown parameter`,
  events,
  open: {
    queryRefusal: () => status,
    arrayEncodings: () => ['brackets'],
  },
}))

/** Counts the rows of each request, for what a service numbers or knows beforehand. */
const rowsOf = new WeakMap<URLSearchParams, number>()
const next = (query: URLSearchParams) => {
  const row = (rowsOf.get(query) ?? 0) + 1
  rowsOf.set(query, row)
  return row
}

const inWords = (text: string) =>
  text.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())
const isKind = (column: Column) => ['event_type', 'sub_type', 'system_source'].includes(column)
const few: Column[] = ['time', 'description']

const columns: Variant[] = (
  [
    ['no columns but time and description', few],
    ['times only', ['time']],
    ['no ids', ['time', 'event_type', 'sub_type', 'system_source', 'description']],
    ['metadata as JSON', ['id', 'time', 'sub_type', 'auditee_id', 'event_type', 'metadata']],
    ['types and metadata only', ['event_type', 'metadata']],
  ] satisfies [string, Column[]][]
).map(([name, columns]) => ({
  name,
  events,
  // Without a column to learn from, values come from the contract and from tasks.
  open: {
    columns: ({ fileType }) => (fileType === 'csv' ? columns : (['id', 'time'] as const).slice()),
  },
}))

/** Every tag comes with another one. */
const other = (tag: string) => (tag === 'vip' ? 'pep' : 'vip')

const titled = (title: (column: Column) => string): Variant['open'] => ({
  columnTitle: ({ column }) => title(column),
})

export const variants: Variant[] = [
  ...encodings,
  ...refusals,
  ...columns,
  { name: 'no header', events, open: { headerRow: () => false } },
  {
    name: 'a header only where there are events',
    events,
    open: { headerRow: ({ query }) => (rowsOf.get(query) ?? 0) > 0 },
    stated: {
      rows: ({ query, events }) => {
        rowsOf.set(query, events.length)
        return events
      },
    },
  },
  {
    name: 'a line that tells of the filters, where there are any',
    events,
    open: {
      titleLines: ({ filters }) => [
        'Audit events',
        ...filters.map(({ name, values }) => `Filter: ${name} is ${values.join(' or ')}`),
      ],
    },
  },
  {
    name: 'rows are numbered',
    events,
    stated: {
      cells: ({ query, cells }) => [String(next(query)), ...cells],
    },
    open: { headerRow: () => false },
  },
  {
    name: 'columns by other names',
    events,
    open: titled((column) => `Spalte ${column.length}${column[0]}`),
  },
  {
    name: 'names that are those of other columns',
    events,
    open: titled(
      (column) =>
        ({ event_type: 'sub_type', sub_type: 'event_type', entity_id: 'task_id', task_id: 'tag' })[
          column as string
        ] ?? column,
    ),
  },
  {
    name: 'types and sources in words',
    events,
    open: { label: ({ column, value }) => (isKind(column) ? inWords(value) : value) },
  },
  {
    name: 'types and sources by numbers',
    events,
    open: { label: ({ column, value }) => (isKind(column) ? `#${value.length}` : value) },
  },
  {
    name: 'ids in upper case',
    events,
    open: { cellForm: ({ text }) => (/^[0-9a-f-]{36}$/.test(text) ? text.toUpperCase() : text) },
  },
  {
    name: 'ids are cut',
    events,
    open: {
      cellForm: ({ text }) => (/^[0-9a-f-]{36}$/.test(text) ? `${text.slice(0, 8)}…` : text),
    },
  },
  {
    name: 'letter case does not matter',
    events,
    stated: { valueMatches: ({ value, given }) => value.toLowerCase() === given.toLowerCase() },
  },
  {
    name: 'what is not there is a dash',
    events,
    open: { cellForm: ({ text }) => (text === '' ? '-' : text) },
  },
  {
    name: 'a tag is one of a list',
    events,
    stated: {
      valueMatches: ({ filter, value, given }) =>
        value === given || (filter.name === 'tag' && given === other(value)),
    },
    open: {
      label: ({ column, value }) =>
        column === 'tag' && value !== '' ? `${value}; ${other(value)}` : value,
    },
  },
  {
    name: 'what the system caused has a word for an id',
    events,
    open: {
      label: ({ column, value }) => (column === 'auditee_id' && value < '8' ? 'the system' : value),
    },
    stated: {
      valueMatches: ({ filter, value, given }) =>
        value === given && (filter.name !== 'auditee_id' || value >= '8'),
    },
  },
  {
    name: 'columns without a value in the file are left out',
    events,
    open: {
      columns: ({ fileType, filters }) =>
        fileType === 'pdf' || filters.length === 0
          ? ['id', 'time', 'event_type', 'sub_type', 'tag', 'entity_id']
          : ['id', 'time', 'event_type', 'entity_id'],
    },
  },
  {
    name: 'a column that shows how many rows there are',
    events,
    stated: {
      rows: ({ query, events }) => {
        rowsOf.set(query, events.length)
        return events
      },
      cells: ({ query, cells }) => [`of ${rowsOf.get(query)}`, ...cells],
    },
    open: { headerRow: () => false },
  },
  {
    name: 'rows in an order that is another each time',
    events,
    open: {
      rowOrder: ({ events }) =>
        events
          .map((event: AuditEvent) => ({ event, at: Math.random() }))
          .sort((a, b) => a.at - b.at)
          .map(({ event }) => event),
    },
  },
  {
    name: 'several values in a form that nobody guesses',
    events,
    stated: {
      filters: ({ filters }) =>
        filters.map((filter) => ({ ...filter, values: filter.values.slice(0, 1) })),
    },
  },
  {
    name: 'lists in a form that nobody guesses',
    events,
    open: { arrayEncodings: () => [] },
  },
  {
    name: 'any of several metadata keys is enough',
    events,
    stated: {
      filtersHold: ({ filters, held }) => {
        const of = (kind: string) => held.filter((_, at) => filters[at]?.of === kind)
        const metadata = of('metadata')
        return of('event').every(Boolean) && (metadata.length === 0 || metadata.some(Boolean))
      },
    },
    warns: ['export.metadata.conjunction'],
  },
  { name: 'live traffic', events, open: { trafficInterval: () => 3 } },
  { name: 'exports record themselves', events, open: { recordsExports: () => true } },
  { name: 'few events', events: 7 },
  { name: 'one event', events: 1 },
  { name: 'no events', events: 0 },
  {
    name: 'types and sources that all look alike',
    events: 40,
    surroundings: declared,
    open: {
      label: ({ column, value }) => (isKind(column) ? 'all' : value),
    },
  },
  {
    name: 'the key may not export',
    events,
    open: { permits: ({ op }) => op !== 'export' },
  },
  {
    name: 'the key may not filter',
    events,
    open: { permits: ({ op, query }) => op !== 'export' || ![...query.keys()].some(isFilter) },
  },
]

const isFilter = (name: string) => /type|source|auditee|metadata/.test(name) && name !== 'file_type'
