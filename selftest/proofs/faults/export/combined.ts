import type { Call } from '../../../../reference/calls/call.ts'
import { type Export, type Filter, parameters } from '../../../../reference/calls/export-call.ts'
import type { Stated } from '../../../../reference/rules/stated.ts'
import type { ExportFile } from '../../../../reference/rules/stated-export.ts'
import { throughStore } from '../../bent/around.ts'
import {
  events,
  inCsv,
  inPdf,
  isFiltered,
  isForeign,
  isMetadata,
  isOf,
  isZoned,
  movedBy,
  noRange,
  only,
  shifted,
  smallLimit,
} from '../../bent/exports.ts'
import { alsoFoundBy, type Fault, fault, faultsOf, where } from '../../fault.ts'

/** Filters that count in some exports only. */
const counting = (isMeant: (asked: Export) => boolean) => (kept: (filters: Filter[]) => Filter[]) =>
  where(isMeant, { filters: ({ filters }) => kept(filters) })

const withValues = (pick: (values: string[]) => string[]) => (filters: Filter[]) =>
  filters.map((filter) => ({ ...filter, values: pick(filter.values) }))

const without = (name: string) => (filters: Filter[]) =>
  filters.filter((filter) => !isOf(name)(filter))
/** Filters by these names are ignored. */
const ignoring = (nameOf: (name: string) => string, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [nameOf(name), without(name)]))
const withoutMetadata = (filters: Filter[]) => filters.filter((filter) => !isMetadata(filter))

const both =
  (...all: ((asked: Export) => boolean)[]) =>
  (asked: Export) =>
    all.every((is) => is(asked))
const isFilteredPdf = both(inPdf, isFiltered)
const inPdfs = 'export.filter.combined.pdf ?export.filter.pdf'

/** Dates in UTC in every zone, with some filters. */
const unzoned = (isMeant: (parameter: string) => boolean): Partial<Stated> => ({
  zone: ({ zone, query }) =>
    query.get('file_type') !== 'pdf' && [...query.keys()].some(isMeant) ? 'UTC' : zone,
})

const isOfMany = ({ filters }: Pick<Export, 'filters'>) => filters.length > 2
const isOfThree = ({ filters }: Pick<Export, 'filters'>) =>
  filters.filter((filter) => !isMetadata(filter)).length === 3
const bothKinds = 'export.filter.combined.csv export.filter.combined.pdf'

const hasAll = ({ query }: Export) => new Set(query.keys()).size > 9
const hasMetadata = ({ filters }: Export) => filters.some(isMetadata)
const isBeside = (name: string) => counting(({ filters }) => filters.some(isOf(name)))

const valuesOf = ({ filters }: Pick<Export, 'filters'>, name: string) =>
  filters.find(isOf(name))?.values ?? []

export const faults: Fault[] = [
  ...faultsOf(inPdfs, counting(inPdf), {
    'only the first of several values counts in a PDF': withValues(only.first),
    'only the last of several values counts in a PDF': withValues(only.last),
    'of many values the third is lost in a PDF': withValues(only.firstTwo),
    ...ignoring(
      (key) => `metadata[${key}] is ignored in a PDF`,
      ...['tag', 'cache_id', 'workflow_step', 'task_id', 'screening_config_id'],
    ),
    'only the first of two metadata keys counts in a PDF': (filters) => {
      const [first] = filters.filter(isMetadata)
      return filters.filter((filter) => !isMetadata(filter) || filter === first)
    },
  }),
  ...faultsOf(inPdfs, {
    'filters are ignored in a PDF in a time zone': counting(both(inPdf, isZoned))(() => []),
    'metadata is ignored in a PDF in another language': counting(both(inPdf, isForeign))(
      withoutMetadata,
    ),
  }),
  ...faultsOf(inPdfs, (rules: Partial<Stated>) => where(isFilteredPdf, rules), {
    'the range is ignored in a PDF with filters': { range: () => noRange },
    'a PDF with filters lacks its last event': { rows: ({ events }) => events.slice(0, -1) },
    'a PDF with filters has its first event twice': {
      rows: ({ events }) => [...events.slice(0, 1), ...events],
    },
  }),
  ...faultsOf('export.filter.combined.csv', unzoned, {
    'the time zone is ignored in a CSV beside metadata': (name) => name.startsWith('metadata['),
    'the time zone is ignored in a CSV beside a parameter': (name) =>
      (parameters as readonly string[]).includes(name),
  }),
  ...faultsOf('export.filter.combined.csv', counting(both(inCsv, isForeign)), {
    'filters are ignored in a CSV in another language': () => [],
    'only the first of several values counts in another language': withValues(only.first),
  }),
  ...faultsOf('export.filter.combined.csv', {
    'metadata is ignored in a CSV in a time zone': counting(both(inCsv, isZoned))(withoutMetadata),
    'the time zone makes the range be ignored where there are filters': where(
      both(isZoned, isFiltered, inCsv),
      { range: () => noRange },
    ),
    'an event is missing where filters, a zone and a language meet': where(
      both(inCsv, isFiltered, isZoned, isForeign),
      { rows: ({ events }) => events.slice(1) },
    ),
  }),
  ...faultsOf({
    'range_start is lost behind range_end': {
      queryText: ({ text }) => text.replace(/(range_end=.*)&range_start=[^&]*/, '$1'),
      breaks: `export.filter.combined.csv export.range.reversed.csv export.range.reversed.pdf
        ?export.filter.combined.pdf ?export.filter.one-bound`,
    },
    'with metadata range_start is exclusive': {
      ...where(hasMetadata, {
        rows: ({ events, range: { start = '' } }) => events.filter(({ time }) => time > start),
      }),
      breaks: bothKinds,
    },
    'in a PDF with filters range_end is exclusive': {
      ...where(isFilteredPdf, {
        rows: ({ events, range: { end = '~' } }) => events.filter(({ time }) => time < end),
      }),
      breaks: 'export.filter.combined.pdf',
    },
  }),
  ...faultsOf('export.filter.combined.csv ?export.filter.combined.pdf', {
    'the time zone moves the range of exports with filters by months': where(
      both(isZoned, isFiltered),
      { range: (asked) => movedBy(shifted(asked), () => -120 * 24 * 60) },
    ),
  }),
  /** Seen where more than two fields are asked for together. */
  ...Object.entries({ csv: inCsv, pdf: inPdf }).map(([type, isOfType]) =>
    fault(`metadata is passed over beside all other parameters of a ${type.toUpperCase()}`, {
      ...counting(both(isOfType, hasAll))(withoutMetadata),
      breaks: `export.filter.combined.${type} ?export.query-forms`,
    }),
  ),
  ...faultsOf(`${bothKinds} ?export.query-forms`, {
    'metadata[workflow_step] is ignored beside event_type': isBeside('event_type')(
      without('workflow_step'),
    ),
    'metadata[tag] is ignored beside sub_type': isBeside('sub_type')(without('tag')),
  }),
  ...faultsOf(bothKinds, counting(isOfMany), {
    ...ignoring(
      (name) => `${name} is ignored beside two filters more`,
      ...['sub_type', 'event_type', 'system_source'],
    ),
  }),
  ...faultsOf(bothKinds, counting(isOfThree), {
    'sub_type is ignored beside exactly two filters more': without('sub_type'),
  }),
  ...faultsOf(`${bothKinds} export.metadata.conjunction`, 'filtersHold', {
    'of three keys of metadata and more any is enough': ({ filters, held }) =>
      isOfMany({ filters }) && filters.every(isMetadata) ? held.some(Boolean) : held.every(Boolean),
  }),
  ...faultsOf(bothKinds, 'rows', {
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
  }),
]
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
): Partial<Stated> => {
  const rows = new WeakMap<Call['query'], number>()
  const isEmpty = (asked: Export) => isMeant(asked) && rows.get(asked.query) === 0
  return {
    rows: ({ query, events }) => {
      rows.set(query, events.length)
      return events
    },
    ...where(isEmpty, {
      file: ({ file }) => ({ ...file, content: given.content ?? file.content }),
      exportStatus: () => given.status ?? 200,
    }),
  }
}

