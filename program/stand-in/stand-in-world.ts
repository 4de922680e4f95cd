import { distinct } from '../../engine/distinct.ts'
import type { JsonObject } from '../../engine/http/answers.ts'
import { isObject } from '../../engine/http/answers.ts'
import { isSameId } from '../../helpers/service/ids.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { isUuid } from '../../reference/calls/call.ts'
import {
  type Assessment,
  type Assignment,
  makeWorld,
  type Task,
  type Team,
  type User,
  type World,
} from '../../reference/world/world.ts'
import type { Seen } from '../run/learned.ts'

/**
 * A world of the same shape as the one that the first contact saw: the same tasks in the same
 * states, the same people and teams. What was not seen is made up; the key is another.
 */
export function createStandInWorld(settings: Settings, seen: readonly Seen[]): World {
  const madeUp = makeWorld(settings.seed)
  const tasks = seen.filter(({ of }) => of === 'task').map((task, n) => createTask(madeUp, task, n))
  const read = seen.filter(({ of }) => of === 'assessment')
  const assessments = read.map((assessment, n) => createAssessment(madeUp, assessment, n))
  const assigned = tasks.flatMap(({ assignment }) => assignment ?? [])
  const assignees = (type: string) =>
    assigned.filter((one) => one.assigned_to_type === type).map((one) => one.assigned_to_id)

  const { actorId, userIds, teamIds } = settings
  const people = distinct([...(actorId ? [actorId] : []), ...userIds, ...assignees('USER')])
  const users = people.map((id, n) => createUser(settings, id, n))
  const teams = distinct([...teamIds, ...assignees('TEAM')]).map((id) => createTeam(settings, id))
  return {
    ...madeUp,
    users: distinctById([...users, ...teams.flatMap(({ members }) => members), ...madeUp.users]),
    teams: distinctById([...teams.map(({ team }) => team), ...madeUp.teams]),
    // Audit events are about more tasks than were read.
    tasks: distinctById([...tasks, ...madeUp.tasks]),
    assessments: [...assessments, ...createAssessments(tasks, assessments, madeUp)],
  }
}

/** The teams whose members are not known: a mail to one of them is counted as one. */
export const teamsOfUnknownSize = ({ teamIds, teamMails }: Settings): string[] =>
  teamIds.filter((team) => !Object.keys(teamMails).some((id) => isSameId(id, team)))

function createTask({ tasks }: World, { id, body }: Seen, n: number): Task {
  const madeUp = cyclicAt(tasks, n)
  // Only what clauses go by, and only in its right form: what a service sends is not to be trusted.
  const ids = pickUuids(body, [
    'assessment_id',
    'entity_id',
    'institution_id',
    'workflow_instance_id',
  ])
  return { ...madeUp, ...ids, id: id.toLowerCase(), assignment: createAssignment(body, madeUp) }
}

function createAssignment(body: JsonObject | undefined, { assignment }: Task): Assignment | null {
  if (body?.assignment === null) return null
  const seen = isObject(body?.assignment) ? body.assignment : {}
  const { assigned_by_id: by, assigned_to_id: to, assigned_to_type: type } = seen
  if (typeof by !== 'string' || typeof to !== 'string' || !isUuid(by) || !isUuid(to))
    return assignment
  if (type !== 'USER' && type !== 'TEAM') return assignment
  const comment = seen.assignment_comment
  return {
    assigned_by_id: by,
    assigned_to_id: to,
    assigned_to_type: type,
    assignment_comment: typeof comment === 'string' ? comment : null,
  }
}

function createAssessment({ assessments }: World, { id, body }: Seen, n: number): Assessment {
  const state = body?.workflow_state
  const known = typeof state === 'string' ? state : undefined
  const madeUp = assessments.find(({ workflow_state }) => workflow_state === known)
  const ids = pickUuids(body, ['entity_id', 'institution_id', 'workflow_instance_id'])
  return { ...(madeUp ?? cyclicAt(assessments, n)), ...ids, id: id.toLowerCase() }
}

/** The assessments that tasks belong to and that nobody named. */
function createAssessments(
  tasks: Task[],
  known: Assessment[],
  { assessments }: World,
): Assessment[] {
  const missing = tasks.filter((task) => !known.some(({ id }) => isSameId(id, task.assessment_id)))
  return missing.map(({ assessment_id, entity_id, institution_id, workflow_instance_id }, n) => ({
    ...cyclicAt(assessments, n),
    id: assessment_id.toLowerCase(),
    entity_id,
    institution_id,
    workflow_instance_id,
  }))
}

function createUser({ userMails }: Settings, id: string, n: number): User {
  const [mail = `user.${n}@example.com`] = findAddresses(userMails, id)
  return { id, name: `User ${n}`, mail }
}

function createTeam({ teamMails }: Settings, id: string): { team: Team; members: User[] } {
  const given = findAddresses(teamMails, id)
  const mails = given.length > 0 ? given : [`member.of.${id}@example.com`]
  const members = mails.map((mail) => ({ id: `${id} ${mail}`, name: mail, mail }))
  return { team: { id, name: `Team ${id}`, memberIds: members.map((user) => user.id) }, members }
}

const findAddresses = (mails: Record<string, string[]>, id: string): string[] =>
  Object.entries(mails).find(([key]) => isSameId(key, id))?.[1] ?? []

const pickUuids = (body: JsonObject | undefined, fields: readonly string[]) =>
  Object.fromEntries(fields.flatMap((name) => (isUuid(body?.[name]) ? [[name, body?.[name]]] : [])))

/** Without those whose id came before: who is in a world twice is mailed twice. */
const distinctById = <T extends { id: string }>(all: T[]): T[] =>
  all.filter(({ id }, n) => all.findIndex((other) => isSameId(other.id, id)) === n)

/** the list begun anew when it ends */
const cyclicAt = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
