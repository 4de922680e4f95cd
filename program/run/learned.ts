import type { JsonObject } from '../../engine/http/answers.ts'
import { isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/ask.ts'
import type { Ahead } from '../../helpers/service/clock.ts'
import type { Known, KnownTask } from '../../helpers/service/known.ts'
import type { Settings } from '../../helpers/settings/table.ts'

export type Contact = {
  known: Known
  baseUrl: string
  /** what the service says of its own revision, where REVISION_HEADER names a header */
  revision?: string
  notices: string[]
  /** what was seen of the service's clock */
  ahead: Ahead
  requests: number
}

export type Probe = { path: string; of: 'task' | 'assessment' | 'nothing'; id: string }
export type Found = Probe &
  ({ answer: Answer; trouble?: undefined } | { trouble: string; answer?: undefined })

/** What the first contact teaches: which ids are there, and what was seen of them. */
export function learn(settings: Settings, found: Found[]): Omit<Contact, 'requests' | 'ahead'> {
  const { revisionHeader: header, notPermitted, taskIds } = settings
  const revision = header && found.flatMap(({ answer }) => answer?.headers[header] ?? [])[0]
  const ids = (of: Probe['of'], isWanted: (status?: number) => boolean) =>
    found.filter((each) => each.of === of && isWanted(each.answer?.status)).map(({ id }) => id)
  const isGone = (status?: number) => status === 404
  const isThere = (status?: number) => status !== 404
  const isRead = (status?: number) => isAccepted({ status: status ?? 0 })
  const gone = { task: ids('task', isGone), assessment: ids('assessment', isGone) }
  const read = { task: ids('task', isRead), assessment: ids('assessment', isRead) }
  const absent = (of: keyof typeof gone, settings: string) =>
    gone[of].length > 0
      ? `none of the ids of ${settings} is found (404): correct ${settings}`
      : undefined
  return {
    baseUrl: settings.baseUrl,
    revision: revision?.slice(0, 200),
    notices: [
      ...found
        .filter(({ of, answer }) => of !== 'nothing' && answer?.status === 404)
        .map(({ of, id }) => `the service has no ${of} ${id} (404): it is left out`),
      ...(header !== undefined && revision === undefined
        ? [`no answer has the header ${header} of REVISION_HEADER`]
        : []),
      ...(['task', 'assessment'] as const)
        .filter((of) => notPermitted.includes(`${of}.read`) && read[of].length > 0)
        .map((of) => `NOT_PERMITTED declares ${of}.read, and the service accepts it`),
    ],
    known: {
      tasks: found
        .filter(({ of, answer }) => of === 'task' && isThere(answer?.status))
        .map(({ id, answer }) => ({ id, body: answer && objectOf(answer) }))
        .toSorted((one, other) => fullnessOf(other.body) - fullnessOf(one.body))
        .map(
          ({ id, body }): KnownTask => ({
            id,
            lendable: taskIds.includes(id),
            assigned: assignedOf(body),
          }),
        ),
      assessmentIds: ids('assessment', isThere),
      // The last, as tasks that are only read come after those that may change.
      readable: { task: read.task.at(-1), assessmentId: read.assessment.at(-1) },
      noTask: absent('task', 'TASK_IDS or READ_TASK_IDS'),
      noAssessment: absent('assessment', 'ASSESSMENT_IDS'),
      absent: gone,
    },
  }
}

/** What an answer holds is a matter of the clauses, also where it cannot be read. */
function objectOf(answer: Answer): JsonObject | undefined {
  try {
    const body = jsonIn(answer)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** How much of a task could be lost by an update: what may be null or empty, and is not. */
function fullnessOf({ name, custom_metadata: metadata }: JsonObject = {}): number {
  const filled = isObject(metadata) && Object.keys(metadata).length > 0
  return 2 * Number(filled) + Number(typeof name === 'string')
}

function assignedOf(body: JsonObject | undefined): KnownTask['assigned'] {
  if (body?.assignment === null) return 'none'
  const kind = isObject(body?.assignment) ? body.assignment.assigned_to_type : undefined
  return kind === 'USER' || kind === 'TEAM' ? kind : 'unknown'
}
