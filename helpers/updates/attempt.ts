// Updates that must have no effect: each is data, and one loop sends them.

import { acceptedBody, isAccepted, isObject, membersOf } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import type { Decides } from '../../engine/problem.ts'
import { pause } from '../../engine/time/abort.ts'
import { type History, isAcceptedOp, type Op } from '../history/history.ts'
import {
  keepsComments,
  mayBeByOther,
  needNotRefused,
  type Refused,
  refusedUpdates,
} from '../history/questions.ts'
import type { CurrentVersion, Window } from '../loans/current-version.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Loan } from '../loans/lending.ts'
import { askedBetween } from '../service/answered.ts'
import { type Assignment, premise, type Task, taskIn } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import { problemsOf } from '../service/schema.ts'
import type { Service, Version } from '../service/service.ts'
import { type Assignee, differsBy, type How, updateBody } from '../service/update-request.ts'
import { wrongVersions } from '../service/wrong-versions.ts'
import { createToken, needAnybody, type OfRun, othersThan } from './controls.ts'
import { needAssigned, needUnassigned, needUpdated, send } from './sender.ts'

export type Attempt = {
  /** its mistake, as the end of "an update …" */
  what: string
  /** the state of the task that it needs */
  on: 'any' | 'assigned' | 'unassigned'
  /**
   * what the contract says of it; `open`: it may be accepted, so it is sent once and observed; default: it
   * is refused for its mistake
   */
  fate?: 'not carried out' | 'open'
  /** how many accepted updates of its task must precede it, the last on the same loan */
  needsEarlier?: number
  /** with a unique comment if comments are accepted */
  body(
    valid: ReturnType<typeof updateBody>['update'],
    comment: string | undefined,
    before: Assignment | null,
    earlier: readonly Op[],
  ): unknown
  how?: How
  to?: Assignee['type']
  /**
   * the If-Match, from the current version and earlier accepted updates; default: the current version;
   * undefined: no If-Match
   */
  version?: (current: string, earlier: readonly Op[]) => string | undefined
  /** the id to send it to, from that of the task; default: that id */
  id?: (known: string) => string
}

export const asUpdate: Attempt['body'] = (valid) => ({ update: valid })
export const asUnassign: Attempt['body'] = ({ assigned_by_id }) => ({
  unassign: { assigned_by_id },
})

export const withVersion = (what: string, version: Attempt['version']): Attempt => ({
  what,
  on: 'any',
  body: asUpdate,
  version,
})

export const aYearAhead = withVersion(
  'whose If-Match is one year after the current version',
  wrongVersions.future,
)

/** Attempts that are sent together on one loan of an assigned task, which is looked at once. */
const batches: (readonly Attempt[])[] = []
export const batched = (attempts: readonly Attempt[]) => void batches.push(attempts)
export const batchOf = (attempt: Attempt) => batches.find((batch) => batch.includes(attempt))

type Sent = {
  attempt: Attempt
  to: Assignee
  comment: string | undefined
  body: unknown
  answer: Answer
  before: Task
  decides: Decides
  seen?: Task | undefined
}

export type AttemptResult = Sent & {
  /** the last read after it; one for all that share a loan */
  stored: Task
  /** the read that shows what it did, or why no read shows the task since */
  carriedOut?: Task | NotDecidable | undefined
  /** whether no other writer can have made that change */
  isProven?: boolean
  /** left out if it was accepted */
  refused?: Refused | undefined
  next?: Answer | undefined
  /** the answers that show its comment by the end of the run */
  traces: readonly Answer[]
  /** whether the task was watched for less than SETTLE_MS, and the update has no token */
  isOpen: boolean
}

export type AttemptDeps = OfRun & {
  service: Service
  people: Assignee[]
  commented: boolean
}

export type Manner = {
  /** how long to watch the task, instead of the learned window */
  watchMs?: number | undefined
  on?: string | undefined
  still?: boolean | undefined
}

