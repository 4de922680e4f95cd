import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { distinct } from '../engine/distinct.ts'
import type { Problem } from '../engine/problem.ts'
import { clausesOf } from '../helpers/clause.ts'
import type { Exports } from '../helpers/export/ask/exports.ts'
import type { Query } from '../helpers/export/ask/query.ts'
import { findChangeDay } from '../helpers/export/judge/change-days.ts'
import { judgeClocks } from '../helpers/export/judge/clock-told.ts'
import { problemsOfClocks, zonesInSeasons } from '../helpers/export/judge/offsets.ts'
import { problemsOfLocalizedPdf } from '../helpers/export/judge/pdf-entries.ts'
import { problemsOfOtherEvents } from '../helpers/export/judge/same-file.ts'
import {
  acceptedLanguages,
  acceptedValues,
  needLanguages,
  needZonesApart,
  needZonesWithEffect,
  problemsOfZones,
  zonesFarApart,
  zonesWithEffect,
} from '../helpers/export/judge/zones-and-locales.ts'
import { judgeZoneBounds } from '../helpers/export/laws/zone-bounds.ts'
import { confirmed, type Fetch } from '../helpers/export/learn/confirmed.ts'
import { unlessUndecided } from '../helpers/export/learn/ranges.ts'
import { noOtherSeason } from '../helpers/export/learn/seasons.ts'
import { placesOfEvents } from '../helpers/export/learn/short-windows.ts'
import type { Span } from '../helpers/export/learn/spans.ts'
import { acceptedUtc, inZones } from '../helpers/export/learn/time-column.ts'
import { spanOf, type Window } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

const clause = clausesOf({ section: 'Export audit events', operation: 'export' })
const noClock =
  'no column of the file shows times of day that can be read; its fields are not shown'
const noZone =
  'none of the zones tried is accepted; which requests are invalid is not shown in full'

