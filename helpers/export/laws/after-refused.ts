// Whether a range that was refused stays for the export that follows it.

import { describeAnswer, isRefused } from '../../../engine/http/answers.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { type CsvExport, type Exports, isUsable } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import type { Span } from '../learn/spans.ts'

/** Of a range that has one bound, and so may hold much, the beginning will do. */
const first = { read: 20, keep: 20 }

/**
 * What is wrong with exports that name one bound of a stretch, asked for right after its reverse was refused:
 * they hold less than the stretch itself, as they would with the other bound of what was refused. Undefined:
 * it is not refused.
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
    // What stays until the next range that is accepted is gone with this one.
    await exports.fresh.csv(few, first)
    const without = await exports.fresh.csv(query, first)
    // Events may have been cleared away meanwhile.
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
