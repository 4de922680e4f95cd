import { makeEvents } from '../../../reference/calls/event-maker.ts'
import type { AuditEvent, MetadataKey } from '../../../reference/calls/events.ts'
import type { ArrayEncoding, Column, Export } from '../../../reference/calls/export-call.ts'
import { open } from '../../../reference/rules/open.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import {
  autumn,
  columnsOf,
  events,
  inCsv,
  inPdf,
  isFiltered,
  isForeign,
  refusing,
  valuesAs,
} from '../bent/exports.ts'
import {
  tableOf,
  uncommented,
  type Variant,
  variant,
  variantsOf,
  withoutComments,
} from '../fault.ts'

const codeOf = (text: string) => text.toLowerCase().replaceAll(/[-_ ]/g, '_')

const namesOf = (event: AuditEvent, value: string): string[] =>
  Object.entries(event.metadata).flatMap(([name, other]) => (other === value ? [name] : []))

const oneOfEach = new Set(
  new Map(makeEvents(makeWorld(1), events).map((event) => [event.event_type, event.id])).values(),
)

const isFilter = (name: string) => /type|source|auditee|metadata/.test(name) && name !== 'file_type'

export const variants = [
  ...tableOf<[ArrayEncoding[], string]>([
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
  ]).map(([understood, encoding]) =>
    variant(`lists as ${understood.join(' and ')}, ARRAY_ENCODING ${encoding}`, {
      env: { ARRAY_ENCODING: encoding },
      arrayEncodings: () => understood,
    }),
  ),
  ...[400, 404].map((status) =>
    variant(`a value that no event has is answered ${status}, and so is an unknown parameter`, {
      queryRefusal: () => status,
      arrayEncodings: () => ['brackets'],
      ...(status === 404 && { warns: 'export.invalid.*' }),
    }),
  ),
  ...[undefined, 'text/csv; charset=ISO-8859-1'].map((type) =>
    variant(`a byte order mark before a quote with a comma in it, of type ${type}`, {
      env: { ARRAY_ENCODING: 'repeat' },
      byteOrderMark: () => true,
      headerRow: () => false,
      columns: () => ['id', 'time', 'event_type', 'sub_type'],
      cellForm: ({ column, text }) => (column === 'id' ? `${text}, an event` : text),
      exportContentType: (asked) => (inPdf(asked) ? 'application/pdf' : type),
      warns: withoutComments,
    }),
  ),
  ...variantsOf({
    // Of an event that has no value of a key the file does not show what its value would be.
    'a key finds events too that have its value under another key, and none under this one': {
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
    'letter case does not matter': {
      valueMatches: ({ value, given }) => value.toLowerCase() === given.toLowerCase(),
    },
    'signs in values do not matter': {
      label: ({ column, value }) => (column === 'tag' && value ? `e-${value}` : value),
      valueMatches: ({ filter, value, given }) =>
        filter.name === 'tag' ? codeOf(`e-${value}`) === codeOf(given) : value === given,
    },
    'rows in an order that is another each time': {
      rowOrder: ({ events }) =>
        events
          .map((event: AuditEvent) => ({ event, at: Math.random() }))
          .sort((a, b) => a.at - b.at)
          .map(({ event }) => event),
    },
    'several values in a form that nobody guesses': {
      ...valuesAs((values) => values.slice(0, 1)),
      warns: 'export.filter.several-count',
    },
    'five types of events, one event of each': {
      rows: ({ events }) => events.filter(({ id }) => oneOfEach.has(id)),
      // No file shows an update of the run.
      warns: '?audit.*',
    },
    'any of several metadata keys is enough': {
      filtersHold: ({ filters, held }) => {
        const of = (kind: string) => held.filter((_, at) => filters[at]?.of === kind)
        const metadata = of('metadata')
        return of('event').every(Boolean) && (metadata.length === 0 || metadata.some(Boolean))
      },
      warns: 'export.metadata.conjunction ?export.filter.combined.*',
    },
    'a gateway forbids signs in values': refusing(
      ({ filters }) => filters.some(({ values }) => values.some((value) => /[%*]/.test(value))),
      403,
    ),
    'percent-encoded brackets are refused as a parameter that is not known': {
      queryText: ({ text }) => text.replaceAll(/%5B/gi, '%255B'),
      queryRefusal: (asked) => (asked.flaw === 'parameter' ? 400 : open.queryRefusal(asked)),
    },
    'live traffic': { trafficInterval: () => 3 },
    'exports record themselves': { recordsExports: () => true },
    'few events': { events: 7 },
    'one event': { events: 1 },
    'no events': { events: 0 },
    'the key may not export': { refuses: true, permits: ({ op }) => op !== 'export' },
    'the key may not filter': {
      refuses: true,
      permits: ({ op, query }) => op !== 'export' || ![...query.keys()].some(isFilter),
    },
  }),
].map((variant) => ({ events, ...variant }))

const hasZone = ({ query }: Export) => query.has('timezone')

/** By when, zone and filters a file was asked for. */
const titleLines = ({ range: { start, end }, filters, zone }: Export) => [
  `${start} to ${end}, ${zone}`,
  ...filters.map(({ name, values }) => `${name}: ${values.join(', ')}`),
]

const fiveColumns: Column[] = ['id', 'time', 'event_type', 'comment', 'entity_id']

/** In other languages the columns of a CSV stand in another order. */
const otherOrder = (what: string, columnsOf: (asked: Export) => Column[]) =>
  variant(`in other languages the columns of a CSV begin with the comment${what}`, {
    events,
    columns: (asked) => {
      const columns = columnsOf(asked)
      const first = columns.indexOf('comment')
      return isForeign(asked) && inCsv(asked)
        ? [...columns.slice(first), ...columns.slice(0, first)]
        : columns
    },
  })

export const otherOrders: Variant[] = [
  otherOrder('', open.columns),
  otherOrder(', and no file shows ids', (asked) =>
    open.columns(asked).filter((column) => column !== 'id'),
  ),
]

export const combinedForms = [
  ...[
    // What the contract does not say that it has to take.
    ...variantsOf(refusing, {
      'a filter beside a time zone is refused': (asked) => isFiltered(asked) && hasZone(asked),
      'a filter beside another language is refused': (asked) =>
        isFiltered(asked) && isForeign(asked),
      'a PDF with a filter in a zone and a language is refused': (asked) =>
        inPdf(asked) && isFiltered(asked) && (hasZone(asked) || isForeign(asked)),
    }),
    ...variantsOf((pdf: Column[]) => columnsOf(fiveColumns, pdf), {
      'PDFs show the time and the type alone': ['time', 'event_type'],
      'PDFs show the id alone': ['id'],
    }),
    ...variantsOf({
      'zones off by a part of an hour are not supported, and passed over': {
        supportsZone: ({ zone }) => !/St_Johns|Kolkata|Kathmandu/.test(zone),
        queryRefusal: (asked) =>
          asked.flaw === 'time zone' ? undefined : open.queryRefusal(asked),
        warns: '?export.invalid.timezone ?export.timezone.accepted',
      },
      'filtered PDFs say in their title by what and when': { titleLines },
    }),
    ...variantsOf(uncommented, {
      'lines in front that name the filters have as many cells as events': {
        events: 1_200,
        env: autumn,
        ...columnsOf(['time', 'description']),
        titleLines,
      },
      'lines in front that name the filters, of a file that has times alone': {
        env: autumn,
        ...columnsOf(['time']),
        titleLines,
        headerRow: () => false,
        dateForm: ({ instant }) => String(Date.parse(`${instant.slice(0, 23)}Z`)),
      },
      'a line of what was asked for in place of the header of one column': {
        ...columnsOf(['time']),
        headerRow: () => false,
        titleLines: ({ query }) => [`Parameters: ${[...query.keys()].join(' ')}`],
      },
    }),
  ].map((variant) => ({ events, ...variant })),
  ...otherOrders,
]
