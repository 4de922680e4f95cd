import {
  type Body,
  type Call,
  type Field,
  isUuid,
  type Reason,
  type SentFields,
  type Update,
} from '../calls/call.ts'
import type { Assessment, Assignment, Task } from '../world/world.ts'
import { statedOfExport } from './stated-export.ts'
import { statedOfTrail } from './stated-trail.ts'

/** What the contract states, as the rules the service asks. A fault is one of them bent. */
export const stated = {
  // Authentication

  /** The key comes in the header `apikey`. */
  givenKey: ({ headers }: Call): string | null => headers.get('apikey'),
  /** Every operation requires the header. */
  keyIsRequired: (_: Call): boolean => true,
  /** Only a valid key is let in. */
  keyIsValid: ({ given, key }: Call & { given: string; key: string }): boolean => given === key,
  /** Where allow listing is on, requests come from an allowed address. */
  addressIsAllowed: ({ address, allowed }: Call & { allowed: string[] | undefined }): boolean =>
    allowed === undefined || (address !== undefined && allowed.includes(address)),
  /** A missing or invalid key is answered 401 Unauthorized. */
  unauthorizedStatus: (_: Call): number => 401,

  // Finding and refusing

  /** The task whose id was asked for, and no other. */
  taskFor: ({ id, tasks }: Call & { tasks: Task[] }): Task | undefined =>
    tasks.find((task) => task.id === id),
  /** The assessment whose id was asked for, and no other. */
  assessmentFor: ({
    id,
    assessments,
  }: Call & { assessments: Assessment[] }): Assessment | undefined =>
    assessments.find((assessment) => assessment.id === id),
  /** An id that matches nothing is answered 404. */
  notFoundStatus: (_: Call): number => 404,
  /** Bodies are JSON, and a refusal does not give what was asked for. */
  refusalBody: ({
    body,
  }: Call & { reason: Reason; status: number; record: object | undefined; body: Body }): Body =>
    body,
  /** A refused request changes nothing. */
  effectOfRefusal: (_: Update & { reason: Reason }): Effect => 'none',

  // Resources

  /** Answers hold every field of the resource's table. */
  fieldIsShown: (_: Field): boolean => true,
  /** Identifier fields are strings, UUID-shaped. */
  identifier: ({ value }: Field & { value: string }): unknown => value,
  /** Timestamps are ISO 8601 UTC datetime strings. */
  timestamp: ({ value }: Field & { value: string }): unknown => value,
  /** Every field has the value stored and the type of its table. */
  fieldValue: ({ value }: Field & { value: unknown }): unknown => value,
  /** The answer's body is the resource itself, as JSON. */
  answerText: ({ resource }: Call & { resource: object }): string => JSON.stringify(resource),
  /** Reading a task does not change it, so its version stays. */
  readingTouches: (_: Call & { task: Task }): boolean => false,

  // The update's request

  /** The body is sent as `application/json`. */
  contentTypeIsRight: ({ type }: Call & { type: string | null }): boolean =>
    /^application\/json\s*(;|$)/i.test(type ?? ''),
  /** The body is JSON; undefined when the text is not. */
  bodyFrom: ({ text }: Call & { text: string }): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  },
  /** The fields that the `update` and the `unassign` object must have. */
  requiredFields: ({ op }: Call): string[] =>
    op === 'assign.unassign'
      ? ['assigned_by_id']
      : ['assigned_by_id', 'assigned_to_id', 'assigned_to_type'],
  /** Ids are UUID-shaped strings, the type is a string, the comment a string or null. */
  sentFieldIsRight: ({ field, value }: Call & { field: string; value: unknown }): boolean => {
    if (field === 'assignment_comment') return value === null || typeof value === 'string'
    return field === 'assigned_to_type' ? typeof value === 'string' : isUuid(value)
  },
  /** `assigned_to_type` is USER or TEAM. */
  typeIsAllowed: ({ type }: Call & { type: unknown }): boolean =>
    type === 'USER' || type === 'TEAM',
  /** The header If-Match is required. */
  ifMatchIsRequired: (_: Call & { sent: SentFields }): boolean => true,
  /** If-Match equals the task's current updated_at, character by character. */
  versionMatches: ({ given, current }: Compared): boolean => given === current,
  /** A differing If-Match is answered 409, version mismatch. */
  mismatchStatus: (_: Compared): number => 409,
  /** Each transition of the table happens; a status in place of undefined refuses it. */
  transitionRefusal: (_: Update & { from: string; to: string }): number | undefined => undefined,

  // The update carried out

  /** Nothing comes between comparing the version and storing the change. */
  betweenCheckAndWrite: (_: Update): Promise<unknown> | undefined => undefined,
  /** An update that was found to have the current version is not refused for it later. */
  losesItsTurn: (_: Update): boolean => false,
  /** The comment of the new assignment is the one sent with it. */
  comment: ({ comment }: Update & { comment: Comment }): Comment => comment,
  /** `update` assigns the task to the user or team given, by the user given. */
  assigned: ({ sent, comment }: Update & { comment: Comment }): Assignment | null => ({
    assigned_by_id: sent.assigned_by_id,
    assigned_to_id: sent.assigned_to_id,
    assigned_to_type: sent.assigned_to_type,
    assignment_comment: comment,
  }),
  /** After `unassign` the task has no assignment. */
  unassigned: (_: Update): Assignment | null => null,
  /** updated_at changes when the task changes, to a value it never had. */
  versionAfter: ({ fresh }: Update & { fresh: string; now: string }): string => fresh,
  /** The changed task is stored as it was changed. */
  stored: ({ after }: Update & { after: Task }): Task => after,
  /** An update concerns the one task; others returned here would be stored too. */
  alsoStored: (_: Update & { after: Task; tasks: Task[] }): Task[] => [],
  /** The answer is the updated task, with the new assignment and the new updated_at. */
  answered: ({ after }: Update & { after: Task }): Task => after,

  ...statedOfExport,
  ...statedOfTrail,
}

export type Stated = typeof stated

/** What becomes of a refused update; a number: it is carried out after so many milliseconds. */
export type Effect = 'none' | 'carried out' | 'touched' | number | 'next change'

type Comment = string | null | undefined

/** An If-Match as it is compared, with the version of the task that it is compared with. */
type Compared = Update & { given: string; current: string }
