// Times in a running text, such as that of a PDF, whatever their form.

import { dateIn, day, instantOf, minute, type Order, second } from './dates.ts'

/** How a text writes its times: in which order, and how finely. */
export type TimeForm = { order: Order; unit: bigint }

const clock = /^\(?\d{1,2}[:.h]\d{2}|t\d{2}:?\d{2}/i
const maxWordsBefore = 6
const maxWordsBehind = 4

/** All times with a date that pages show, in their order. */
export function instantsIn(pages: readonly string[], order: Order): bigint[] {
  return pages.flatMap((page) => {
    const words = page.split(/[\s|;]+/).filter(Boolean)
    const found: bigint[] = []
    let from = 0
    for (let at = 0; at < words.length; at += 1) {
      if (!clock.test(words[at] ?? '') || at < from) continue
      const shown = dateAround(words, { from, at, order })
      if (!shown) continue
      found.push(shown.instant)
      from = shown.end
    }
    return found
  })
}

/** The longest text around a time of day that is a date and nothing else. */
function dateAround(
  words: readonly string[],
  { from, at, order }: { from: number; at: number; order: Order },
): { instant: bigint; end: number } | undefined {
  for (let start = Math.max(from, at - maxWordsBefore); start <= at; start += 1)
    for (let end = Math.min(words.length, at + maxWordsBehind + 1); end > at; end -= 1) {
      const date = dateIn(words.slice(start, end).join(' '), order)
      if (date) return { instant: instantOf(date), end }
    }
  return undefined
}

/** The coarser the form, the fewer of its digits are shown. */
export const unitsOfForms = [1_000_000n, second, minute, day] as const

/** An instant as a form of that unit shows it. */
export const cutTo = (instant: bigint, unit: bigint): bigint => instant - (instant % unit)
