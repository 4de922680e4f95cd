// A task as clauses read it that do not own what an answer lacks: judge.ts judges each answer once.

import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../engine/http/answers.ts'
import { parsed } from '../../engine/parsed.ts'
import { shown } from '../../engine/shown.ts'
import { type AssigneeType, assigneeTypes } from '../contract/fields.ts'
import { isSameId } from './ids.ts'
import { type Assignment, assignmentSentIn } from './update-request.ts'

/** A number is sent in If-Match as its text. */
export function versionIn({ updated_at: version }: JsonObject): string | undefined {
  if (typeof version === 'number') return String(version)
  return typeof version === 'string' ? version : undefined
}

/**
 * A missing or empty assignment means unassigned. What the response to an update lacks of it is taken as sent; undefined:
 * neither shows it. In a read, one that cannot be read stays as it is.
 */
export function assignmentIn(task: JsonObject, sent?: string): Assignment | null | undefined {
  const { assignment } = task
  if (isEmpty(assignment)) return null
  if (isObject(assignment)) return readAssignment(assignment, sent)
  if (sent !== undefined) return assignmentSentIn(parsed(sent))
  if (assignment !== undefined) return assignment as Assignment
  return task.updated_at === undefined ? undefined : null
}

export const lacksAssignment = ({ assignment }: JsonObject): boolean =>
  !isEmpty(assignment) && !isObject(assignment)

/** A number, a word: it may say in its way whom the task is assigned to. */
export const unreadableIn = ({ assignment }: JsonObject): string | undefined =>
  assignment !== undefined && lacksAssignment({ assignment }) ? shown(assignment) : undefined

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).every((member) => member === null)
  return value === null || value === '' || value === false
}

/** What cannot be read of it is as the update asked for it. */
function readAssignment(shown: JsonObject, sent: string | undefined): Assignment {
  const asked = sent === undefined ? undefined : assignmentSentIn(parsed(sent))
  const { assigned_by_id: assigner, assigned_to_id: assignee } = shown
  const type = upperCased(shown.assigned_to_type)
  return {
    ...shown,
    assigned_by_id: typeof assigner === 'string' ? assigner : (asked?.assigned_by_id ?? assigner),
    assigned_to_id: typeof assignee === 'string' ? assignee : (asked?.assigned_to_id ?? assignee),
    assigned_to_type: isType(type) ? type : (asked?.assigned_to_type ?? shown.assigned_to_type),
  } as Assignment
}

const upperCased = (type: unknown) => (typeof type === 'string' ? type.toUpperCase() : type)

const isType = (type: unknown): type is AssigneeType =>
  assigneeTypes.some((allowed) => allowed === type)

/** A type that cannot be read may be either. */
export const isSameType = (one: unknown, other: unknown): boolean =>
  one === other || !isType(one) || !isType(other)

export type People = {
  actorId?: string | undefined
  userIds: readonly string[]
  teamIds: readonly string[]
}

/** The assignment as it can be sent again, with the type that an answer lacks, if the settings name the assignee. */
export function wholeOf<T extends Assignment | null>(assignment: T, people: People): T {
  if (!isObject(assignment)) return assignment
  const comment: unknown = assignment.assignment_comment
  return {
    ...assignment,
    assigned_to_type: typeOf(assignment, people),
    ...(typeof comment === 'number' ? { assignment_comment: String(comment) } : {}),
  }
}

/** The type that is shown or, if that cannot be read, of the setting that names the assignee. */
function typeOf({ assigned_to_id: id, assigned_to_type: type }: Assignment, people: People) {
  if (isType(type) || typeof id !== 'string') return type
  const isAmong = (ids: readonly unknown[]) => ids.some((other) => isSameId(other, id))
  if (isAmong(people.teamIds)) return 'TEAM'
  return isAmong([people.actorId, ...people.userIds]) ? 'USER' : type
}

/** null, empty and absent comments are equal, and so are a number and its text. */
export const isSameComment = (one: Assignment, other: Assignment): boolean =>
  isDeepStrictEqual(comparableComment(one), comparableComment(other))

function comparableComment(assignment: Assignment): unknown {
  const comment: unknown = assignment.assignment_comment
  return typeof comment === 'number' ? String(comment) : comment || null
}
