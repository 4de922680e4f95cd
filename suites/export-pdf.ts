import { expect, expectThat } from '../engine/clause/matchers.ts'
import { shareShown } from '../engine/files/entry-text.ts'
import { titlesBefore } from '../engine/files/line-frame.ts'
import { lettersOnFullestPage } from '../engine/files/pdf.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { type Problem, problem } from '../engine/problem.ts'
import { clausesOf } from '../helpers/clause.ts'
import { fetchEventWaitMs } from '../helpers/event-wait.ts'
import { pagesToRead } from '../helpers/export/ask/breaches.ts'
import { needDecidable } from '../helpers/export/ask/decidable.ts'
import { type Exports, needPdf, needReachable } from '../helpers/export/ask/exports.ts'
import type { Query } from '../helpers/export/ask/query.ts'
import { problemsOfPdfComments } from '../helpers/export/laws/comments.ts'
import { problemsOfEventsShown, problemsOfFile } from '../helpers/export/laws/file.ts'
import { problemsOfMarksInPdf } from '../helpers/export/laws/marks.ts'
import { problemsOfPdf, problemsOfPdfTimes } from '../helpers/export/laws/pdf-entries.ts'
import { askFiles, byValues } from '../helpers/export/laws/predict.ts'
import {
  acceptedLanguages,
  needZonesWithEffect,
  noLanguage,
} from '../helpers/export/laws/zones-and-locales.ts'
import { fitsPdf, pdfQueryOf } from '../helpers/export/learn/known-events.ts'
import { noOtherSeason } from '../helpers/export/learn/seasons.ts'
import { noEvents } from '../helpers/export/learn/spans.ts'
import { spanOf, type Window } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

const clause = clausesOf({ section: 'Export audit events', operation: 'export' })

/** The least difference between two languages; a single word or title may be equal in both. */
const minWords = 2

async function problemsOfTitles(
  exports: Exports,
  window: Window,
  locale: string,
): Promise<Problem[]> {
  const titlesIn = async (query: Query) => {
    const { records } = await exports.csvFile({ ...spanOf(window), ...query })
    return titlesBefore(window.shape, window.frame, records) ?? []
  }
  const pdfIn = async (query: Query) => await exports.pdfFile({ ...spanOf(window), ...query })
  const [english, inLanguage] = [await titlesIn({}), await titlesIn({ locale })]
  const plain = await pdfIn({})
  const titles = english.flatMap((title, at) => {
    const other = inLanguage[at] ?? ''
    // A short title occurs in any text, and a part of another title is found in it.
    const isTelling = Math.min(title.trim().length, other.trim().length) >= 4
    const isApart = !title.includes(other) && !other.includes(title)
    return isTelling && isApart && shareShown(plain.text ?? [], [title]) === 1
      ? [{ title, other }]
      : []
  })
  premise(
    titles.length >= minWords,
    'freedom',
    'no title of the CSV that another language changes is found in the PDF; what a PDF shows, and which languages are supported, is not shown',
  )
  const pdf = await pdfIn({ locale })
  const share = (words: string[]) => shareShown(pdf.text ?? [], words)
  const isEnglish = share(titles.map(({ title }) => title)) === 1
  if (!isEnglish || share(titles.map(({ other }) => other)) > 0) return []
  const [{ title, other } = { title: '', other: '' }] = titles
  const sentence = `the PDF in ${locale} has the titles in English, such as ${title}, where the CSV has ${other}`
  return [problem(sentence, { expected: other, got: title, judged: pdf, again: pagesToRead })]
}

/** Words without dates and numbers: what another language changes besides those. */
function wordsOf(pages: readonly string[] = []): Set<string> {
  const words = pages.join(' ').split(/\s+/)
  return new Set(words.filter((word) => /^\P{N}{3,}$/u.test(word)))
}

/**
 * A PDF without locale, requested right after one in another language, lacks every word in which English
 * differs from it, and has others instead.
 */
async function problemsOfDefaultLanguage(
  exports: Exports,
  span: Query,
  locale: string,
): Promise<Problem[]> {
  const look = async (query: Query) => {
    const pdf = await exports.fresh.pdfFile({ ...span, ...query })
    return { pdf, words: wordsOf(pdf.text) }
  }
  const english = await look({ locale: 'en' })
  const other = await look({ locale })
  const own = [...english.words].filter((word) => !other.words.has(word))
  premise(
    own.length >= minWords,
    'freedom',
    'no PDF has other words in another language than in English; which languages are supported is not shown',
  )
  const plain = await look({})
  // A file may name the requested language: then words are missing, and none is new.
  const others = [...plain.words].filter((word) => !english.words.has(word))
  if (own.some((word) => plain.words.has(word)) || others.length < minWords) return []
  // Some words may be of one file alone.
  const once = await look({ locale: 'en' })
  const lasting = own.filter((word) => once.words.has(word))
  const [expected] = lasting
  if (expected === undefined || lasting.length < minWords) return []
  const sentence = `the PDF without locale has none of ${lasting.length} words that locale=en has and locale=${locale} has not, such as ${expected}`
  const seen = { expected, got: 'a PDF without this word', again: pagesToRead }
  return [problem(sentence, { ...seen, judged: plain.pdf, control: english.pdf })]
}

