import type { Assessment, Task } from '../world/world.ts'

/** The operations of the contract; `unknown` for any other request. */
export type Operation =
  | 'task.read'
  | 'assign.update'
  | 'assign.unassign'
  | 'assessment.read'
  | 'export'
  | 'unknown'

/** One request on its way through the service. */
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

/** The objects in answers. */
export type Resource = 'task' | 'assignment' | 'assessment'

/** One field of an answer, and the stored record that it comes from. */
export type Field = Call & { resource: Resource; field: string; record: Readonly<object> }

export type Reason =
  | 'unauthorized'
  | 'malformed id'
  | 'not found'
  | 'forbidden'
  | 'content type'
  | 'not json'
  | 'invalid body'
  | 'no if-match'
  | 'version mismatch'
  | 'state'
  | 'invalid query'
  | 'invalid range'
  | 'too many events'
  | 'too large'
  | 'too many'
  | 'unknown path'
  | 'wrong method'

/** `wrong`: what is wrong with a body or a query, if the service knows */
export type Refusal = { reason: Reason; status: number; name: string; wrong?: string }

/** The checks of a request, named so that their order can be chosen. */
export type CheckName =
  | 'key'
  | 'path'
  | 'found'
  | 'permission'
  | 'content-type'
  | 'json'
  | 'body'
  | 'if-match'
  | 'version'
  | 'state'
  | 'query'
  | 'range'
  | 'size'

/** The text of a body and its content type; without a type, no such header. */
export type Body = { type: string | undefined; text: string }

export type FoundRecord = Task | Assessment | undefined

/** Whether a text has the shape of a UUID of any version. */
export const isUuid = (text: unknown): boolean =>
  typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
