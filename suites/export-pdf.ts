import { describe } from 'vitest'
import { expect, expectThat } from '../engine/clause/matchers.ts'
import { lettersOnFullestPage } from '../engine/files/pdf.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import type { Problem } from '../engine/problem.ts'
import { clausesOf } from '../helpers/clause.ts'
import { fetchEventWaitMs } from '../helpers/event-wait.ts'
import { problemOfNoByte } from '../helpers/export/ask/breaches.ts'
import { needDecidable } from '../helpers/export/ask/decidable.ts'
import { needPdf, needReachable, problemsOfPlace } from '../helpers/export/ask/exports.ts'
import { problemOfFlaw } from '../helpers/export/ask/pdf-export.ts'
import { problemsOfMarksInPdf } from '../helpers/export/judge/broken-marks.ts'
import { problemsOfLocalizedPdf, problemsOfPdf } from '../helpers/export/judge/pdf-entries.ts'
import { problemsOfPdfComments } from '../helpers/export/judge/together/comments-in-pdf.ts'
import {
  fetchTitledPdfs,
  problemsOfDefaultLanguage,
  problemsOfPdfLanguage,
} from '../helpers/export/judge/together/pdf-language.ts'
import { needSeasonalZone, problemsOfPdfTimes } from '../helpers/export/judge/together/pdf-parts.ts'
import { acceptedLanguages, needLanguages } from '../helpers/export/judge/zones-and-locales.ts'
import { fitsPdf, pdfQueryOf } from '../helpers/export/learn/known-events.ts'
import { noOtherSeason } from '../helpers/export/learn/seasons.ts'
import { noEvents } from '../helpers/export/learn/spans.ts'
import { inZones } from '../helpers/export/learn/time-column.ts'
import { spanOf } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

const clause = clausesOf({ section: 'Export audit events', operation: 'export' })

