/** What the first contact learned before any clause ran. Plain data, passed to the worker. */
export type KnownIds = {
  tasks: KnownTask[]
  assessmentIds: string[]
  /** a resource of each kind that the key can read */
  readable: { task?: string; assessmentId?: string }
  /** why there is none, although ids were given */
  noTask?: string
  noAssessment?: string
  /** given ids with a 404, and again later */
  absent: { task: string[]; assessment: string[] }
}

export type KnownTask = {
  id: string
  lendable: boolean
  /** the other run that holds it: it is not lendable, and it may change */
  heldBy?: string
  assigned: 'none' | 'USER' | 'TEAM' | 'unknown'
}

export const idsOf = ({ tasks, assessmentIds, absent }: KnownIds, of: keyof KnownIds['absent']) =>
  of === 'task'
    ? [...tasks.map(({ id }) => id), ...absent.task]
    : [...assessmentIds, ...absent.assessment]
