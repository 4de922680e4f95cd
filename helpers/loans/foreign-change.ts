import { Trouble } from '../../engine/outcome.ts'
import type { History } from '../history/history.ts'
import { hasOtherWriter, isByOther } from '../history/questions.ts'
import type { Assignment } from '../service/answers.ts'
import { isOfAnotherRun } from '../service/comments.ts'

export class ForeignChange extends Trouble {
  constructor(history: History, assignment: Assignment | null = null) {
    const writer = writerOf(history, assignment)
    super(reasons[writer])
    if (writer !== 'unknown') this.otherWriter = true
  }
}

const reasons = {
  'another run': 'another run of this suite, whose comment it shows, changed the task meanwhile',
  other: 'another writer changed the task meanwhile',
  unknown: 'the task changed meanwhile, although no accepted update of this run changed it',
}

/** Another writer only if the history shows it: a service may also change our own comments. */
function writerOf(history: History, assignment: Assignment | null): keyof typeof reasons {
  if (isOfAnotherRun(assignment?.assignment_comment, history.names.run)) return 'another run'
  return isByOther(history, assignment) ? 'other' : 'unknown'
}

/** Where a comment identifies its update: another writer who puts a task back sends the comment that it found. */
export function needNoOtherWriter(history: History): void {
  if (!hasOtherWriter(history)) return
  const reason =
    'another writer changed the tasks meanwhile, and may have sent comments of this run again'
  throw Object.assign(new Trouble(reason), { otherWriter: true as const })
}

const maxTimes = 4

/**
 * Repeats a step of a sequence if another writer came between, as its reads show by `isForeign`. If that happens each
 * time, the clauses decide who it was, and no further step is repeated.
 */
export function createRetaking<Step>(isForeign: (step: Step) => boolean) {
  let isInVain = false
  return async (take: () => Promise<Step>): Promise<Step> => {
    for (let time = 1; ; time += 1) {
      const isLast = isInVain || time === maxTimes
      try {
        const step = await take()
        if (!isForeign(step)) return step
        isInVain ||= isLast
        if (isLast) return step
      } catch (error) {
        if (!(error instanceof ForeignChange) || isLast) throw error
      }
    }
  }
}
