import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { type Assignment, premise, type Task } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { ForeignChange } from '../service/foreign-change.ts'
import { isSameId } from '../service/ids.ts'
import { ownersOf } from '../service/owners.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { insisted } from './unanswered.ts'

/** An update sent with a version that was current once, and what reads showed before and after. */
export type Stale = {
  answer: Answer
  /** what it asked for; null: unassigning */
  to: Assignee | null
  before: Task
  after: Task
  /** the task changes by itself */
  restless: boolean
}

export type StaleStory = {
  reassign: Stale
  unassign: Stale
  assign: Stale
  /** the update that followed the refusals, with the version that was read after them */
  retry: Answer
}

/**
 * Makes a version stale and sends it once for every kind of update. Two updates are meant to be
 * accepted, and leave a task that was unassigned as it was.
 */
export async function staleStory(
  lending: Lending,
  service: Service,
  settings: Settings,
  [to, other = to]: Assignee[],
): Promise<StaleStory> {
  const { actorId = '' } = settings
  if (!to || !other)
    throw new NotDecidable('setting', 'set USER_IDS: two or more users to assign to')
  return lending.lend('unassigned', service, async (loan) => {
    const { current } = loan
    let task = loan.task
    if (task.assignment) task = premise(await current.put(task, unassignBody(actorId)))
    premise(await current.put(await current.read(task.id), updateBody(actorId, to)))
    const old = lastConsumed(loan)

    const reassign = await sendStale(loan, service, old, actorId, other)
    const unassign = await sendStale(loan, service, old, actorId, null)
    // What was carried out all the same must not keep the next refusal from being asked for.
    if (unassign.after.assignment === null)
      premise(await current.put(unassign.after, updateBody(actorId, to)))
    const latest = await current.read(task.id)
    const retry = await current.put(latest, unassignBody(actorId))
    premise(
      isAccepted(retry) || retry.status === 409,
      'clause',
      `${describeAnswer(retry)} to the latest version`,
      ...ownersOf(retry),
    )
    if (!isAccepted(retry)) return { reassign, unassign, assign: reassign, retry }
    const assign = await sendStale(loan, service, lastConsumed(loan), actorId, to)
    return { reassign, unassign, assign, retry }
  })
}

function lastConsumed({ used }: Loan): string {
  const last = [...used].at(-1)
  if (last === undefined)
    throw new NotDecidable('clause', 'no update gave a new version', 'assign.new-version')
  return last
}

/** Sends a stale update, and watches the task for the time to settle. */
async function sendStale(
  { current, used, task: { id } }: Loan,
  service: Service,
  old: string,
  actor: string,
  to: Assignee | null,
): Promise<Stale> {
  const body = to ? updateBody(actor, to) : unassignBody(actor)
  const before = await current.read(id)
  premise(
    before.updated_at !== old,
    'clause',
    `an accepted update left updated_at at ${old}`,
    'assign.new-version',
  )
  // Whether it changes by itself has to be known before a change can be held against the refusal.
  let restless = false
  await current.watch(id, (seen) => {
    restless ||= seen.updated_at !== before.updated_at && !used.has(seen.updated_at)
  })
  const start = await current.read(id)
  const answer = await insisted(
    () => service.put(id, old, body),
    'whose If-Match is stale, beside accepted ones,',
  )
  let after = start
  await current.watch(id, (seen) => {
    if (!used.has(seen.updated_at)) after = seen
  })
  if (isAccepted(answer)) used.add(start.updated_at)
  return { answer, to, before: start, after, restless }
}

/** What a refused update changed the assignment to all the same; undefined where it did not. */
export function changedBy({ before, after, to }: Stale): Assignment | null | undefined {
  const now = after.assignment
  if (isSameButSpelling(before.assignment, now)) return undefined
  const asked = to ? isSameId(now?.assigned_to_id, to.id) : now === null
  if (!asked) throw new ForeignChange(now)
  return now
}
