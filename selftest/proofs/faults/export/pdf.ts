import { makeEvents } from '../../../../reference/calls/event-maker.ts'
import type { AuditEvent } from '../../../../reference/calls/events.ts'
import type { Export } from '../../../../reference/calls/export-call.ts'
import { open } from '../../../../reference/rules/open.ts'
import type { Stated } from '../../../../reference/rules/stated.ts'
import { pdfLimit } from '../../../../reference/rules/stated-export.ts'
import { makeWorld } from '../../../../reference/world/world.ts'
import {
  bytesAs,
  columnsOfPdf,
  inCsv,
  inPdf,
  inWindow,
  isFiltered,
  limitInWords,
  manyEvents,
  moved,
  refusedOver,
  smallLimit,
  wrongOffsets,
} from '../../bent/exports.ts'
import { alsoFoundBy, type Fault, faultsOf, maybe, namedAs, where } from '../../fault.ts'
import { inPlaceOfPdf, textFaults } from './csv.ts'

const all = makeEvents(makeWorld(1), 1_200)

/** How many events a range holds, without filters. */
const countIn = ({ range: { start = '0', end = '9' } }: Export) =>
  all.filter(({ time }) => time >= start && time <= end).length

/** The same shows in PDFs of ranges, of filters and of few events. */
const ofOtherPdfs = ['export.range.pdf.rows', 'export.filter*.pdf', 'export.few-events.pdf']

const warning = '<br />\n<b>Warning</b>: Undefined index: tz in export.php on line 7\n'

/** Where there are more events than a PDF may hold, the two judge the same one. */
const atLimit = ['export.pdf-limit.at', 'export.pdf-limit.under']

const cutWhere = (isMeant: (asked: Export) => boolean) =>
  where((asked) => inPdf(asked) && isMeant(asked), {
    sizeRefusal: () => undefined,
    rows: ({ events, limit }) => events.slice(0, limit),
  })

const limitedTo = (other: (limit: number) => number): Partial<Stated> => ({
  sizeRefusal: (asked) => refusedOver({ ...asked, limit: other(asked.limit) }),
})

