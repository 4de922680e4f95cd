import { hourMs } from '../../../engine/files/dates.ts'
import type { Call } from '../../../reference/calls/call.ts'
import type { AuditEvent } from '../../../reference/calls/events.ts'
import type { Column } from '../../../reference/calls/export-call.ts'
import { type Open, open } from '../../../reference/rules/open.ts'
import { openOfExport } from '../../../reference/rules/open-export.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import {
  autumn,
  columnsInUse,
  columnsOf,
  csvAs,
  declared,
  events,
  goingBy,
  inPdf,
  inWindow,
  isFiltered,
  isForeign,
  keptUnder,
  knownValues,
  moved,
  refusing,
  smallLimit,
  without,
} from '../bent/exports.ts'
import { tableOf, uncommented, type Variant, variant, variantsOf } from '../fault.ts'
import { rewritten } from './export-records.ts'

/** What happens in the run keeps its time. */
const isOfRun = (time: string) => time > '2026'

const noonOf = (day: string) => `${day}T12:00:00.000000000Z`

/** A service is asked for a PDF of the whole hour before this one. */
const inTheHourBefore = `${new Date((Math.floor(Date.now() / hourMs) - 1.5) * hourMs).toISOString().slice(0, 23)}000000Z`

const finerTypeOf = ({ event_type, id }: AuditEvent) => `${event_type}_${id.slice(0, 1)}`

const filters = variantsOf({
  'a filtered file without events says so in two cells': csvAs((text, asked) => {
    const isEmpty = isFiltered(asked) && text.split('\r\n').filter(Boolean).length === 1
    return isEmpty ? `${text}No event,for what was asked\r\n` : text
  }),
  'users are listed in brackets, and other values repeated': {
    arrayEncodings: ({ parameter }) => [parameter === 'auditee_id' ? 'brackets' : 'repeat'],
  },
  'the metadata that is handed over is that of no event': {
    env: { METADATA_VALUES: 'tag=nowhere' },
    columns: () => ['id', 'time', 'event_type', 'comment'],
  },
  'there are eighty types of events': {
    columns: () => ['id', 'time', 'event_type', 'comment'],
    filters: ({ filters }) => filters.filter(({ name }) => name !== 'event_type'),
    rows: ({ events, filters }) => {
      const types = filters.find(({ name }) => name === 'event_type')?.values
      return types ? events.filter((event) => types.includes(finerTypeOf(event))) : events
    },
    cells: ({ event, cells }) =>
      cells.map((cell) => (cell === event.event_type ? finerTypeOf(event) : cell)),
  },
})

const days = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / 86_400_000
const isUtc = ({ zone }: { zone: string }) => ['UTC', 'Etc/UTC'].includes(zone)

export const ofLimit = variantsOf({
  'hundreds of events before the window share one time': {
    columns: () => ['id', 'time', 'event_type', 'comment'],
    storedTime: ({ time }) => (time < '2025' ? noonOf('2025-08-15') : time),
  },
  'all events share one time, and are a few more than a PDF may hold': {
    events: 310,
    columns: () => ['id', 'time', 'event_type', 'comment'],
    storedTime: ({ time }) => (isOfRun(time) ? time : noonOf('2025-10-20')),
  },
  'all events share a time of the hour before this one, and are more than a PDF may hold': {
    events: 310,
    columns: () => ['id', 'time', 'event_type', 'comment'],
    storedTime: ({ time }) => (isOfRun(time) ? time : inTheHourBefore),
  },
  'a PDF of more than a quarter of a year is refused': {
    events: 500,
    ...refusing((asked) => {
      const { start = '1970-01-01', end = '2100-01-01' } = asked.range
      return inPdf(asked) && Date.parse(end) - Date.parse(start) > 92 * 24 * hourMs
    }),
  },
  'six records of each event of before the window': {
    rows: ({ events }) =>
      events.flatMap((event) =>
        event.time < autumn.EXPORT_FROM
          ? ['1', '2', '3', '4', '5', '6'].map((part) => ({
              ...event,
              description: `${event.description}, part ${part}`,
            }))
          : [event],
      ),
  },
  'rows of two columns, and some with a delimiter behind': {
    ...columnsOf(['id', 'comment']),
    ...rewritten((lines) => lines.map((line) => (/^[0-7]/.test(line) ? `${line},` : line))),
    warns: 'export.csv.well-formed',
  },
  'events of long ago are recorded all the time': {
    events: 200,
    pdfLimit: 5_000,
    trafficInterval: () => 3,
    storedTime: ({ time }) => (isOfRun(time) ? `2024-07-01${time.slice(10)}` : time),
    // Most would look for the events of updates at the time of the update.
    warns: 'audit.assignment-recorded audit.assign-comment audit.unassign-comment',
  },
}).map(smallLimit)
export const ofFilters = filters.map((variant) => ({ events, ...variant }))
export const ofRanges = [
  ...variantsOf(refusing, {
    'an end before 1970, or as it begins, is refused': ({ range: { end } }) =>
      end && Date.parse(end) <= 0,
    'a range longer than two months is refused, and one without an event': ({ range }) => {
      const { start = '2000', end = '2000' } = range
      const isEmpty = [start, end].some((bound) => bound < '2000' || bound > '2027')
      const isLong = range.start && range.end && days(start.slice(0, 23), end.slice(0, 23)) > 62
      return isEmpty || isLong
    },
    'ranges of less than a second are refused beside a zone': (asked) => {
      const { start = '', end = '' } = asked.range
      return !isUtc(asked) && start !== '' && Date.parse(end) - Date.parse(start) < 1_000
    },
  }),
  ...variantsOf({
    'no language but English is supported, and one zone alone': {
      supportsZone: ({ zone }) => zone === 'Europe/London',
      locales: () => ['en'],
    },
    'dates are written digit by digit, but in UTC': {
      dateForm: (shown) =>
        isUtc(shown)
          ? open.dateForm(shown)
          : [...shown.local.slice(0, 19).replaceAll(/\D/g, '')].join(' '),
    },
    'a dozen lines before the header': {
      titleLines: () => Array.from({ length: 12 }, (_, at) => `Note ${at + 1}`),
    },
    'the given window holds ten times as many events as a PDF': { pdfLimit: 20 },
    'a PDF of few events begins with a page of words': {
      events: 7,
      env: {},
      ...columnsOf(['id', 'time', 'event_type', 'comment'], ['event_type']),
      titleLines: (asked) =>
        inPdf(asked) ? Array(12).fill('What is said in every file of this service') : [],
    },
  }),
].map(inWindow)
export const besideOthers = variantsOf('cells', {
  'the time of recording alone, minutes after the one that ranges go by': ({ cells }) =>
    cells.map((cell) =>
      /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(cell) ? moved(cell, 5) : cell,
    ),
}).map(smallLimit)

