// Whether a range that was refused stays for the export that follows it.

import { describeAnswer, isRefused } from '../../../../engine/http/answers.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { type CsvExport, type Exports, isUsable } from '../../ask/exports.ts'
import type { Query } from '../../ask/query.ts'
import type { Span } from '../../learn/spans.ts'

/** Of a range that has one bound, and so may hold much, the beginning will do. */
const first = { read: 20, keep: 20 }

/**
 * What is wrong with exports that name one bound of a stretch, each asked for right after its reverse was
 * refused: they hold less than the stretch itself, as they would with the other bound of what was refused.
 */
export async function problemsAfterRefusal(exports: Exports, few: Span): Promise<Problem[]> {
  const reversed = { start: few.end, end: few.start }
  const whole = await exports.csv(few)
  const afterRefusal = async (query: Query) => {
    const refused = (await exports.csvAnew(reversed, first)).answer
    return isRefused(refused) ? { refused, found: await exports.csvAnew(query, first) } : undefined
  }
  const problems: Problem[] = []
  for (const [bound, query] of [
    ['range_end', { end: few.end }],
    ['range_start', { start: few.start }],
  ] as const) {
    const suspected = await afterRefusal(query)
    if (!suspected || !isShorter(suspected.found, whole)) continue
    // Events may have been cleared away meanwhile.
    const [again, without] = [await afterRefusal(query), await exports.csvAnew(query, first)]
    if (!again || !isShorter(again.found, without)) continue
    const [expected, got] = [countOf(without), countOf(again.found)]
    problems.push(
      problem(
        `an export with ${bound} alone has ${got} records right after ${describeAnswer(again.refused)}, and ${expected} otherwise`,
        {
          expected: `${expected} records`,
          got: `${got} records`,
          judged: [again.refused, again.found],
          control: without,
          again: { why: 'a request that is refused has to come right before it' },
        },
      ),
    )
  }
  return problems
}

const countOf = ({ csv }: CsvExport): number => Math.min(csv?.count ?? 0, first.read)

const isShorter = (one: CsvExport, other: CsvExport): boolean =>
  isUsable(one) && isUsable(other) && countOf(one) < countOf(other)
