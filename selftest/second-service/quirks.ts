// What differs from task to task where the contract is silent. One run meets many of them.
import type { StampStyle } from './clock.ts'

export type Quirks = {
  updatedAt: StampStyle
  createdAt: StampStyle
  lockedAt: StampStyle
  getStatus: number
  putStatus: number
  lagMs: number
  touchMs: number | null
  behindMs: number
  quotedMatch: boolean
  idCase: 'same' | 'upper' | 'lower'
  noMatch: number
  badBody: number
  both: 'refuse' | 'update' | 'unassign'
  neither: 'refuse' | 'accept'
  idle: 'accept' | 409 | 422
  noComment: 'absent' | 'null'
  emptyComment: 'kept' | 'none'
  maxComment: number
  strict: boolean
  bodyFirst: boolean
  dataStep: number
  splitEvents: boolean
  processing: boolean
  nulls: string[]
  status: string
}

// Legal: "Which task fields other than assignment, custom_metadata and name can be null: not
// shown". The four things a task belongs to, its id and its updated_at are never null.
const NULLS = [
  ['locked_at', 'microfrontend_id'],
  [],
  ['step_name', 'data_version'],
  ['assessment_template_id', 'c_name', 'locked_at'],
  ['created_at'],
  ['locked_at'],
  ['microfrontend_id', 'step_name'],
]
const STATUSES = [
  'INCOMPLETE',
  'IN_PROGRESS_2',
  'complete',
  'Awaiting QA / 4-eyes',
  'INCOMPLETE',
  'REOPENED:BY:SYSTEM',
  'ИЗЧАКВА',
]

/** `arguable: false` leaves out the choices that a strict reader could call illegal. */
export function quirksFor(index: number, shift: number, arguable: boolean): Quirks {
  const at = <T>(list: readonly T[], salt: number): T => {
    const value = list[(index * (1 + (salt % 2)) + salt + shift) % list.length]
    if (value === undefined) throw new Error('an empty list of oddities')
    return value
  }
  return {
    updatedAt: at(['nano', 'offset', 'seconds', 'nano', 'centi'], 0),
    createdAt: at(['basic', 'offset', 'seconds', 'comma', 'minute', 'nano', 'week'], 0),
    lockedAt: at(['hour-offset', 'comma', 'week', 'nano', 'basic'], 2),
    getStatus: at([203, 200, 202], 1),
    putStatus: at([202, 203, 200, 201], 0),
    lagMs: at([300, 0, 180], 0),
    touchMs: at([200, null, 200, null, 230], 2),
    behindMs: at([0, 0, 300_000, 0], 2),
    quotedMatch: arguable && at([true, false], 0),
    idCase: arguable ? at(['same', 'upper', 'lower', 'same'], 0) : 'same',
    noMatch: at([428, 400, 412], 0),
    badBody: at([422, 400], 2),
    both: at(['refuse', 'unassign', 'update'], 0),
    neither: at(['accept', 'refuse'], 0),
    idle: at(['accept', 409, 422, 409], 0),
    noComment: at(['absent', 'null'], 2),
    emptyComment: arguable ? at(['none', 'kept', 'none'], 2) : 'kept',
    maxComment: arguable ? at([255, 10_000], 0) : 10_000,
    strict: at([false, true, true], 2),
    bodyFirst: at([true, false, false], 0),
    dataStep: at([1, 0, 7, -1], 2),
    splitEvents: at([true, false], 0),
    processing: at([false, true, false], 2),
    nulls: at(NULLS, 0),
    status: at(STATUSES, 2),
  }
}
