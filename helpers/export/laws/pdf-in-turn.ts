// A PDF right after one in another zone, which must not affect it.

import { isAccepted } from '../../../engine/http/answers.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { type Exports, needPdf } from '../ask/exports.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import type { NamedQuery } from './asked-in-turn.ts'
import { pagesToRead } from './pdf-entries.ts'

/** A title may show one time: when the file was made. */
const minDates = 2

/** The words with two digits or more: the zone changes those that belong to dates. */
const datesIn = (pages: readonly string[] = []) =>
  new Set(
    pages
      .join(' ')
      .split(/\s+/)
      .filter((word) => /\d.*\d/.test(word)),
  )

/** A PDF without a zone shows the dates of the request before, in another zone, and none of its own first dates. */
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
    // Another clause judges what is not a PDF or has no text.
    const read = isAccepted(found.answer)
      ? await needPdf(found, { text: true }).catch(unlessUndecided)
      : undefined
    return read && { dates: datesIn(read.text), found }
  }
  // With two known zones, the first plain PDF follows another zone than the second.
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