function assigneeFor({ to }: Attempt, people: readonly Assignee[], now: Task) {
  const others = othersThan(people, now)
  return others.find(({ type }) => type === to) ?? others[0]
}

export function differsOf({ version, id, how = {} }: Attempt, body: unknown): string[] {
  const departures =
    typeof body === 'string' ? [{ path: '' }] : problemsOf('update-assignment', body)
  return [
    ...(id ? ['path'] : []),
    ...(version ? ['header if-match'] : []),
    ...differsBy(how),
    ...departures.map(({ path }) => ['body', ...path.split('.').filter(Boolean)].join(' ')),
  ]
}

const earlierOf = ({ history }: AttemptDeps, task: string): Op[] =>
  history
    .endedOf(task)
    .filter(
      (op) =>
        op.kind === 'update' && isAcceptedOp(op) && op.shown && op.shown.version !== op.ifMatch,
    )

async function needReady(attempt: Attempt, loan: Loan, deps: AttemptDeps): Promise<Task> {
  const { people } = deps
  const anybody = needAnybody(people)
  let { task } = loan
  const { needsEarlier = 0 } = attempt
  const missing = Math.max(1, needsEarlier - earlierOf(deps, task.id).length)
  for (let time = 0; needsEarlier > 0 && time < missing; time += 1) {
    // The only assignee may not be accepted twice.
    const to = assigneeFor(attempt, people, task) ?? (task.assignment ? null : anybody)
    task = await needUpdated(loan, { to }, task)
  }
  if (attempt.on === 'assigned') return needAssigned({ ...loan, task }, anybody)
  // It may be assigned to the only possible assignee.
  const isUnfit = attempt.on === 'any' && !assigneeFor(attempt, people, task)
  const isReady = attempt.on !== 'unassigned' && !isUnfit
  return isReady ? task : needUnassigned({ ...loan, task })
}

/** The task once it is still: after an update the service may touch it several times. */
async function needStill({ id }: Task, { read }: CurrentVersion, deps: AttemptDeps): Promise<Task> {
  let last: Task | undefined
  for (let time = 1; time <= 4; time += 1) {
    await pause(deps.settleWindow.windowMs(), deps.stop)
    const now = await read(id)
    if (now.updated_at === last?.updated_at) return now
    last = now
  }
  throw new NotDecidable(
    'freedom',
    'the task changes without an update; the contract does not say what else changes updated_at',
  )
}

const wanted = { any: 'any state', assigned: 'USER', unassigned: 'unassigned' } as const

/**
 * Sends an attempt on a loan, or several together, and looks at the task: its state decides, unless another writer may
 * have changed it. An update with a token is looked for in every read until the end of the run; otherwise the task is
 * watched. Of several, what is accepted or carried out ends the batch; those without a result are to be sent alone.
 */
export function sendBatch(
  attempts: readonly Attempt[],
  deps: AttemptDeps,
  { watchMs, on, still }: Manner = {},
): Promise<AttemptResult[]> {
  const { lending, service, people } = deps
  const [first, ...more] = attempts as readonly [Attempt]
  const together = async (loan: Loan) => {
    const assigned = await needAssigned(loan, needAnybody(people))
    const task = assigned === loan.task ? assigned : await loan.current.read(assigned.id)
    const sent: Sent[] = []
    for (const attempt of attempts) {
      const one = await sendTo(task, attempt, { ...deps, loan }, true)
      // The script of a breach could not tell which task another id belongs to.
      if (isAccepted(one.answer)) return attempt.id ? [] : follow([one], loan, deps)
      sent.push(one)
    }
    return follow(sent, loan, deps)
  }
  const alone = async (loan: Loan) => {
    const ready = await needReady(first, loan, deps)
    const task = still ? await needStill(ready, loan.current, deps) : ready
    return follow([await sendTo(task, first, { ...deps, loan })], loan, deps, watchMs)
  }
  if (more.length > 0) return lending.lend('USER', service, together, 'first')
  return lending.lend(on === undefined ? wanted[first.on] : { id: on }, service, alone)
}

