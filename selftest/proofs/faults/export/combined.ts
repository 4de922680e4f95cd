import type { Call } from '../../../../reference/calls/call.ts'
import { type Export, type Filter, parameters } from '../../../../reference/calls/export-call.ts'
import { offsetsOf } from '../../../../reference/export/zones.ts'
import type { Stated } from '../../../../reference/rules/stated.ts'
import type { ExportFile } from '../../../../reference/rules/stated-export.ts'
import { throughStore } from '../../bent/around.ts'
import {
  type ExportWithFile,
  events,
  inCsv,
  inPdf,
  isFiltered,
  isForeign,
  isMetadata,
  isOf,
  isZoned,
  moved,
  noRange,
  rowsOf,
  smallLimit,
} from '../../bent/exports.ts'
import { alsoFoundBy, type Bent, type Fault, fault, faultsOf } from '../../fault.ts'

/** Filters that count in some exports only. */
const counting =
  (isMeant: (asked: Export) => boolean) => (kept: (filters: Filter[]) => Filter[]) => ({
    filters: (asked: Export) => (isMeant(asked) ? kept(asked.filters) : asked.filters),
  })

const withValues = (pick: (values: string[]) => string[]) => (filters: Filter[]) =>
  filters.map((filter) => ({ ...filter, values: pick(filter.values) }))

const without = (name: string) => (filters: Filter[]) =>
  filters.filter((filter) => !isOf(name)(filter))
const withoutMetadata = (filters: Filter[]) => filters.filter((filter) => !isMetadata(filter))

const isFilteredPdf = (asked: Export) => inPdf(asked) && isFiltered(asked)
const inPdfs = 'export.filter.combined.pdf ?export.filter.pdf'
const ofPdf: Fault[] = [
  ...faultsOf(inPdfs, counting(inPdf), {
    'only the first of several values counts in a PDF': withValues((values) => values.slice(0, 1)),
    'only the last of several values counts in a PDF': withValues((values) => values.slice(-1)),
    'of many values the third is lost in a PDF': withValues((values) => values.slice(0, 2)),
    'metadata[tag] is ignored in a PDF': without('tag'),
    'metadata[cache_id] is ignored in a PDF': without('cache_id'),
    'metadata[workflow_step] is ignored in a PDF': without('workflow_step'),
    'metadata[task_id] is ignored in a PDF': without('task_id'),
    'metadata[screening_config_id] is ignored in a PDF': without('screening_config_id'),
    'only the first of two metadata keys counts in a PDF': (filters) => {
      const [first] = filters.filter(isMetadata)
      return filters.filter((filter) => !isMetadata(filter) || filter === first)
    },
  }),
  ...faultsOf(inPdfs, {
    'filters are ignored in a PDF in a time zone': counting(
      (asked) => inPdf(asked) && isZoned(asked),
    )(() => []),
    'metadata is ignored in a PDF in another language': counting(
      (asked) => inPdf(asked) && isForeign(asked),
    )(withoutMetadata),
    'the range is ignored in a PDF with filters': {
      range: (asked) => (isFilteredPdf(asked) ? noRange : asked.range),
    },
    'a PDF with filters lacks its last event': rowsOf(isFilteredPdf)((all) => all.slice(0, -1)),
    'a PDF with filters has its first event twice': rowsOf(isFilteredPdf)((events) => [
      ...events.slice(0, 1),
      ...events,
    ]),
  }),
]

/** Bounds that are taken for the clock of the zone. */
const shifted = ({ range, zone }: Export): Export['range'] => {
  const turn = (time: string | undefined) => time && moved(time, -offsetsOf(zone)(time))
  return { start: turn(range.start), end: turn(range.end) }
}

/** Dates in UTC in every zone, with some filters. */
const unzoned = (isMeant: (parameter: string) => boolean): Partial<Stated> => ({
  zone: ({ zone, query }) =>
    query.get('file_type') !== 'pdf' && [...query.keys()].some(isMeant) ? 'UTC' : zone,
})

const ofCsv: Fault[] = [
  ...faultsOf('export.filter.combined.csv', unzoned, {
    'the time zone is ignored in a CSV beside metadata': (name) => name.startsWith('metadata['),
    'the time zone is ignored in a CSV beside a parameter': (name) =>
      (parameters as readonly string[]).includes(name),
  }),
  ...faultsOf(
    'export.filter.combined.csv',
    counting((asked) => inCsv(asked) && isForeign(asked)),
    {
      'filters are ignored in a CSV in another language': () => [],
      'only the first of several values counts in another language': withValues((values) =>
        values.slice(0, 1),
      ),
    },
  ),
  ...faultsOf('export.filter.combined.csv', {
    'metadata is ignored in a CSV in a time zone': counting(
      (asked) => inCsv(asked) && isZoned(asked),
    )(withoutMetadata),
    'the time zone makes the range be ignored where there are filters': {
      range: (asked) =>
        isZoned(asked) && isFiltered(asked) && inCsv(asked) ? noRange : asked.range,
    },
    'an event is missing where filters, a zone and a language meet': rowsOf(
      (asked) => inCsv(asked) && isFiltered(asked) && isZoned(asked) && isForeign(asked),
    )((events) => events.slice(1)),
  }),
  ...faultsOf({
    'range_start is lost behind range_end': {
      queryText: ({ text }) => text.replace(/(range_end=.*)&range_start=[^&]*/, '$1'),
      breaks: `export.filter.combined.csv export.range.reversed.csv export.range.reversed.pdf
        ?export.filter.combined.pdf ?export.filter.one-bound`,
    },
  }),
]

