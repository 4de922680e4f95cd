import { describe } from 'vitest'
import { clause } from '../engine/clause/clause.ts'
import { expect } from '../engine/clause/matchers.ts'
import { wrongEnd, wrongExactEnd, wrongStart } from '../helpers/export/judge/bounds.ts'
import {
  datesOutOfRange,
  eventsOutOfRange,
  moreThanWhole,
  pdfsOutOfRange,
  rowsOutOfRange,
} from '../helpers/export/judge/outside.ts'
import { dateOnlyBounds, nullBounds, offsetBounds } from '../helpers/export/judge/range-forms.ts'
import {
  instantAnswer,
  reversedAnswers,
  wrongWithOneBound,
  wrongWithSplit,
} from '../helpers/export/judge/range-relations.ts'
import { confirmed } from '../helpers/export/learn/confirmed.ts'
import { wrongByAll } from '../helpers/export/learn/time-column.ts'

const section = 'Export audit events'
const operation = 'export'
const reading = 'the time that a file shows of an event is the one that ranges go by'

describe('Export: ranges', () => {
  clause(
    'export.range.start-inclusive',
    {
      must: 'include events from range_start on, those of that time too',
      section,
      operation,
      reading,
    },
    async ({ ranges }) => {
      const [window, times] = [await ranges.window(), await ranges.times()]
      const problems = await confirmed(ranges.exports, window, (fetch) =>
        wrongByAll(times, (column) => wrongStart({ fetch, window, times, column })),
      )
      expect(problems).toBeNone()
    },
  )

  clause(
    'export.range.end-inclusive',
    {
      must: 'include events up to range_end, one unit of the shown time granted',
      section,
      operation,
      reading,
    },
    async ({ ranges }) => {
      const [window, times] = [await ranges.window(), await ranges.times()]
      const problems = await confirmed(ranges.exports, window, (fetch) =>
        wrongByAll(times, (column) => wrongEnd({ fetch, window, times, column })),
      )
      expect(problems).toBeNone()
    },
  )

  clause(
    'export.range.end-inclusive.exact',
    { should: 'include events whose shown time is range_end', section, operation },
    async ({ ranges }) => {
      const [window, times] = [await ranges.window(), await ranges.times()]
      const problems = await confirmed(ranges.exports, window, (fetch) =>
        wrongByAll(times, (column) => wrongExactEnd({ fetch, window, times, column })),
      )
      expect(problems).toBeNone()
    },
  )

  clause(
    'export.range.outside',
    {
      must: 'give no event of a time before and after all events, and no more of a part than of the whole',
      section,
      operation,
    },
    async ({ ranges, random }) => {
      expect(await eventsOutOfRange(ranges.exports, random)).toBeNone()
      const [window, cuts] = [await ranges.window(), await ranges.cuts()]
      const problems = await confirmed(ranges.exports, window, (fetch) =>
        moreThanWhole(fetch, window, cuts),
      )
      expect(problems).toBeNone()
    },
  )

  clause(
    'export.range.outside.rows',
    { should: 'give no event that shows a time outside of the range', section, operation },
    async ({ ranges }) => {
      expect(await datesOutOfRange(ranges.exports)).toBeNone()
      const [window, times] = [await ranges.window(), await ranges.times()]
      const problems = await confirmed(ranges.exports, window, (fetch) =>
        wrongByAll(times, (column) => rowsOutOfRange(fetch, window, times, column)),
      )
      expect(problems).toBeNone()
    },
  )

  clause(
    'export.range.open-ended',
    { must: 'take either bound alone, and bound on its side only', section, operation },
    async ({ ranges }) => {
      const [window, cuts] = [await ranges.window(), await ranges.cuts()]
      const middle = cuts[cuts.length >> 1] ?? window.end
      expect(await wrongWithOneBound(ranges.exports, window, middle)).toBeNone()
    },
  )

  clause(
    'export.range.split',
    {
      must: 'hold every event in two ranges that share a bound, and twice only those of that time',
      section,
      operation,
    },
    async ({ ranges }) => {
      const { exports } = ranges
      const [window, cuts] = [await ranges.window(), await ranges.cuts()]
      const problems = await confirmed(exports, window, (fetch) =>
        wrongWithSplit(fetch, { exports, window, cuts }),
      )
      expect(problems).toBeNone()
    },
  )

  clause(
    'export.range.pdf',
    { must: 'keep a PDF to its range: none of a time without events', section, operation },
    async ({ ranges, random }) => {
      const window = await ranges.window()
      expect(await pdfsOutOfRange(ranges.exports, window, random)).toBeNone()
    },
  )

  for (const fileType of ['csv', 'pdf'] as const)
    clause(
      `export.range.reversed.${fileType}`,
      {
        must: `answer 400 to a ${fileType.toUpperCase()} with range_start later than range_end`,
        section: 'Errors',
        operation,
      },
      async ({ ranges }) => {
        for (const answer of await reversedAnswers(ranges, fileType))
          expect(answer).toHaveStatus(400)
      },
    )

  clause(
    'export.range.instant',
    { should: 'take a range whose start is its end', section, operation },
    async ({ ranges }) => {
      expect(await instantAnswer(ranges)).toBeAccepted()
    },
  )

  clause(
    'export.range.offset-form',
    { observe: 'what bounds with an offset in place of Z are taken for', section, operation },
    async ({ ranges }) => offsetBounds(ranges),
  )

  clause(
    'export.range.date-only',
    { observe: 'what bounds without a time of day are taken for', section, operation },
    async ({ ranges }) => dateOnlyBounds(ranges),
  )

  clause(
    'export.range.null',
    { observe: 'what bounds that are null or empty are taken for', section, operation },
    async ({ ranges }) => nullBounds(ranges),
  )
})
