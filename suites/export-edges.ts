import { clausesOf } from '../helpers/clause.ts'
import {
  type FewEvents,
  needFewEvents,
  partsToCompare,
  problemsOfCut,
  problemsOfFewEntries,
  problemsOfFewRows,
} from '../helpers/export/laws/edges.ts'
import { findPartial, problemsOfFilteredRows } from '../helpers/export/laws/filters.ts'
import {
  askAfterRefusal,
  askDatedPdfs,
  askReordered,
  asksInTurn,
  problemsOfReordered,
  type Reordered,
  withNamed,
} from '../helpers/export/laws/reordered.ts'

const clause = clausesOf({ section: 'Export audit events', operation: 'export' })

const reordered = (how: string) => (all: readonly object[]) => {
  const asked = all.flatMap((one) => ('own' in one ? (one as Reordered).own : []))
  return `${asked.length} exports asked for ${how}: ${asked.map((each) => each.asked.what).join(', ')}`
}

clause('export.deterministic.in-turn', {
  should: 'return the same file after other exports have been requested',
  law: problemsOfReordered,
  needs: 'the same request twice',
  of: reordered('in turn'),
})(async function* ({ ranges, filters, window, updatesOver }) {
  await updatesOver()
  const { exports } = filters
  const asks = await asksInTurn(ranges, filters)
  yield askReordered(exports, await withNamed(window, ranges), asks, 'in turn')
  yield* await askDatedPdfs(exports, asks)
  yield* await askAfterRefusal(exports, await ranges.few())
})

clause('export.deterministic.at-once', {
  should: 'return the same file while other exports are being requested',
  law: problemsOfReordered,
  needs: 'the same request twice',
  of: reordered('at once'),
})(async ({ ranges, filters, window }) => {
  const asks = await asksInTurn(ranges, filters)
  return [await askReordered(filters.exports, await withNamed(window, ranges), asks, 'at once')]
})

clause('export.range.split.rows', {
  should: 'include the same events in a range as in its parts, each the same number of times',
})(async ({ ranges, pdfLimit, each }) => {
  const [window, all] = [await ranges.window(), await partsToCompare(ranges, pdfLimit)]
  await each(all, (parts) => problemsOfCut(ranges.exports, window, parts), {
    of: 'wholes and their parts',
  })
})

clause('export.filter.same-rows', {
  should: 'return the same cells for an event with a filter as without it',
})(async ({ filters, window, each }) => {
  const found = await findPartial(filters, window)
  await each(found, (partial) => problemsOfFilteredRows(partial, filters, window), {
    none: [
      'data',
      'no value is known that some events of the window have and others do not have; such a value is needed (METADATA_VALUES)',
    ],
    of: (all) => `events as without a filter: ${all.map(({ field }) => field).join(', ')}`,
  })
})

clause('export.few-events.csv', {
  should: 'include exactly the events of the range in a CSV of one event and of two events',
})(async ({ ranges, each }) => {
  const [window, times] = [await ranges.window(), await ranges.times()]
  const judge = (few: FewEvents) => problemsOfFewRows(ranges.exports, window, times, few)
  await each(needFewEvents(times), judge, { of: ofFew })
})

clause('export.few-events.pdf', {
  should: 'include exactly the events of the range in a PDF of one event and of two events',
})(async ({ ranges, pdfIdentity, each }) => {
  const [window, times] = [await ranges.window(), await ranges.times()]
  const judge = (few: FewEvents) => problemsOfFewEntries(ranges.exports, window, pdfIdentity, few)
  await each(needFewEvents(times), judge, { of: ofFew })
})

const ofFew = (all: readonly FewEvents[]) =>
  all.map(({ span, count }) => `${count} from ${span.start} to ${span.end}`).join(', ')