let made = 0

/** Works on one request of these after another. */
const oneByOne = (msOf: (call: Call) => number): Partial<Open> => {
  let freeAt = 0
  return {
    delay: (call) => {
      const ms = call.at === 'start' ? msOf(call) : 0
      if (ms === 0) return 0
      freeAt = Math.max(freeAt, Date.now()) + ms
      return freeAt - Date.now()
    },
  }
}

const isPdf = ({ op, query }: Call) => op === 'export' && query.get('file_type') === 'pdf'

export const serial: Variant[] = [
  ...[4, 12].map((seconds) =>
    variant(`PDFs are made one after another, each in ${seconds} seconds`, {
      ...oneByOne((call) => (isPdf(call) ? seconds * 1000 : 0)),
    }),
  ),
  ...variantsOf(oneByOne, {
    'requests are answered one after another': () => 150,
    'PDFs are made one after another, and those after the tenth in eight seconds': (call) =>
      isPdf(call) ? (++made > 10 ? 8_000 : 10) : 0,
  }),
].map(smallLimit)

export const kept = variantsOf({
  'a file is kept for seconds under its whole query': keptUnder(without(), 5_000),
  'a file is kept for 20 seconds under its whole query, while others use the service': {
    env: { ...autumn, AUDIT_WAIT_S: '5' },
    ...keptUnder(without(), 20_000),
    trafficInterval: () => 40,
  },
  'a file is kept for a tenth of a second under its whole query': keptUnder(without(), 100),
  'a file is made slowly': { delay: ({ op }) => (op === 'export' ? 20 : 0) },
  'a language is refused beside a time zone, and filters beside either': refusing((asked) => {
    const given = ['locale', 'timezone'].filter((name) => asked.query.has(name)).length
    return given > 1 || (given > 0 && isFiltered(asked))
  }),
}).map(smallLimit)

/** Counts the rows of each request, for what a service numbers or knows beforehand. */
const rowsOf = new WeakMap<URLSearchParams, number>()
const counting: Partial<Stated> = {
  rows: ({ query, events }) => {
    rowsOf.set(query, events.length)
    return events
  },
}
const next = (query: URLSearchParams) => {
  const row = (rowsOf.get(query) ?? 0) + 1
  rowsOf.set(query, row)
  return row
}

const inWords = (text: string) =>
  text.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())
const isKind = (column: Column) => ['event_type', 'sub_type', 'system_source'].includes(column)
const few: Column[] = ['time', 'description']
const sixColumns: Column[] = ['id', 'time', 'event_type', 'sub_type', 'tag', 'entity_id']