const ofBoth = faultsOf('export.filter.combined.csv ?export.filter.combined.pdf', 'range', {
  'the time zone moves the range of exports with filters by months': (asked) => {
    const { start, end } = shifted(asked)
    const back = (time: string | undefined) => time && moved(time, -120 * 24 * 60)
    const isMeant = isZoned(asked) && isFiltered(asked)
    return isMeant ? { start: back(start), end: back(end) } : asked.range
  },
})

const isOfMany = ({ filters }: Pick<Export, 'filters'>) => filters.length > 2
const isOfThree = ({ filters }: Pick<Export, 'filters'>) =>
  filters.filter((filter) => !isMetadata(filter)).length === 3
const bothKinds = 'export.filter.combined.csv export.filter.combined.pdf'

const hasAll = ({ query }: Export) => new Set(query.keys()).size > 9
const isBeside = (name: string) => counting(({ filters }) => filters.some(isOf(name)))

/** Seen where more than two fields are asked for together. */
const ofMany: Fault[] = [
  ...faultsOf('export.filter.combined.csv ?export.query-forms', {
    'metadata is passed over beside all other parameters of a CSV': counting(
      (asked) => inCsv(asked) && hasAll(asked),
    )(withoutMetadata),
  }),
  ...faultsOf('export.filter.combined.pdf ?export.query-forms', {
    'metadata is passed over beside all other parameters of a PDF': counting(
      (asked) => inPdf(asked) && hasAll(asked),
    )(withoutMetadata),
  }),
  ...faultsOf(`${bothKinds} ?export.query-forms`, {
    'metadata[workflow_step] is ignored beside event_type': isBeside('event_type')(
      without('workflow_step'),
    ),
    'metadata[tag] is ignored beside sub_type': isBeside('sub_type')(without('tag')),
  }),
  ...faultsOf(bothKinds, counting(isOfMany), {
    'sub_type is ignored beside two filters more': without('sub_type'),
    'event_type is ignored beside two filters more': without('event_type'),
    'system_source is ignored beside two filters more': without('system_source'),
  }),
  ...faultsOf(bothKinds, counting(isOfThree), {
    'sub_type is ignored beside exactly two filters more': without('sub_type'),
  }),
  ...faultsOf(`${bothKinds} export.metadata.conjunction`, 'filtersHold', {
    'of three keys of metadata and more any is enough': ({ filters, held }) =>
      isOfMany({ filters }) && filters.every(isMetadata) ? held.some(Boolean) : held.every(Boolean),
  }),
]

const valuesOf = ({ filters }: Pick<Export, 'filters'>, name: string) =>
  filters.find(isOf(name))?.values ?? []

const ofSeveral = faultsOf(bothKinds, 'rows', {
  'several event_types and several sub_types count in pairs, by their places': ({
    events,
    ...asked
  }) => {
    const [types, subTypes] = [valuesOf(asked, 'event_type'), valuesOf(asked, 'sub_type')]
    if (types.length < 2 || subTypes.length < 2) return events
    return events.filter(
      ({ event_type, sub_type }) => types.indexOf(event_type) === subTypes.indexOf(sub_type),
    )
  },
  'events come twice for several event_types beside metadata': ({ events, ...asked }) =>
    valuesOf(asked, 'event_type').length > 1 && asked.filters.some(isMetadata)
      ? events.flatMap((event) => [event, event])
      : events,
})

const atEdges = faultsOf({
  'with metadata range_start is exclusive': {
    ...rowsOf(({ filters }) => filters.some(isMetadata))((events, { range: { start = '' } }) =>
      events.filter(({ time }) => time > start),
    ),
    breaks: bothKinds,
  },
  'in a PDF with filters range_end is exclusive': {
    ...rowsOf(isFilteredPdf)((events, { range: { end = '~' } }) =>
      events.filter(({ time }) => time < end),
    ),
    breaks: 'export.filter.combined.pdf',
  },
})