const isLongAgo = (asked: Export) => (asked.range.start ?? '9') < '1980'

const nothing = ({ file }: { file: ExportFile }) => ({ ...file, content: '' })

const inJson = (link: object) => ({ type: 'application/json', content: JSON.stringify(link) })

const store = throughStore((download_url) => inJson({ download_url }))

/** The window has fewer events than that. */
const large = 250
const forMany = new WeakSet<URLSearchParams>()

export const handed: Fault[] = [
  ...faultsOf('export.csv.status', {
    'a filter that leaves no event is answered 204': withoutEvents(both(inCsv, isFiltered), {
      status: 204,
    }),
    'every CSV is without a byte, and has a name': where(inCsv, { file: nothing }),
    'every CSV is without a byte, and PDFs have one page': {
      ...where(inCsv, { file: nothing }),
      pdfLayout: () => ({ long: 'cut', page: [842, 14_000], margin: 24, size: 6 }),
      pdfLimit: 5_000,
      env: { AUDIT_WAIT_S: '1' },
    },
  }),
  ...faultsOf({
    'a CSV of a range without events is a page': {
      ...withoutEvents(both(inCsv, isLongAgo), { content: '<html><body>No events</body></html>' }),
      breaks: 'export.csv.readable',
    },
    'a PDF of a range without events holds nothing': {
      ...withoutEvents(both(inPdf, isLongAgo), { content: '' }),
      breaks: 'export.pdf.status',
    },
    'a PDF of a range without events is JSON': {
      ...withoutEvents(both(inPdf, isLongAgo), { content: '{"events": []}' }),
      breaks: 'export.pdf.readable',
    },
    'a link in JSON leads to a page': {
      ...throughStore((url) => inJson({ url }), {
        status: 200,
        content: '<html><body>Log in</body></html>',
      }),
      breaks: 'export.csv.readable export.pdf.readable',
    },
    'every CSV is a header, and PDFs are of one page': {
      events: 40,
      env: { AUDIT_WAIT_S: '1' },
      rows: () => [],
      breaks: 'export.csv.readable',
    },
  }),
  /** Answers without the file, or with less than an address. */
  ...faultsOf('export.csv.status export.pdf.status', {
    'every file is without a byte, and has a name': { file: nothing },
    'a Location leads to nothing': {
      delivery: ({ file }) => ({ ...file, content: '', headers: { location: '/files/7' } }),
    },
    'a link in JSON leads to a store that refuses it': throughStore(
      (download_url) => inJson({ download_url }),
      { status: 403, content: 'no' },
    ),
    'an export without events is answered 204': withoutEvents(() => true, { status: 204 }),
  }),

  /** A store that has lost some of the files. */
  fault('a link in JSON leads to a store that lacks PDFs of many events', {
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
  }),
]
  .map(alsoFoundBy('audit.*'))
  .map(smallLimit)
