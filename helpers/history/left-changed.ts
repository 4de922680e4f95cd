import { describeAnswer } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { beside, from } from '../../engine/origin.ts'
import { type Problem, problemUnless } from '../../engine/problem.ts'
import type { SeenTask } from '../service/answers.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import { commentIn } from '../service/comments.ts'
import { fateOf, type History, isAcceptedOp, type Op } from './history.ts'
import { hasOtherWriter } from './questions.ts'

export type LeftTask = {
  task: string
  /** what it shows again: a version that an accepted update had replaced, or the comment of an earlier update */
  undone?: 'version' | 'comment' | undefined
  shown: Answer & SeenTask
  left: Answer & SeenTask
  /** the update; an update that put the task back is in no clause's evidence */
  by?: Exchange | undefined
}

/** `seen`: the tasks that have an accepted update and a later read. */
type LeftTasks = { seen: LeftTask[]; unread: string[]; unanswered: number }

/** A read tells what is left of an update if it began SETTLE_MS or more after the update ended. */
export function leftTasksOf(history: History, settleMs: number): LeftTasks {
  const found: LeftTasks = { seen: [], unread: [], unanswered: 0 }
  for (const task of history.tasks) {
    const ops = history.endedOf(task)
    found.unanswered += ops.filter(({ kind, answer }) => kind === 'update' && !answer).length
    const updates = ops.flatMap((op, at) =>
      op.kind === 'update' && fateOf(op) !== 'refused' ? { op, at } : [],
    )
    const readsAfter = (n: number) =>
      ops.slice(updates[n]?.at, updates[n + 1]?.at).filter(isTelling)
    const by = updates.at(-1)?.op
    const left = by && seenBy(by)
    if (!left) continue
    const shown = readsAfter(updates.length - 1)
      .filter(({ sent }) => sent >= by.ended + settleMs)
      .map(seenBy)
      .at(-1)
    if (!shown) {
      found.unread.push(task)
      continue
    }
    // Only an update that a read has shown replaces the versions before it.
    const shownIn = ({ op: { shown } }: { op: Op }, n: number) =>
      readsAfter(n).some((read) => read.shown?.version === shown?.version)
    const last = updates.findLast(shownIn)?.op
    const isReplaced = ({ shown: old, done }: Op) =>
      last !== undefined && done < last.begun && old?.version === shown.version
    const comment = shown.assignment?.assignment_comment ?? ''
    const isOwn = [commentIn(by.body), left.assignment?.assignment_comment].includes(comment)
    const isOther = !isSameButSpelling(shown.assignment, left.assignment)
    const isEarlier = updates.some(({ op }) => op.shown && commentIn(op.body) === comment)
    // Another writer who puts the task back sends a comment again that it found, and gets a version of its own.
    const isReceived = updates.some(
      ({ op }) => isAcceptedOp(op) && op.shown?.version === shown.version,
    )
    const mayBeUndone = isReceived || !hasOtherWriter(history)
    const isUndone = shown.version !== last?.shown?.version && ops.some(isReplaced)
    const undone = isUndone
      ? 'version'
      : comment && isEarlier && !isOwn && isOther && mayBeUndone
        ? 'comment'
        : undefined
    const one = { task, undone, shown, left, by: by.exchange } as const
    found.seen.push(beside(from(one, shown), { control: left }))
  }
  return found
}

/** Whether it is a read that overlaps no update. */
const isTelling = ({ kind, shown, isBesideUpdate }: Op) =>
  kind === 'read' && shown !== undefined && !isBesideUpdate

const seenBy = ({ answer, shown }: Op): (Answer & SeenTask) | undefined =>
  answer && shown && { ...answer, ...shown }

export const problemsOfLeft =
  (by: LeftTask['undone']) =>
  ({ undone, shown, left }: LeftTask): Problem[] => {
    const [came, expected] = [describeWhole(shown.assignment), describeWhole(left.assignment)]
    const how =
      by === 'version' ? `the replaced updated_at ${shown.version} again` : 'an earlier comment'
    const sentence = `${describeAnswer(left)} with ${expected}, but at the end of the run a read returned ${how}, with ${came}`
    return problemUnless(undone !== by, sentence, {
      expected: `${expected}, updated_at ${left.version} or a new one`,
      got: `${came}, updated_at ${shown.version}`,
      judged: shown,
      control: left,
      again: { why: 'it shows only some time after the update' },
    })
  }
