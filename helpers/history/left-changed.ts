import { type Case, caseOf } from '../../engine/clause/case.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { undoneFinding } from '../findings/undone.ts'
import type { SeenTask } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
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
  const tasks: LeftTasks = { seen: [], unread: [], unanswered: 0 }
  for (const task of history.tasks) {
    const ops = history.endedOf(task)
    tasks.unanswered += ops.filter(({ kind, answer }) => kind === 'update' && !answer).length
    const updates = updatesIn(ops)
    const last = updates.at(-1)
    const left = last && stateIn(last.op)
    if (!left) continue
    const { op: update, reads } = last
    const lateReads = reads.filter(({ sent }) => sent >= update.ended + settleMs)
    const shown = lateReads.map(stateIn).at(-1)
    if (!shown) {
      tasks.unread.push(task)
      continue
    }
    const undone = undoneIn(history, { ops, updates, shown, left })
    tasks.seen.push({ task, undone, shown, left, by: update.exchange })
  }
  return tasks
}

/** An update that may have been accepted, and the reads until the next one. */
type ReadUpdate = { op: Op; reads: Op[] }

function updatesIn(ops: readonly Op[]): ReadUpdate[] {
  const updates = ops.flatMap((op, at) =>
    op.kind === 'update' && fateOf(op) !== 'refused' ? { op, at } : [],
  )
  return updates.map(({ op, at }, index) => {
    const reads = ops.slice(at, updates[index + 1]?.at).filter(isTelling)
    return { op, reads }
  })
}

type TaskAtEnd = {
  ops: readonly Op[]
  updates: readonly ReadUpdate[]
  shown: SeenTask
  left: SeenTask
}

function undoneIn(history: History, { ops, updates, shown, left }: TaskAtEnd) {
  // Only an update that a read has shown replaces the versions before it.
  const lastShown = updates.findLast(({ op, reads }) =>
    reads.some((read) => read.shown?.version === op.shown?.version),
  )?.op
  const isReplaced = ({ shown: earlier, done }: Op) =>
    lastShown !== undefined && done < lastShown.begun && earlier?.version === shown.version
  if (shown.version !== lastShown?.shown?.version && ops.some(isReplaced)) return 'version'

  const comment = textIn(shown) ?? ''
  const lastComments = [commentIn(updates.at(-1)?.op.body), textIn(left)]
  const isEarlier =
    comment !== '' &&
    !lastComments.includes(comment) &&
    updates.some(({ op }) => op.shown && commentIn(op.body) === comment)
  if (!isEarlier || isSameButSpelling(shown.assignment, left.assignment)) return undefined
  // Another writer who puts the task back sends a comment again that it found, and gets a version of its own.
  const isOurVersion = updates.some(
    ({ op }) => isAcceptedOp(op) && op.shown?.version === shown.version,
  )
  return isOurVersion || !hasOtherWriter(history) ? 'comment' : undefined
}

/** Whether it is a read that overlaps no update. */
const isTelling = ({ kind, shown, isBesideUpdate }: Op) =>
  kind === 'read' && shown !== undefined && !isBesideUpdate

const stateIn = ({ answer, shown }: Op): (Answer & SeenTask) | undefined =>
  answer && shown && { ...answer, ...shown }

export const caseOfLeft = (leftTask: LeftTask): Case<LeftTask> =>
  caseOf(leftTask, { judged: leftTask.shown, control: leftTask.left })

export const problemsOfLeft =
  (by: LeftTask['undone']) =>
  ({ undone, shown, left }: LeftTask): Problem[] => {
    if (!undone || undone !== by) return []
    const finding = undoneFinding(
      undone === 'version'
        ? { shows: undone, of: left, wanted: left.version, got: shown.version }
        : { shows: undone, of: left, wanted: textIn(left), got: textIn(shown) ?? '' },
    )
    return [problem(finding, { judged: shown, control: left })]
  }

const textIn = ({ assignment }: SeenTask): string | null => assignment?.assignment_comment ?? null
