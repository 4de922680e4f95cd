// What a walk expects of its task, and how it continues after another writer.

import type fc from 'fast-check'
import { describeAnswer } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import { again } from '../service/again.ts'
import type { Task } from '../service/answers.ts'
import { describeAssignee, isAssignedTo } from '../service/assignments.ts'
import type { Assignee } from '../service/update-request.ts'

export type Model = {
  to: Assignee | null
  /** the version before the current one */
  old?: string
  /** the first current version */
  first?: string
  /** the version in the last accepted answer, or that another writer left */
  version?: string
  /** the assignee types whose task got all kinds of stale updates */
  tried: Set<Assignee['type']>
}

export type Real = {
  task: Task
  /** what the currently judged refused update asked for */
  asked?: Assignee | null | undefined
}

export type ModelStep = fc.AsyncCommand<Model, Real>

/** Steps that survive other writers, and the number of those. */
export type AmidOthers = { past(step: ModelStep): ModelStep; told(): string }

/** Other writers may change the task during a long walk. */
const maxMeetings = 6

/**
 * Continues from what another writer left, and repeats the step if that is possible. A change that other
 * writers are not known to write, or that a refused update asked for, may be the service's.
 */
export function goingOnAmidOthers(
  isOthers: (assignment: Task['assignment']) => boolean,
): AmidOthers {
  let met = 0
  const mayGoOn = ({ task: { assignment }, asked }: Real) =>
    met < maxMeetings &&
    isOthers(assignment) &&
    (asked === undefined || !isAssignedTo(assignment, asked))
  const past = (step: ModelStep): ModelStep => ({
    check: (model) => step.check(model),
    run: async (model, real) => {
      while (step.check(model)) {
        try {
          return await step.run(model, real)
        } catch (error) {
          if (!(error instanceof ForeignChange) || !mayGoOn(real)) throw error
        }
        met += 1
        real.asked = undefined
        model.to = assigneeIn(real.task)
        model.version = real.task.updated_at
      }
    },
    toString: () => step.toString(),
  })
  return { past, told: () => (met > 0 ? `; changes of others on the way: ${met}` : '') }
}

const assigneeIn = ({ assignment }: Task): Assignee | null =>
  assignment && { id: assignment.assigned_to_id, type: assignment.assigned_to_type }

export type After = { what: string; answer: Answer; token?: string | undefined }

export function problemOfState({ what, answer }: After, task: Task, { to }: Model): Problem {
  const got = describeAssignee(task.assignment)
  const expected = to ? `${to.type} ${to.id}` : 'null'
  const sentence = `${what}: the task is assigned to ${got}, not to ${expected}`
  return problem(sentence, {
    expected,
    got,
    judged: [answer, task],
    again: again.assigned(to, 'read'),
  })
}

export const named = (to: Assignee | null) =>
  to ? `assign to ${to.type} ${to.id.slice(0, 8)}` : 'unassign'

export const notTaken = (answer: Answer, to: Assignee | null): Problem =>
  problem(`${describeAnswer(answer)} to ${named(to)}, not 2xx`, {
    expected: '2xx',
    got: String(answer.status),
    judged: answer,
  })
