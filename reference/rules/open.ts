import type { Body, Call, CheckName, Field, Found, Refusal, Sent, Update } from '../calls/call.ts'
import type { Assignment, Task, World } from '../world/world.ts'
import { openOfExport } from './open-export.ts'
import { openOfTrail } from './open-trail.ts'

/** What the contract leaves open, as the rules the service asks. A legal variant is one bent. */
export const open = {
  // Its clock

  /** How far the service's clock is ahead of others, in milliseconds. */
  clockAhead: (_: World): number => 0,

  // Answers

  /** Success status codes of the JSON operations. */
  successStatus: (_: Call): number => 200,
  /** The exact content type of JSON answers; undefined: none. */
  contentType: (_: Call): string | undefined => 'application/json',
  /** Shape and content type of error bodies. */
  errorBody: ({ name }: Call & Refusal): Body => ({
    type: 'application/json',
    text: JSON.stringify({ error: name }),
  }),
  /** Headers for caches, and any others. */
  headers: (_: Call & { status: number }): Record<string, string> => ({}),
  /** Compression of answers. */
  encoding: (_: Call & { status: number }): 'identity' | 'gzip' | 'br' | 'deflate' => 'identity',
  /** How long the service takes, in milliseconds, before it begins and before it answers. */
  delay: (_: Call & { at: 'start' | 'end' }): number => 0,
  /** Rate limits. */
  requestsPerSecond: (_: Call): number => Number.POSITIVE_INFINITY,
  /** What a caller over the rate limit is told to wait; undefined: nothing. */
  retryAfter: (_: Call): string | undefined => '1',

  // Refusals

  /** Which of several reasons to refuse comes first; checks left out come last. */
  order: (_: Call): CheckName[] => [
    'key',
    'path',
    'found',
    'permission',
    'content-type',
    'json',
    'body',
    'if-match',
    'version',
    'state',
    'query',
    'range',
    'size',
  ],
  /** Permissions of a key. */
  permits: (_: Call & { record: Found }): boolean => true,
  /** The status for want of permission. */
  forbiddenStatus: (_: Call): number => 403,
  /** Which addresses an account allows; undefined: allow listing is off. */
  allowedAddresses: (_: Call): string[] | undefined => undefined,
  /** The status for an id that has not the shape of one. */
  malformedIdStatus: (_: Call): number => 404,
  /** The status for a body sent as another content type. */
  contentTypeStatus: (_: Call & { type: string | null }): number => 415,
  /** The status for a body that is not JSON. */
  notJsonStatus: (_: Call): number => 400,
  /** The status for an invalid or incomplete assignment body; `field` is the field at fault. */
  invalidBodyStatus: (_: Call & { flaw: Flaw; field?: string; value?: unknown }): number => 422,
  /** The status for a missing If-Match. */
  missingIfMatchStatus: (_: Call): number => 428,
  /** The status for a path the service does not have. */
  unknownPathStatus: (_: Call): number => 404,
  /** The status for a method a path does not have. */
  wrongMethodStatus: (_: Call): number => 405,
  /** The status for a request over the rate limit. */
  tooManyStatus: (_: Call): number => 429,
  /** The status for a body over the limit. */
  tooLargeStatus: (_: Call): number => 413,
  /** The largest body taken, in bytes. */
  bodyLimit: (_: Call): number => 1_000_000,

  // Resources

  /** Whether the letter case of an id asked for matters; world ids are lower case. */
  idKey: ({ id }: { id: string }): string => id.toLowerCase(),
  /** The letter case of ids shown. */
  idForm: ({ value }: Field & { value: string }): string => value,
  /** Precision and form of timestamps; `value` has nine fraction digits and a Z. */
  timestampForm: ({ value }: { resource: string; field: string; value: string }): string =>
    `${value.slice(0, 23)}Z`,
  /** Fields that can be null, status values, contents of custom_metadata. */
  shownValue: ({ value }: Field & { value: unknown }): unknown => value,
  /** Fields beyond the tables. */
  extraFields: (_: Omit<Field, 'field'>): Record<string, unknown> => ({}),

  // The update's request

  /** Behaviour when both objects are sent. */
  whenBoth: (_: Call): Choice => 'refused',
  /** Behaviour when neither object is sent. */
  whenNeither: (_: Call): Choice => 'refused',
  /** Whether members beyond those named are taken, beside the objects or in them. */
  memberIsTaken: (_: Call & { member: string; within: 'body' | 'update' | 'unassign' }): boolean =>
    true,
  /** Limits on comments. */
  commentIsTaken: (_: Call & { comment: string }): boolean => true,
  /** Whether an id of somebody the service does not know, or may not take, is taken. */
  personIsTaken: (_: Call & { field: 'assigned_by_id' | 'assigned_to_id'; sent: Sent }): boolean =>
    true,
  /** What a state refuses: unassigning the unassigned, assigning to the same; undefined: nothing. */
  stateRefusal: (_: Update): number | undefined => undefined,
  /** Which forms of If-Match are taken beside the bare value, such as quoted or weak ones. */
  ifMatchFrom: ({ given }: Call & { given: string }): string => given,

  // The update carried out

  /** How a comment is kept (trimmed or not), and how no comment is: null, '' or no member. */
  commentAsKept: ({
    comment,
  }: Update & { comment: string | null | undefined }): string | null | undefined => comment ?? null,
  /** Whether an update that changes nothing leaves the version as it is. */
  leavesVersion: (_: Update & { assignment: Assignment | null }): boolean => false,
  /** Update rule of data_version. */
  nextDataVersion: ({ task }: Update): number => task.data_version + 1,
  /** Update rule of locked_at. */
  nextLockedAt: ({ task }: Update & { now: string; fresh: string }): string => task.locked_at,
  /** How far reads lag behind updates, in milliseconds. */
  readLag: (_: Call): number => 0,
  /** After how many milliseconds the service, or somebody else, touches the task again. */
  laterTouches: (_: Update): number[] => [],
  /** What such a touch writes beside the version: a job of the service may keep fields of its own. */
  writtenLater: (_: Update & { after: Task }): Partial<Task> => ({}),

  ...openOfExport,
  ...openOfTrail,
}

export type Open = typeof open

/** What becomes of a body that does not hold exactly one of the two objects. */
export type Choice = 'update' | 'unassign' | 'nothing' | 'refused'

/** What can be wrong with a body that is JSON. */
export type Flaw =
  | 'both'
  | 'neither'
  | 'required'
  | 'type'
  | 'value'
  | 'member'
  | 'comment'
  | 'person'
