import type { AssigneeType } from '../contract/fields.ts'
export type KnownIds = {
  tasks: KnownTask[]
  assessmentIds: string[]
  readable: { task?: string; assessmentId?: string }
  /** why there is none, although ids were given */
  noTask?: string
  noAssessment?: string
  /** ids that were not found twice */
  absent: { task: string[]; assessment: string[] }
}

export type KnownTask = {
  id: string
  lendable: boolean
  /** it may change the task */
  heldBy?: string
  assigned: 'none' | AssigneeType | 'unknown'
}

export const idsOf = ({ tasks, assessmentIds, absent }: KnownIds, of: keyof KnownIds['absent']) =>
  of === 'task'
    ? [...tasks.map(({ id }) => id), ...absent.task]
    : [...assessmentIds, ...absent.assessment]
