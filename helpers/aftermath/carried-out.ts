// A refused update that was carried out all the same: who meets it, and how it is told.

import { describeAnswer } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'

/** An update that was refused, and must leave no trace in any task. */
export type Refused = {
  task: string
  answer: Answer
  /** its comment, where it had one: nobody else writes that */
  token?: string | undefined
  /** when it was sent, by performance.now() */
  at: number
}

/** Why a clause cannot go on: what it met is the refused update of another. */
export const carriedOutMeanwhile = ({ answer }: Refused) =>
  new Trouble(`${describeAnswer(answer)}, and was carried out meanwhile`)

/** That tasks were shown with the comment of an update that was refused. */
export const problemsOfToken = (
  taskWatch: { shownWith(token: string | undefined): readonly Answer[] },
  { token, answer }: Refused,
  what: string,
): Problem[] =>
  taskWatch.shownWith(token).map((seen) =>
    problem(`${describeAnswer(answer)} ${what}, and it was carried out later`, {
      expected: 'no task with its comment',
      got: `${describeAnswer(seen)} with the comment ${shown(token)}`,
      judged: [answer, seen],
      again: { why: 'it was carried out some time after its answer' },
    }),
  )
