import type { JsonObject } from '../../engine/http/answers.ts'
import { isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/ask.ts'
import type { Ahead } from '../../helpers/service/clock.ts'
import type { Known, KnownTask } from '../../helpers/service/known.ts'
import type { Settings } from '../../helpers/settings/table.ts'
export type Contact = {
  known: Known
  /** what was read of it */
  seen: Seen[]
  baseUrl: string
  /** what the service says of its own revision, where REVISION_HEADER names a header */
  revision?: string
  notices: string[]
  /** what was seen of the service's clock */
  ahead: Ahead
  /** how long its answers took, in milliseconds */
  lasted: number[]
  requests: number
}

/** A task or assessment that is there; without a body where the key may not read it. */
export type Seen = { of: 'task' | 'assessment'; id: string; status?: number; body?: JsonObject }

export type Probe = { path: string; of: 'task' | 'assessment' | 'nothing'; id: string }
export type Found = Probe &
  ({ answer: Answer; trouble?: undefined } | { trouble: string; answer?: undefined })

/** What the first contact teaches: which ids are there, and what was seen of them. */
export function learn(
  settings: Settings,
  found: Found[],
): Omit<Contact, 'requests' | 'ahead' | 'lasted'> {
  const gone = found.filter(({ answer }) => answer?.status === 404)
  const there = found.filter(({ answer }) => answer?.status !== 404)
  const notices = gone
    .filter(({ of }) => of !== 'nothing')
    .map(({ of, id }) => `the service has no ${of} ${id} (404): it is left out`)
  const accepted = settings.notPermitted.filter((operation) =>
    there.some(({ of, answer }) => operation === `${of}.read` && answer && isAccepted(answer)),
  )
  if (settings.revisionHeader !== undefined && revisionIn(settings, found) === undefined)
    notices.push(`no answer has the header ${settings.revisionHeader} of REVISION_HEADER`)
  for (const operation of accepted)
    notices.push(`NOT_PERMITTED declares ${operation}, and the service accepts it`)
  const lendable = new Set(settings.taskIds)
  const tasks = there
    .filter(({ of }) => of === 'task')
    .toSorted((one, other) => fullnessOf(other.answer) - fullnessOf(one.answer))
    .map(
      ({ id, answer }): KnownTask => ({
        id,
        lendable: lendable.has(id),
        assigned: assignedOf(answer),
      }),
    )
  const assessmentIds = there.filter(({ of }) => of === 'assessment').map(({ id }) => id)
  const idsGone = (kind: Probe['of']) => gone.filter(({ of }) => of === kind).map(({ id }) => id)
  const absent = (of: Probe['of'], settings: string) =>
    gone.some((each) => each.of === of)
      ? `none of the ids of ${settings} is found (404): correct ${settings}`
      : undefined
  return {
    baseUrl: settings.baseUrl,
    revision: revisionIn(settings, found),
    notices,
    seen: there.flatMap((found) => seenOf(found)),
    known: {
      tasks,
      assessmentIds,
      readable: { task: firstRead(there, 'task'), assessmentId: firstRead(there, 'assessment') },
      noTask: absent('task', 'TASK_IDS or READ_TASK_IDS'),
      noAssessment: absent('assessment', 'ASSESSMENT_IDS'),
      absent: { task: idsGone('task'), assessment: idsGone('assessment') },
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

function seenOf({ of, id, answer }: Found): Seen[] {
  if (of === 'nothing') return []
  const body = answer && isAccepted(answer) ? objectOf(answer) : undefined
  return [{ of, id, status: answer?.status, ...(body && { body }) }]
}

/** One that was read; the last, as tasks that are only read come after those that may change. */
const firstRead = (found: Found[], of: Probe['of']) =>
  found.findLast(({ of: kind, answer }) => kind === of && answer && isAccepted(answer))?.id

/** How much of a task could be lost by an update: what may be null or empty, and is not. */
function fullnessOf(answer: Answer | undefined): number {
  const { name, custom_metadata: metadata } = (answer && objectOf(answer)) ?? {}
  const filled = isObject(metadata) && Object.keys(metadata).length > 0
  return 2 * Number(filled) + Number(typeof name === 'string')
}

function assignedOf(answer: Answer | undefined): KnownTask['assigned'] {
  const body = answer && objectOf(answer)
  if (!body) return 'unknown'
  if (body.assignment === null) return 'none'
  const kind = isObject(body.assignment) ? body.assignment.assigned_to_type : undefined
  return kind === 'USER' || kind === 'TEAM' ? kind : 'unknown'
}

const revisionIn = ({ revisionHeader }: Settings, found: Found[]): string | undefined =>
  revisionHeader === undefined
    ? undefined
    : found.flatMap(({ answer }) => answer?.headers[revisionHeader] ?? [])[0]?.slice(0, 200)
