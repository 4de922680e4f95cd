import { type AuditEvent, type MetadataKey, makeEvents } from '../../../reference/calls/events.ts'
import type { ArrayEncoding } from '../../../reference/calls/export-call.ts'
import { open } from '../../../reference/rules/open.ts'
import { statedOfExport } from '../../../reference/rules/stated-export.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { inPdf } from '../bent/export-window.ts'
import { events } from '../bent/few-events.ts'
import { type Variant, withoutComments } from '../fault.ts'

const encodings: Variant[] = (
  [
    [['brackets'], 'auto'],
    [['indices'], 'auto'],
    [['comma'], 'auto'],
    [['pipe'], 'auto'],
    [['semicolon'], 'auto'],
    [['space'], 'auto'],
    [['json'], 'auto'],
    [['repeat'], 'auto'],
    [['repeat', 'brackets'], 'auto'],
    [['comma'], 'comma'],
    [['indices'], 'indices'],
    [['json'], 'json'],
    [['pipe'], 'pipe'],
  ] satisfies [ArrayEncoding[], string][]
).map(([understood, encoding]) => ({
  name: `lists as ${understood.join(' and ')}, ARRAY_ENCODING ${encoding}`,
  events,
  env: { ARRAY_ENCODING: encoding },
  open: { arrayEncodings: () => understood },
}))

const codeOf = (text: string) => text.toLowerCase().replaceAll(/[-_ ]/g, '_')

const refusals: Variant[] = [400, 404].map((status) => ({
  name: `a value that no event has is answered ${status}, and so is an unknown parameter`,
  events,
  open: {
    queryRefusal: () => status,
    arrayEncodings: () => ['brackets'],
  },
  ...(status === 404 && { warns: ['export.invalid.*'] }),
}))

const namesOf = (event: AuditEvent, value: string): string[] =>
  Object.entries(event.metadata).flatMap(([name, other]) => (other === value ? [name] : []))

/** Of an event that has no value of a key the file does not show what its value would be. */
const underOthers: Variant = {
  name: 'a key finds events too that have its value under another key, and none under this one',
  events,
  stated: {
    filters: ({ filters, events }) =>
      filters.map((filter) => {
        const [value = ''] = filter.values
        const names = events.flatMap((event) => namesOf(event, value))
        const isOwn = filter.of === 'event' || names.includes(filter.name)
        return isOwn ? filter : { ...filter, name: names[0] ?? filter.name }
      }),
    rows: ({ events, filters }) =>
      events.filter(({ metadata }) =>
        filters.every(({ of, name, values: [value = ''] }) => {
          const own = metadata[name as MetadataKey]
          return of === 'event' || own === undefined || own === value
        }),
      ),
  },
}

const oneOfEach = new Set(
  new Map(
    makeEvents(makeWorld(1, { events })).map((event) => [event.event_type, event.id]),
  ).values(),
)

const isFilter = (name: string) => /type|source|auditee|metadata/.test(name) && name !== 'file_type'

export const variants: Variant[] = [
  ...encodings,
  ...refusals,
  underOthers,
  {
    name: 'letter case does not matter',
    events,
    stated: { valueMatches: ({ value, given }) => value.toLowerCase() === given.toLowerCase() },
  },
  {
    name: 'signs in values do not matter',
    events,
    open: { label: ({ column, value }) => (column === 'tag' && value ? `e-${value}` : value) },
    stated: {
      valueMatches: ({ filter, value, given }) =>
        filter.name === 'tag' ? codeOf(`e-${value}`) === codeOf(given) : value === given,
    },
  },
  ...[undefined, 'text/csv; charset=ISO-8859-1'].map(
    (type): Variant => ({
      name: `a byte order mark before a quote with a comma in it, of type ${type}`,
      events,
      env: { ARRAY_ENCODING: 'repeat' },
      open: {
        byteOrderMark: () => true,
        headerRow: () => false,
        columns: () => ['id', 'time', 'event_type', 'sub_type'],
        cellForm: ({ column, text }) => (column === 'id' ? `${text}, an event` : text),
        exportContentType: (asked) => (inPdf(asked) ? 'application/pdf' : type),
      },
      warns: withoutComments,
    }),
  ),
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
    warns: ['export.filter.several-count'],
  },
  {
    name: 'five types of events, one event of each',
    events,
    stated: { rows: ({ events }) => events.filter(({ id }) => oneOfEach.has(id)) },
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
    mayWarn: ['export.filter.combined.*'],
  },
  {
    name: 'a gateway forbids signs in values',
    events,
    stated: {
      rangeRefusal: (asked) =>
        asked.filters.some(({ values }) => values.some((value) => /[%*]/.test(value)))
          ? 403
          : statedOfExport.rangeRefusal(asked),
    },
  },
  {
    name: 'percent-encoded brackets are refused as a parameter that is not known',
    events,
    open: {
      queryText: ({ text }) => text.replaceAll(/%5B/gi, '%255B'),
      queryRefusal: (asked) => (asked.flaw === 'parameter' ? 400 : open.queryRefusal(asked)),
    },
  },
  { name: 'live traffic', events, open: { trafficInterval: () => 3 } },
  { name: 'exports record themselves', events, open: { recordsExports: () => true } },
  { name: 'few events', events: 7 },
  { name: 'one event', events: 1 },
  { name: 'no events', events: 0 },
  {
    name: 'the key may not export',
    events,
    refuses: true,
    open: { permits: ({ op }) => op !== 'export' },
  },
  {
    name: 'the key may not filter',
    events,
    refuses: true,
    open: { permits: ({ op, query }) => op !== 'export' || ![...query.keys()].some(isFilter) },
  },
]
