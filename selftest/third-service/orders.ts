import type { Directory } from './directory.ts'
import { Fault, type Order, type Target } from './model.ts'

type Bag = Record<string, unknown>

const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const wrong = (says: string) => new Fault(422, 'ORDER_NOT_UNDERSTOOD', says)

function word(bag: Bag, field: string): string {
  const value = bag[field]
  if (typeof value !== 'string' || value === '') throw wrong(`${field} is to be given as text`)
  return value
}

function commentOf(bag: Bag): string | null {
  const value = bag.assignment_comment ?? null
  if (value !== null && typeof value !== 'string')
    throw wrong('assignment_comment is to be text or null')
  return value
}

function targetOf(bag: Bag, directory: Directory): Target {
  const id = word(bag, 'assigned_to_id')
  const type = word(bag, 'assigned_to_type')
  if (type !== 'USER' && type !== 'TEAM') throw wrong('assigned_to_type is to be USER or TEAM')
  const target: Target = { id, type }
  if (!directory.knows(target)) throw wrong('assigned_to_id is nobody of that type')
  return target
}

/** Reads the body of update-assignment. */
export function readOrder(text: string, directory: Directory): Order {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Fault(400, 'BODY_NOT_JSON', 'the body is no JSON')
  }
  if (!isBag(body)) throw wrong('the body is to be an object')
  const update = body.update ?? null
  const unassign = body.unassign ?? null
  if ((update === null) === (unassign === null)) throw wrong('give either update or unassign')
  const bag = update ?? unassign
  if (!isBag(bag)) throw wrong('update and unassign are objects')
  const by = word(bag, 'assigned_by_id')
  if (!directory.knowsUser(by)) throw wrong('assigned_by_id is nobody')
  return { by, target: update ? targetOf(bag, directory) : null, comment: commentOf(bag) }
}