/** Sends again after a 409 to a version that was replaced meanwhile. */
async function sendTo(
  found: Task,
  attempt: Attempt,
  { loan, ...deps }: AttemptDeps & { loan: Loan },
  isOnce = false,
): Promise<Sent> {
  const { what, version, id: idOf, how } = attempt
  const { id, assignment } = found
  const to = assigneeFor(attempt, deps.people, found) ?? needAnybody(deps.people)
  const comment = deps.commented ? createToken() : undefined
  const earlier = earlierOf(deps, id)
  const valid = updateBody(loan.actor, to, comment).update
  const body = attempt.body(valid, comment, assignment, earlier)
  let before = found
  let now: Version = found
  let decides: Decides = {}
  const put = (more?: How) => {
    const { updated_at } = now
    const ifMatch = version ? version(updated_at, earlier) : updated_at
    const isTold = !attempt.needsEarlier || ifMatch !== undefined
    premise(isTold, 'clause', 'no update returned a new version', 'assign.new-version')
    const isOther = !version || ifMatch !== updated_at || isOnce
    const same = `reads show the version as ${updated_at}, and ${what} it would be the same`
    premise(isOther, 'freedom', same)
    decides = { 'If-Match that was sent': ifMatch ?? 'none', 'current updated_at': updated_at }
    return send(loan, { id: idOf?.(id) ?? id, ifMatch, body, how: { ...how, ...more } })
  }
  const control = async () => {
    const other = assigneeFor(attempt, deps.people, before) ?? needAnybody(deps.people)
    const answer = await send(loan, { to: other }, now)
    before = premise(answer)
    now = before
    return answer
  }
  const insistently = (more?: How) => insisted(() => put(more), `${what}, beside accepted updates,`)
  const sendOnce = (on: Version) => {
    now = on
    // Repeating an update that may be accepted would fail for its version.
    if (attempt.fate === 'open') return put()
    return isOnce ? insistently() : askedBetween(insistently, control)
  }
  // A stale version stays stale.
  const sent =
    isOnce || attempt.needsEarlier
      ? { answer: await sendOnce(found) }
      : await loan.current.sendOn(found, sendOnce, version !== undefined)
  return { attempt, to, comment, body, before, decides, ...sent }
}

