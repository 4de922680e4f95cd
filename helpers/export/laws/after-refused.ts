// A refused range must not affect the next export.

import { describeAnswer, isRefused } from '../../../engine/http/answers.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { type CsvExport, type Exports, isUsable } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import type { Span } from '../learn/spans.ts'

/** A range with one bound may hold much: its beginning is enough. */
const first = { read: 20, keep: 20 }

/**
 * Exports with one bound of a range, requested right after its reverse was refused, hold less than the range
 * itself: as if the other bound of the refused request still applied. Undefined: the reverse is not refused.
 */
export async function problemsAfterRefusal(
  exports: Exports,
  few: Span,
): Promise<Problem[] | undefined> {
  const whole = await exports.csv(few)
  const afterRefusal = async (queries: readonly Query[]) => {
    const { answer } = await exports.fresh.csv({ start: few.end, end: few.start }, first)
    if (!isRefused(answer)) return undefined
    const found: CsvExport[] = []
    for (const query of queries) found.push(await exports.fresh.csv(query, first))
    return { refused: answer, found }
  }
  const asked: Query[] = [{ end: few.end }, { start: few.start }]
  const suspected = await afterRefusal(asked)
  if (!suspected) return undefined
  const problems: Problem[] = []
  for (const query of asked.filter((_, at) => isShorter(suspected.found[at], whole))) {
    const again = await afterRefusal([query])
    // Reset: a remembered range is replaced by the next accepted one.
    await exports.fresh.csv(few, first)
    const without = await exports.fresh.csv(query, first)
    // Events may have been deleted meanwhile.
    if (!again || !isShorter(again.found[0], without)) continue
    const { refused, found } = again
    const bound = query.end === undefined ? 'range_start' : 'range_end'
    const [expected, got] = [countOf(without), countOf(found[0])]
    problems.push(
      problem(
        `an export with ${bound} alone has ${got} records right after ${describeAnswer(refused)}, and ${expected} otherwise`,
        {
          expected: `${expected} records`,
          got: `${got} records`,
          judged: [refused, ...found],
          control: without,
          again: { why: 'it shows only right after a request that is refused' },
        },
      ),
    )
  }
  return problems
}

const countOf = (one: CsvExport | undefined): number => Math.min(one?.csv?.count ?? 0, first.read)

const isShorter = (one: CsvExport | undefined, other: CsvExport): boolean =>
  one !== undefined && isUsable(one) && isUsable(other) && countOf(one) < countOf(other)
