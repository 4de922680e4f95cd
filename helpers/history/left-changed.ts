// The state in which the run left each task, and what its last read shows.

import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import { commentIn } from '../service/comments.ts'
import type { SeenTask } from '../service/read-back.ts'
import type { History, Op } from './history.ts'

/** A task that shows something else than its last accepted update left. */
export type Undone = {
  task: string
  /** `version`: one that an accepted update had replaced; `comment`: that of an earlier update */
  by: 'version' | 'comment'
  shown: Answer & SeenTask
  left: Answer & SeenTask
}

/** The last accepted update of each task, compared with the last read after it. */
export type LeftTasks = {
  /** how many tasks have an accepted update and a later read */
  seen: number
  unread: string[]
  unanswered: number
  undone: Undone[]
}

export function leftTasksOf(history: Pick<History, 'tasks' | 'endedOf'>): LeftTasks {
  const found: LeftTasks = { seen: 0, unread: [], unanswered: 0, undone: [] }
  for (const task of history.tasks) {
    const ops = history.endedOf(task)
    found.unanswered += ops.filter(({ kind, answer }) => kind === 'update' && !answer).length
    const { left, shown, replaced, words, sent } = lastStateOf(ops)
    if (!left) continue
    if (!shown) {
      found.unread.push(task)
      continue
    }
    found.seen += 1
    const comment = shown.assignment?.assignment_comment ?? ''
    const isOwn = [sent, left.assignment?.assignment_comment].includes(comment)
    const isOfAnother = words.has(comment) && !isOwn
    if (replaced.has(shown.version)) found.undone.push({ task, by: 'version', shown, left })
    else if (isOfAnother && !isSameButSpelling(shown.assignment, left.assignment))
      found.undone.push({ task, by: 'comment', shown, left })
  }
  return found
}

type State = {
  /** the result of the last update that may have been accepted, if its answer shows it */
  left?: Answer & SeenTask
  /** the last read since then that overlaps no update */
  shown?: Answer & SeenTask
  /** versions seen before an update, if a read has shown its version since */
  replaced: Set<string>
  /** the comments of accepted updates, and that of the last */
  words: Set<string>
  sent?: string | undefined
}

function lastStateOf(ops: readonly Op[]): State {
  const state: State = { replaced: new Set(), words: new Set() }
  /** how many of the operations ended before the last update began, and how many were looked at for it */
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
    const { replaced, words } = state
    state.left = undefined
    state.shown = undefined
    if (!seen) continue
    Object.assign(state, { left: seen, replaced, words, sent: commentIn(op.body) })
    if (state.sent) words.add(state.sent)
  }
  return state
}

export const problemOfUndone = ({ by, shown, left }: Undone): Problem => {
  const [came, expected] = [describeWhole(shown.assignment), describeWhole(left.assignment)]
  const how =
    by === 'version' ? `the replaced updated_at ${shown.version} again` : 'an earlier comment'
  return problem(
    `${describeAnswer(left)} with ${expected}, and at the end of the run a read shows ${how}, with ${came}`,
    {
      expected: `${expected}, updated_at ${left.version} or a new one`,
      got: `${came}, updated_at ${shown.version}`,
      judged: shown,
      control: left,
      again: { why: 'it shows only some time after the update' },
    },
  )
}
