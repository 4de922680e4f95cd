import { describe } from 'vitest'
import { expect, problemsOfStatus } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { clausesOf } from '../helpers/clause.ts'
import { fetchEmptyPdfs, problemsOfEmptyRangePdfs } from '../helpers/export/judge/empty-pdf.ts'
import { problemsOfRangesApart } from '../helpers/export/judge/ranges/apart.ts'
import {
  problemsOfEnd,
  problemsOfLooseBounds,
  problemsOfStart,
} from '../helpers/export/judge/ranges/bounds.ts'
import { judgeExactEnd } from '../helpers/export/judge/ranges/exact-end.ts'
import {
  problemsOfEmptyRangeDates,
  problemsOfEmptyRanges,
  problemsOfRangeParts,
  problemsOfRangeRows,
} from '../helpers/export/judge/ranges/outside.ts'
import { problemsOfWholeSeconds } from '../helpers/export/judge/ranges/range-forms.ts'
import {
  fetchInstantAnswer,
  problemsOfOneBound,
  problemsOfSplit,
} from '../helpers/export/judge/ranges/range-relations.ts'
import { problemsByTimes } from '../helpers/export/judge/ranges/witnesses.ts'
import { betweenEvents, problemsOfPdfRange } from '../helpers/export/judge/together/pdf-parts.ts'
import { confirmed } from '../helpers/export/learn/confirmed.ts'
import type { Window } from '../helpers/export/learn/window.ts'

const clause = clausesOf({ section: 'Export audit events', operation: 'export' })
const reading = 'the time that a file shows of an event is the one that ranges go by'
const inclusive = {
  'start-inclusive': {
    must: 'include events from range_start on, those of that time too',
    problemsOf: problemsOfStart,
    witness: 'range_start = T',
  },
  'end-inclusive': {
    must: 'include events up to range_end, one unit of the shown time granted',
    problemsOf: problemsOfEnd,
    witness: 'range_end a unit later',
  },
}

describe('Export: ranges', () => {
  for (const [bound, { must, problemsOf, witness }] of Object.entries(inclusive))
    clause(`export.range.${bound}`, { must, reading }, async ({ ranges, note }) => {
      const window = await ranges.window()
      expect(await problemsByTimes(ranges, problemsOf)).toBeNone()
      note(`events shown at T are in with ${witness}: ${describeWindow(window)}`)
    })

  clause(
    'export.range.end-inclusive.exact',
    { should: 'include events whose time is range_end to the last digit' },
    async ({ ranges, note }) => {
      let shown = ''
      const problems = await problemsByTimes(ranges, async (look) => {
        const { seen = '', problems } = await judgeExactEnd(look)
        shown = seen
        return problems
      })
      expect(problems).toBeNone()
      note(`the event shown at ${shown} is in with both bounds at its time`)
    },
  )

  clause(
    'export.range.outside',
    {
      must: 'give no event of a time before and after all events, and no more of a part than of the whole',
    },
    async ({ ranges, random, note }) => {
      expect(await problemsOfEmptyRanges(ranges.exports, random)).toBeNone()
      const [window, cuts] = [await ranges.window(), await ranges.cuts()]
      const problems = await confirmed(ranges.exports, window, (fetch) =>
        problemsOfRangeParts(fetch, window, cuts),
      )
      expect(problems).toBeNone()
      note(
        `${cuts.length} parts hold no more than ${describeWindow(window)}; years without events hold none`,
      )
    },
  )

  clause(
    'export.range.outside.rows',
    { should: 'give no event that shows a time outside of the range' },
    async ({ ranges, note }) => {
      expect(await problemsOfEmptyRangeDates(ranges.exports)).toBeNone()
      const window = await ranges.window()
      const problems = await problemsByTimes(ranges, async (look) => [
        ...(await problemsOfRangeRows(look)),
        ...(await problemsOfLooseBounds(look)),
      ])
      expect(problems).toBeNone()
      note(`${describeWindow(window)}, and parts of it`)
    },
  )

  clause(
    'export.range.open-ended',
    { must: 'take either bound alone, and bound on its side only' },
    async ({ ranges, note }) => {
      const [window, cuts] = [await ranges.window(), await ranges.cuts()]
      const middle = cuts[cuts.length >> 1] ?? window.end
      expect(await problemsOfOneBound(ranges.exports, window, middle)).toBeNone()
      note(`ranges up to and from ${middle} hold as many events with one bound as with both`)
    },
  )

  clause(
    'export.range.split',
    {
      must: 'hold every event in two ranges that share a bound, and twice only those of that time',
    },
    async ({ ranges, note }) => {
      const { exports } = ranges
      const [window, cuts] = [await ranges.window(), await ranges.cuts()]
      const problems = await confirmed(exports, window, (fetch) =>
        problemsOfSplit(fetch, { exports, window, cuts }),
      )
      expect(problems).toBeNone()
      note(`${describeWindow(window)}, split at ${cuts.join(', ')}`)
    },
  )

  clause(
    'export.range.apart',
    { must: 'hold no event in two ranges that do not meet' },
    async ({ ranges, note }) => {
      expect(await problemsByTimes(ranges, problemsOfRangesApart)).toBeNone()
      note('events in up to T are out from the smallest step that is shown after T on')
    },
  )

  clause(
    'export.range.whole-seconds',
    { should: 'take a bound without a fraction of a second, and as the one with .000' },
    async ({ ranges, note }) => {
      const { problems, span } = await problemsOfWholeSeconds(ranges)
      expect(problems).toBeNone()
      note(`the same events from ${span.start} to ${span.end} with .000 in both bounds`)
    },
  )

  clause(
    'export.range.pdf',
    { must: 'keep a PDF to its range: none of a time without events' },
    async ({ ranges, random, note }) => {
      const window = await ranges.window()
      const problems = await problemsOfEmptyRangePdfs(ranges.exports, window, random)
      expect(problems).toBeNone()
      note(`PDFs of years without events hold less than that of ${describeWindow(window)}`)
    },
  )

  clause(
    'export.range.pdf.status',
    { should: 'accept a PDF of a time without events where the CSV of it is accepted' },
    async ({ ranges, each }) =>
      each(
        await fetchEmptyPdfs(ranges.exports),
        ({ answer, control }) => problemsOfStatus(answer, '2xx', { control }),
        { of: (all) => all.map(({ answer }) => describeAnswer(answer)).join(', ') },
      ),
  )

  clause(
    'export.range.pdf.rows',
    { should: 'give in a PDF of a range the events of that range, and no other' },
    async ({ ranges, pdfIdentity: identity, note }) => {
      const [window, span] = [await ranges.window(), await betweenEvents(ranges)]
      expect(await problemsOfPdfRange(ranges.exports, window, identity, span)).toBeNone()
      note(`as in the CSV from ${span.start} to ${span.end}`)
    },
  )

  clause(
    'export.range.instant',
    { should: 'take a range whose start is its end' },
    async ({ ranges, note }) => {
      const { answer, control } = await fetchInstantAnswer(ranges)
      expect(answer).toBeAccepted({ control })
      note(describeAnswer(answer))
    },
  )
})

const describeWindow = ({ rows, start, end }: Window) =>
  `${rows.length} events from ${start} to ${end}`
