import {
  type Body,
  type Call,
  type Field,
  isUuid,
  type Reason,
  type SentFields,
  type Update,
} from '../calls/call.ts'
import type { AuditEvent } from '../calls/events.ts'
import type { Change, Mail } from '../calls/mail.ts'
import type { Assessment, Assignment, Task, Team, User } from '../world/world.ts'
import { errors } from './errors.ts'
import { statedOfExport } from './stated-export.ts'

/** What the contract states, as rules. A fault bends one of them. */
export const stated = {
  // Authentication

  /** The key comes in the header `apikey`. */
  givenKey: ({ headers }: Call): string | null => headers.get('apikey'),
  /** Every operation requires the header. */
  keyIsRequired: (_: Call): boolean => true,
  /** Only a valid key is accepted. */
  keyIsValid: ({ given, key }: Call & { given: string; key: string }): boolean => given === key,
  /** With allow listing, requests come from an allowed address. */
  addressIsAllowed: ({ address, allowed }: Call & { allowed: string[] | undefined }): boolean =>
    allowed === undefined || (address !== undefined && allowed.includes(address)),
  /** A missing or invalid key is answered as unauthorized. */
  unauthorizedStatus: (_: Call): number => errors.Unauthorized,

  // Looking up and refusing

  /** The task with the requested id, and no other. */
  taskFor: ({ id, tasks }: Call & { tasks: Task[] }): Task | undefined =>
    tasks.find((task) => task.id === id),
  /** The assessment with the requested id, and no other. */
  assessmentFor: ({
    id,
    assessments,
  }: Call & { assessments: Assessment[] }): Assessment | undefined =>
    assessments.find((assessment) => assessment.id === id),
  /** An unknown id is answered as not found. */
  notFoundStatus: ({ op }: Call): number =>
    op === 'assessment.read' ? errors['Not Found'] : errors['Task not found'],
  /** Bodies are JSON, and a refusal does not contain the requested resource. */
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
  /** Every field has its stored value and its type from the table. */
  fieldValue: ({ value }: Field & { value: unknown }): unknown => value,
  /** The answer's body is the resource itself, as JSON. */
  answerText: ({ resource }: Call & { resource: object }): string => JSON.stringify(resource),
  /** Reading a task does not change it, so its version stays. */
  readingTouches: (_: Call & { task: Task }): boolean => false,

  // The update's request

  /** A body that is sent as `application/json` is taken. */
  contentTypeIsRight: ({ type }: Call & { type: string | null }): boolean =>
    /^application\/json\s*(;|$)/i.test(type ?? ''),
  /** The body is JSON; undefined for any other text. */
  bodyFrom: ({ text }: Call & { text: string }): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  },
  /** The required fields of the `update` and the `unassign` object. */
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
  /** Another If-Match is answered as a version mismatch. */
  mismatchStatus: (_: Compared): number => errors['Version mismatch'],
  /** Each transition of the table happens; a status instead of undefined refuses it. */
  transitionRefusal: (_: Update & { from: string; to: string }): number | undefined => undefined,

  // Carrying out the update

  /** Nothing runs between comparing the version and storing the change. */
  betweenCheckAndWrite: (_: Update): Promise<unknown> | undefined => undefined,
  /** An update with the current version is not refused for its version afterwards. */
  losesItsTurn: (_: Update): boolean => false,
  /** The comment of the new assignment is the one sent with it. */
  comment: ({ comment }: Update & { comment: Comment }): Comment => comment,
  /** `update` assigns the task to the given user or team, by the given user. */
  assigned: ({ sent, comment }: Update & { comment: Comment }): Assignment | null => ({
    assigned_by_id: sent.assigned_by_id,
    assigned_to_id: sent.assigned_to_id,
    assigned_to_type: sent.assigned_to_type,
    assignment_comment: comment,
  }),
  /** After `unassign` the task has no assignment. */
  unassigned: (_: Update): Assignment | null => null,
  /** updated_at changes with the task, to a value it never had. */
  versionAfter: ({ fresh }: Update & { fresh: string; now: string }): string => fresh,
  /** The changed task is stored as it is. */
  stored: ({ after }: Update & { after: Task }): Task => after,
  /** An update concerns one task; other tasks returned here would be stored too. */
  alsoStored: (_: Update & { after: Task; tasks: Task[] }): Task[] => [],
  /** The answer is the updated task, with the new assignment and the new updated_at. */
  answered: ({ after }: Update & { after: Task }): Task => after,

  ...statedOfExport,

  // The audit trail and the mails

  /** Each change of an assignment is recorded once, with its task, entity and comment. */
  recorded: ({ event }: Change & { event: AuditEvent }): AuditEvent[] => [event],
  /** Mails go to the assigned user, or to the members of the assigned team. */
  mailed: ({ kind, sent, users, teams }: Change & { users: User[]; teams: Team[] }): User[] => {
    if (kind === 'unassigned') return []
    const team = teams.find(({ id }) => id === sent.assigned_to_id)
    const ids = sent.assigned_to_type === 'TEAM' ? (team?.memberIds ?? []) : [sent.assigned_to_id]
    return users.filter(({ id }) => ids.includes(id))
  },
  /** The comment is visible to the recipients. */
  mailComment: ({ comment }: Change): string => comment,
  /** One mail for each recipient. */
  mails: ({ mail }: Change & { mail: Mail }): Mail[] => [mail],
}

export type Stated = typeof stated

/** The effect of a refused update; a number: it is carried out after this many milliseconds; fields are written. */
type Effect = 'none' | 'carried out' | 'touched' | number | 'next change' | Partial<Task>

type Comment = string | null | undefined

/** An If-Match, and the version of the task that it is compared with. */
type Compared = Update & { given: string; current: string }