/** Of several updates none has a result if the task changed, or if another writer may have replaced the version. */
async function follow(
  sent: readonly Sent[],
  loan: Loan,
  { history, settings, people, settleWindow }: AttemptDeps,
  watchMs?: number,
): Promise<AttemptResult[]> {
  const [{ attempt, body, answer, comment, to, before, seen }] = sent as [Sent, ...Sent[]]
  const { settleMs } = settings
  const isAlone = sent.length === 1
  const results = sent.map((one) => {
    const refused = refusedBy(history, one.answer, before.id)
    return { ...one, refused, isTraced: refused?.token !== undefined && keepsComments(history) }
  })
  let carriedOut: AttemptResult['carriedOut']
  let next: Answer | undefined
  let [isProven, isLate] = [false, false]
  let stored = before
  const isSent = (shown: Assignment | null) =>
    comment !== undefined && shown?.assignment_comment === comment
  // A change to the sent comment or assignee is ours; anything else is another writer's.
  const isOurs = (shown: Assignment | null) =>
    shown === null
      ? attempt.on === 'assigned'
      : isSent(shown) || isSameId(shown.assigned_to_id, to.id)
  const { assignment: claimed = before.assignment } = membersOf(answer)
  const isClaimed = isAccepted(answer) && isOurs(claimed as Assignment | null)
  const look = (found: Task) => {
    const { assignment, updated_at } = found
    if (loan.current.isReplaced(updated_at) && updated_at !== before.updated_at) return
    stored = found
    if (isSameButSpelling(assignment, before.assignment)) return
    carriedOut = found
    if (!isAlone) return
    needNotRefused(history, assignment, comment)
    const isOther = !isSent(assignment) && mayBeByOther(history, assignment)
    if ((!isOurs(assignment) || isOther) && !isAccepted(answer))
      throw new ForeignChange(history, assignment)
    isProven = isSent(assignment) || (isClaimed && isOurs(assignment) && !isOther)
  }
  try {
    const isTraced = results.every((one) => one.isTraced)
    const window = windowFor(before, answer, { isTraced, settleMs, watchMs })
    if (seen) look(seen)
    const isSeen = seen !== undefined
    const isEnough = isSeen && window.limitMs === 0
    const last = isEnough ? seen : await loan.current.watch(before.id, look, { ...window, isSeen })
    const isUnassign = isObject(body) && 'unassign' in body
    // A late effect may wait for the next change.
    if (!isAccepted(answer) && !carriedOut && (!isAlone || isUnassign)) {
      const followed = await afterNextUpdate(loan, last, people)
      next = followed.answer
      isLate = followed.late !== undefined
      if (followed.late) look(followed.late)
    }
  } catch (error) {
    // Reads were well-formed until this update, so it had an effect.
    if (!(error instanceof NotDecidable)) throw error
    carriedOut = error
  }
  const isSurprised = ({ answer, attempt }: Sent) => answer.status === 409 && !attempt.version
  const isMoved = stored.updated_at !== before.updated_at && sent.some(isSurprised)
  if (!isAlone && (carriedOut || isLate || isMoved)) return []
  const isShort = watchMs === undefined && settleWindow.windowMs() < settleMs
  return results.map(({ isTraced, ...one }) => ({
    ...{ ...one, stored, carriedOut, isProven, next, traces: [] },
    isOpen: one.refused !== undefined && !isTraced && isShort,
  }))
}

/**
 * Sends a further update after a read: a late effect may wait for the next change. Returns its answer, and the task if
 * reads do not show its assignment.
 */
async function afterNextUpdate(
  loan: Loan,
  seen: Task,
  people: readonly Assignee[],
): Promise<{ answer: Answer; late?: Task | undefined }> {
  const { current } = loan
  const before = await current.newest(seen)
  const [to = null] = othersThan(people, before)
  const answer = await send(loan, { to }, before)
  if (!isAccepted(answer)) return { answer }
  const made = taskIn(answer)
  let last = made
  const note = (seen: Task) => {
    if (!current.isReplaced(seen.updated_at)) last = seen
  }
  await current.watch(before.id, note, {
    until: ({ updated_at }) => updated_at === made.updated_at,
  })
  // The clauses on reads judge the type.
  return { answer, late: isSameId(last.assignment?.assigned_to_id, to?.id) ? undefined : last }
}

function refusedBy(history: History, answer: Answer, task: string): Refused | undefined {
  const refused = refusedUpdates(history).findLast((each) => each.answer === answer)
  return refused && { ...refused, task }
}

/** A single look if the end of the run keeps looking; until the effect shows if the update was accepted. */
function windowFor(
  before: Task,
  answer: Answer,
  how: { isTraced: boolean; settleMs: number; watchMs?: number | undefined },
): Window {
  const { updated_at: made } = acceptedBody(answer) ?? before
  if (made !== before.updated_at)
    return { limitMs: how.settleMs, until: ({ updated_at }) => updated_at === made }
  if (how.watchMs !== undefined) return { limitMs: how.watchMs }
  return how.isTraced ? { limitMs: 0 } : {}
}

const tries = 3

/** A failure that comes every time names its condition. */
export async function insisted(send: () => Promise<Answer>, condition: string): Promise<Answer> {
  for (let time = 1; ; time += 1) {
    try {
      return await send()
    } catch (error) {
      // The client has retried everything else, or the run ends.
      if (!(error instanceof FateUnknown)) throw error
      const told = `${tries} of ${tries} updates ${condition} failed: ${error.message}`
      if (time === tries) throw Object.assign(new Trouble(told), { status: error.status })
    }
  }
}
