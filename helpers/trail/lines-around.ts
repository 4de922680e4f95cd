// How many lines of a file are no events, learned from a file in which there are none.

import { lineForm } from '../export/learn/dated-rows.ts'

/**
 * How many lines a file of events has in common with one without any. What says that there is nothing
 * stands in the latter alone: it is narrower or wider than lines around events, or of another form than
 * they are.
 */
export function linesInCommon(
  empty: readonly string[][],
  found: readonly string[][],
  of: { empty: string; found: string },
): number {
  const widths = countsOf(found.map(({ length }) => length))
  const [usual] = [...widths].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])
  const forms = new Set(found.map(lineForm))
  const isUsual = ({ length }: string[]) => length === usual
  const asEvents = empty
    .filter(isUsual)
    .map((line) => line.map((cell) => cell.replaceAll(of.empty, of.found)))
    .filter((line) => forms.has(lineForm(line)))
  const others = [...countsOf(empty.filter((line) => !isUsual(line)).map(({ length }) => length))]
  return others.reduce(
    (sum, [width, count]) => sum + Math.min(count, widths.get(width) ?? 0),
    asEvents.length,
  )
}

const countsOf = (widths: number[]): Map<number, number> => {
  const counts = new Map<number, number>()
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1)
  return counts
}
