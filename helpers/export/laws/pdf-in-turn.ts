// A PDF right behind one in another zone: what that one leaves behind would show in it.

import { isAccepted } from '../../../engine/http/answers.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { type Exports, needPdf } from '../ask/exports.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import type { NamedQuery } from './asked-in-turn.ts'
import { pagesToRead } from './pdf-entries.ts'

/** A title may tell of one time, of when the file was made. */
const minDates = 2

/** The words that hold digits: those of dates are others in another zone. */
const datesIn = (pages: readonly string[] = []) =>
  new Set(
    pages
      .join(' ')
      .split(/\s+/)
      .filter((word) => /\d.*\d/.test(word)),
  )

/**
 * A PDF without a zone that shows the dates of the one before, in another zone, and none of those that the
 * same PDF showed when it was asked for first.
 */
export async function problemsOfPdfInTurn(
  exports: Exports,
  asks: readonly NamedQuery[],
): Promise<Problem[]> {
  const [plain] = asks
  const zones = asks.filter(({ by }) => by === 'zone')
  const last = zones.at(-1)
  if (!plain || !last) return []
  const see = async ({ query }: NamedQuery) => {
    const found = await exports.fresh.pdf(query)
    // What is no PDF, or shows no text, is another clause's matter.
    const read = isAccepted(found.answer)
      ? await needPdf(found, { text: true }).catch(unlessUndecided)
      : undefined
    return read && { dates: datesIn(read.text), found }
  }
  // Where two zones are known, the first plain one follows another zone than the second.
  if (zones.length > 1) await see(zones[0] as NamedQuery)
  const [first, between, again] = [await see(plain), await see(last), await see(plain)]
  if (!first || !between || !again) return []
  const own = [...first.dates].filter((date) => !between.dates.has(date))
  const others = [...between.dates].filter((date) => !first.dates.has(date))
  const shown = others.filter((date) => again.dates.has(date))
  const isKept = own.some((date) => again.dates.has(date))
  if (isKept || own.length < minDates || shown.length < minDates) return []
  const [expected = '', got = ''] = [own[0], shown[0]]
  return [
    problem(
      `the PDF without a zone, asked for right after ${last.what}, shows ${shown.length} dates of that one, such as ${got}, and none of the ${own.length} that it showed before, such as ${expected}`,
      { expected, got, judged: again.found, control: first.found, again: pagesToRead },
    ),
  ]
}