export const faults: Fault[] = [
  ...inPlaceOfPdf,
  ...faultsOf('export.pdf-matches-csv ?export.filter.combined.pdf', {
    'the first row of each further page is lost': {
      pages: ({ pages }) =>
        pages.map((page, at) => (at === 0 ? page : ((page as never[]).slice(1) as typeof page))),
    },
    'the PDF lacks events at the very bounds of its range': where(inPdf, {
      isUpTo: ({ time, end }) => time < end,
    }),
  }),
  ...faultsOf(`export.pdf-matches-csv ${maybe(ofOtherPdfs)}`, {
    'a page comes twice': { pages: ({ pages }) => [...pages, ...pages.slice(0, 1)] },
    'the PDF has an event twice': where(inPdf, {
      rows: ({ events }) => [...events, ...events.slice(0, 1)],
    }),
  }),
  ...faultsOf(`export.pdf-matches-csv ${maybe(ofOtherPdfs)} ?export.pdf.text-intact`, {
    'the PDF lacks an event': where(inPdf, { rows: ({ events }) => events.slice(1) }),
  }),
  ...faultsOf('export.pdf.text', {
    'a PDF without text': { pages: ({ pages }) => pages.map(() => [] as never) },
  }),
  ...faultsOf({
    'the last page is lost': {
      pages: ({ pages }) => (pages.length > 1 ? pages.slice(0, -1) : pages),
      pdfLayout: () => ({ long: 'cut', page: [842, 595], margin: 24, size: 5 }),
      breaks: 'export.pdf-matches-csv',
    },
    'the PDF has the header of entity_id, and nothing below it': {
      ...columnsOfPdf('time', 'id', 'event_type', 'entity_id'),
      ...where(inPdf, { cells: ({ cells }) => cells.with(3, '') }),
      breaks: 'export.pdf.values ?export.locale.pdf* ?export.pdf.text-intact',
    },
    'a warning stands before the PDF': {
      ...bytesAs(inPdf, (bytes) => Buffer.concat([Buffer.from(warning), bytes])),
      breaks: 'export.pdf.first-bytes',
    },
    'the limit is one lower, and the given window holds more events than a PDF': {
      ...limitedTo((limit) => limit - 1),
      env: { EXPORT_FROM: '2024-06-01T00:00:00Z', EXPORT_TO: '2025-12-01T00:00:00Z' },
      breaks: atLimit,
    },
    'a PDF of a tenth of the events that one may hold is refused, and there are fewer of them': {
      ...limitedTo((limit) => limit / 10),
      events: 1_200,
      pdfLimit: 5_000,
      breaks: 'export.pdf-limit.under',
    },
    'a PDF over the limit is answered 500 every time': {
      sizeRefusal: (asked) => refusedOver(asked) && 500,
      breaks: 'export.pdf-limit.over.status',
    },
    'a PDF at the limit lacks an event': {
      rows: (asked) =>
        inPdf(asked) && asked.count === asked.limit ? asked.events.slice(1) : asked.events,
      breaks: 'export.pdf-limit.complete',
    },
    'a PDF at the limit does not open': {
      pages: ({ pages }) => pages,
      ...bytesAs(inPdf, (bytes) => (bytes.length > 40_000 ? bytes.subarray(0, 20_000) : bytes)),
      breaks: 'export.pdf-limit.at export.pdf.readable ?export.pdf-limit.under',
    },
    'all events count, and not those chosen': {
      sizeRefusal: (asked) => refusedOver({ ...asked, count: asked.total }),
      breaks: 'export.pdf.status export.pdf-limit.narrowed ?export.range.pdf.status',
    },
    'what is filtered out counts for the limit': {
      sizeRefusal: (asked) => refusedOver({ ...asked, count: countIn(asked) }),
      breaks: 'export.pdf-limit.narrowed',
    },
    'a CSV is cut where a PDF has to be': {
      ...where(inCsv, { rows: ({ events, limit }) => events.slice(0, limit) }),
      breaks: 'export.pdf-limit.csv-free ?export.pdf-limit.under ?export.range.split.rows',
    },
  }),
  ...textFaults('pdf', 'export.pdf.text-intact', {
    'tags are swallowed': (text) => text.replaceAll(/<[^>]*>/g, ''),
    'letters beyond Latin are question marks': (text) => text.replaceAll(/[^\0-\xff]/g, '?'),
    'one script alone is question marks': (text) => text.replaceAll(/[\u3000-\u9fff]/g, '?'),
    'letters beyond Latin are boxes': (text) => text.replaceAll(/[^\0-\xff]/g, '\u25a1'),
    'letters beyond Latin are left out': (text) => text.replaceAll(/[^\0-\xff]/g, ''),
  }),
  ...faultsOf('export.pdf-limit.over.forms', cutWhere, {
    'a PDF over the limit is cut where it is asked for with filters': ({ filters }) =>
      filters.length > 0,
    'a PDF over the limit is cut where it is asked for with a time zone': ({ zone }) =>
      zone !== 'UTC',
    'a PDF over the limit is cut where it is asked for with no range': ({ query }) =>
      !query.has('range_end'),
    'a PDF over the limit is cut where it is asked for with no end': ({ query }) =>
      query.has('range_start') && !query.has('range_end'),
  }),
  ...faultsOf(atLimit, limitedTo, {
    'the limit is one lower': (limit) => limit - 1,
    'the limit is a tenth lower': (limit) => limit * 0.9,
  }),
  ...faultsOf('export.pdf-limit.over', {
    'a PDF over the limit is answered 413': { sizeRefusal: (asked) => refusedOver(asked) && 413 },
    'a PDF over the limit is answered 422': { sizeRefusal: (asked) => refusedOver(asked) && 422 },
    'the limit is one higher': limitedTo((limit) => limit + 1),
    'there is no limit': { sizeRefusal: () => undefined },
    'a PDF over the limit is cut': cutWhere(() => true),
  }),
].map(smallLimit)

/** One event in three was made by a job that handled those of a whole day at once. */
const isOfJob = ({ id }: { id: string }) => Number.parseInt(id.slice(0, 8), 16) % 3 === 0
const entityOfJobs = 'eeeeeeee-0000-4000-8000-000000000000'
const timeOfJob = (event: AuditEvent) =>
  isOfJob(event) ? `${event.time.slice(0, 11)}03:00:00.000000000Z` : open.storedTime(event)

