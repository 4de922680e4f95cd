// Two ranges that do not meet: no event is in both of them, however coarsely bounds are read.

import { isoOf, minute } from '../../../../engine/files/dates.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { problemsOfUnlikeBounds } from './unlike-bounds.ts'
import {
  createPresence,
  describeWitnesses,
  type Look,
  type Presence,
  rangeFrom,
  rangeUpTo,
  type Witness,
  witnessesIn,
} from './witnesses.ts'

/**
 * What is wrong with a bound that lets in events from beyond it: the event at T is in up to T and out
 * a unit earlier, so range_end tells the two apart, and it is in from a unit after T on all the same.
 * Whoever reads bounds more coarsely than times are shown does not tell them apart, for a unit is the
 * coarsest that fits all times; then nothing is known of events between the two.
 */
export async function problemsOfRangesApart(look: Look): Promise<Problem[]> {
  const seen = [
    await looseStart(look),
    await looseEnd(look),
    ...(await problemsOfUnlikeBounds(look)).map((each) => [each]),
  ]
  const problems = seen.flatMap((each) => (each === 'too coarse' ? [] : each))
  if (problems.length === 0 && seen.includes('too coarse'))
    throw new NotDecidable(
      'freedom',
      'bounds are read more coarsely than times are shown, so no two ranges are known to lie apart',
    )
  return problems
}

type Seen = Problem[] | 'too coarse'

async function looseStart(look: Look): Promise<Seen> {
  const { column } = look
  const { unit } = column
  const witnesses = witnessesIn(look.times, column, 'late')
  // What is stored may be finer than what is shown: then the event is in from the next unit on.
  for (const by of [0n, unit]) {
    const from = createPresence(look, witnesses, (start) => rangeFrom(look, start))
    const upTo = createPresence(look, witnesses, (end) => ({
      start: isoOf(end - unit - minute),
      end: isoOf(end),
    }))
    if (!(await from.every(by + unit))) return []
    if (!(await upTo.every(by)) || (await upTo.some(by - unit))) continue
    const after = by === 0n ? 'T' : 'a unit after T'
    const sentence = `are in with range_end = ${after} and out a unit earlier, and in with range_start a unit later too`
    return [inBoth(witnesses, sentence, { judged: from, control: upTo })]
  }
  return 'too coarse'
}

async function looseEnd(look: Look): Promise<Seen> {
  const { column } = look
  const { unit } = column
  const witnesses = witnessesIn(look.times, column, 'early')
  const upTo = createPresence(look, witnesses, (end) => rangeUpTo(look, end))
  const from = createPresence(look, witnesses, (start) => ({
    start: isoOf(start),
    end: isoOf(start + unit + minute),
  }))
  if (!(await upTo.every(-unit))) return []
  if (!(await from.every(0n)) || (await from.some(unit))) return 'too coarse'
  const sentence =
    'are in with range_start = T and out a unit later, and in with range_end a unit before T too'
  return [inBoth(witnesses, sentence, { judged: upTo, control: from })]
}

const inBoth = (
  witnesses: readonly Witness[],
  sentence: string,
  { judged, control }: { judged: Presence; control: Presence },
): Problem =>
  problem(
    `events shown at ${witnesses.length} times T ${sentence}: ${describeWitnesses(witnesses)}`,
    {
      expected: 'no event in both ranges',
      got: 'each of them',
      judged: judged.asked(),
      control: control.asked(),
    },
  )
