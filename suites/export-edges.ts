import { expect } from '../engine/clause/matchers.ts'
import { clausesOf } from '../helpers/clause.ts'
import {
  askFewEntries,
  type FewEvents,
  needFewEvents,
  partsToCompare,
  problemsOfCut,
  problemsOfFewRows,
} from '../helpers/export/laws/edges.ts'
import {
  describeRequest,
  problemsOfEventsShown,
  problemsOfFile,
} from '../helpers/export/laws/file.ts'
import { findPartial, problemsOfFilteredRows } from '../helpers/export/laws/filters.ts'
import {
  asksInTurn,
  problemsAfterRefusal,
  problemsAtOnce,
  problemsInTurn,
  problemsOfPdfInTurn,
  withNamed,
} from '../helpers/export/laws/unmixed.ts'

const clause = clausesOf({ section: 'Export audit events', operation: 'export' })

clause('export.deterministic.in-turn', {
  should: 'give the same file after other exports have been asked for',
})(async ({ ranges, filters, window, updatesOver, note }) => {
  await updatesOver()
  const asks = await asksInTurn(ranges, filters)
  expect(await problemsInTurn(filters.exports, await withNamed(window, ranges), asks)).toBeNone()
  const ofPdf = await problemsOfPdfInTurn(filters.exports, asks)
  const afterRefusal = await problemsAfterRefusal(filters.exports, await ranges.few())
  expect([...ofPdf, ...(afterRefusal ?? [])]).toBeNone()
  note(`${asks.length} exports asked for in turn: ${asks.map(({ what }) => what).join(', ')}`)
})

clause('export.deterministic.at-once', {
  should: 'give the same file while other exports are asked for',
})(async ({ ranges, filters, window, note }) => {
  const asks = await asksInTurn(ranges, filters)
  expect(await problemsAtOnce(filters.exports, await withNamed(window, ranges), asks)).toBeNone()
  note(`${asks.length} exports asked for at once: ${asks.map(({ what }) => what).join(', ')}`)
})

clause('export.range.split.rows', {
  should: 'hold in a range the events of its parts, and each as often',
})(async ({ ranges, pdfLimit, each }) => {
  const [window, all] = [await ranges.window(), await partsToCompare(ranges, pdfLimit)]
  await each(all, (parts) => problemsOfCut(ranges.exports, window, parts), {
    of: 'wholes and their parts',
  })
})

clause('export.filter.same-rows', {
  should: 'show an event with a filter as without it',
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
  should: 'give a CSV of one event, and of two, with just these',
})(async ({ ranges, each }) => {
  const [window, times] = [await ranges.window(), await ranges.times()]
  const judge = (few: FewEvents) => problemsOfFewRows(ranges.exports, window, times, few)
  await each(needFewEvents(times), judge, { of: ofFew })
})

clause('export.few-events.pdf', {
  should: 'give a PDF of one event, and of two, with just these',
  law: problemsOfFile(problemsOfEventsShown),
  of: (all) => all.map(({ request }) => describeRequest(request)).join(', '),
  needs: 'few events',
})(async ({ ranges, pdfIdentity: identity }) => {
  const files = { exports: ranges.exports, window: await ranges.window(), identity }
  return askFewEntries(files, needFewEvents(await ranges.times()))
})

const ofFew = (all: readonly FewEvents[]) =>
  all.map(({ span, count }) => `${count} from ${span.start} to ${span.end}`).join(', ')
