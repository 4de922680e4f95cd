import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { problemsOfStatus } from '../engine/http/status.ts'
import { clausesOf } from '../helpers/clause.ts'
import {
  judgeExactEnd,
  problemsByTimes,
  problemsOfInclusive,
  problemsOfRangesApart,
} from '../helpers/export/laws/bounds.ts'
import { fetchEmptyPdfs, problemsOfEmptyRangePdfs } from '../helpers/export/laws/empty-pdf.ts'
import {
  describeRequest,
  problemsOfEventsShown,
  problemsOfFile,
} from '../helpers/export/laws/file.ts'
import { askFiles, byValues } from '../helpers/export/laws/predict.ts'
import { fetchInstantAnswer } from '../helpers/export/laws/range-forms.ts'
import {
  pairsOfOneBound,
  problemsOfPairs,
  wholeSeconds,
} from '../helpers/export/laws/range-pairs.ts'
import {
  betweenEvents,
  hourApart,
  problemsOfEmptyRangeDates,
  problemsOfEmptyRanges,
  problemsOfParts,
  problemsOfRangeRows,
  splitAt,
} from '../helpers/export/laws/ranges.ts'
import { confirmed } from '../helpers/export/learn/confirmed.ts'
import type { Window } from '../helpers/export/learn/window.ts'

const clause = clausesOf({
  section: 'Export audit events',
  operation: 'export',
  needs: 'exports of one time',
})
const reading = 'the time that a file shows of an event is the one that ranges go by'
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
  clause(id, { must, reading })(async ({ ranges, note }) => {
    const window = await ranges.window()
    const problems = await problemsByTimes(ranges, (look) => problemsOfInclusive(look, bound))
    expect(problems).toBeNone()
    note(`events shown at T are in with ${witness}: ${describeWindow(window)}`)
  })

clause('export.range.end-inclusive.exact', {
  should: 'include events whose time is exactly range_end',
})(async ({ ranges, sources, note }) => {
  let shown = ''
  // It may store the times of events as it does those of tasks.
  const storesFiner = async () =>
    (await sources.read()).tasks.some(({ answer }) =>
      /_at":\s*"[^"]*\.\d{3,}[1-9]\d*(?:Z|[+-]00)/.test(answer.text),
    )
  const problems = await problemsByTimes(ranges, async (look) => {
    const { seen = '', problems } = await judgeExactEnd(look, storesFiner)
    shown = seen
    return problems
  })
  expect(problems).toBeNone()
  note(`the event shown at ${shown} is in with both bounds at its time`)
})

clause('export.range.outside', {
  must: 'return no events for a range before or after all events, and no more in parts than in the whole range',
})(async ({ ranges, random, note }) => {
  expect(await problemsOfEmptyRanges(ranges.exports, random)).toBeNone()
  const [window, cuts] = [await ranges.window(), await ranges.cuts()]
  const apart = cuts.flatMap((cut) => hourApart(window, cut))
  const problems = await confirmed(ranges.exports, window, (fetch, exports) =>
    problemsOfParts(fetch, exports, window, apart),
  )
  expect(problems).toBeNone()
  note(
    `${apart.length} parts hold no more than ${describeWindow(window)}; years without events hold none`,
  )
})

clause('export.range.outside.rows', {
  should: 'exclude events that show a time outside the range',
})(async ({ ranges, note }) => {
  expect(await problemsOfEmptyRangeDates(ranges.exports)).toBeNone()
  const window = await ranges.window()
  expect(await problemsByTimes(ranges, problemsOfRangeRows)).toBeNone()
  note(`${describeWindow(window)}, and parts of it`)
})

clause('export.range.open-ended', {
  must: 'accept range_start or range_end alone, and leave the other side of the range unlimited',
})(async ({ ranges, note }) => {
  const [window, cuts] = [await ranges.window(), await ranges.cuts()]
  const middle = cuts[cuts.length >> 1] ?? window.end
  const pairs = pairsOfOneBound(ranges.exports, middle)
  expect(await problemsOfPairs(ranges.exports, window, pairs)).toBeNone()
  note(`ranges up to and from ${middle} hold as many events with one bound as with both`)
})

clause('export.range.split', {
  must: 'include every event in one of two ranges that share a bound, and only events at that bound in both',
})(async ({ ranges, note }) => {
  const [window, cuts] = [await ranges.window(), await ranges.cuts()]
  const split = cuts.map((cut) => splitAt(window, cut))
  const problems = await confirmed(ranges.exports, window, (fetch, exports) =>
    problemsOfParts(fetch, exports, window, split),
  )
  expect(problems).toBeNone()
  note(`${describeWindow(window)}, split at ${cuts.join(', ')}`)
})

clause('export.range.apart', {
  must: 'include no event in both of two ranges that do not touch',
})(async ({ ranges, note }) => {
  expect(await problemsByTimes(ranges, problemsOfRangesApart)).toBeNone()
  note('events in up to T are out from the smallest step that is shown after T on')
})

clause('export.range.whole-seconds', {
  should: 'accept a bound without fractional seconds, and treat it as the same bound with .000',
})(async ({ ranges, note }) => {
  const { pairs, span } = await wholeSeconds(ranges)
  expect(await problemsOfPairs(ranges.exports, await ranges.window(), pairs)).toBeNone()
  note(`as many events from ${span.start} to ${span.end} with .000 in both bounds`)
})

clause('export.range.pdf', {
  must: 'apply the range to a PDF: include no events if the range has no events',
})(async ({ ranges, random, note }) => {
  const window = await ranges.window()
  const problems = await problemsOfEmptyRangePdfs(ranges.exports, window, random)
  expect(problems).toBeNone()
  note(`PDFs of years without events hold less than that of ${describeWindow(window)}`)
})

clause('export.range.pdf.status', {
  should: 'accept a PDF export of a range without events if the CSV export is accepted',
})(async ({ ranges, each }) =>
  each(
    await fetchEmptyPdfs(ranges.exports),
    ({ answer, control }) => problemsOfStatus(answer, '2xx', { control }),
    { of: (all) => all.map(({ answer }) => describeAnswer(answer)).join(', ') },
  ),
)

clause('export.range.pdf.rows', {
  should: 'include exactly the events of the range in a PDF',
  law: problemsOfFile(problemsOfEventsShown),
  of: ([{ request }]) => `a ${describeRequest(request)} as the CSV`,
})(async ({ ranges, pdfIdentity: identity }) => {
  const files = { exports: ranges.exports, window: await ranges.window(), identity }
  const bounds = await betweenEvents(ranges)
  return askFiles(files, [{ values: [], fileType: 'pdf', bounds }], byValues)
})

clause('export.range.instant', {
  should: 'accept a range whose range_start equals range_end',
})(async ({ ranges, note }) => {
  const { answer, control } = await fetchInstantAnswer(ranges)
  expect(answer).toBeAccepted({ control })
  note(describeAnswer(answer))
})

const describeWindow = ({ rows, start, end }: Window) =>
  `${rows.length} events from ${start} to ${end}`