export const faults: Fault[] = [...ofPdf, ...ofCsv, ...ofBoth, ...ofMany, ...ofSeveral, ...atEdges]
  .map((fault) => ({ ...fault, events }))
  .map(
    alsoFoundBy(
      'export.timezone.* export.locale.* export.pdf-limit.* export.deterministic.* audit.*',
    ),
  )

/** What is given in place of a file without events. */
const withoutEvents = (
  isMeant: (asked: Export) => boolean,
  given: { status?: number; content?: string },
): Bent => {
  const rows = new WeakMap<Call['query'], number>()
  const isEmpty = (asked: Export) => isMeant(asked) && rows.get(asked.query) === 0
  return {
    stated: {
      rows: ({ query, events }) => {
        rows.set(query, events.length)
        return events
      },
      file: (asked: ExportWithFile) =>
        isEmpty(asked) && given.content !== undefined
          ? { ...asked.file, content: given.content }
          : asked.file,
      exportStatus: (asked) => (isEmpty(asked) && given.status ? given.status : 200),
    },
  }
}

const hasFilters = (asked: Export) => inCsv(asked) && isFiltered(asked)
const isLongAgo = (asked: Export) => (asked.range.start ?? '9') < '1980'

const met = faultsOf({
  'a filter that leaves no event is answered 204': {
    ...withoutEvents(hasFilters, { status: 204 }),
    breaks: 'export.csv.status',
  },
  'an export without events is answered 204': {
    ...withoutEvents(() => true, { status: 204 }),
    breaks: 'export.csv.status export.pdf.status',
  },
  'a CSV of a range without events is a page': {
    ...withoutEvents((asked) => inCsv(asked) && isLongAgo(asked), {
      content: '<html><body>No events</body></html>',
    }),
    breaks: 'export.csv.readable',
  },
  'a PDF of a range without events holds nothing': {
    ...withoutEvents((asked) => inPdf(asked) && isLongAgo(asked), { content: '' }),
    breaks: 'export.pdf.status',
  },
  'a PDF of a range without events is JSON': {
    ...withoutEvents((asked) => inPdf(asked) && isLongAgo(asked), { content: '{"events": []}' }),
    breaks: 'export.pdf.readable',
  },
})

const nothing = ({ file }: { file: ExportFile }) => ({ ...file, content: '' })

/** Answers without the file, or with less than an address. */
const empty = [
  ...faultsOf('export.csv.status export.pdf.status', {
    'every file is without a byte, and has a name': { file: nothing },
    'a Location leads to nothing': {
      delivery: ({ file }) => ({ ...file, content: '', headers: { location: '/files/7' } }),
    },
    'a link in JSON leads to a store that refuses it': throughStore(
      (download_url) => ({ type: 'application/json', content: JSON.stringify({ download_url }) }),
      { status: 403, content: 'no' },
    ),
  }),
  ...faultsOf({
    'every CSV is without a byte, and has a name': {
      file: (asked) => (inCsv(asked) ? nothing(asked) : asked.file),
      breaks: 'export.csv.status',
    },
    'every CSV is without a byte, and PDFs have one page': {
      file: (asked) => (inCsv(asked) ? nothing(asked) : asked.file),
      pdfLayout: () => ({ long: 'cut', page: [842, 14_000], margin: 24, size: 6 }),
      pdfLimit: 5_000,
      env: { AUDIT_WAIT_S: '1' },
      breaks: 'export.csv.status',
    },
    'a link in JSON leads to a page': {
      ...throughStore((url) => ({ type: 'application/json', content: JSON.stringify({ url }) }), {
        status: 200,
        content: '<html><body>Log in</body></html>',
      }),
      breaks: 'export.csv.readable export.pdf.readable',
    },
  }),
]

const store = throughStore((download_url) => ({
  type: 'application/json',
  content: JSON.stringify({ download_url }),
}))

/** The window has fewer events than that. */
const large = 250

/** A store that has lost some of the files. */
const lost = fault('a link in JSON leads to a store that lacks PDFs of many events', {
  ...store,
  rows: ({ events, query }) => {
    if (events.length > large) forMany.add(query)
    return events
  },
  ...store.open,
  delivery: (asked) => {
    const given = store.open?.delivery?.(asked) ?? asked.file
    const isLost = inPdf(asked) && forMany.has(asked.query)
    return isLost
      ? { ...given, content: String(given.content).replace('/files/', '/lost/') }
      : given
  },
  breaks: 'export.pdf.status',
})
const forMany = new WeakSet<URLSearchParams>()

const always = faultsOf({
  'every CSV is a header, and PDFs are of one page': {
    events: 40,
    env: { AUDIT_WAIT_S: '1' },
    rows: () => [],
    breaks: 'export.csv.readable',
  },
})

export const handed: Fault[] = [...met, ...empty, lost, ...always]
  .map(alsoFoundBy('audit.*'))
  .map(smallLimit)
