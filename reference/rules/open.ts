import {
  type Body,
  type Call,
  type CheckName,
  type Field,
  type FoundRecord,
  type Reason,
  type Refusal,
  reasonsOfChecks,
  type SentFields,
  type Update,
} from '../calls/call.ts'
import type { AuditEvent } from '../calls/events.ts'
import type { Export } from '../calls/export-call.ts'
import { type Change, mailForm } from '../calls/mail.ts'
import type { Assignment, Task, User, World } from '../world/world.ts'
import { openOfExport } from './open-export.ts'

/** What the contract leaves open, as rules. A legal variant bends one of them. */
export const open = {
  // Clock

  /** How far the service's clock is ahead, in milliseconds. */
  clockAhead: (_: World): number => 0,

  // Answers

  successStatus: (_: Call): number => 200,
  /** The content type of JSON answers; undefined: none. */
  contentType: (_: Call): string | undefined => 'application/json',
  /** Shape and content type of error bodies. */
  errorBody: ({ name }: Call & Refusal): Body => ({
    type: 'application/json',
    text: JSON.stringify({ error: name }),
  }),
  /** Caching headers, and any others. */
  headers: (_: Call & { status: number }): Record<string, string> => ({}),
  encoding: (_: Call & { status: number }): 'identity' | 'gzip' | 'br' | 'deflate' => 'identity',
  /** Processing time in milliseconds, before the work and before the answer. */
  delay: (_: Call & { at: 'start' | 'end' }): number => 0,
  requestsPerSecond: (_: Call): number => Number.POSITIVE_INFINITY,
  /** Retry-After beyond the rate limit; undefined: no such header. */
  retryAfter: (_: Call): string | undefined => '1',

  // Refusals

  /** Which of several reasons to refuse comes first; unlisted checks come last. */
  order: (_: Call): CheckName[] => Object.keys(reasonsOfChecks) as CheckName[],
  /** Permissions of a key. */
  permits: (_: Call & { record: FoundRecord }): boolean => true,
  forbiddenStatus: (_: Call): number => 403,
  /** The allowed addresses of an account; undefined: allow listing is off. */
  allowedAddresses: (_: Call): string[] | undefined => undefined,
  malformedIdStatus: (_: Call): number => 404,
  contentTypeStatus: (_: Call & { type: string | null }): number => 415,
  notJsonStatus: (_: Call): number => 400,
  /** The status for an invalid or incomplete assignment body; `field` is at fault. */
  invalidBodyStatus: (_: Call & { flaw: Flaw; field?: string; value?: unknown }): number => 422,
  missingIfMatchStatus: (_: Call): number => 428,

  // Resources

  /** The letter case of ids in answers. */
  idForm: ({ value }: Field & { value: string }): string => value,
  /** Precision and form of timestamps; `value` has nine fraction digits and a Z. */
  timestampForm: ({ value }: { resource: string; field: string; value: string }): string =>
    `${value.slice(0, 23)}Z`,
  /** Null fields, status values, contents of custom_metadata. */
  shownValue: ({ value }: Field & { value: unknown }): unknown => value,
  /** Fields beyond the contract's tables. */
  extraFields: (_: Omit<Field, 'field'>): Record<string, unknown> => ({}),

  // The update's request

  /** Whether JSON is taken under another label than application/json. */
  otherMediaTypeIsTaken: (_: Call & { type: string | null }): boolean => false,
  /** The choice when both objects are sent. */
  whenBoth: (_: Call): Choice => 'refused',
  /** The choice when neither object is sent. */
  whenNeither: (_: Call): Choice => 'refused',
  /** Whether other members are accepted, beside the objects or in them. */
  memberIsTaken: (_: Call & { member: string; within: 'body' | 'update' | 'unassign' }): boolean =>
    true,
  /** Limits on comments. */
  commentIsTaken: (_: Call & { comment: string }): boolean => true,
  /** Whether the id of an unknown or unsuitable person is accepted. */
  personIsTaken: (
    _: Call & { field: 'assigned_by_id' | 'assigned_to_id'; sent: SentFields },
  ): boolean => true,
  /** What a state refuses: unassigning the unassigned, assigning to the same; undefined: nothing. */
  stateRefusal: (_: Update): number | undefined => undefined,
  /** Accepted forms of If-Match besides the bare value, such as quoted or weak ones. */
  ifMatchFrom: ({ given }: Call & { given: string }): string => given,

  // Carrying out the update

  /** How a comment is stored (trimmed or not), and how its absence is: null, '' or no member. */
  commentAsKept: ({
    comment,
  }: Update & { comment: string | null | undefined }): string | null | undefined => comment ?? null,
  /** Whether an update that changes nothing keeps the version. */
  leavesVersion: (_: Update & { assignment: Assignment | null }): boolean => false,
  nextDataVersion: ({ task }: Update): number => task.data_version + 1,
  nextLockedAt: ({ task }: Update & { now: string; fresh: string }): string => task.locked_at,
  /** Replica lag: how far reads are behind updates, in milliseconds. */
  readLag: (_: Call): number => 0,
  /** Milliseconds until the service, or another writer, touches the task again. */
  laterTouches: (_: Update): number[] => [],
  /** What such a touch writes beside the version: a job of the service may keep fields of its own. */
  writtenLater: (_: Update & { after: Task }): Partial<Task> => ({}),

  ...openOfExport,

  // The audit trail and the mails

  /** Precision of stored event times; `time` has nine fraction digits and a Z. */
  storedTime: ({ time }: AuditEvent): string => `${time.slice(0, 23)}000000Z`,
  /** Type, subtype and source of a change's event. */
  eventKind: ({ kind }: Change): EventKind => ({
    event_type: 'task',
    sub_type: kind,
    system_source: 'task_platform',
  }),
  eventDelay: (_: Change): number => 0,
  /** What a refused update leaves nevertheless. */
  refusalLeaves: (_: Change & { refused: Reason }): ('event' | 'mail')[] => [],
  /** Whether an export is itself recorded as an event. */
  recordsExports: (_: Export): boolean => false,
  trafficInterval: (_: World): number => Number.POSITIVE_INFINITY,

  /** Further recipients beside the assignee, and recipients on unassigning. */
  alsoMailed: (_: Change & { users: User[] }): User[] => [],
  /** Sender, subject and text of a mail. */
  mailForm: (mail: Parameters<typeof mailForm>[0]) => mailForm(mail),
  mailDelay: (_: Change & { to: User }): number => 0,
}

export type Open = typeof open

/** What to do with a body without exactly one of the two objects. */
export type Choice = 'update' | 'unassign' | 'nothing' | 'refused'

/** What can be wrong with a JSON body. */
export type Flaw =
  | 'both'
  | 'neither'
  | 'required'
  | 'type'
  | 'value'
  | 'member'
  | 'comment'
  | 'person'

type EventKind = Pick<AuditEvent, 'event_type' | 'sub_type' | 'system_source'>
