import { caseOrWhy } from '../engine/clause/law.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { type Answered, problemsOfStatus } from '../engine/http/status-problems.ts'
import { clauseOfFiles as clause } from '../helpers/clause.ts'
import { metadataKeys } from '../helpers/contract/metadata-keys.ts'
import { arrayParameters } from '../helpers/contract/parameters.ts'
import {
  heldByTimes,
  problemsOfExactEnd,
  problemsOfInclusive,
  problemsOfRangesApart,
} from '../helpers/export/laws/bounds.ts'
import {
  askEmptyPdfs,
  askEmptyRanges,
  type EmptyRanges,
  fetchEmptyPdfs,
  problemsOfEmptyPdf,
  problemsOfEmptyRangeDates,
  problemsOfEmptyRanges,
} from '../helpers/export/laws/empty-ranges.ts'
import {
  describeRequest,
  problemsOfEventsShown,
  problemsOfFile,
} from '../helpers/export/laws/file.ts'
import { fetchInstantAnswer } from '../helpers/export/laws/invalid-queries.ts'
import { askFiles, byValues } from '../helpers/export/laws/predict.ts'
import { heldPairs, pairsOfOneBound, wholeSeconds } from '../helpers/export/laws/range-pairs.ts'
import {
  askFilteredSplit,
  askWholeSplit,
  describeSplits,
  lacksFilter,
} from '../helpers/export/laws/range-splits.ts'
import {
  askCuts,
  betweenEvents,
  type Cuts,
  cutAt,
  partsApart,
  problemsOfCounts,
  problemsOfRangeRows,
} from '../helpers/export/laws/ranges.ts'
import { heldOnce, lacksPart, problemsOfHeld } from '../helpers/export/learn/confirmed.ts'

type Accepted = { answer: Answered; control: Answered }
const accepted = {
  law: ({ answer, control }: Accepted) => problemsOfStatus(answer, '2xx', { control }),
  of: (all: readonly Accepted[]) => all.map(({ answer }) => describeAnswer(answer)).join(', '),
}

const reading = 'the time that a file shows for an event is the time that ranges use'
const inclusive = {
  'export.range.start-inclusive': {
    bound: 'start',
    must: 'include events from range_start on, including those at exactly that time',
    witness: 'range_start = T',
  },
  'export.range.end-inclusive': {
    bound: 'end',
    must: 'include events up to range_end, with a tolerance of one unit of the shown time',
    witness: 'range_end a unit later',
  },
} as const

for (const [id, { bound, must, witness }] of Object.entries(inclusive))
  clause(id, {
    must,
    reading,
    law: problemsOfHeld,
    of: () => `events with time T are included with ${witness}`,
  })(['ranges'], async ({ ranges }) => [
    await heldByTimes(ranges, (look) => problemsOfInclusive(look, bound)),
  ])