/** The same by the number that the contract names. */
export const realLimit = faultsOf({
  [`the limit is ${(pdfLimit + 1).toLocaleString('en')}`]: {
    ...limitedTo((limit) => limit + 1),
    breaks: 'export.pdf-limit.over',
  },
  [`a CSV holds the first ${limitInWords} events, as a PDF may`]: {
    ...where(inCsv, { rows: ({ events }) => events.slice(0, pdfLimit) }),
    breaks: 'export.pdf-limit.csv-free ?export.pdf-limit.* ?export.range.split.rows',
  },
  'a filtered CSV holds a page of 1,000 events': {
    ...where((asked) => inCsv(asked) && isFiltered(asked), {
      rows: ({ events }) => events.slice(0, 1_000),
    }),
    breaks: 'export.pdf-limit.csv-free ?export.pdf-limit.*',
  },
  'no limit, on a trail of bulk jobs: a third of its events share time and entity': {
    storedTime: timeOfJob,
    sizeRefusal: () => undefined,
    cells: ({ cells, event }) =>
      isOfJob(event)
        ? cells.map((cell) => (cell === event.metadata.entity_id ? entityOfJobs : cell))
        : cells,
    breaks: `export.pdf-limit.over ?export.pdf-limit.over.forms ?export.pdf.text-intact
      ?export.metadata.entity_id.exact ?audit.time`,
  },
}).map((fault) => ({ ...fault, events: manyEvents }))

type Bound = string | undefined
type Range = Export['range']
const nines = '9999-12-31T23:59:59.999999999Z'
const byDays = (time: Bound, days: number): Bound => time && moved(time, days * 24 * 60)
const cut = (time: Bound, length: number): Bound =>
  time && time.slice(0, length) + '0000-01-01T00:00:00.000000000Z'.slice(length)
const filled = (time: Bound, length: number): Bound =>
  time && time.slice(0, length) + nines.slice(length)

export const twiceInPdf = faultsOf(
  'export.pdf-matches-csv ?export.range.pdf.rows ?export.filter.* ?export.few-events.pdf',
  {
    'every PDF begins with its first event and the same again': where(inPdf, {
      rows: ({ events }) => [...events.slice(0, 1), ...events],
    }),
  },
).map(inWindow)

export const rangeFaultsOfPdf = [
  ...faultsOf(
    `export.range.pdf.rows ?export.range.pdf ?export.range.pdf.status ?export.pdf* ?export.filter.*
    ?export.timezone.pdf ?export.locale.pdf`,
    (bend: (range: Range) => Partial<Range>) =>
      where(inPdf, { range: ({ range }) => ({ ...range, ...bend(range) }) }),
    {
      'in a PDF range_start is cut to the minute': ({ start }) => ({ start: cut(start, 17) }),
      'in a PDF range_start is cut to the hour': ({ start }) => ({ start: cut(start, 14) }),
      'in a PDF range_start is cut to the day': ({ start }) => ({ start: cut(start, 11) }),
      'in a PDF range_end is the end of its minute': ({ end }) => ({ end: filled(end, 17) }),
      'in a PDF range_end is the end of its day': ({ end }) => ({ end: filled(end, 11) }),
      'in a PDF range_start is a day earlier': ({ start }) => ({ start: byDays(start, -1) }),
      'in a PDF range_end is a day later': ({ end }) => ({ end: byDays(end, 1) }),
      'in a PDF the range begins a day late': ({ start }) => ({ start: byDays(start, 1) }),
    },
  ),
  ...faultsOf('export.range.pdf.status', 'sizeRefusal', {
    'a PDF that would hold no event is answered 404': (asked) =>
      inPdf(asked) && asked.count === 0 ? 404 : refusedOver(asked),
  }),
]
  .map(alsoFoundBy('export.few-events.pdf export.filter.combined.pdf'))
  .map(inWindow)
export const zoneFaultsOfPdf = faultsOf(
  'export.timezone.pdf.seasons ?export.timezone.pdf',
  (offset: Stated['offset']) => where(inPdf, { offset }),
  namedAs((name) => `in a PDF ${name}`, wrongOffsets),
).map(inWindow)
