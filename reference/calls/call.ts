import type { Assessment, Task } from '../world/world.ts'

/** `unknown`: any request beyond the contract */
export type Operation =
  | 'task.read'
  | 'assign.update'
  | 'assign.unassign'
  | 'assessment.read'
  | 'export'
  | 'unknown'

export type Call = {
  op: Operation
  /** from the path, in the form used to look ids up */
  id: string
  headers: Headers
  query: URLSearchParams
  /** of the caller, if the service listens on a port */
  address: string | undefined
}

export type Update = Call & { task: Task; sent: SentFields }

/** The `update` or `unassign` object of a body, checked or not. */
export type SentFields = {
  assigned_by_id: string
  assigned_to_id: string
  assigned_to_type: string
  assignment_comment?: string | null
}

export type Resource = 'task' | 'assignment' | 'assessment'

/** One field of an answer, and the stored record that it comes from. */
export type Field = Call & { resource: Resource; field: string; record: Readonly<object> }

/** The name that an error body gives each reason to refuse. */
const refusalNames = {
  unauthorized: 'Unauthorized',
  'malformed id': 'Not Found',
  'not found': 'Not Found',
  forbidden: 'Forbidden',
  'content type': 'Content-Type must be application/json',
  'not json': 'The body is not JSON',
  'invalid body': 'Invalid assignment',
  'no if-match': 'If-Match is required',
  'version mismatch': 'Version mismatch',
  state: 'Not possible in this state',
  'invalid query': 'Invalid parameter',
  'invalid range': 'range_start is later than range_end',
  'too many events': 'Too many events for a PDF',
  'too large': 'Content too large',
  'too many': 'Too many requests',
  'unknown path': 'Not Found',
  'wrong method': 'Method not allowed',
}

export type Reason = keyof typeof refusalNames

/** `wrong`: what is wrong with a body or a query, if the service knows */
export type Refusal = { reason: Reason; status: number; name: string; wrong?: string }

export const refusal = (reason: Reason, status: number, wrong?: string): Refusal => ({
  reason,
  status,
  name: refusalNames[reason],
  wrong,
})

/** The checks of a request in their usual order, each with the reason for which it refuses. */
export const reasonsOfChecks = {
  key: 'unauthorized',
  path: 'malformed id',
  found: 'not found',
  permission: 'forbidden',
  'content-type': 'content type',
  json: 'not json',
  body: 'invalid body',
  'if-match': 'no if-match',
  version: 'version mismatch',
  state: 'state',
  query: 'invalid query',
  range: 'invalid range',
  size: 'too many events',
} as const

export type CheckName = keyof typeof reasonsOfChecks

/** The text of a body and its content type; without a type, no such header. */
export type Body = { type: string | undefined; text: string }

export type FoundRecord = Task | Assessment | undefined

/** Whether a text has the shape of a UUID of any version. */
export const isUuid = (text: unknown): boolean =>
  typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
