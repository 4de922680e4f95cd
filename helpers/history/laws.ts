// Sentences of the contract that are judged over everything a run sends.

import { describeAnswer } from '../../engine/http/answers.ts'
import { problem } from '../../engine/problem.ts'
import type { Owned } from '../service/judge.ts'
import { isUnassign } from '../service/update-request.ts'
import { type History, isAcceptedOp, isDescribedOp, type Op } from './history.ts'
import { hasOtherWriter, problemsOfToken, refusedSending } from './questions.ts'

/** A breach that one operation shows, and the operations that prove it. */
export type Broken = { owned: Owned; ops: Op[] }

export const problemsOfOp = (history: History, op: Op): Broken[] => [
  ...staleAccepted(history, op),
  ...refusedShown(history, op),
]

/**
 * An update must be rejected if an earlier update has used its If-Match and left another version, unless a
 * read has shown it again since: then the earlier update was not stored, or reads lag.
 */
function staleAccepted(history: History, op: Op): Broken[] {
  const { answer, ifMatch, body } = op
  if (!answer || !isAcceptedOp(op) || !isDescribedOp(op)) return []
  const isBefore = ({ shown, done }: Op) => shown !== undefined && done < op.begun
  const used = history
    .using(op.task, ifMatch)
    .findLast((each) => isBefore(each) && isAcceptedOp(each) && each.shown?.version !== ifMatch)
  if (!used?.answer) return []
  const ended = history.endedOf(op.task)
  const last = ended.findLast(isBefore)?.shown
  const isReadSince = (each: Op) => each.kind === 'read' && each.begun > used.done && isBefore(each)
  if (!last || ended.findLast(isReadSince)?.shown?.version === ifMatch) return []
  // Unassigning an unassigned task is open, and another writer may have unassigned it.
  const isOpen = last.assignment === null || hasOtherWriter(history)
  if (isUnassign(body) && isOpen) return []
  const kind = isUnassign(body) ? 'unassign' : last.assignment === null ? 'assign' : 'reassign'
  const sentence = `${describeAnswer(answer)} to the If-Match ${ifMatch}, which an accepted update had used before`
  return [
    {
      owned: {
        owner: `version.stale.${kind}`,
        ...problem(sentence, {
          expected: '409',
          judged: answer,
          control: used.answer,
          again: {
            why: 'an accepted update has to use the version first, in a certain order of requests',
          },
        }),
      },
      ops: [used, op],
    },
  ]
}

/** The clause that states that a rejected update has no effect, by the status of the response. */
const ownersOfRefusal: Record<number, string> = {
  401: 'auth.refused-changes-nothing',
  409: 'version.refused-changes-nothing',
}

/** No task shows the comment of a rejected update. */
function refusedShown(history: History, op: Op): Broken[] {
  const comment = op.shown?.assignment?.assignment_comment
  if (!op.answer || typeof comment !== 'string') return []
  const refused = refusedSending(history, comment)
  const owner = refused && ownersOfRefusal[refused.answer.status]
  if (!refused || !owner) return []
  const ops = [...history.sending(comment), op]
  return problemsOfToken(refused, [op.answer], 'to an update').map((each) => ({
    owned: { owner, ...each },
    ops,
  }))
}
