import type { Again, Context, DueStatus } from '../findings/kind.ts'
import { hasStatus, statusFinding } from '../findings/status.ts'
import type { Origin } from '../origin.ts'
import { type Decides, type Problem, problem } from '../problem.ts'
import type { Answer } from './client.ts'

export type Answered = Pick<Answer, 'exchange' | 'method' | 'path' | 'status'>

type Beside = Context & {
  control?: Origin
  decides?: Decides | undefined
  again?: Again
}

export function problemsOfStatus(
  answer: Answered,
  wanted: DueStatus,
  { control, decides, again, what, to, although, more }: Beside = {},
): Problem[] {
  if (hasStatus(answer, wanted)) return []
  const finding = statusFinding(answer, wanted, { what, to, although, more })
  return [problem(finding, { judged: answer, control, decides, again })]
}
