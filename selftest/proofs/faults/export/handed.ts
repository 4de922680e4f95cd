import type { Call } from '../../../../reference/calls/call.ts'
import type { Export } from '../../../../reference/calls/export-call.ts'
import type { ExportFile } from '../../../../reference/rules/stated-export.ts'
import { inCsv, inPdf, smallLimit } from '../../bent/exports.ts'
import { throughStore } from '../../bent/file-store.ts'
import { type Bent, type Fault, fault, faultsBreaking, faultsNamed } from '../../fault.ts'

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
      file: (asked: Export & { file: ExportFile }) =>
        isEmpty(asked) && given.content !== undefined
          ? { ...asked.file, content: given.content }
          : asked.file,
      exportStatus: (asked) => (isEmpty(asked) && given.status ? given.status : 200),
    },
  }
}

const isFiltered = (asked: Export) => inCsv(asked) && asked.filters.length > 0
const isLongAgo = (asked: Export) => (asked.range.start ?? '9') < '1980'

/** Exports that are whole where the clauses on the file look, and are met by others. */
const met = faultsNamed({
  'a filter that leaves no event is answered 204': {
    ...withoutEvents(isFiltered, { status: 204 }),
    breaks: ['export.csv.status'],
  },
  'an export without events is answered 204': {
    ...withoutEvents(() => true, { status: 204 }),
    breaks: ['export.csv.status', 'export.pdf.status'],
  },
  'a CSV of a range without events is a page': {
    ...withoutEvents((asked) => inCsv(asked) && isLongAgo(asked), {
      content: '<html><body>No events</body></html>',
    }),
    breaks: ['export.csv.readable'],
  },
  'a PDF of a range without events holds nothing': {
    ...withoutEvents((asked) => inPdf(asked) && isLongAgo(asked), { content: '' }),
    breaks: ['export.pdf.status'],
  },
  'a PDF of a range without events is JSON': {
    ...withoutEvents((asked) => inPdf(asked) && isLongAgo(asked), { content: '{"events": []}' }),
    breaks: ['export.pdf.readable'],
  },
})

const nothing = ({ file }: { file: ExportFile }) => ({ ...file, content: '' })

/** Answers without the file, or with less than an address. */
const empty = [
  ...faultsBreaking(['export.csv.status', 'export.pdf.status'], {
    'every file is without a byte, and has a name': { file: nothing },
    'a Location leads to nothing': {
      delivery: ({ file }) => ({ ...file, content: '', headers: { location: '/files/7' } }),
    },
    'a link in JSON leads to a store that refuses it': {
      ...throughStore(
        (download_url) => ({ type: 'application/json', content: JSON.stringify({ download_url }) }),
        { status: 403, content: 'no' },
      ),
    },
  }),
  ...faultsNamed({
    'every CSV is without a byte, and has a name': {
      file: (asked) => (inCsv(asked) ? nothing(asked) : asked.file),
      breaks: ['export.csv.status'],
    },
    'every CSV is without a byte, and PDFs have one page': {
      file: (asked) => (inCsv(asked) ? nothing(asked) : asked.file),
      pdfLayout: () => ({ long: 'cut', page: [842, 14_000], margin: 24, size: 6 }),
      pdfLimit: 5_000,
      env: { AUDIT_WAIT_S: '1' },
      breaks: ['export.csv.status'],
    },
    'a link in JSON leads to a page': {
      ...throughStore((url) => ({ type: 'application/json', content: JSON.stringify({ url }) }), {
        status: 200,
        content: '<html><body>Log in</body></html>',
      }),
      breaks: ['export.csv.readable', 'export.pdf.readable'],
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
    if (events.length > large) ofMany.add(query)
    return events
  },
  ...store.open,
  delivery: (asked) => {
    const given = store.open?.delivery?.(asked) ?? asked.file
    const isLost = inPdf(asked) && ofMany.has(asked.query)
    return isLost
      ? { ...given, content: String(given.content).replace('/files/', '/lost/') }
      : given
  },
  breaks: ['export.pdf.status'],
})
const ofMany = new WeakSet<URLSearchParams>()

/** Where no CSV shows an event and no PDF tells that there are some, the run has made some itself. */
const always = faultsBreaking('export.csv.readable', {
  'every CSV is a header, and PDFs are of one page': {
    events: 40,
    env: { AUDIT_WAIT_S: '1' },
    rows: () => [],
  },
})

/** Caught by the clauses on the file, met by any clause. */
export const faults: Fault[] = [...met, ...empty, lost, ...always]
  // What is recorded cannot be seen either.
  .map(({ mayBreak = [], ...fault }) => ({ ...fault, mayBreak: [...mayBreak, 'audit.*'] }))
  .map(smallLimit)
