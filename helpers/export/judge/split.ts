import type { Exports } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import type { Fetch } from '../learn/confirmed.ts'
import { rowsLike, spanOf, type Window } from '../learn/window.ts'

/**
 * What is wrong with a window that is split: with both bounds inclusive, the events up to T and
 * those from T on are all of them, and those at T once more.
 */
export async function wrongWithSplit(
  fetch: Fetch,
  { exports, window, cuts }: { exports: Exports; window: Window; cuts: readonly string[] },
): Promise<string[]> {
  const { start, end } = window
  const count = async (span: Query) => rowsLike(window, await fetch(span)).length
  const whole = await count(spanOf(window))
  const problems: string[] = []
  for (const cut of cuts) {
    const [until, from] = [await count({ start, end: cut }), await count({ start: cut, end })]
    const instant = { start: cut, end: cut }
    // Whether a range of one instant is let in is the matter of export.range.instant.
    const { answer } = await exports.csv(instant)
    const at = answer.status === 200 ? await count(instant) : undefined
    const isRight = at === undefined ? until + from >= whole : until + from === whole + at
    if (!isRight)
      problems.push(
        `${until} events up to ${cut} and ${from} from then on: of ${whole} in the whole, and ${at ?? 'some'} at that time`,
      )
  }
  return problems
}
