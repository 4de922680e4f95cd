import { inTurn } from '../engine/clause/law.ts'
import { clauseOfFiles as clause } from '../helpers/clause.ts'
import {
  type Asked,
  describeRequest,
  problemsOfEventsShown,
  problemsOfFile,
} from '../helpers/export/laws/file.ts'
import { findPartial } from '../helpers/export/laws/filters.ts'
import { askFiles, byRows } from '../helpers/export/laws/predict.ts'
import { askCut, askFew, partsToCompare, problemsOfCut } from '../helpers/export/laws/ranges.ts'
import {
  askAfterRefusal,
  askReordered,
  asksInTurn,
  askZonedPdfs,
  problemsOfReordered,
  type Reordered,
  withNamed,
} from '../helpers/export/laws/reordered.ts'
import { describeFields } from '../helpers/export/laws/requests.ts'

const reordered = (how: string) => (all: readonly object[]) => {
  const asked = all.flatMap((one) => ('seen' in one ? (one as Reordered).own : []))
  return `${asked.length} exports requested ${how}: ${asked.map((each) => each.asked.what).join(', ')}`
}

clause('export.deterministic.in-turn', {
  should: 'return the same file after other exports have been requested',
  law: problemsOfReordered,
  of: reordered('in turn'),
})(
  ['window', 'ranges', 'filters', 'updatesOver'],
  async function* ({ window, ranges, filters, updatesOver }) {
    await updatesOver()
    const { exports } = filters
    const asks = await asksInTurn(ranges, filters)
    yield askReordered(exports, await withNamed(window, ranges), asks, 'in turn')
    yield* askZonedPdfs(exports, asks)
    yield* await askAfterRefusal(exports, await ranges.few())
  },
)

clause('export.deterministic.at-once', {
  should: 'return the same file while other exports are being requested',
  law: problemsOfReordered,
  of: reordered('at once'),
})(['window', 'ranges', 'filters'], async ({ window, ranges, filters }) => {
  const asks = await asksInTurn(ranges, filters)
  return [await askReordered(filters.exports, await withNamed(window, ranges), asks, 'at once')]
})

clause('export.range.split.rows', {
  should: 'include the same events in a range as in its parts, each the same number of times',
  law: problemsOfCut,
  of: 'ranges, each as its parts together',
})(['pdfLimit', 'ranges'], async ({ pdfLimit, ranges }) => {
  const [window, all] = [await ranges.window(), await partsToCompare(ranges, pdfLimit)]
  return inTurn(all, (parts) => askCut(ranges.exports, window, parts))
})

clause('export.filter.same-rows', {
  should: 'return the same cells for an event with a filter as without it',
  law: problemsOfFile(problemsOfEventsShown),
  none: [
    'data',
    'no known value occurs in some but not all events of the window; such a value is needed (METADATA_VALUES)',
  ],
  of: (all) =>
    `events as without a filter: ${all.map(({ request }) => describeFields(request)).join(', ')}`,
})(['filters'], async ({ filters }) => askFiles(filters, await findPartial(filters), byRows()))

const ofFew = {
  law: problemsOfFile(problemsOfEventsShown),
  of: (all: readonly Asked[]) => all.map(({ request }) => describeRequest(request)).join(', '),
}

clause('export.few-events.csv', {
  should: 'include exactly the events of the range in a CSV of one event and of two events',
  ...ofFew,
})(['ranges'], async ({ ranges }) => {
  const files = { exports: ranges.exports, window: await ranges.window() }
  return askFew(files, await ranges.times(), 'csv')
})

clause('export.few-events.pdf', {
  should: 'include exactly the events of the range in a PDF of one event and of two events',
  ...ofFew,
})(['pdfIdentity', 'ranges'], async ({ pdfIdentity: identity, ranges }) => {
  const files = { exports: ranges.exports, window: await ranges.window(), identity }
  return askFew(files, await ranges.times(), 'pdf')
})