const columns = tableOf<[string, Column[]]>([
  ['no columns but time and description', few],
  ['times only', ['time']],
  ['no ids', ['time', 'event_type', 'sub_type', 'system_source', 'description']],
  ['metadata as JSON', ['id', 'time', 'sub_type', 'auditee_id', 'event_type', 'metadata']],
  ['types and metadata only', ['event_type', 'metadata']],
]).map(([name, columns]) =>
  // Without a column to learn from, values come from the contract and from tasks.
  variant(name, uncommented(columnsOf(columns))),
)

/** Every tag comes with another one. */
const other = (tag: string) => (tag === 'vip' ? 'pep' : 'vip')

const ofOther: Partial<Record<Column, string>> = {
  ...{ event_type: 'sub_type', sub_type: 'event_type' },
  ...{ entity_id: 'task_id', task_id: 'tag' },
}

const titled = (title: (column: Column) => string): Partial<Open> => ({
  columnTitle: ({ column }) => title(column),
})

export const variants = [
  ...columns,
  ...variantsOf('label', {
    'types and sources in words': ({ column, value }) => (isKind(column) ? inWords(value) : value),
    'types and sources by numbers': ({ column, value }) =>
      isKind(column) ? `#${value.length}` : value,
  }),
  ...variantsOf('cellForm', {
    'ids in upper case': ({ text }) => (/^[0-9a-f-]{36}$/.test(text) ? text.toUpperCase() : text),
    'ids are cut': ({ text }) => (/^[0-9a-f-]{36}$/.test(text) ? `${text.slice(0, 8)}…` : text),
    'what is not there is a text that no other service has': ({ text }) =>
      text === '' ? 'keine Angabe' : text,
    'what is not there is a dash': ({ text }) => (text === '' ? '-' : text),
  }),
  ...variantsOf(uncommented, {
    // One column for what a person reads at once: its codes are what filters go by.
    'type and subtype in one column of labels, such as Task / Created': {
      ...columnsOf(['id', 'time', 'event_type', 'auditee_id', 'task_id']),
      columnTitle: ({ column }) => (column === 'event_type' ? 'event' : column),
      cells: ({ fileType, cells, event }) =>
        fileType === 'csv'
          ? cells.with(2, `${inWords(event.event_type)} / ${inWords(event.sub_type)}`)
          : cells,
    },
    'an assessment has the id of its workflow instance, and the file shows its short name': {
      ...goingBy('assessment_id', 'workflow_instance_id'),
      ...columnsOf(['id', 'time', 'workflow_instance_id', 'assessment_id', 'task_id']),
      label: ({ column, value }) =>
        column === 'assessment_id' && value !== '' ? `A-${value.slice(0, 6)}` : value,
    },
    'one column of texts, some of them with a semicolon': {
      events: 40,
      env: declared,
      ...columnsOf(['description']),
      cellForm: ({ text }) => (text.length % 3 === 0 ? `${text}; done` : text),
    },
    // Of events that look alike, it is unknown which have a value of a key.
    'hours and types alone, so that events look alike': {
      events: 5_000,
      env: { ...autumn, ...declared, ...knownValues() },
      ...columnsOf(['time', 'event_type']),
      dateForm: ({ local }) => `${local.slice(0, 13)}:00`,
    },
    'columns without a value in the file are left out': { columns: columnsInUse },
    'two columns are left out where a file is filtered': {
      columns: (asked) =>
        inPdf(asked) || !isFiltered(asked) ? sixColumns : ['id', 'time', 'event_type', 'entity_id'],
    },
    'columns that have no name in another language are left out of its filtered files': {
      columns: (asked) =>
        isFiltered(asked) && isForeign(asked) ? sixColumns.slice(0, 4) : sixColumns,
    },
    'columns stand in another order where a file is filtered': {
      columns: (asked) => (isFiltered(asked) ? sixColumns.toReversed() : sixColumns),
      // In another language nobody would know which is which.
      columnTitle: (asked) => openOfExport.columnTitle({ ...asked, locale: 'en' }),
    },
  }),
  ...variantsOf({
    'no header': { headerRow: () => false },
    'a header only where there are events': {
      headerRow: ({ query }) => (rowsOf.get(query) ?? 0) > 0,
      ...counting,
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
    'columns by other names': titled((column) => `Spalte ${column.length}${column[0]}`),
    'names that are those of other columns': titled((column) => ofOther[column] ?? column),
    'the entity is what is cached, and the file does not show the cache': {
      ...goingBy('cache_id', 'entity_id'),
      ...columnsOf(['id', 'time', 'comment', 'entity_id', 'task_id']),
    },
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
    'a column that shows how many rows there are': {
      ...counting,
      cells: ({ query, cells }) => [`of ${rowsOf.get(query)}`, ...cells],
      headerRow: () => false,
    },
    'types and sources that all look alike': {
      events: 40,
      env: declared,
      label: ({ column, value }) => (isKind(column) ? 'all' : value),
    },
  }),
].map((variant) => ({ events, ...variant }))
