import type { Answer } from '../../engine/http/client.ts'
import { parsed } from '../../engine/parsed.ts'
import { isReadOperation, type Operation, operationsAt } from '../contract/operations.ts'
import { statuses } from '../contract/statuses.ts'
import { operationOf } from './update-request.ts'

export type Owners = [string, ...string[]]

export const toAnybody = {
  USER: ['assign.unassigned-to-user', 'assign.user-to-user', 'assign.team-to-user'],
  TEAM: ['assign.unassigned-to-team', 'assign.user-to-team', 'assign.team-to-team'],
} satisfies Record<string, Owners>

export const toNobody: Owners = ['assign.unassign-user', 'assign.unassign-team']

export const ownersOfChange: Owners = [
  'assign.persisted',
  ...toAnybody.USER,
  ...toAnybody.TEAM,
  ...toNobody,
]

const ownersOfMismatch: Owners = ['version.current-accepted', 'version.retry', ...ownersOfChange]

export function ownersOf({ method, path, status, sent }: AnsweredRequest): Owners {
  const [operation = 'export'] = operationsAt(method, path)
  if (isReadOperation(operation)) return [`${operation}.success`]
  if (operation !== 'export')
    return status === statuses.staleVersion ? ownersOfMismatch : ownersOfUpdate(sent)
  if (path.includes('file_type=pdf')) return ['export.pdf.status']
  return path.includes('file_type=')
    ? ['export.csv.status']
    : ['export.default-csv', 'export.csv.status']
}

export type AnsweredRequest = Pick<Answer, 'method' | 'path' | 'status' | 'sent'>

/** Empty if the key may use a part of the operation, because then clauses are declared. */
export function operationsIn({
  method,
  path,
  sent,
}: Pick<AnsweredRequest, 'method' | 'path'> & { sent?: string }): Operation[] {
  const [operation = 'export', another] = operationsAt(method, path)
  if (another) return [operationOf(parsed(sent ?? '{}'))]
  return operation === 'export' && path.includes('file_type=pdf') ? [] : [operation]
}

/** An update of this run, so its body is JSON of the contract's form. */
function ownersOfUpdate(sent = '{}'): Owners {
  const { update, unassign }: Partial<Record<'update' | 'unassign', Update>> = JSON.parse(sent)
  if (!update) {
    const isBare = unassign?.assignment_comment === undefined
    return [
      ...toNobody,
      isBare ? 'assign.comment.unassign-without' : 'assign.comment.unassign-with',
    ]
  }
  const to = update.assigned_to_type === 'TEAM' ? toAnybody.TEAM : toAnybody.USER
  return [...to, formOf(update.assignment_comment)]
}

type Update = { assigned_to_type?: unknown; assignment_comment?: unknown }

const formOf = (comment: unknown): string => {
  if (comment === undefined) return 'assign.comment.omitted'
  return comment === null ? 'assign.comment.null' : 'assign.comment.plain'
}
