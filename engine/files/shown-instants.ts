import { dateIn, day, instantOf, minute, type Order, type ShownDate, second } from './dates.ts'

export type TimeForm = { order: Order; unit: bigint }

const clock = /^\(?\d{1,2}[:.h]\d{2}|t\d{2}:?\d{2}/i
const maxWordsBefore = 6
const maxWordsBehind = 4

export function instantsIn(pages: readonly string[], order: Order): bigint[] {
  const shown = pages.flatMap((page) => datesIn(page.split(/[\s|;]+/).filter(Boolean), order))
  // An offset that few times have is the next cell: it begins with -1.
  const withOffset = shown.filter(({ offset }) => offset !== undefined).length
  return shown.map((date) => (withOffset >= shown.length / 2 ? instantOf(date) : date.wall))
}

function datesIn(words: readonly string[], order: Order): ShownDate[] {
  const found: ShownDate[] = []
  let from = 0
  for (let at = 0; at < words.length; at += 1) {
    if (!clock.test(words[at] ?? '') || at < from) continue
    const shown = dateAround(words, { from, at, order })
    if (!shown) continue
    found.push(shown.date)
    from = shown.end
  }
  return found
}

/** The longest text around a time of day that is a date alone. */
function dateAround(
  words: readonly string[],
  { from, at, order }: { from: number; at: number; order: Order },
): { date: ShownDate; end: number } | undefined {
  for (let start = Math.max(from, at - maxWordsBefore); start <= at; start += 1)
    for (let end = Math.min(words.length, at + maxWordsBehind + 1); end > at; end -= 1) {
      const date = dateIn(words.slice(start, end).join(' '), order)
      if (date) return { date, end }
    }
  return undefined
}

/** The coarser the form, the fewer digits are shown. */
export const unitsOfForms = [1_000_000n, second, minute, day] as const

export const cutTo = (instant: bigint, unit: bigint): bigint => instant - (instant % unit)
