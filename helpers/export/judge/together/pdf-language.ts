// A PDF in the languages in which the titles of a CSV are others than in English.

import { shareShown } from '../../../../engine/files/entry-text.ts'
import { titlesBefore } from '../../../../engine/files/line-frame.ts'
import type { Downloaded } from '../../../../engine/http/client.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { type Exports, needCsv, needPdf } from '../../ask/exports.ts'
import type { Query } from '../../ask/query.ts'
import type { Window } from '../../learn/window.ts'
import { pagesToRead } from '../pdf-entries.ts'

/** Too short a title stands in any text. */
const minLetters = 4
const minTitles = 2

/** Titles of the CSV that the PDF shows in English, and what another language has in their place. */
export type TitledPdf = {
  locale: string
  titles: { title: string; other: string }[]
  text: string[]
  answer: Downloaded
}

/** PDFs in the languages in which the CSV has other titles than in English, which the PDF shows. */
export async function fetchTitledPdfs(
  exports: Exports,
  window: Window,
  locales: readonly string[],
): Promise<TitledPdf[]> {
  const span = { start: window.start, end: window.end }
  const titlesIn = async (query: Query) => {
    const { records } = needCsv(await exports.csv({ ...span, ...query }))
    return titlesBefore(window.shape, window.frame, records) ?? []
  }
  const english = await titlesIn({})
  const plain = await needPdf(await exports.pdf(span), { text: true })
  const found: TitledPdf[] = []
  for (const locale of locales) {
    const inLanguage = await titlesIn({ locale })
    // A title that is a part of another would be found in it.
    const pairs = english.flatMap((title, at) => {
      const other = inLanguage[at] ?? ''
      const isTelling = [title, other].every((each) => each.trim().length >= minLetters)
      return isTelling && !title.includes(other) && !other.includes(title) ? [{ title, other }] : []
    })
    const titles = pairs.filter(({ title }) => shareShown(plain.text ?? [], [title]) === 1)
    if (titles.length < minTitles) continue
    const pdf = await exports.pdf({ ...span, locale })
    const { text = [] } = await needPdf(pdf, { text: true })
    found.push({ locale, titles, text, answer: pdf.answer })
  }
  return found
}

/** That a PDF shows the titles in English, where the CSV in its language has others. */
export function problemsOfPdfLanguage({ locale, titles, text, answer }: TitledPdf): Problem[] {
  const share = (words: string[]) => shareShown(text, words)
  const isEnglish = share(titles.map(({ title }) => title)) === 1
  if (!isEnglish || share(titles.map(({ other }) => other)) > 0) return []
  const [{ title, other } = { title: '', other: '' }] = titles
  return [
    problem(
      `the PDF in ${locale} has the titles in English, such as ${title}, where the CSV has ${other}`,
      { expected: other, got: title, judged: answer, again: pagesToRead },
    ),
  ]
}

/** Words that no date and no number is part of: what another language changes besides those. */
const wordsOf = (pages: readonly string[] = []) =>
  new Set(
    pages
      .join(' ')
      .split(/\s+/)
      .filter((word) => /^\P{N}{3,}$/u.test(word)),
  )

const rounds = 2

/**
 * PDFs without locale that lack every word by which one in English differs from one in another language.
 * They are asked for right behind the other.
 */
export async function problemsOfDefaultLanguage(
  exports: Exports,
  span: Query,
  locales: readonly string[],
): Promise<{ problems: Problem[]; judged: string[] }> {
  const ask = async (query: Query, fetch = exports.fresh.pdf) => {
    const found = await fetch({ ...span, ...query })
    const { text } = await needPdf(found, { text: true })
    return { words: wordsOf(text), answer: found.answer }
  }
  const english = await ask({ locale: 'en' }, exports.pdf)
  const problems: Problem[] = []
  const judged: string[] = []
  for (const locale of locales)
    for (let round = 0; round < rounds; round += 1) {
      const other = await ask({ locale })
      const own = [...english.words].filter((word) => !other.words.has(word))
      if (own.length < minTitles) break
      if (round === 0) judged.push(locale)
      const plain = await ask({})
      if (own.some((word) => plain.words.has(word))) continue
      // A file may tell in which language it was asked for: then words are missing, and none is another.
      const others = [...plain.words].filter((word) => !english.words.has(word))
      if (others.length < minTitles) continue
      // Some words may be of one file alone.
      const once = await ask({ locale: 'en' })
      const lasting = own.filter((word) => once.words.has(word))
      if (lasting.length < minTitles) continue
      const [expected = ''] = lasting
      problems.push(
        problem(
          `the PDF without locale has none of ${lasting.length} words that locale=en has and locale=${locale} has not, such as ${expected}`,
          {
            expected,
            got: 'not that word',
            judged: plain.answer,
            control: english.answer,
            again: pagesToRead,
          },
        ),
      )
      break
    }
  if (judged.length > 0) return { problems, judged }
  throw new NotDecidable(
    'freedom',
    'no PDF has other words in another language than in English; which languages are supported is not shown',
  )
}
