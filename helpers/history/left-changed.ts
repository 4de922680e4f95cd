import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { beside, from } from '../../engine/origin.ts'
import { type Problem, problemUnless } from '../../engine/problem.ts'
import type { SeenTask } from '../service/answers.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import { commentIn } from '../service/comments.ts'
import type { History, Op } from './history.ts'

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

export function leftTasksOf(history: Pick<History, 'tasks' | 'endedOf'>): LeftTasks {
  const found: LeftTasks = { seen: [], unread: [], unanswered: 0 }
  for (const task of history.tasks) {
    const ops = history.endedOf(task)
    found.unanswered += ops.filter(({ kind, answer }) => kind === 'update' && !answer).length
    const { left, by, shown, replaced, words, sent } = lastStateOf(ops)
    if (!left) continue
    if (!shown) {
      found.unread.push(task)
      continue
    }
    const comment = shown.assignment?.assignment_comment ?? ''
    const isOwn = [sent, left.assignment?.assignment_comment].includes(comment)
    const isOther = !isSameButSpelling(shown.assignment, left.assignment)
    const isEarlier = words.has(comment) && !isOwn && isOther
    const undone = replaced.has(shown.version) ? 'version' : isEarlier ? 'comment' : undefined
    found.seen.push(beside(from({ task, undone, shown, left, by }, shown), { control: left }))
  }
  return found
}

type State = {
  left?: Answer & SeenTask
  by?: Exchange | undefined
  /** the last read since then that overlaps no update */
  shown?: Answer & SeenTask
  /** versions seen before an update, if a read has shown that update's version since */
  replaced: Set<string>
  words: Set<string>
  sent?: string | undefined
}

function lastStateOf(ops: readonly Op[]): State {
  const state: State = { replaced: new Set(), words: new Set() }
  /** how many of the operations ended before the last update began, and how many were looked at for that */
  let [before, known] = [0, 0]
  for (const [at, op] of ops.entries()) {
    const { kind, answer, shown } = op
    const seen = answer && shown ? { ...answer, ...shown } : undefined
    if (kind === 'read') {
      if (!seen || op.isBesideUpdate) continue
      state.shown = seen
      if (seen.version !== state.left?.version) continue
      for (; known < before; known += 1) {
        const version = ops[known]?.shown?.version
        if (version !== undefined) state.replaced.add(version)
      }
      state.replaced.delete(seen.version)
      continue
    }
    if (answer && !isAccepted(answer) && answer.status < 500) continue
    before = at
    while (before > 0 && (ops[before - 1] as Op).done > op.begun) before -= 1
    const { words } = state
    state.left = undefined
    state.shown = undefined
    if (!seen) continue
    Object.assign(state, { left: seen, by: op.exchange, sent: commentIn(op.body) })
    if (state.sent) words.add(state.sent)
  }
  return state
}

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
