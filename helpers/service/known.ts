/** What the first contact learnt before any clause ran. Plain data, handed to the worker. */
export type KnownIds = {
  /** given tasks that the service has, with the kind of their assignment when they were read */
  tasks: KnownTask[]
  /** given assessments that the service has */
  assessmentIds: string[]
  /** one of each that the key is seen to be let in to; left out where there is none */
  readable: { task?: string; assessmentId?: string }
  /** why there is none, where ids were given */
  noTask?: string
  noAssessment?: string
  /** given ids that the service answers 404 to, also when asked again */
  absent: { task: string[]; assessment: string[] }
}

export type KnownTask = {
  id: string
  /** of TASK_IDS: it may be changed */
  lendable: boolean
  /** who else is changing it, where another run holds it: it is not lendable, nor does it stand still */
  heldBy?: string
  assigned: 'none' | 'USER' | 'TEAM' | 'unknown'
}

/** The given ids of tasks or of assessments, also of those that are not there. */
export const idsOf = (
  { tasks, assessmentIds, absent }: KnownIds,
  of: keyof KnownIds['absent'],
): string[] =>
  of === 'task'
    ? [...tasks.map(({ id }) => id), ...absent.task]
    : [...assessmentIds, ...absent.assessment]
