// Two ranges that do not meet: no event is in both of them, however coarsely bounds are read.

import { isoOf, minute } from '../../../../engine/files/dates.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { createPresence, describeWitnesses, type Look, witnessesIn } from './witnesses.ts'

/**
 * What is wrong with a bound that lets in events from beyond it: the event at T is in up to T and out
 * a unit earlier, so range_end tells the two apart, and it is in from a unit after T on all the same.
 * Whoever reads bounds more coarsely than times are shown does not tell them apart, for a unit is the
 * coarsest that fits all times.
 */
export const problemsOfRangesApart = async (look: Look): Promise<Problem[]> => [
  ...(await looseStart(look)),
  ...(await looseEnd(look)),
]

async function looseStart(look: Look): Promise<Problem[]> {
  const { window, column } = look
  const { unit } = column
  const witnesses = witnessesIn(look.times, column, 'late')
  const from = createPresence(look, witnesses, (start) => ({
    start: isoOf(start),
    end: window.end,
  }))
  const upTo = createPresence(look, witnesses, (end) => ({
    start: isoOf(end - unit - minute),
    end: isoOf(end),
  }))
  // What is stored may be finer than what is shown: then the event is in from the next unit on.
  for (const by of [0n, unit]) {
    if (!(await from.every(by + unit))) continue
    if (!(await upTo.every(by)) || (await upTo.some(by - unit))) continue
    const after = by === 0n ? 'T' : 'a unit after T'
    return [
      problem(
        `events shown at ${witnesses.length} times T are in with range_end = ${after} and out a unit earlier, and in with range_start a unit later too: ${describeWitnesses(witnesses)}`,
        {
          expected: 'no event in both ranges',
          got: 'each of them',
          judged: from.asked(),
          control: upTo.asked(),
        },
      ),
    ]
  }
  return []
}

async function looseEnd(look: Look): Promise<Problem[]> {
  const { window, column } = look
  const { unit } = column
  const witnesses = witnessesIn(look.times, column, 'early')
  const upTo = createPresence(look, witnesses, (end) => ({
    start: window.start,
    end: isoOf(end),
  }))
  const from = createPresence(look, witnesses, (start) => ({
    start: isoOf(start),
    end: isoOf(start + unit + minute),
  }))
  if (!(await upTo.every(-unit))) return []
  if (!(await from.every(0n)) || (await from.some(unit))) return []
  return [
    problem(
      `events shown at ${witnesses.length} times T are in with range_start = T and out a unit later, and in with range_end a unit before T too: ${describeWitnesses(witnesses)}`,
      {
        expected: 'no event in both ranges',
        got: 'each of them',
        judged: upTo.asked(),
        control: from.asked(),
      },
    ),
  ]
}
