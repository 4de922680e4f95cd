type Lent = { taskIds: string[]; readTaskIds: string[]; assessmentIds: string[]; readOnly: boolean }

type Profile = {
  meaning: string
  clauses?: readonly string[]
  narrowed?: (lent: Lent) => Partial<Lent>
}

const under = (part: string, ids: string) => ids.split(' ').map((id) => `${part}.${id}`)

const keysOf = (operation: string) => `auth.*.${operation}`

export const profiles = {
  full: { meaning: 'every clause; this is the default' },
  smoke: {
    meaning: 'a few clauses of each operation; no update that a service is to accept',
    clauses: [
      ...under('auth.missing-key', 'task.read assessment.read export'),
      ...under('auth.before-lookup', 'assign.update assign.unassign'),
      'assign.not-found.unassign',
      ...under(
        'task.read',
        'success identity fields identifiers timestamps types version assignment',
      ),
      ...under('assessment.read', 'success identity fields identifiers timestamps state'),
      ...under('assessment.read', 'error error-fields no-error'),
      ...under('export', 'csv.status csv.readable csv.well-formed pdf.status pdf.readable'),
      ...under('export', 'timezone.same-events range.start-inclusive range.end-inclusive.exact'),
      ...under('export', 'cells-are-values.pdf'),
    ],
    // Its cost does not depend on how many ids are given.
    narrowed: ({ taskIds, readTaskIds, assessmentIds }) => ({
      taskIds: taskIds.slice(0, 2),
      readTaskIds: readTaskIds.slice(0, Math.max(0, 2 - taskIds.length)),
      assessmentIds: assessmentIds.slice(0, 2),
    }),
  },
  reads: {
    meaning: 'reads of tasks and assessments; no update is sent',
    clauses: ['task.*', 'assessment.*', keysOf('task.read'), keysOf('assessment.read')],
    narrowed: () => ({ readOnly: true }),
  },
  updates: {
    meaning: 'updates, versions, emails and the audit trail; no other export',
    clauses: [
      ...['assign.*', 'version.*', 'audit.*', 'notify.*', 'auth.refused-changes-nothing'],
      ...[keysOf('assign.update*'), keysOf('assign.unassign*')],
    ],
  },
  export: {
    meaning: 'exports; two clauses change a task for a comment to be exported',
    clauses: ['export.*', keysOf('export*')],
  },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles

export const profileNames = Object.keys(profiles) as ProfileName[]

export const clausesIn = (name: ProfileName): readonly string[] | undefined => {
  const { clauses }: Profile = profiles[name]
  return clauses
}

export function narrowed<Given extends Lent & { profile: ProfileName }>(settings: Given): Given {
  const { narrowed: own }: Profile = profiles[settings.profile]
  return { ...settings, ...own?.(settings) }
}