clause('export.range.end-inclusive.exact', {
  should: 'include events whose time is exactly range_end',
  law: problemsOfHeld,
  of: () => 'an event is included when both bounds are its time',
})(['sources', 'ranges'], async ({ sources, ranges }) => {
  // It may store the times of events like those of tasks.
  const storesFiner = (await sources.read()).tasks.some(({ answer }) =>
    /_at":\s*"[^"]*\.\d{3,}[1-9]\d*(?:Z|[+-]00)/.test(answer.text),
  )
  return [await heldByTimes(ranges, (look) => problemsOfExactEnd(look, storesFiner))]
})

clause('export.range.outside', {
  must: 'return no events for a range before or after all events, and no more in parts than in the whole range',
  law: (one: Cuts | EmptyRanges) =>
    'cuts' in one ? problemsOfCounts(one) : problemsOfEmptyRanges(one),
  of: () =>
    'parts contain no more than the whole range, and ranges without events contain no events',
  lacks: lacksPart,
})(['random', 'ranges'], async function* ({ random, ranges }) {
  yield caseOrWhy(askEmptyRanges(ranges.exports, random))
  yield askCuts(ranges.exports, await ranges.window(), await partsApart(ranges))
})

clause('export.range.outside.rows', {
  should: 'exclude events that show a time outside the range',
  law: problemsOfHeld,
  of: () => 'each time is within its range',
  lacks: lacksPart,
})(['ranges'], async function* ({ ranges }) {
  yield heldOnce(ranges.exports, () => problemsOfEmptyRangeDates(ranges.exports))
  yield heldByTimes(ranges, problemsOfRangeRows)
})

clause('export.range.open-ended', {
  must: 'accept range_start or range_end alone, and leave the other side of the range unlimited',
  law: problemsOfHeld,
  of: 'ranges, with as many events by one bound as by both',
})(['ranges'], async ({ ranges }) => {
  const [window, cuts] = [await ranges.window(), await ranges.cuts()]
  const middle = cuts[cuts.length >> 1] ?? window.end
  return heldPairs(ranges.exports, window, pairsOfOneBound(ranges.exports, middle))
})

clause('export.range.split', {
  must: 'include every event in one of two ranges that share a bound, and only events at that bound in both',
  law: problemsOfCounts,
  of: () => 'as many events in two parts as in the whole',
})(['ranges'], async ({ ranges }) => {
  const [window, cuts] = [await ranges.window(), await ranges.cuts()]
  const split = cuts.map((cut) => cutAt(window, cut))
  return [await askCuts(ranges.exports, window, split)]
})

clause('export.range.split.filtered', {
  must: 'include every event in one of two ranges that share a bound, beside a filter and beside a metadata key',
  since: '0.3',
  law: problemsOfCounts,
  of: describeSplits,
  lacks: lacksFilter,
})(['ranges', 'filters'], async function* ({ ranges, filters }) {
  yield caseOrWhy(askFilteredSplit(filters, ranges, arrayParameters))
  yield caseOrWhy(askFilteredSplit(filters, ranges, metadataKeys))
})

clause('export.range.split.whole', {
  must: 'include every event of the service in one of two ranges that share a bound',
  since: '0.3',
  law: problemsOfCounts,
  of: describeSplits,
})(['settings', 'exports', 'window'], async ({ settings, exports, window }) => [
  await askWholeSplit(exports, window, settings.maxExportMb),
])

clause('export.range.apart', {
  must: 'include no event in both of two ranges that do not touch',
  law: problemsOfHeld,
  of: () => 'events included up to T are excluded from the next shown time after T on',
})(['ranges'], async ({ ranges }) => [await heldByTimes(ranges, problemsOfRangesApart)])

clause('export.range.whole-seconds', {
  should: 'accept a bound without fractional seconds, and treat it as the same bound with .000',
  law: problemsOfHeld,
  of: 'ranges, with as many events as with .000 in both bounds',
})(['ranges'], async ({ ranges }) =>
  heldPairs(ranges.exports, await ranges.window(), await wholeSeconds(ranges)),
)

clause('export.range.pdf', {
  must: 'apply the range to a PDF: include no events if the range has no events',
  law: problemsOfEmptyPdf,
  of: () => 'PDFs of ranges without events contain less than the PDF of the window',
})(['random', 'ranges'], async ({ random, ranges }) =>
  askEmptyPdfs(ranges.exports, await ranges.window(), random),
)

clause('export.range.pdf.status', {
  should: 'accept a PDF export of a range without events if the CSV export is accepted',
  ...accepted,
})(['ranges'], ({ ranges }) => fetchEmptyPdfs(ranges.exports))

clause('export.range.pdf.rows', {
  should: 'include exactly the events of the range in a PDF',
  law: problemsOfFile(problemsOfEventsShown),
  of: ([{ request }]) => `a ${describeRequest(request)} as the CSV`,
})(['pdfIdentity', 'ranges'], async ({ pdfIdentity: identity, ranges }) => {
  const files = { exports: ranges.exports, window: await ranges.window(), identity }
  const bounds = await betweenEvents(ranges)
  return askFiles(files, [{ values: [], fileType: 'pdf', bounds }], byValues)
})

clause('export.range.instant', {
  should: 'accept a range whose range_start equals range_end',
  ...accepted,
})(['ranges'], async ({ ranges }) => [await fetchInstantAnswer(ranges)])
