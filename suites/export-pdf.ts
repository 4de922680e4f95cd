import { describe } from 'vitest'
import { expect, expectThat } from '../engine/clause/matchers.ts'
import { lettersOnFullestPage } from '../engine/files/pdf.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { Trouble } from '../engine/outcome.ts'
import { clause } from '../helpers/clause.ts'
import { problemOfNoByte } from '../helpers/export/ask/breaches.ts'
import { needDecidable, needEvents } from '../helpers/export/ask/decidable.ts'
import { needCsv, needPdf, needReachable, problemsOfPlace } from '../helpers/export/ask/exports.ts'
import { problemOfFlaw } from '../helpers/export/ask/pdf-export.ts'
import {
  needEntriesAsRows,
  problemsOfEntries,
  problemsOfPdf,
} from '../helpers/export/judge/pdf-entries.ts'
import {
  describeCount,
  fetchFailureOver,
  findMostBelow,
  needSameCount,
  problemsOfCutCsv,
  problemsOfFilteredOverLimit,
  rangeOf,
} from '../helpers/export/judge/pdf-limit.ts'
import { problemsOfPdfLanguage } from '../helpers/export/judge/together/pdf-language.ts'
import { acceptedLanguages } from '../helpers/export/judge/zones-and-locales.ts'
import { noEvents, recentHour } from '../helpers/export/learn/spans.ts'
import { eventRows } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

const section = 'Export audit events'
const operation = 'export'

