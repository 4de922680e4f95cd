import type { Column } from '../../../reference/calls/export-call.ts'
import { openOfExport } from '../../../reference/rules/open-export.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import { autumn, columnsInUse, declared, events, knownValues } from '../bent/exports.ts'
import { tableOf, type Variant, variant, variantsNamed, withoutComments } from '../fault.ts'

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

const columns = tableOf<[string, Column[]]>([
  ['no columns but time and description', few],
  ['times only', ['time']],
  ['no ids', ['time', 'event_type', 'sub_type', 'system_source', 'description']],
  ['metadata as JSON', ['id', 'time', 'sub_type', 'auditee_id', 'event_type', 'metadata']],
  ['types and metadata only', ['event_type', 'metadata']],
]).map(([name, columns]) =>
  variant(name, {
    // Without a column to learn from, values come from the contract and from tasks.
    columns: ({ fileType }) => (fileType === 'csv' ? columns : (['id', 'time'] as const).slice()),
    warns: withoutComments,
  }),
)

/** Every tag comes with another one. */
const other = (tag: string) => (tag === 'vip' ? 'pep' : 'vip')

const titled = (title: (column: Column) => string): Variant['open'] => ({
  columnTitle: ({ column }) => title(column),
})

const sharedIds: Stated['filters'] = ({ filters }) =>
  filters.map((each) =>
    each.name === 'assessment_id' ? { ...each, name: 'workflow_instance_id' } : each,
  )