describe('Export: time zone and language', () => {
  clause(
    'export.timezone.formats',
    { must: 'write dates in the time zone that is asked for' },
    async ({ ranges, note }) => {
      const [window, span] = [await ranges.window(), await ranges.few()]
      const problems = await confirmed(ranges.exports, window, (fetch) =>
        problemsOfZones(ranges.exports, fetch, { window, span }),
      )
      // A file without dates is the same everywhere, and so is one that counts seconds.
      const columns = problems.length > 0 ? inZones(await ranges.times()).columns : []
      premise(
        columns.length === 0 || columns.some(({ isNumber }) => !isNumber),
        'freedom',
        'the file shows times as numbers, which are in no zone; the fields of an event are not shown',
      )
      // The default language is accepted anywhere, and written as a file without a language is.
      const problemsInLanguage = async () => {
        const [locale = 'en'] = await acceptedLanguages(ranges.exports, span, 1)
        return confirmed(ranges.exports, window, (fetch) =>
          problemsOfZones(ranges.exports, fetch, { window, span, beside: { locale } }),
        ).catch(unlessUndecided)
      }
      expect(problems.length > 0 ? problems : ((await problemsInLanguage()) ?? [])).toBeNone()
      note(`files in two zones differ, from ${span.start} to ${span.end}`)
    },
  )

  clause(
    'export.timezone.offset',
    { should: 'write dates by the offset of the zone at that date, in summer and in winter' },
    async ({ ranges, note }) => {
      const { exports } = ranges
      const [window, times] = [await ranges.window(), inZones(await ranges.times())]
      premise(
        times.columns.every(({ inUtc }) => inUtc),
        'freedom',
        'the times of the file have no zone; the fields of an event are not shown',
      )
      const { spans, isBoth, date } = await ranges.seasons()
      const zones = await needZonesWithEffect(exports, { window, times, span: spans[0] })
      const onChange = findChangeDay(zones, times.columns[0])
      const inSeasons = zonesInSeasons(zones, spans)
      // More than half a day from UTC, in a file that other clauses ask for.
      const whole = { window, times, span: spanOf(window) }
      const { changing: far } = await zonesWithEffect(exports, zonesFarApart, whole)
      const farAway = far.map((zone) => ({ zone, span: whole.span }))
      const asked = [...inSeasons, ...(onChange ? [onChange] : []), ...farAway]
      const problems = await problemsOfClocks(exports, { window, times, asked })
      expect(problems).toBeNone()
      premise(isBoth, 'data', `${zones.join(', ')} are right around ${date}, and ${noOtherSeason}`)
      const days = asked.map(({ span }) => span.start.slice(0, 10))
      note(`${[...zones, ...far].join(', ')}, at ${distinct(days).join(' and ')}`)
    },
  )

  clause(
    'export.timezone.readable',
    {
      should: 'write times that can be read back: they exist, and afternoons differ from mornings',
      reading:
        'a formatted date names one time: no month above 13, and am or pm where hours end at 12',
    },
    async ({ ranges, note }) => {
      const { exports } = ranges
      const window = await ranges.window()
      const utc = await acceptedUtc(exports, window)
      let shown: string | undefined
      const problems = await confirmed(exports, window, async (fetch) => {
        const found = await judgeClocks(fetch, { span: spanOf(window), utc })
        shown = found.shown
        return found.problems
      })
      expect(problems).toBeNone()
      premise(shown !== undefined, 'freedom', noClock)
      note(`read as a time: ${shown}`)
    },
  )

  clause(
    'export.timezone.same-events',
    { should: 'hold the same events in every time zone' },
    async ({ ranges, note }) => {
      const { exports } = ranges
      const window = await ranges.window()
      const span = spanOf(window)
      const zones = await acceptedValues(exports, zonesFarApart, (timezone) => ({
        ...span,
        timezone,
      }))
      premise(zones.length > 0, 'freedom', noZone)
      const shown = zones.map((timezone) => ({ timezone }))
      expect(await problemsOfEventsShown(exports, window, shown)).toBeNone()
      note(`the same ${window.rows.length} events in ${zones.join(' and ')}`)
    },
  )

  clause(
    'export.timezone.filter-unmoved',
    {
      must: 'take range_start and range_end in UTC in every time zone',
      reading: 'timezone formats dates and does nothing else; bounds that end in Z stay in UTC',
    },
    async ({ ranges, note }) => {
      const { exports } = ranges
      const [window, span] = [await ranges.window(), await ranges.few()]
      const zones = await needZonesApart(exports, window, span)
      const times = await ranges.times().catch(unlessUndecided)
      const places = await placesOfEvents(ranges, window)
      const asked = { window, utc: times?.utc ?? {}, places, zones }
      let seen: Span[] = []
      const judge = async (fetch: Fetch) => {
        const { kept, problems } = await judgeZoneBounds({ fetch, clock: exports, ...asked })
        seen = kept
        return problems
      }
      expect(await confirmed(exports, window, judge, 'records')).toBeNone()
      const starts = seen.map(({ start }) => start).join(', ')
      note(`events from ${starts} on are in within a second, in ${zones.join(' and ')} as in UTC`)
    },
  )

  clause(
    'export.timezone.pdf',
    { should: 'write a PDF in the time zone too, with the same events' },
    async ({ ranges, pdfIdentity: identity, note }) => {
      const { exports } = ranges
      const [window, span] = [await ranges.window(), await ranges.few()]
      let untimed: unknown
      const times = await ranges.times().catch((error) => {
        untimed = error
        return unlessUndecided(error)
      })
      const [timezone = ''] = await needZonesApart(exports, window, span)
      // A file of several pages: each is made in the same zone.
      const whole = spanOf(window)
      const shown = times && inZones(times)
      const asked = { exports, window, span: whole, identity, query: { timezone }, times: shown }
      expect(await problemsOfLocalizedPdf(`in ${timezone}`, asked)).toBeNone()
      // The events are the same; in which zone they are written cannot be seen.
      if (untimed) throw untimed
      note(`as the CSV in ${timezone}, ${window.rows.length} events`)
    },
  )

  clause(
    'export.locale.same-events',
    { should: 'hold the same events in every language' },
    async ({ ranges, note }) => {
      const { exports } = ranges
      const [window, few] = [await ranges.window(), await ranges.few()]
      const locales = await needLanguages(exports, few, 3)
      const shown = locales.map((locale) => ({ locale }))
      expect(await problemsOfEventsShown(exports, window, shown)).toBeNone()
      note(`the same ${window.rows.length} events in ${locales.join(', ')}`)
    },
  )
})

/** Whether the events of the window are others in one of these zones or languages. */
const problemsOfEventsShown = (
  exports: Exports,
  window: Window,
  shown: readonly Pick<Query, 'timezone' | 'locale'>[],
): Promise<Problem[]> =>
  confirmed(exports, window, async (fetch) => {
    const span = spanOf(window)
    const found: Problem[] = []
    for (const query of shown) {
      const [plain, others] = [await fetch(span), await fetch({ ...span, ...query })]
      found.push(...problemsOfOtherEvents(`in ${Object.values(query)}`, window, plain, others))
    }
    return found
  })