describe('Export: the PDF', () => {
  clause(
    'export.pdf.status',
    {
      must: 'answer 200 with a file to a PDF export',
      section,
      operation,
      reading: 'the content of the answer is the file itself, in no JSON around it',
    },
    async ({ exports, sample, note }) => {
      const found = await exports.pdf(sample.window ? sample.query : recentHour(exports))
      needDecidable(found.answer)
      // Without a window it is not known that there are fewer events than a PDF may hold.
      premise(
        sample.window !== undefined || found.answer.status !== 400,
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
    { must: 'give a PDF that opens and has a page', section, operation },
    async ({ exports, sample, note }) => {
      const found = await exports.pdf(sample.window ? sample.query : recentHour(exports))
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
    'export.pdf.text',
    { should: 'give a PDF with text where there are events', section, operation },
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
    'export.locale.pdf.titles',
    {
      should: 'write the titles of a PDF in the language in which the CSV has them',
      section,
      operation,
    },
    async ({ exports, window, note }) => {
      const { start, end } = window
      const locales = await acceptedLanguages(exports, { start, end }, 2)
      premise(
        locales.length > 0,
        'freedom',
        'none of the languages tried is accepted; the supported locales are not shown',
      )
      const { problems, judged } = await problemsOfPdfLanguage(exports, window, locales)
      expect(problems).toBeNone()
      note(`titles as in the CSV: ${judged.join(', ')}`)
    },
  )

  clause(
    'export.pdf-matches-csv',
    {
      should: 'give the same events in the PDF as in the CSV, none missing and none twice',
      section,
      operation,
    },
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

describe('Export: the limit of a PDF', () => {
  const law = { section: 'Limits', operation }
  const reading = 'an event is what is one row of the CSV and one entry of the PDF'

  clause(
    'export.pdf-limit.at',
    { must: 'answer 200 with a PDF that opens to 5,000 events', ...law, reading },
    async ({ exports, window, pdfIdentity, pdfLimit, aroundLimit, note }) => {
      await needEntriesAsRows(exports, window, pdfIdentity)
      const { at } = aroundLimit
      needEvents(at)
      note(describeCount(at, pdfLimit))
      const { answer, read } = await exports.pdf(rangeOf(at))
      needDecidable(answer)
      if (answer.status !== 200) {
        await needSameCount(exports, window, at)
        expectThat(false, `${describeAnswer(answer)}, not 200, to ${at.count} events`, {
          expected: '200',
          got: String(answer.status),
          judged: answer,
        })
      }
      const { flaws } = await read({ text: false })
      expect(flaws.map((flaw) => problemOfFlaw(answer, flaw, answer))).toBeNone()
    },
  )

  clause(
    'export.pdf-limit.under',
    { should: 'give a PDF of all events, or of 5,000 where there are more', ...law, reading },
    async ({ exports, window, pdfIdentity, pdfLimit, note }) => {
      await needEntriesAsRows(exports, window, pdfIdentity)
      const most = await findMostBelow(exports, window, pdfLimit)
      needEvents(most)
      const { answer } = await exports.pdf(rangeOf(most))
      needDecidable(answer)
      if (answer.status !== 200) {
        await needSameCount(exports, window, most)
        expectThat(false, `${describeAnswer(answer)}, not 200, to ${most.count} events`, {
          expected: '200',
          got: String(answer.status),
          judged: answer,
        })
      }
      note(`${describeAnswer(answer)} to ${most.count} events`)
    },
  )

  clause(
    'export.pdf-limit.complete',
    { should: 'give all 5,000 events in the PDF', ...law },
    async ({ exports, window, pdfIdentity, pdfLimit, aroundLimit, note }) => {
      await needEntriesAsRows(exports, window, pdfIdentity)
      const { at } = aroundLimit
      needEvents(at)
      note(describeCount(at, pdfLimit))
      const missing = async () => {
        const rows = eventRows(window, needCsv(await exports.csv(rangeOf(at))).records)
        const pdf = await needPdf(await exports.pdf(rangeOf(at)), { text: true })
        return problemsOfEntries(pdf, rows, pdfIdentity)
      }
      const problems = await missing()
      if (problems.length > 0) await needSameCount(exports, window, at)
      expect(problems).toBeNone()
    },
  )

  clause(
    'export.pdf-limit.over',
    { must: 'answer 400 to a PDF of 5,001 events', ...law, reading },
    async ({ exports, window, pdfIdentity, pdfLimit, aroundLimit, note }) => {
      await needEntriesAsRows(exports, window, pdfIdentity)
      const { over } = aroundLimit
      note(describeCount(over, pdfLimit + 1))
      const failure = await fetchFailureOver(exports, aroundLimit)
      if (failure)
        throw new Trouble(`${failure.sentence}; whether their number is why is not known`)
      const { answer } = await exports.pdf(rangeOf(over))
      needDecidable(answer)
      if (answer.status === 400) return
      await needSameCount(exports, window, over)
      expectThat(false, `${describeAnswer(answer)}, not 400, to ${over.count} events`, {
        expected: '400',
        got: String(answer.status),
        judged: answer,
      })
    },
  )

  clause(
    'export.pdf-limit.over.status',
    {
      should: 'not answer 500, nor leave unanswered, a PDF of 5,001 events: 400 is stated',
      ...law,
    },
    async ({ exports, window, pdfIdentity, aroundLimit, note }) => {
      await needEntriesAsRows(exports, window, pdfIdentity)
      needEvents(aroundLimit.at)
      const failure = await fetchFailureOver(exports, aroundLimit)
      expect(failure === undefined ? [] : [failure]).toBeNone()
      const { answer } = await exports.pdf(rangeOf(aroundLimit.over))
      needDecidable(answer)
      note(`${answer.status} to ${aroundLimit.over.count} events`)
    },
  )

  clause(
    'export.pdf-limit.narrowed',
    { must: 'give the PDF of a request over the limit once it is narrowed', ...law },
    async ({ exports, aroundLimit, random, note }) => {
      const { over, half } = aroundLimit
      const refused = await exports.pdf(rangeOf(over))
      needDecidable(refused.answer)
      premise(
        refused.answer.status === 400,
        'clause',
        describeAnswer(refused.answer),
        'export.pdf-limit.over',
      )
      needEvents(half)
      const { answer } = await exports.pdf(rangeOf(half))
      needDecidable(answer)
      expect(answer).toBeAccepted({ control: refused.answer })
      expect(await problemsOfFilteredOverLimit(exports, aroundLimit, random)).toBeNone()
      note(`400 to ${over.count} events, ${answer.status} to ${half.count} of them`)
    },
  )

  clause(
    'export.pdf-limit.csv-free',
    { should: 'give more than 5,000 events in a CSV', ...law },
    async ({ exports, window, pdfLimit, note }) => {
      expect(await problemsOfCutCsv(exports, window, pdfLimit)).toBeNone()
      note(`a CSV of more than ${pdfLimit} events`)
    },
  )
})