const all: Variant[] = [
  ...columns,
  ...variantsNamed({
    // One column for what a person reads at once: its codes are what filters go by.
    'type and subtype in one column of labels, such as Task / Created': {
      columns: ({ fileType }) =>
        fileType === 'csv' ? ['id', 'time', 'event_type', 'auditee_id', 'task_id'] : ['id', 'time'],
      columnTitle: ({ column }) => (column === 'event_type' ? 'event' : column),
      cells: ({ fileType, cells, event }) =>
        fileType === 'csv'
          ? cells.with(2, `${inWords(event.event_type)} / ${inWords(event.sub_type)}`)
          : cells,
      warns: withoutComments,
    },
    'no header': { headerRow: () => false },
    'a header only where there are events': {
      headerRow: ({ query }) => (rowsOf.get(query) ?? 0) > 0,
      rows: ({ query, events }) => {
        rowsOf.set(query, events.length)
        return events
      },
    },
    'a line that tells of the filters, where there are any': {
      titleLines: ({ filters }) => [
        'Audit events',
        ...filters.map(({ name, values }) => `Filter: ${name} is ${values.join(' or ')}`),
      ],
    },
    'rows are numbered': {
      cells: ({ query, cells }) => [String(next(query)), ...cells],
      headerRow: () => false,
    },
    'columns by other names': {
      ...titled((column) => `Spalte ${column.length}${column[0]}`),
    },
    'names that are those of other columns': {
      ...titled(
        (column) =>
          ({
            event_type: 'sub_type',
            sub_type: 'event_type',
            entity_id: 'task_id',
            task_id: 'tag',
          })[column as string] ?? column,
      ),
    },
    'the entity is what is cached, and the file does not show the cache': {
      filters: ({ filters }) =>
        filters.map((each) => (each.name === 'cache_id' ? { ...each, name: 'entity_id' } : each)),
      columns: ({ fileType }) =>
        fileType === 'csv' ? ['id', 'time', 'comment', 'entity_id', 'task_id'] : ['id', 'time'],
    },
    'an assessment has the id of its workflow instance, and the file shows its short name': {
      filters: sharedIds,
      columns: ({ fileType }) =>
        fileType === 'csv'
          ? ['id', 'time', 'workflow_instance_id', 'assessment_id', 'task_id']
          : ['id', 'time'],
      label: ({ column, value }) =>
        column === 'assessment_id' && value !== '' ? `A-${value.slice(0, 6)}` : value,
      warns: withoutComments,
    },
    'one column of texts, some of them with a semicolon': {
      events: 40,
      env: declared,
      columns: ({ fileType }) => (fileType === 'csv' ? ['description'] : ['id', 'time']),
      cellForm: ({ text }) => (text.length % 3 === 0 ? `${text}; done` : text),
      warns: withoutComments,
    },
    // Of events that look alike, it is unknown which have a value of a key.
    'hours and types alone, so that events look alike': {
      events: 5_000,
      env: { ...autumn, ...declared, ...knownValues() },
      columns: ({ fileType }) => (fileType === 'csv' ? ['time', 'event_type'] : ['id', 'time']),
      dateForm: ({ local }) => `${local.slice(0, 13)}:00`,
      warns: withoutComments,
    },
    'types and sources in words': {
      label: ({ column, value }) => (isKind(column) ? inWords(value) : value),
    },
    'types and sources by numbers': {
      label: ({ column, value }) => (isKind(column) ? `#${value.length}` : value),
    },
    'ids in upper case': {
      cellForm: ({ text }) => (/^[0-9a-f-]{36}$/.test(text) ? text.toUpperCase() : text),
    },
    'ids are cut': {
      cellForm: ({ text }) => (/^[0-9a-f-]{36}$/.test(text) ? `${text.slice(0, 8)}…` : text),
    },
    'what is not there is a text that no other service has': {
      cellForm: ({ text }) => (text === '' ? 'keine Angabe' : text),
    },
    'what is not there is a dash': { cellForm: ({ text }) => (text === '' ? '-' : text) },
    'a tag is one of a list': {
      valueMatches: ({ filter, value, given }) =>
        value === given || (filter.name === 'tag' && given === other(value)),
      label: ({ column, value }) =>
        column === 'tag' && value !== '' ? `${value}; ${other(value)}` : value,
    },
    'what the system caused has a word for an id': {
      label: ({ column, value }) => (column === 'auditee_id' && value < '8' ? 'the system' : value),
      valueMatches: ({ filter, value, given }) =>
        value === given && (filter.name !== 'auditee_id' || value >= '8'),
    },
    'columns without a value in the file are left out': {
      columns: columnsInUse,
      warns: withoutComments,
    },
    'two columns are left out where a file is filtered': {
      columns: ({ fileType, filters }) =>
        fileType === 'pdf' || filters.length === 0
          ? ['id', 'time', 'event_type', 'sub_type', 'tag', 'entity_id']
          : ['id', 'time', 'event_type', 'entity_id'],
      warns: withoutComments,
    },
    'columns that have no name in another language are left out of its filtered files': {
      columns: ({ filters, locale }) => {
        const columns: Column[] = ['id', 'time', 'event_type', 'sub_type', 'tag', 'entity_id']
        return filters.length > 0 && locale !== 'en' ? columns.slice(0, 4) : columns
      },
      warns: withoutComments,
    },
    'columns stand in another order where a file is filtered': {
      columns: ({ filters }) => {
        const columns: Column[] = ['id', 'time', 'event_type', 'sub_type', 'tag', 'entity_id']
        return filters.length === 0 ? columns : columns.toReversed()
      },
      // In another language nobody would know which is which.
      columnTitle: (asked) => openOfExport.columnTitle({ ...asked, locale: 'en' }),
      warns: withoutComments,
    },
    'a column that shows how many rows there are': {
      rows: ({ query, events }) => {
        rowsOf.set(query, events.length)
        return events
      },
      cells: ({ query, cells }) => [`of ${rowsOf.get(query)}`, ...cells],
      headerRow: () => false,
    },
    'types and sources that all look alike': {
      events: 40,
      env: declared,
      label: ({ column, value }) => (isKind(column) ? 'all' : value),
    },
  }),
]

/** What the file shows: nothing of it is in the contract. */
export const variants = all.map((variant) => ({ events, ...variant }))
