// The one sender: what an update asks for is data. Only the loan tries again for another writer.

import type { Answer } from '../../engine/http/client.ts'
import { Trouble } from '../../engine/outcome.ts'
import type { History, Op } from '../history/history.ts'
import type { Loan } from '../loans/lending.ts'
import { premise, type Task } from '../service/answers.ts'
import type { Version } from '../service/service.ts'
import { type Assignee, type How, unassignBody, updateBody } from '../service/update-request.ts'
import { BoundReached } from '../service/write-budget.ts'

export type Update = {
  /** default: it unassigns */
  to?: Assignee | null
  comment?: string | null | undefined
  by?: string
  /** in place of these */
  body?: unknown
  /** sent once as it is, undefined for none; default: the current version, and again if another writer replaced it */
  ifMatch?: string | undefined
  /** default: that of the task */
  id?: string
  how?: How | undefined
}

export type OnLoan = Pick<Loan, 'task' | 'current' | 'service' | 'actor'>

export const bodyOf = ({ actor }: Pick<Loan, 'actor'>, { body, ...update }: Update): unknown => {
  const { to, comment, by = actor } = update
  return body ?? (to ? updateBody(by, to, comment) : unassignBody(by, comment))
}

export function send(loan: OnLoan, update: Update, on: Version = loan.task): Promise<Answer> {
  const { id = on.id, how } = update
  return 'ifMatch' in update
    ? loan.service.put(id, update.ifMatch, bodyOf(loan, update), how)
    : loan.current.put(on, bodyOf(loan, update), how)
}

export const needUpdated = async (loan: OnLoan, update: Update, on?: Version): Promise<Task> =>
  premise(await send(loan, update, on))

export const needUnassigned = async (loan: OnLoan): Promise<Task> =>
  loan.task.assignment ? needUpdated(loan, {}) : loan.task

/** Updates at one moment, with one If-Match: what the history has of them. */
export async function sendAtOnce(
  loan: OnLoan,
  updates: readonly Update[],
  { ifMatch, history }: { ifMatch: string; history: History },
): Promise<Op[]> {
  const { service, task } = loan
  const bodies = updates.map((update) => bodyOf(loan, update))
  const hows = updates.map(({ how = {} }) => how)
  for (const one of await service.putTogether(task.id, ifMatch, bodies, hows))
    if (one.status === 'rejected') unlessLost(one.reason)
  return sentWith(history, task.id, bodies)
}

/** Without an answer, an update may have been accepted, unless it was never sent. */
export function unlessLost(error: unknown): undefined {
  if (!(error instanceof Trouble) || error instanceof BoundReached) throw error
}

export function sentWith(history: History, task: string, bodies: readonly unknown[]): Op[] {
  const ops = history.endedOf(task)
  return bodies.flatMap((body) => ops.find((op) => op.body === body) ?? [])
}
