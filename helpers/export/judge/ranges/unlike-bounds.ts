// Bounds of which one tells events apart within the step that times are shown in, and the other does not.

import { distinct } from '../../../../engine/distinct.ts'
import { isoOf, millisecond, minute, second } from '../../../../engine/files/dates.ts'
import { originOf } from '../../../../engine/origin.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { unlessUndecided } from '../../learn/ranges.ts'
import type { Span } from '../../learn/spans.ts'
import {
  describeWitnesses,
  fetchWithin,
  type Look,
  maxInCrowd,
  type Witness,
  witnessesIn,
} from './witnesses.ts'

/** So many events are looked at, and of so many it has to be known when they are. */
const [maxLooked, minTold] = [6, 2]

/**
 * What is wrong with a bound that lets in events from beyond it, within the shown unit: by the other bound
 * they are at times of their own there. Where both are read as coarsely as times are shown, nothing is.
 */
export async function problemsOfUnlikeBounds(look: Look): Promise<Problem[]> {
  // Fractions of a second are shown as finely as they are kept: in ticks that are no whole milliseconds.
  if (look.column.unit < second) return []
  return [...(await looseBound(look, 'range_start')), ...(await looseBound(look, 'range_end'))]
}

async function looseBound(look: Look, bound: 'range_start' | 'range_end'): Promise<Problem[]> {
  const { unit } = look.column
  const judged = new Set<number>()
  const isIn = async (witness: Witness, range: Span) => {
    const found = await fetchWithin(look, witness, range).catch(unlessUndecided)
    for (const each of originOf(found?.rows ?? [])) judged.add(each)
    return found?.isShown
  }
  const from = (start: bigint): Span => ({ start: isoOf(start), end: isoOf(start + unit + minute) })
  const upTo = (end: bigint): Span => ({ start: isoOf(end - unit - minute), end: isoOf(end) })
  const isOfStart = bound === 'range_start'
  const [loose, other] = isOfStart ? [from, upTo] : [upTo, from]

  const told: Witness[] = []
  for (const witness of loneWitnesses(look)) {
    const { time, text } = witness
    const edge = isOfStart ? time + unit - millisecond : time
    if (!(await isIn(witness, loose(edge)))) continue
    // By the other bound it is in on the near side of its time alone.
    let [without, within] = isOfStart ? [time, edge] : [edge + unit, edge + millisecond]
    if ((await isIn(witness, other(without))) || !(await isIn(witness, other(within)))) continue
    for (;;) {
      const middle = without + ((within - without) / 2n / millisecond) * millisecond
      if (middle === without || middle === within) break
      if (await isIn(witness, other(middle))) within = middle
      else without = middle
    }
    if (within !== edge) told.push({ time: within, text })
  }
  // Whoever reads bounds coarsely has all events at the same place of the unit.
  if (distinct(told.map(({ time }) => time % unit)).length < minTold) return []
  const instead = isOfStart ? 'range_end' : 'range_start'
  return [
    problem(
      `events shown at ${describeWitnesses(told)} are in with ${instead} = ${describeTimes(told)}, out a millisecond ${isOfStart ? 'earlier' : 'later'}, and in with ${bound} beyond that too`,
      { expected: 'no event in both ranges', got: 'each of them', judged: [...judged] },
    ),
  ]
}

/** Events that are alone at the time that the file shows. */
function loneWitnesses({ times, column }: Look): Witness[] {
  const texts = times.rows.map(column.textIn)
  return witnessesIn(times, column, 'late', maxInCrowd)
    .filter(({ text }) => texts.filter((each) => each === text).length === 1)
    .slice(0, maxLooked)
}

const describeTimes = (witnesses: readonly Witness[]) =>
  witnesses
    .slice(0, 3)
    .map(({ time }) => isoOf(time))
    .join(', ')