describe('Export: the PDF', () => {
  clause(
    'export.pdf.status',
    {
      must: 'answer 200 with a file to a PDF export',
      reading: 'the content of the answer is the file itself, in no JSON around it',
    },
    async ({ exports, sample, pdfLimit, note }) => {
      const found = await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))
      needDecidable(found.answer)
      // Without a window it is not known that there are fewer events than a PDF may hold.
      premise(
        fitsPdf(sample, pdfLimit) || found.answer.status !== 400,
        'data',
        `${describeAnswer(found.answer)}; a window of fewer events than a PDF may hold is needed`,
      )
      expect(found.answer).toHaveStatus(200)
      needReachable(found)
      expect(problemsOfPlace(found)).toBeNone()
      const isGiven = found.bytes !== undefined && found.bytes.length > 0
      expect(isGiven ? [] : [problemOfNoByte(found.answer, found)]).toBeNone()
      note(`${describeAnswer(found.answer)} with ${found.bytes?.length} bytes`)
    },
  )

  clause(
    'export.pdf.readable',
    { must: 'give a PDF that opens and has a page' },
    async ({ exports, sample, pdfLimit, note }) => {
      const found = await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))
      const { answer, bytes } = found
      needDecidable(answer)
      needReachable(found)
      premise(
        bytes !== undefined && bytes.length > 0,
        'clause',
        `${describeAnswer(answer)} without a file`,
        'export.pdf.status',
      )
      const { flaws, pages } = await found.read({ text: false })
      expect(flaws.map((flaw) => problemOfFlaw(answer, flaw, found))).toBeNone()
      note(`${pages} pages`)
    },
  )

  clause(
    'export.cells-are-values.pdf',
    {
      should: 'show values in a PDF, and nothing that a failing program writes in their place',
      reading: 'what the CSV of the same events holds may stand in the PDF',
    },
    async ({ exports, window, note }) => {
      expect(await problemsOfMarksInPdf(exports, window)).toBeNone()
      note(`the text of ${window.rows.length} events`)
    },
  )

  clause(
    'export.pdf.text',
    { should: 'give a PDF with text where there are events' },
    async ({ exports, window, note }) => {
      const { start, end } = window
      const found = await exports.pdf({ start, end })
      const letters = lettersOnFullestPage(await needPdf(found, { text: true }))
      const none = await exports.pdf(noEvents)
      const without = none.bytes ? lettersOnFullestPage(await needPdf(none, { text: true })) : 0
      const sentence = `${describeAnswer(found.answer)} for ${window.rows.length} events with no more text on a page than there is without events`
      expectThat(letters > without, sentence, {
        expected: `more than ${without} letters on a page`,
        got: `${letters} letters`,
        judged: found,
        control: none,
        again: { why: 'the pages of a PDF have to be read' },
      })
      note(`${letters} letters on a page, and ${without} where there is no event`)
    },
  )

  clause(
    'export.pdf.text-intact',
    {
      should: 'show in a PDF what was sent as a comment: signs, tags and each line',
      reading:
        'a font may lack a script, and shows boxes for it; not every one, and a ? is another text',
    },
    async ({ exports, journey, session, settings, note }) => {
      const eventWaitMs = await fetchEventWaitMs(session)
      const patience = { eventWaitMs, waitMs: settings.auditWaitS * 1000, stop: session.stop }
      expect(await problemsOfPdfComments(exports, journey, patience)).toBeNone()
      note('comments of this run are in the PDF of their task')
    },
  )

  clause(
    'export.locale.pdf.titles',
    { should: 'write the titles of a PDF in the language in which the CSV has them' },
    async ({ exports, window, each }) => {
      const locales = await acceptedLanguages(exports, spanOf(window), 2)
      await each(await fetchTitledPdfs(exports, window, locales), problemsOfPdfLanguage, {
        none: [
          'freedom',
          'no title of the CSV that another language changes is found in the PDF; what a PDF shows, and which languages are supported, is not shown',
        ],
        of: (all) => `titles as in the CSV: ${all.map(({ locale }) => locale).join(', ')}`,
      })
    },
  )

  clause(
    'export.timezone.pdf.seasons',
    { should: 'write a PDF by the offset of the zone at each date, in summer and in winter' },
    async ({ ranges, note }) => {
      const { exports } = ranges
      const [window, times] = [await ranges.window(), inZones(await ranges.times())]
      const { spans, isBoth, date } = await ranges.seasons()
      const timezone = await needSeasonalZone(exports, spans[0])
      for (const span of spans)
        expect(await problemsOfPdfTimes(exports, window, times, { span, timezone })).toBeNone()
      premise(isBoth, 'data', `PDFs are right around ${date}, and ${noOtherSeason}`)
      note(`${timezone}, at ${spans.map(({ start }) => start.slice(0, 10)).join(' and ')}`)
    },
  )

  clause(
    'export.locale.pdf',
    { should: 'hold the same events in a PDF of every language' },
    async ({ ranges, pdfIdentity: identity, note }) => {
      const { exports } = ranges
      const [window, few] = [await ranges.window(), await ranges.few()]
      const span = spanOf(window)
      const locales = await needLanguages(exports, few, 2)
      const problems: Problem[] = []
      for (const locale of locales) {
        const asked = { exports, window, span, identity, query: { locale } }
        problems.push(...(await problemsOfLocalizedPdf(`in ${locale}`, asked)))
      }
      expect(problems).toBeNone()
      note(`as the CSV in ${locales.join(', ')}`)
    },
  )

  clause(
    'export.default-locale.pdf',
    { must: 'give a PDF without locale in English, right behind one in another language too' },
    async ({ exports, ranges, note }) => {
      const few = await ranges.few()
      const locales = await acceptedLanguages(exports, few, 1)
      const { problems, judged } = await problemsOfDefaultLanguage(exports, few, locales)
      expect(problems).toBeNone()
      note(`words as with locale=en, right behind PDFs in ${judged.join(', ')}`)
    },
  )

  clause(
    'export.pdf-matches-csv',
    { should: 'give the same events in the PDF as in the CSV, none missing and none twice' },
    async ({ exports, window, pdfIdentity, ranges, note }) => {
      expect(await problemsOfPdf(exports, window, pdfIdentity)).toBeNone()
      // Where events are at the very bounds, a PDF may leave them out.
      const cuts = await ranges.cuts()
      const span = { start: cuts[0], end: cuts.at(-1) }
      expect(await problemsOfPdf(exports, window, pdfIdentity, span)).toBeNone()
      note(`${window.rows.length} events in the CSV and in the PDF`)
    },
  )
})
