import { NotDecidable } from '../engine/outcome.ts'

export const noTask = 'set TASK_IDS or READ_TASK_IDS: tasks that can be read'
export const noAssessment = 'set ASSESSMENT_IDS: assessments that can be read'

/** Ends the clause if no id was given, or the given ones do not exist. */
export function needFound(absent: string | undefined, toSet: string): never {
  throw absent === undefined
    ? new NotDecidable('setting', toSet)
    : new NotDecidable('refused', absent, null)
}

export function missing(what: string): never {
  throw new NotDecidable('setting', what)
}
