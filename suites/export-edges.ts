import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { clause } from '../helpers/clause.ts'
import { problemsOfAll } from '../helpers/export/ask/problems-of-all.ts'
import { problemsAfterRefusal } from '../helpers/export/judge/together/after-refused.ts'
import { asksInTurn, withNamed } from '../helpers/export/judge/together/asked-in-turn.ts'
import {
  type FewEvents,
  needFewEvents,
  type Parts,
  partsToCompare,
  problemsOfCut,
  problemsOfFewEntries,
  problemsOfFewRows,
} from '../helpers/export/judge/together/edges.ts'
import { problemsOfFilteredRows } from '../helpers/export/judge/together/filtered-rows.ts'
import { problemsOfPdfInTurn } from '../helpers/export/judge/together/pdf-in-turn.ts'
import { problemsAtOnce, problemsInTurn } from '../helpers/export/judge/together/unmixed.ts'

const section = 'Export audit events'
const operation = 'export'

describe('Export: files beside one another', () => {
  const amongOthers = { section, operation }

  clause(
    'export.deterministic.in-turn',
    { should: 'give the same file after other exports have been asked for', ...amongOthers },
    async ({ ranges, filters, window, lull, note }) => {
      await lull()
      const asks = await asksInTurn(ranges, filters)
      expect(
        await problemsInTurn(filters.exports, await withNamed(window, ranges), asks),
      ).toBeNone()
      const ofPdf = await problemsOfPdfInTurn(filters.exports, asks)
      const afterRefusal = await problemsAfterRefusal(filters.exports, await ranges.few())
      expect([...ofPdf, ...(afterRefusal ?? [])]).toBeNone()
      note(`${asks.length} exports asked for in turn: ${asks.map(({ what }) => what).join(', ')}`)
    },
  )

  clause(
    'export.deterministic.at-once',
    { should: 'give the same file while other exports are asked for', ...amongOthers },
    async ({ ranges, filters, window, note }) => {
      const asks = await asksInTurn(ranges, filters)
      expect(
        await problemsAtOnce(filters.exports, await withNamed(window, ranges), asks),
      ).toBeNone()
      note(`${asks.length} exports asked for at once: ${asks.map(({ what }) => what).join(', ')}`)
    },
  )

  clause(
    'export.range.split.rows',
    {
      should: 'hold in a range the events of its parts, and each as often',
      section,
      operation,
    },
    async ({ ranges, pdfLimit, note }) => {
      const [window, all] = [await ranges.window(), await partsToCompare(ranges, pdfLimit)]
      const judge = (parts: Parts) => problemsOfCut(ranges.exports, window, parts)
      expect(await problemsOfAll(all, judge)).toBeNone()
      note(
        `${all.length} wholes and their parts: ${window.rows.length} events from ${window.start} to ${window.end}`,
      )
    },
  )

  clause(
    'export.filter.same-rows',
    { should: 'show an event with a filter as without it', section, operation },
    async ({ filters, window, note }) => {
      const { problems, judged } = await problemsOfFilteredRows(filters, window)
      expect(problems).toBeNone()
      note(`events as without a filter: ${judged.join(', ')}`)
    },
  )

  const few = { section, operation }

  clause(
    'export.few-events.csv',
    { should: 'give a CSV of one event, and of two, with just these', ...few },
    async ({ ranges, note }) => {
      const [window, times] = [await ranges.window(), await ranges.times()]
      const all = needFewEvents(times)
      const judge = (each: FewEvents) => problemsOfFewRows(ranges.exports, window, times, each)
      expect(await problemsOfAll(all, judge)).toBeNone()
      note(`one event and two, from ${all[0]?.span.start} on`)
    },
  )

  clause(
    'export.few-events.pdf',
    { should: 'give a PDF of one event, and of two, with just these', ...few },
    async ({ ranges, pdfIdentity, note }) => {
      const [window, times] = [await ranges.window(), await ranges.times()]
      const all = needFewEvents(times)
      const judge = (each: FewEvents) =>
        problemsOfFewEntries(ranges.exports, window, pdfIdentity, each)
      expect(await problemsOfAll(all, judge)).toBeNone()
      note(`one event and two, from ${all[0]?.span.start} on`)
    },
  )
})