clause('export.pdf.status', {
  must: 'answer 200 with a file to a PDF export',
  reading: 'the content of the answer is the file itself, without JSON around it',
})(async ({ exports, sample, pdfLimit, note }) => {
  const found = await exports.pdf(pdfQueryOf(exports, sample, pdfLimit))
  needDecidable(found.answer)
  // Without a window it is unknown whether the PDF would exceed the limit.
  premise(
    fitsPdf(sample, pdfLimit) || found.answer.status !== 400,
    'data',
    `${describeAnswer(found.answer)}; a window of fewer events than a PDF may hold is needed`,
  )
  // A lost file and one without a byte are handed to this clause, as of every PDF of the run.
  expect(found.answer).toHaveStatus(200)
  needReachable(found)
  note(`${describeAnswer(found.answer)} with ${found.bytes?.length} bytes`)
})

clause('export.pdf.readable', {
  must: 'give a PDF that opens and has a page',
})(async ({ exports, sample, pdfLimit, note }) => {
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
  // The flaws of each PDF that the run reads are handed to this clause.
  const { pages } = await found.read({ text: false })
  note(`${pages} pages`)
})

clause('export.cells-are-values.pdf', {
  should: 'show values in a PDF, and nothing that a failing program writes in their place',
  reading: 'what the CSV of the same events holds, and what the run sent, may stand in the PDF',
})(async ({ exports, window, session, note }) => {
  expect(await problemsOfMarksInPdf(exports, window, session.history)).toBeNone()
  note(`the text of ${window.rows.length} events`)
})

clause('export.pdf.text', {
  should: 'give a PDF with text where there are events',
})(async ({ exports, window, note }) => {
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
    again: pagesToRead,
  })
  note(`${letters} letters on a page, and ${without} where there is no event`)
})

clause('export.pdf.text-intact', {
  should: 'show in a PDF what was sent as a comment: signs, tags and each line',
  reading:
    'a font may lack a script, and shows boxes for it; not every one, and a ? is another text',
})(async ({ exports, sequence, session, settings, note }) => {
  const eventWaitMs = await fetchEventWaitMs(session)
  const times = { eventWaitMs, waitMs: settings.auditWaitS * 1000, stop: session.stop }
  expect(await problemsOfPdfComments(exports, sequence, times)).toBeNone()
  note('comments of this run are in the PDF of their task')
})

clause('export.locale.pdf.titles', {
  should: 'write the titles of a PDF in the language in which the CSV has them',
})(async ({ exports, window, each }) => {
  const locales = await acceptedLanguages(exports, spanOf(window), 2)
  await each(locales, (locale) => problemsOfTitles(exports, window, locale), {
    none: ['freedom', noLanguage],
    of: (all) => `titles as in the CSV: ${all.join(', ')}`,
  })
})

clause('export.timezone.pdf.seasons', {
  should: 'write a PDF by the offset of the zone at each date, in summer and in winter',
})(async ({ ranges, note }) => {
  const { exports } = ranges
  const { spans, isBoth, date } = await ranges.seasons()
  const [timezone = ''] = await needZonesWithEffect(exports, await ranges.window(), spans[0])
  for (const span of spans)
    expect(await problemsOfPdfTimes(ranges, { ...span, timezone })).toBeNone()
  premise(isBoth, 'data', `PDFs are right around ${date}, and ${noOtherSeason}`)
  note(`${timezone}, at ${spans.map(({ start }) => start.slice(0, 10)).join(' and ')}`)
})

clause('export.locale.pdf', {
  should: 'hold the same events in a PDF of every language',
})(async ({ ranges, pdfIdentity, each }) => {
  const { exports } = ranges
  const window = await ranges.window()
  const queryIn = (locale: string) => ({ ...spanOf(window), locale })
  const locales = await acceptedLanguages(exports, await ranges.few(), 2)
  await each(locales, (locale) => problemsOfPdf(exports, window, pdfIdentity, queryIn(locale)), {
    none: ['freedom', noLanguage],
    of: (all) => `as the CSV in ${all.join(', ')}`,
  })
})

clause('export.default-locale.pdf', {
  must: 'give a PDF without locale in English, right behind one in another language too',
})(async ({ exports, ranges, each }) => {
  const few = await ranges.few()
  const locales = await acceptedLanguages(exports, few, 1)
  await each(locales, (locale) => problemsOfDefaultLanguage(exports, few, locale), {
    none: ['freedom', noLanguage],
    of: (all) => `words as with locale=en, right behind PDFs in ${all.join(', ')}`,
  })
})

clause('export.pdf-matches-csv', {
  should: 'give the same events in the PDF as in the CSV, none missing and none twice',
  law: problemsOfFile(problemsOfEventsShown),
  of: ([{ window }]) => `PDFs, of ${window.rows.length} events and of a part of them`,
  needs: 'exports of one time',
})(async ({ exports, window, pdfIdentity: identity, ranges }) => {
  // A PDF may omit events at the very bounds.
  const [start = window.start, ...others] = await ranges.cuts()
  const bounds = { start, end: others.at(-1) ?? start }
  const pdf = { values: [], fileType: 'pdf' } as const
  return askFiles({ exports, window, identity }, [pdf, { ...pdf, bounds }], byValues)
})
