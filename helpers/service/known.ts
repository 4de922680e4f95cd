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
  /** what its assignment shows that cannot be read */
  unreadable?: string
}

/** What every task shows as its assignment tells none of them apart: it counts as missing. */
export function shownByAll(tasks: readonly KnownTask[]): string | undefined {
  const [first, ...others] = tasks
  if (others.length === 0) return undefined
  return others.every(({ unreadable }) => unreadable === first?.unreadable)
    ? first?.unreadable
    : undefined
}

export const idsOf = ({ tasks, assessmentIds, absent }: KnownIds, of: keyof KnownIds['absent']) =>
  of === 'task'
    ? [...tasks.map(({ id }) => id), ...absent.task]
    : [...assessmentIds, ...absent.assessment]
